// From one view to another without loading the page anew: what draws is loaded and warm already.

const VISITED = "visited";

/** Goes to a view. @param {string} href an address of this page */
export function visit(href) {
  history.pushState(null, "", href);
  dispatchEvent(new Event(VISITED));
}

/**
 * Calls a function whenever the address has become that of another view, by a link, a form or the browser's own ways.
 * @param {() => void} show
 */
export function onVisit(show) {
  addEventListener(VISITED, show);
  addEventListener("popstate", show);
  addEventListener("click", follow);
  addEventListener("submit", send);
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target.closest("a[href]");
  const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || elsewhere || !link || !isView(link)) return;
  event.preventDefault();
  visit(link.href);
}

/** Forms of this page that are sent by their address. @param {SubmitEvent} event */
function send(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const target = new URL(form.action);
  if (event.defaultPrevented || form.method !== "get" || !isView(target)) return;
  event.preventDefault();
  const given = [...new FormData(form)].filter(([, value]) => value);
  target.search = new URLSearchParams(given).toString();
  visit(target.href);
}

/** @param {{origin: string, pathname: string}} target */
function isView({ origin, pathname }) {
  return origin === location.origin && pathname.startsWith(`${document.body.dataset.root}/ui/`);
}
