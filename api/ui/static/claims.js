// What a consumer holds, laid over the trees that it holds it of.

import { count, fill, h, say, wrong } from "./dom.js";
import { createExplorer } from "./explorer.js";
import { addMark, addTaken, noOverlay } from "./overlay.js";
import { address, ask, dataOf, viewPath } from "./server.js";
import { visit } from "./visit.js";

/** @param {import("./main.js").Page} page @param {string} here */
export async function show(page, here) {
  const [, consumer = ""] = viewPath();
  const input = h("input", { id: "consumer", required: true, size: 40, autocomplete: "off" });
  input.value = consumer;
  const form = h(
    "form",
    { class: "inline", submit: go },
    h("label", { for: "consumer" }, "Consumer"),
    input,
    h("button", {}, "Show"),
  );
  const results = h("section", { "aria-label": "Results" });
  page("Claims", form, results);
  if (!consumer) return false;
  try {
    await showClaims(results, await ask(dataOf(here)));
  } catch (error) {
    fill(results, wrong(error));
  }
  return true;

  function go(event) {
    event.preventDefault();
    visit(address("claims", input.value.trim()));
  }
}

/** @param {HTMLElement} results @param {any} found */
async function showClaims(results, found) {
  const held = Object.entries(found.allocations);
  if (!held.length) {
    fill(results, h("p", {}, "This consumer holds nothing."));
    return;
  }
  const overlay = overlayOf(found);
  const explorers = found.trees.map((tree) =>
    createExplorer(tree, { overlay, selected: firstIn(tree, found.allocations) }),
  );
  fill(
    results,
    h(
      "p",
      { class: "facts" },
      `${found.consumer_type}, generation ${found.consumer_generation}, project `,
      h("code", {}, found.project_id),
      ", user ",
      h("code", {}, found.user_id),
    ),
    found.trees.length > 1 &&
      h(
        "p",
        { class: "wrong" },
        `⚠ It holds something in ${count(found.trees.length, "tree")}: a move that is under way, or a leak.`,
      ),
    ...explorers.flatMap((explorer) => [h("h2", {}, explorer.model.root.name), explorer.element]),
  );
  for (const explorer of explorers) await explorer.start();
  say(`The consumer holds something of ${count(held.length, "provider")}.`);
}

/** @param {any} found */
function overlayOf({ allocations }) {
  const overlay = noOverlay();
  for (const [uuid, { resources }] of Object.entries(allocations)) {
    const words = Object.entries(resources)
      .map(([name, amount]) => `${amount} ${name}`)
      .join(", ");
    addMark(overlay, uuid, { colour: 1, sign: "● held", words: `the consumer holds ${words}` });
    for (const [name, amount] of Object.entries(resources))
      addTaken(overlay, uuid, name, { colour: 1, amount, held: true });
  }
  return overlay;
}

/** @param {any} tree @param {Record<string, unknown>} allocations */
function firstIn(tree, allocations) {
  return tree.providers.find((one) => one.uuid in allocations)?.uuid ?? tree.root_provider_uuid;
}
