// The tree as a list that is used with the keyboard: the same providers, inventories and marks as in the drawing.

import { count, h } from "./dom.js";
import { inWords, isOver, shares, short } from "./inventory.js";

/**
 * @param {object} given
 * @param {import("./model.js").Model} given.model
 * @param {import("./overlay.js").Overlay} given.overlay
 * @param {(uuid: string) => void} given.select
 * @param {(uuid: string) => void} given.toggle
 * @param {(uuid: string) => void} given.more
 */
export function createOutline({ model, overlay, select, toggle, more }) {
  const element = h("ul", {
    role: "tree",
    class: "outline",
    "aria-label": `Tree of ${model.root.name}`,
    keydown: onKey,
    click: onClick,
  });

  /**
   * Lists what the model shows now.
   * @param {string} selected
   * @param {import("./overlay.js").Overlay} [over]
   */
  function draw(selected, over = overlay) {
    overlay = over;
    const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    element.replaceChildren(...model.branches().map((branch, position) => item(branch, 1, position > 0)));
    mark(selected);
    if (focused) (itemOf(focused) ?? itemOf(selected))?.focus();
  }

  /** @param {import("./model.js").Branch} branch @param {number} level @param {boolean} beside */
  function item(branch, level, beside) {
    const { provider } = branch;
    const marks = overlay.marks.get(provider.uuid) ?? [];
    const taken = overlay.taken.get(provider.uuid);
    const inventories = Object.entries(provider.inventories);
    const notes = [
      beside && "shares with this tree",
      branch.below > 0 && !branch.open && count(branch.below, "child", "children"),
    ].filter(Boolean);
    // What is seen comes first, as it is seen: whoever speaks to the page names it.
    const seen = [provider.name, ...notes, ...marks.map((one) => one.sign)].join(" ");
    const said = [
      seen,
      branch.open && count(branch.below, "child", "children"),
      ...marks.map((one) => one.words),
      ...inventories.map(([name, inventory]) => inWords(name, inventory)),
    ];
    const expanded = branch.below ? String(branch.open) : null;
    const inside = branch.children.map((child) => item(child, level + 1, false));
    if (branch.hidden) inside.push(moreItem(branch, level + 1));
    return h(
      "li",
      { role: "none" },
      row(
        { "aria-level": level, "aria-label": said.filter(Boolean).join(". "), "aria-expanded": expanded },
        { key: provider.uuid, uuid: provider.uuid },
        h("span", { class: "toggle", "data-toggle": branch.below > 0 }),
        h("span", { class: "name" }, provider.name),
        ...notes.flatMap((note) => [" ", h("span", { class: "note" }, note)]),
        ...marks.flatMap((one) => [
          " ",
          h("span", { class: `mark group-${one.colour}${one.fails ? " fails" : ""}`, title: one.words }, one.sign),
        ]),
      ),
      ...inventories.map(([name, inventory]) => bar(name, inventory, taken?.get(name))),
      inside.length > 0 && h("ul", { role: "group" }, ...inside),
    );
  }

  /** @param {import("./model.js").Branch} branch @param {number} level */
  function moreItem({ provider, hidden }, level) {
    const label = `+${hidden} ${hidden === 1 ? "child" : "children"} of ${provider.name}`;
    const keys = { key: `more-${provider.uuid}`, more: provider.uuid };
    return h(
      "li",
      { role: "none", class: "more" },
      row({ "aria-level": level, "aria-label": label }, keys, `+${hidden}`),
    );
  }

  /** @param {Record<string, any>} attributes @param {Record<string, string>} data @param {...any} children */
  function row(attributes, data, ...children) {
    const made = h(
      "div",
      { role: "treeitem", class: "row", tabindex: -1, "aria-selected": "false", ...attributes },
      ...children,
    );
    Object.assign(made.dataset, data);
    return made;
  }

  function items() {
    return [...element.querySelectorAll('[role="treeitem"]')];
  }
  function itemOf(key) {
    return items().find((one) => one.dataset.key === key);
  }
  function mark(uuid) {
    for (const one of items()) {
      one.setAttribute("aria-selected", String(one.dataset.uuid === uuid));
      one.tabIndex = -1;
    }
    (itemOf(uuid) ?? items()[0]).tabIndex = 0;
  }
  function act(one) {
    if (one.dataset.more) more(one.dataset.more);
    else select(one.dataset.uuid);
  }
  function onClick(event) {
    const one = event.target.closest('[role="treeitem"]');
    if (!one) return;
    if (event.target.closest("[data-toggle]")) toggle(one.dataset.uuid);
    else act(one);
    itemOf(one.dataset.key)?.focus();
  }
  function onKey(event) {
    const one = event.target.closest('[role="treeitem"]');
    const all = items();
    const position = all.indexOf(one);
    const expanded = one.getAttribute("aria-expanded");
    const parent = one.closest("ul").parentElement.querySelector(':scope > [role="treeitem"]');
    const moves = {
      ArrowDown: () => all[position + 1]?.focus(),
      ArrowUp: () => all[position - 1]?.focus(),
      Home: () => all[0].focus(),
      End: () => all.at(-1).focus(),
      ArrowRight: () => (expanded === "false" ? toggle(one.dataset.uuid) : expanded && all[position + 1]?.focus()),
      ArrowLeft: () => (expanded === "true" ? toggle(one.dataset.uuid) : parent?.focus()),
      Enter: () => act(one),
      " ": () => act(one),
    };
    if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    moves[event.key]();
  }
  return { element, draw, mark };
}

/**
 * @param {string} name
 * @param {import("./inventory.js").Inventory} inventory
 * @param {import("./overlay.js").Taken} [taken]
 */
export function bar(name, inventory, taken) {
  const { used, reserved } = shares(inventory);
  const over = isOver(inventory);
  const parts = [
    ["used", used],
    ["reserved", reserved],
  ].map(([kind, share]) => {
    const part = h("span", { class: kind });
    part.style.width = `${share * 100}%`;
    return part;
  });
  const amount = taken && h("span", { class: `mark group-${taken.colour}` }, `${taken.held ? "" : "+"}${taken.amount}`);
  const numbers = `${over ? "⚠ " : ""}${short(inventory.used)} / ${short(inventory.capacity)}`;
  return h(
    "div",
    { class: `stock${over ? " over" : ""}`, title: inWords(name, inventory), "aria-hidden": "true" },
    h("span", { class: "class" }, name),
    h("span", { class: "bar" }, ...parts),
    h("span", { class: "numbers" }, numbers),
    amount,
  );
}
