// What an audit found: each with what mends it, and the way to what it is about.

import { count, h } from "./dom.js";
import { address } from "./server.js";

/** The view of what is found, by audit, or by the kind that a finding of drift is about. */
const VIEW_OF = {
  doubled: "claims",
  orphans: "claims",
  untyped: "claims",
  consumer: "claims",
  over_capacity: "tree",
  stale: "tree",
  empty: "tree",
  lonely_pools: "tree",
  provider: "tree",
  inventory: "tree",
};

/** @param {any} result of one audit @returns {Node[]} */
export function findings({ name, title, total, findings: found }) {
  return [
    h("h2", {}, total ? `${title}: ${total.toLocaleString("en")}` : `${title}: none`),
    found.length > 0 && h("ul", { class: "findings" }, ...found.map((one) => finding(one, VIEW_OF[name]))),
    total > found.length && h("p", { class: "note" }, `The first ${count(found.length, "finding")} of ${total}.`),
  ].filter(Boolean);
}

/** @param {any} one @param {string} [view] */
function finding({ words, mend, data }, view = VIEW_OF[data.kind]) {
  const link = view && data.uuid && h("a", { href: address(view, data.uuid) }, data.name ?? data.uuid);
  const commands = mend.flatMap((command, position) => [
    h("p", { class: "note" }, position ? "or" : "To mend it"),
    h("pre", { tabindex: 0 }, command),
  ]);
  return h("li", {}, h("p", {}, words, link && " ", link && h("span", { class: "note" }, "See ", link)), ...commands);
}
