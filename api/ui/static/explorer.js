// A tree to look around in: the list, the drawing and what there is to say of one provider, all of the same state.

import { fill, h, say } from "./dom.js";
import { details } from "./details.js";
import { createDrawing } from "./drawing.js";
import { Model, flatten } from "./model.js";
import { createOutline } from "./outline.js";
import { concerned, noOverlay } from "./overlay.js";

/**
 * @param {import("./model.js").Tree} tree
 * @param {object} [given]
 * @param {import("./overlay.js").Overlay} [given.overlay]
 * @param {string} [given.selected] the uuid of a provider
 * @param {string} [given.title]
 * @param {(uuid: string) => void} [given.chosen] is told of each provider that is selected
 */
export function createExplorer(tree, { overlay = noOverlay(), selected = "", title = "", chosen = () => {} } = {}) {
  const model = new Model(tree, [...concerned(overlay), selected]);
  const uses = { model, overlay, select, toggle: changing("toggle"), more: changing("more") };
  const outline = createOutline(uses);
  const drawing = createDrawing(uses);
  const about = h("section", { class: "details", "aria-label": "Selected provider" });
  const element = h(
    "section",
    { class: "explorer", "aria-label": title || `Tree of ${model.root.name}` },
    h("div", { class: "side" }, outline.element),
    h("div", {}, drawing.element, about),
  );
  let current = model.providers.has(selected) ? selected : model.root.uuid;

  function select(uuid) {
    current = uuid;
    outline.mark(uuid);
    drawing.mark(uuid);
    chosen(uuid);
    fill(about, ...details(model.providers.get(uuid)));
  }
  function changing(change) {
    return (uuid) => {
      model[change](uuid);
      draw();
      say(`${flatten(model.branches()).length} of ${model.providers.size} providers shown.`);
    };
  }
  function draw() {
    outline.draw(current, overlay);
    return drawing.draw(current, overlay);
  }

  /** Lays something else over the same tree. @param {import("./overlay.js").Overlay} over */
  function lay(over) {
    overlay = over;
    for (const uuid of concerned(over)) model.need(uuid);
    return draw();
  }

  /** Draws for the first time, once the element is in the page. */
  async function start() {
    fill(about, ...details(model.providers.get(current)));
    await draw();
  }
  return { element, start, lay, model };
}
