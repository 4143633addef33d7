// Shows the view that the address names, says what went wrong, and goes on to the views that are asked for after it.

import { fill, h, wrong } from "./dom.js";
import { dataOf, forgetToken, viewPath } from "./server.js";
import { onVisit } from "./visit.js";

/** What shows a view, by the first part of its path. */
const MODULES = {
  "": "search",
  search: "search",
  tree: "tree",
  candidates: "candidates",
  claims: "claims",
  reshape: "reshape",
  ask: "ask",
  audit: "audit",
  orphans: "orphans",
};

/** @typedef {(title: string, ...children: any[]) => void} Page fills the page, unless it has gone on to another view */

const main = document.getElementById("main");
let visits = 0;

async function show() {
  const visit = ++visits;
  const here = location.pathname + location.search;
  const page = (title, ...children) => {
    if (visit !== visits) return;
    document.title = `${title} – graphplace`;
    fill(main, h("h1", {}, title), ...children);
  };
  for (const link of document.querySelectorAll("nav a")) {
    if (location.pathname.startsWith(link.pathname)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.querySelector('[role="search"] input').value = new URLSearchParams(location.search).get("q") ?? "";
  main.setAttribute("aria-busy", "true");
  try {
    const view = await import(`./${MODULES[viewPath()[0]]}.js`);
    const shown = await view.show(page, here);
    // A form without anything in it yet has no data.
    if (visit === visits && shown !== false)
      main.append(h("p", { class: "data" }, "This view as data: ", h("code", {}, dataOf(here))));
  } catch (error) {
    page("This did not work", wrong(error));
  }
  if (visit === visits) main.setAttribute("aria-busy", "false");
}

onVisit(async () => {
  await show();
  scrollTo(0, 0);
  main.focus();
});
// The part behind # belongs to the views.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById("forget").addEventListener("click", () => {
  forgetToken();
  show();
});
await show();
// What draws is there before the first drawing is asked for.
await import("./explorer.js");
