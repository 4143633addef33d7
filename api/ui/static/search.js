// Hosts by name, and what a search finds.

import { count, h, say } from "./dom.js";
import { aggregate, trait } from "./details.js";
import { address, ask, dataOf } from "./server.js";

/** @param {import("./main.js").Page} page @param {string} here */
export async function show(page, here) {
  const asked = new URLSearchParams(location.search);
  const found = await ask(dataOf(here));
  const starting = location.pathname === address("");
  page(
    starting ? "Hosts" : titleOf(asked),
    starting &&
      h(
        "p",
        { class: "sizes" },
        [
          count(found.sizes.trees, "tree"),
          count(found.sizes.providers, "provider"),
          count(found.sizes.consumers, "consumer"),
        ].join(", "),
      ),
    providers(found.providers),
    starting &&
      found.more &&
      h(
        "p",
        {},
        h("a", { href: `${address("")}?after=${encodeURIComponent(found.providers.at(-1).name)}` }, "More hosts"),
      ),
    !starting && found.more && h("p", { class: "note" }, "There is more than is shown: search for something longer."),
    shared("Traits", found.traits, trait),
    shared("Aggregates", found.aggregates, aggregate),
    nothing(found) &&
      h(
        "p",
        {},
        starting
          ? "There are no providers yet."
          : "Nothing was found. Names and uuids are looked for as they are written, capitals too.",
      ),
    isUuid(asked.get("q")) &&
      h("p", {}, h("a", { href: address("claims", asked.get("q")) }, "What the consumer with this uuid holds")),
  );
  say(
    [
      count(found.providers.length, "provider"),
      count(found.traits.length, "trait"),
      count(found.aggregates.length, "aggregate"),
    ].join(", "),
  );
}

/** @param {URLSearchParams} asked */
function titleOf(asked) {
  if (asked.has("trait")) return `Providers with ${asked.get("trait")}`;
  if (asked.has("aggregate")) return `Providers in aggregate ${asked.get("aggregate")}`;
  return `Search for “${asked.get("q") ?? ""}”`;
}

/** @param {any[]} found */
function providers(found) {
  if (!found.length) return null;
  const rows = found.map((one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("a", { href: address("tree", one.uuid) }, one.name)),
      h("td", {}, one.root_uuid === one.uuid ? "" : one.root_name),
      h("td", {}, h("code", {}, one.uuid)),
    ),
  );
  const head = h("tr", {}, ...["name", "in the tree of", "uuid"].map((name) => h("th", { scope: "col" }, name)));
  return h("table", { class: "found" }, h("thead", {}, head), h("tbody", {}, ...rows));
}

/** @param {string} title @param {any[]} found @param {(name: string) => Node} link */
function shared(title, found, link) {
  if (!found.length) return null;
  return h(
    "section",
    {},
    h("h2", {}, title),
    h(
      "ul",
      { class: "plain" },
      ...found.map((one) => h("li", {}, link(one.name), ` ${count(one.providers, "provider")}`)),
    ),
  );
}

/** @param {any} found */
function nothing(found) {
  return !found.providers.length && !found.traits.length && !found.aggregates.length;
}

/** @param {string|null} text */
function isUuid(text) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text ?? "");
}
