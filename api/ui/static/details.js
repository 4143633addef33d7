// All that there is to say of one provider.

import { h } from "./dom.js";
import { isOver } from "./inventory.js";
import { address } from "./server.js";

const COLUMNS = [
  "total",
  "reserved",
  "allocation_ratio",
  "capacity",
  "used",
  "free",
  "min_unit",
  "max_unit",
  "step_size",
];

/** @param {import("./model.js").Provider} provider @returns {Node[]} */
export function details(provider) {
  const inventories = Object.entries(provider.inventories);
  return [
    h("h2", {}, provider.name),
    h(
      "p",
      { class: "facts" },
      h("code", {}, provider.uuid),
      ` generation ${provider.generation} `,
      h("a", { href: address("tree", provider.uuid) }, "link to it"),
    ),
    provider.shares_via ? h("p", {}, "Shares with this tree through ", ...provider.shares_via.map(aggregate), ".") : "",
    inventories.length ? table(inventories) : h("p", { class: "note" }, "No inventories."),
    h("p", { class: "chips" }, ...provider.aggregates.map(aggregate), ...provider.traits.map(trait)),
  ];
}

/** A link to those in an aggregate. @param {string} uuid */
export function aggregate(uuid) {
  return h(
    "a",
    {
      class: "chip aggregate",
      href: `${address("search")}?aggregate=${encodeURIComponent(uuid)}`,
      title: `aggregate ${uuid}`,
    },
    `@${uuid.slice(0, 8)}`,
  );
}

/** A link to those with a trait. @param {string} name */
export function trait(name) {
  return h("a", { class: "chip", href: `${address("search")}?trait=${encodeURIComponent(name)}` }, name);
}

/** @param {[string, any][]} inventories */
function table(inventories) {
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "class"),
    ...COLUMNS.map((name) => h("th", { scope: "col", class: "number" }, name.replaceAll("_", " "))),
  );
  const rows = inventories.map(([name, inventory]) =>
    h(
      "tr",
      { class: isOver(inventory) ? "over" : null },
      h("th", { scope: "row" }, isOver(inventory) ? `⚠ ${name}` : name),
      ...COLUMNS.map((column) => h("td", { class: "number" }, inventory[column])),
    ),
  );
  // What is wider than the page is scrolled, with the keyboard too.
  return h(
    "div",
    { class: "wide", tabindex: 0, role: "region", "aria-label": "Inventories" },
    h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)),
  );
}
