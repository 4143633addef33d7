// The questions of the cookbook as forms, and the answers to them.

import { trait } from "./details.js";
import { count, fill, h, say, wrong } from "./dom.js";
import { address, ask, dataOf, viewPath } from "./server.js";

/** Where the values of a column lead. */
const LINKS = {
  host: (name) => link(address("tree", name), name),
  root: (name) => link(address("tree", name), name),
  provider: (name) => link(address("tree", name), name),
  pool: (name) => link(address("tree", name), name),
  consumer: (uuid) => link(address("claims", uuid), uuid),
  aggregate: (uuid) => link(`${address("search")}?aggregate=${encodeURIComponent(uuid)}`, uuid),
  trait,
};

/** @param {import("./main.js").Page} page @param {string} here */
export async function show(page, here) {
  const { questions } = await ask(dataOf(address("ask")));
  const [, name = ""] = viewPath();
  const question = questions.find((one) => one.name === name);
  if (name && !question) throw new Error(`There is no question ${name}.`);
  if (!question) {
    page("Ask", h("ul", { class: "plain questions" }, ...questions.map(entry)));
    return true;
  }
  const results = h("section", { "aria-label": "Results" });
  page(
    question.title,
    h("p", {}, question.answers),
    question.note && h("p", { class: "note" }, question.note),
    form(question),
    results,
  );
  const asked = new URLSearchParams(location.search);
  if (question.parameters.some((one) => one.required && !asked.get(one.name))) return false;
  try {
    answer(results, await ask(dataOf(here)));
  } catch (error) {
    fill(results, wrong(error));
  }
  return true;
}

/** @param {any} question */
function entry({ name, title, answers }) {
  return h("li", {}, link(address("ask", name), title), h("span", { class: "note" }, ` ${answers}`));
}

/** @param {any} question */
function form({ name, parameters }) {
  const asked = new URLSearchParams(location.search);
  const fields = parameters.map((one) => {
    const input = h("input", {
      name: one.name,
      required: one.required,
      placeholder: one.example,
      autocomplete: "off",
      "aria-describedby": `about-${one.name}`,
    });
    input.value = asked.get(one.name) ?? one.default ?? "";
    return h(
      "div",
      {},
      h("label", {}, one.name, input),
      h("span", { class: "hint", id: `about-${one.name}` }, one.words),
    );
  });
  return h("form", { class: "builder", action: address("ask", name) }, ...fields, h("button", {}, "Ask"));
}

/** @param {HTMLElement} results @param {any} found */
function answer(results, { answer: { columns, rows, complete }, text }) {
  const head = columns.map((name) => h("th", { scope: "col" }, name.replaceAll("_", " ")));
  const body = rows.map((row) => h("tr", {}, ...columns.map((name) => cell(name, row[name]))));
  const title = complete ? count(rows.length, "row") : `The first ${count(rows.length, "row")}`;
  fill(
    results,
    h("h2", {}, title),
    rows.length > 0 &&
      h(
        "div",
        { class: "wide", tabindex: 0, role: "region", "aria-label": "Answer" },
        h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body)),
      ),
    h("details", {}, h("summary", {}, "The same in Neo4j Browser"), h("pre", { tabindex: 0 }, text)),
  );
  say(title);
}

/** @param {string} name @param {any} value */
function cell(name, value) {
  if (typeof value === "number") return h("td", { class: "number" }, value.toLocaleString("en"));
  if (typeof value === "string" && name in LINKS) return h("td", {}, LINKS[name](value));
  return h("td", {}, value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));
}

/** @param {string} href @param {string} text */
function link(href, text) {
  return h("a", { href }, text);
}
