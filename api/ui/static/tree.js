// One tree.

import { count, h, say } from "./dom.js";
import { createExplorer } from "./explorer.js";
import { address, ask, dataOf, viewPath } from "./server.js";

/** @param {import("./main.js").Page} page @param {string} here */
export async function show(page, here) {
  const tree = await ask(dataOf(here));
  const [root] = tree.providers;
  const named = viewPath().slice(1).join("/");
  const everyone = [...tree.providers, ...tree.sharing_providers];
  const selected = everyone.find((one) => one.uuid === named || one.name === named) ?? root;
  const chosen = (uuid) => history.replaceState(null, "", address("tree", uuid));
  const explorer = createExplorer(tree, { selected: selected.uuid, chosen });
  const pools = tree.sharing_providers.length > 0 && `, ${count(tree.sharing_providers.length, "pool")} beside it`;
  page(
    root.name,
    h("p", { class: "sizes" }, count(tree.providers.length, "provider"), pools),
    explorer.element,
  );
  await explorer.start();
  say(`Tree of ${root.name}: ${count(tree.providers.length, "provider")}.`);
}
