// The audits: what an operator should look at.

import { count, fill, h, say, wrong } from "./dom.js";
import { findings } from "./findings.js";
import { address, ask, dataOf } from "./server.js";

/** @param {import("./main.js").Page} page */
export async function show(page) {
  const asked = new URLSearchParams(location.search);
  const { audits, stale_days: usual } = await ask(dataOf(address("audit")));
  const chosen = audits.filter((one) => asked.getAll("only").includes(one.name));
  const days = asked.get("stale_days") ?? usual;
  const parts = chosen.map((one) =>
    h("section", {}, h("h2", {}, one.title), h("p", { class: "note" }, "It is looked for …")),
  );
  page("Audit", form(audits, chosen.length ? chosen : audits, days), ...parts);
  let total = 0;
  // One after the other, so that what is found first is seen first.
  for (const [position, one] of chosen.entries()) {
    try {
      const query = new URLSearchParams({ only: one.name, stale_days: days });
      const [result] = (await ask(`${dataOf(address("audit"))}?${query}`)).audits;
      total += result.total;
      fill(parts[position], ...findings(result));
    } catch (error) {
      fill(parts[position], h("h2", {}, one.title), wrong(error));
    }
  }
  if (chosen.length) say(count(total, "finding"));
}

/** @param {any[]} audits @param {any[]} chosen @param {string} days */
function form(audits, chosen, days) {
  const boxes = audits.map((one) =>
    h(
      "div",
      {},
      h(
        "label",
        {},
        h("input", { type: "checkbox", name: "only", value: one.name, checked: chosen.includes(one) }),
        ` ${one.title}`,
      ),
      h("span", { class: "hint" }, ` ${one.sentence}`),
    ),
  );
  const stale = h("input", { type: "number", name: "stale_days", min: 1, max: 36500, value: days, required: true });
  return h(
    "form",
    { class: "audits", action: address("audit") },
    h("p", {}, "Each reads the whole graph and changes nothing. ", link()),
    ...boxes,
    h("p", {}, h("label", {}, "Hosts are stale after days without a write: ", stale)),
    h("button", {}, "Look"),
  );
}

function link() {
  return h("a", { href: address("orphans") }, "Consumers that no service knows need a list of those that are known.");
}
