// What a reshape would do: before and after, side by side.

import { count, fill, h, say, wrong } from "./dom.js";
import { createExplorer } from "./explorer.js";
import { addMark, noOverlay } from "./overlay.js";
import { ask, dataOf } from "./server.js";

/** @param {import("./main.js").Page} page */
export async function show(page) {
  const text = h("textarea", {
    id: "body",
    rows: 10,
    spellcheck: "false",
    placeholder: '{"inventories": {…}, "allocations": {…}}',
  });
  const file = h("input", {
    id: "file",
    type: "file",
    accept: "application/json,.json",
    change: async () => (text.value = await file.files[0].text()),
  });
  const results = h("section", { "aria-label": "Results" });
  const form = h(
    "form",
    { class: "request", submit: go },
    h("label", { for: "body" }, "Body of POST /reshaper"),
    text,
    h("label", { for: "file" }, "or a file with it"),
    file,
    h("button", {}, "Preview"),
  );
  page("Reshape preview", h("p", { class: "note" }, "Nothing is changed."), form, results);
  // The body is behind the #, which is not sent, so the address can be shared.
  if (location.hash.length > 1) {
    text.value = decodeURIComponent(location.hash.slice(1));
    await preview(results, text.value);
  }

  async function go(event) {
    event.preventDefault();
    history.replaceState(null, "", `#${encodeURIComponent(text.value)}`);
    await preview(results, text.value);
  }
}

/** @param {HTMLElement} results @param {string} text */
async function preview(results, text) {
  try {
    const body = JSON.parse(text);
    await showPreview(results, await ask(dataOf(location.pathname), body), body);
  } catch (error) {
    fill(results, wrong(error));
  }
}

/** @param {HTMLElement} results @param {any} found @param {any} body */
async function showPreview(results, found, body) {
  const pairs = found.trees.map((tree) => {
    const before = createExplorer(tree, { overlay: overlayOf(found, "before"), title: "Before" });
    const after = createExplorer(treeAfter(tree, found, body), { overlay: overlayOf(found, "after"), title: "After" });
    return { before, after };
  });
  fill(
    results,
    ...found.conflicts.map((one) =>
      h("p", { class: "wrong", role: "alert" }, `⚠ ${one.status} ${one.code}: ${one.detail}`),
    ),
    !found.conflicts.length && h("p", {}, "Nothing is in the way of it."),
    ...pairs.map(({ before, after }) =>
      h(
        "div",
        { class: "beside" },
        h("div", {}, h("h2", {}, `${before.model.root.name} before`), before.element),
        h("div", {}, h("h2", {}, `${after.model.root.name} after`), after.element),
      ),
    ),
    consumers(found),
  );
  for (const { before, after } of pairs) {
    await before.start();
    await after.start();
  }
  say(`${count(found.providers.length, "provider")}, ${count(found.conflicts.length, "conflict")}`);
}

/**
 * The tree with the inventories that there will be.
 * @param {import("./model.js").Tree} tree
 * @param {any} found
 * @param {any} body
 */
function treeAfter(tree, found, body) {
  const changed = new Map(found.providers.map((one) => [one.uuid, one.inventories]));
  const after = (provider) => {
    if (!changed.has(provider.uuid)) return provider;
    const inventories = changed
      .get(provider.uuid)
      .filter((one) => one.after)
      .map((one) => {
        const name = one.resource_class;
        // Of inventories that the reshape leaves alone only the use changes.
        const given = body.inventories[provider.uuid]?.inventories[name] ?? provider.inventories[name];
        const { capacity, used, min_unit, max_unit, step_size } = one.after;
        return [
          name,
          {
            total: given.total,
            reserved: given.reserved ?? 0,
            allocation_ratio: given.allocation_ratio ?? 1,
            capacity,
            used,
            free: capacity - used,
            min_unit,
            max_unit,
            step_size,
          },
        ];
      });
    return { ...provider, inventories: Object.fromEntries(inventories) };
  };
  return { ...tree, providers: tree.providers.map(after), sharing_providers: tree.sharing_providers.map(after) };
}

/** Marks what changes. @param {any} found @param {"before"|"after"} side */
function overlayOf(found, side) {
  const overlay = noOverlay();
  for (const provider of found.providers) {
    const changed = provider.inventories.filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
    if (!changed.length) continue;
    const words = changed
      .map(
        (one) => `${one.resource_class} ${one[side] ? `${one[side].used} of ${one[side].capacity} used` : "not there"}`,
      )
      .join(", ");
    addMark(overlay, provider.uuid, {
      colour: side === "before" ? 3 : 1,
      sign: side === "before" ? "Δ" : "Δ new",
      words: `${side}: ${words}`,
    });
  }
  return overlay;
}

/** @param {any} found */
function consumers(found) {
  if (!found.consumers.length) return null;
  const names = new Map(
    found.trees.flatMap((tree) => [...tree.providers, ...tree.sharing_providers]).map((one) => [one.uuid, one.name]),
  );
  const rows = found.consumers.flatMap((consumer) =>
    consumer.allocations.map((one) =>
      h(
        "tr",
        {},
        h("td", {}, h("code", {}, consumer.uuid)),
        h("td", {}, names.get(one.provider_uuid) ?? one.provider_uuid),
        h("td", {}, one.resource_class),
        h("td", { class: "number" }, one.before),
        h("td", { class: "number" }, one.after),
      ),
    ),
  );
  const head = ["consumer", "provider", "class", "before", "after"].map((name) => h("th", { scope: "col" }, name));
  return h(
    "section",
    {},
    h("h2", {}, "Consumers"),
    h(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "Consumers" },
      h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
    ),
  );
}
