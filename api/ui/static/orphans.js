// Consumers that are not among those that services know.

import { count, fill, h, say, wrong } from "./dom.js";
import { findings } from "./findings.js";
import { address, ask, dataOf } from "./server.js";

/** @param {import("./main.js").Page} page */
export async function show(page) {
  const text = h("textarea", { id: "known", rows: 10, spellcheck: "false", required: true });
  const file = h("input", { id: "file", type: "file", change: async () => (text.value = await file.files[0].text()) });
  const results = h("section", { "aria-label": "Results" });
  const form = h(
    "form",
    { class: "request", submit: look },
    h("label", { for: "known" }, "The uuid of each consumer that is known, one a line: servers and migrations"),
    text,
    h("label", { for: "file" }, "or a file with them"),
    file,
    h("button", {}, "Look"),
  );
  page("Consumers that no service knows", h("p", { class: "note" }, "Nothing is changed."), form, results);
  return false;

  async function look(event) {
    event.preventDefault();
    try {
      const known = text.value.split(/\s+/).filter(Boolean);
      const [result] = (await ask(dataOf(address("orphans")), { known })).audits;
      fill(results, ...findings(result));
      say(count(result.total, "finding"));
    } catch (error) {
      fill(results, wrong(error));
    }
  }
}
