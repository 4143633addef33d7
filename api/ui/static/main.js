// Finds the view that the address names, loads what it shows, and says what went wrong.

import { fill, h } from "./dom.js";
import { dataOf } from "./server.js";

const VIEWS = {
  start: "search",
  search: "search",
  tree: "tree",
  candidates: "candidates",
  claims: "claims",
  reshape: "reshape",
  questions: "ask",
  question: "ask",
};

const main = document.getElementById("main");
const here = location.pathname + location.search;

for (const link of document.querySelectorAll("nav a")) {
  if (location.pathname.startsWith(link.pathname)) link.setAttribute("aria-current", "page");
}

try {
  const { show } = await import(`./${VIEWS[document.body.dataset.view]}.js`);
  main.setAttribute("aria-busy", "true");
  // A form without anything in it yet has no data.
  if ((await show(main, here)) !== false) {
    main.append(h("p", { class: "data" }, "This view as data: ", h("code", {}, dataOf(here))));
  }
} catch (error) {
  fill(main, h("h1", {}, "This did not work"), h("p", { class: "wrong", role: "alert" }, error.message));
}
main.setAttribute("aria-busy", "false");
