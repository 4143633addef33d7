// Elements. Text is always text: nothing that comes from the server is ever parsed as HTML.

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] functions listen to the event of that name; false and null are left out
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
  return element;
}

/** Says in the page's live region what has changed. @param {string} words */
export function say(words) {
  document.getElementById("status").textContent = words;
}

/** What went wrong, in the place of what was asked for. @param {Error} error */
export function wrong(error) {
  return h("p", { class: "wrong", role: "alert" }, error.message);
}

/** @param {number} number @param {string} one @param {string} [many] */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** @param {HTMLElement} element @param {...(Node|string|null|undefined|false)} children */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
}
