// A request for candidates: each candidate drawn on its tree, or why there are none.

import { count, fill, h, say, wrong } from "./dom.js";
import { explanation } from "./explanation.js";
import { createExplorer } from "./explorer.js";
import { addMark, addTaken, colour, noOverlay } from "./overlay.js";
import { requestForm } from "./request_form.js";
import { address, ask, dataOf } from "./server.js";

/** @param {import("./main.js").Page} page @param {string} here */
export async function show(page, here) {
  const results = h("section", { "aria-label": "Results" });
  const query = location.search.slice(1);
  page("Candidates", requestForm(query), results);
  if (!query) return false;
  try {
    const found = await ask(dataOf(here));
    if (found.candidates) await step(results, found);
    else await explanation(results, found);
  } catch (error) {
    fill(results, wrong(error));
  }
  return true;
}

/**
 * @param {HTMLElement} results
 * @param {any} found the answer of GET /allocation_candidates, and the trees that the first one is drawn on
 */
async function step(results, { candidates, trees: read }) {
  const requests = candidates.allocation_requests;
  const groups = [...new Set(requests.flatMap((one) => Object.keys(one.mappings)))].sort();
  const trees = new Map(read.map((tree) => [tree.root_provider_uuid, tree]));
  let explorer = null;
  let position = Math.min(Math.max(1, Number(location.hash.slice(1)) || 1), requests.length);
  const title = h("h2", { id: "candidate", "aria-live": "polite" });
  const back = h("button", { type: "button", click: () => go(position - 1) }, "Previous");
  const next = h("button", { type: "button", click: () => go(position + 1) }, "Next");
  const given = h("ul", { class: "plain given" });
  const place = h("div");
  fill(results, h("div", { class: "stepper" }, back, title, next), legend(groups), given, place);

  async function go(number) {
    position = number;
    if (results.isConnected) history.replaceState(null, "", `#${position}`);
    const one = requests[position - 1];
    title.textContent = `${position} of ${count(requests.length, "candidate")}`;
    back.disabled = position === 1;
    next.disabled = position === requests.length;
    const tree = await treeOf(one, candidates.provider_summaries, trees);
    const overlay = overlayOf(one, groups);
    if (explorer?.model.root.uuid === tree.root_provider_uuid) {
      await explorer.lay(overlay);
    } else {
      explorer = createExplorer(tree, { overlay, title: "Candidate" });
      fill(place, explorer.element);
      await explorer.start();
    }
    fill(
      given,
      ...Object.entries(one.allocations).map(([uuid, { resources }]) =>
        h("li", {}, nameOf(explorer, uuid), " ", amounts(resources), " ", ...groupsOf(one, uuid, groups)),
      ),
    );
  }
  await go(position);
  say(count(requests.length, "candidate"));
}

/** The colours of the groups. @param {string[]} groups */
function legend(groups) {
  return h(
    "p",
    { class: "legend" },
    ...groups.map((group, position) => h("span", { class: `mark group-${colour(position)}` }, group || "unsuffixed")),
  );
}

/** @param {any} explorer @param {string} uuid */
function nameOf(explorer, uuid) {
  return h("a", { href: address("tree", uuid) }, explorer.model.providers.get(uuid)?.name ?? uuid);
}

/** @param {Record<string, number>} resources */
function amounts(resources) {
  return Object.entries(resources)
    .map(([name, amount]) => `${amount} ${name}`)
    .join(", ");
}

/** @param {any} one @param {string} uuid @param {string[]} groups */
function groupsOf(one, uuid, groups) {
  return groups
    .filter((group) => one.mappings[group]?.includes(uuid))
    .map((group) => h("span", { class: `mark group-${colour(groups.indexOf(group))}` }, group || "unsuffixed"));
}

/** What one candidate takes, and for which groups. @param {any} one @param {string[]} groups */
function overlayOf(one, groups) {
  const overlay = noOverlay();
  for (const [position, group] of groups.entries()) {
    const name = group || "the unsuffixed group";
    for (const uuid of one.mappings[group] ?? [])
      addMark(overlay, uuid, { colour: colour(position), sign: group || "●", words: `gives to ${name}` });
  }
  for (const [uuid, { resources }] of Object.entries(one.allocations)) {
    const [first] = overlay.marks.get(uuid) ?? [{ colour: 1 }];
    for (const [name, amount] of Object.entries(resources))
      addTaken(overlay, uuid, name, { colour: first.colour, amount, held: false });
  }
  return overlay;
}

/** The tree that shows all that a candidate takes: that of a provider which does not only share, if there is one. */
async function treeOf(one, summaries, trees) {
  const used = [...new Set([...Object.keys(one.allocations), ...Object.values(one.mappings).flat()])];
  const roots = [...new Set(used.map((uuid) => summaries[uuid].root_provider_uuid))];
  let tree;
  for (const root of roots) {
    if (!trees.has(root)) trees.set(root, await ask(dataOf(address("tree", root))));
    tree = trees.get(root);
    const shown = new Set([...tree.providers, ...tree.sharing_providers].map((provider) => provider.uuid));
    if (used.every((uuid) => shown.has(uuid))) return tree;
  }
  return tree;
}
