// Why a request has no candidates: in words, drawn on the tree that comes closest, and with what would give some.

import { count, fill, h, say } from "./dom.js";
import { createExplorer } from "./explorer.js";
import { addMark, colour, noOverlay } from "./overlay.js";
import { address } from "./server.js";

/** @param {HTMLElement} results @param {any} found */
export async function explanation(results, { explanation: why, trees, alone }) {
  const closest = h("div");
  fill(
    results,
    h("h2", {}, "No candidates"),
    h("p", {}, why.request),
    ...why.reasons.map((reason) => h("p", { class: "reason" }, reason.words)),
    why.if_empty && h("p", {}, `If nothing were allocated: ${number(why.if_empty)}.`),
    changes(why.changes),
    why.gave_up && h("p", { class: "note" }, why.gave_up),
    closest,
    why.counts && counts(why.counts),
  );
  say(`No candidates. ${count(why.changes.length, "change")} would give some.`);
  for (const tree of trees) {
    const explorer = createExplorer(tree, { overlay: overlayOf(why, alone), title: "The closest tree" });
    fill(closest, h("h2", {}, `The tree of ${explorer.model.root.name}`), legend(alone), explorer.element);
    await explorer.start();
  }
}

/** @param {{count: number, more: boolean}} found */
function number(found) {
  return `${found.more ? "more than " : ""}${count(found.count, "candidate")}`;
}

/** @param {any[]} found */
function changes(found) {
  if (!found.length) return null;
  const items = found.map((one) => {
    const gone = one.consumers_gone.map((uuid) => `&gone=${encodeURIComponent(uuid)}`).join("");
    return h(
      "li",
      {},
      h("a", { href: `${address("candidates")}?${one.query}${gone}` }, one.words),
      `: ${number(one.candidates)}`,
      ...one.consumers_gone.map((uuid) => h("a", { class: "note", href: address("claims", uuid) }, " what it holds")),
    );
  });
  return h(
    "section",
    { class: "changes", "aria-label": "Changes" },
    h("h3", {}, "There would be candidates"),
    h("ul", {}, ...items),
  );
}

/** @param {any} counted */
function counts(counted) {
  const groups = counted.groups.map((group) =>
    h(
      "section",
      {},
      h("h3", {}, group.suffix ? `Group ${group.suffix}` : `Unsuffixed, ${Object.keys(group.resources)}`),
      steps(group.conditions),
      nearest(group.nearest),
    ),
  );
  return h(
    "details",
    {},
    h("summary", {}, "How many meet each condition"),
    h("p", {}, count(counted.trees, "tree")),
    steps(counted.roots),
    ...groups,
  );
}

/** @param {any[]} found */
function steps(found) {
  if (!found.length) return null;
  return h(
    "table",
    {},
    h(
      "tbody",
      {},
      ...found.map((step) =>
        h(
          "tr",
          { class: step.remaining ? null : "over" },
          h("td", { class: "number" }, step.remaining),
          h("td", {}, step.remaining ? step.words : `✕ ${step.words}`),
        ),
      ),
    ),
  );
}

/** @param {any[]} found */
function nearest(found) {
  return found.length
    ? h(
        "ul",
        {},
        ...found.map((miss) =>
          h("li", {}, h("a", { href: address("tree", miss.uuid) }, miss.name), `: ${miss.lacks.join(", ")}`),
        ),
      )
    : null;
}

/** Names what is asked of one provider. @param {any} one */
function title(one) {
  return one.suffix || Object.keys(one.resources).join(", ");
}

/** @param {any[]} alone */
function legend(alone) {
  const marks = alone.map((one, position) => {
    const fits = one.providers.length > 0;
    const words = fits ? `✓ ${title(one)} fits alone` : `✕ ${title(one)} fails alone`;
    return h("span", { class: `mark group-${colour(position)}${fits ? "" : " fails"}` }, words);
  });
  const together = alone.length > 1 && alone.every((one) => one.providers.length > 0) && "but not together";
  return h("p", { class: "legend" }, ...marks, together);
}

/** Who fits by itself, and who nearly does. @param {any} why @param {any[]} alone */
function overlayOf(why, alone) {
  const overlay = noOverlay();
  for (const [position, one] of alone.entries()) {
    for (const uuid of one.providers)
      addMark(overlay, uuid, { colour: colour(position), sign: `✓ ${title(one)}`, words: `fits ${title(one)} alone` });
    const group = why.counts?.groups.find(
      (other) =>
        other.suffix === one.suffix && Object.keys(other.resources).join() === Object.keys(one.resources).join(),
    );
    for (const miss of group?.nearest ?? []) {
      if (!one.providers.includes(miss.uuid))
        addMark(overlay, miss.uuid, {
          colour: colour(position),
          sign: `✕ ${title(one)}`,
          words: `does not fit ${title(one)}: ${miss.lacks.join(", ")}`,
          fails: true,
        });
    }
  }
  return overlay;
}
