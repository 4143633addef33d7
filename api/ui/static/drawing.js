// The drawing of a tree, by Cytoscape. The list beside it says the same to those who do not see it.

import { h } from "./dom.js";
import { colour } from "./overlay.js";
import { sceneOf } from "./scene.js";
import cytoscape from "./vendor/cytoscape.esm.min.mjs";

const MARGIN = 24;
const ZOOM = 1.3;
const NAMES = [
  "ink",
  "quiet",
  "line",
  "surface",
  "raised",
  "used",
  "free",
  "reserved",
  "over",
  "over-ink",
  "chip",
  "focus",
  "group-0",
];

/**
 * @param {object} given
 * @param {import("./model.js").Model} given.model
 * @param {import("./overlay.js").Overlay} given.overlay
 * @param {(uuid: string) => void} given.select
 * @param {(uuid: string) => void} given.toggle
 * @param {(uuid: string) => void} given.more
 */
export function createDrawing({ model, overlay, select, toggle, more }) {
  const canvas = h("div", {
    class: "canvas",
    role: "img",
    "aria-label": `Drawing of the tree of ${model.root.name}. The list beside it has the same.`,
  });
  const tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  const edges = ["child-of", "shares"].map((kind) =>
    h("input", { type: "checkbox", checked: true, value: kind, change: showEdges }),
  );
  const element = h(
    "div",
    { class: "drawing" },
    h(
      "div",
      { class: "tools", role: "group", "aria-label": "Drawing" },
      h("label", {}, edges[0], "child of"),
      model.sharing.length > 0 && h("label", {}, edges[1], "shares"),
      h("button", { type: "button", click: () => zoom(ZOOM), "aria-label": "Zoom in" }, "+"),
      h("button", { type: "button", click: () => zoom(1 / ZOOM), "aria-label": "Zoom out" }, "−"),
      h("button", { type: "button", click: fit }, "Fit"),
    ),
    canvas,
    tip,
  );
  const cy = cytoscape({
    container: canvas,
    style: styles(),
    autoungrabify: true,
    boxSelectionEnabled: false,
    minZoom: 0.05,
    maxZoom: 3,
    // Everything comes with its place, and it is not in the page yet.
    layout: { name: "preset" },
  });
  let fitted = false;
  let drawn = 0;

  cy.on("tap", "node", ({ target }) => {
    const { kind, uuid } = target.data();
    if (kind === "more") more(uuid);
    else select(uuid);
  });
  cy.on("dbltap", "node.box", ({ target }) => toggle(target.data("uuid")));
  cy.on("mouseover", "node", ({ target, renderedPosition }) => showTip(target.data("words"), renderedPosition));
  cy.on("mouseout", "node", () => (tip.hidden = true));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const repaint = () => cy.style(styles());
  dark.addEventListener("change", repaint);
  const observer = new ResizeObserver(() => (canvas.isConnected ? cy.resize() : end()));

  /** Frees what it holds, once another view or another tree is in its place. */
  function end() {
    observer.disconnect();
    dark.removeEventListener("change", repaint);
    cy.destroy();
  }
  function showTip(words, { x, y }) {
    tip.textContent = words;
    tip.hidden = false;
    tip.style.left = `${Math.min(x + 12, canvas.clientWidth - tip.offsetWidth)}px`;
    tip.style.top = `${y + 12}px`;
  }
  function showEdges() {
    for (const box of edges) cy.edges(`.${box.value}`).toggleClass("off", !box.checked);
  }
  function zoom(factor) {
    cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
  }
  function fit() {
    cy.fit(undefined, MARGIN);
    if (cy.zoom() > 1)
      cy.zoom({ level: 1, renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
  }

  /**
   * Draws what the model shows now.
   * @param {string} selected
   * @param {import("./overlay.js").Overlay} [over]
   */
  async function draw(selected, over = overlay) {
    overlay = over;
    const number = ++drawn;
    const elements = await sceneOf(model.branches(), overlay);
    // Whoever asked later has drawn already, or will; and nobody may be looking any more.
    if (number !== drawn || !canvas.isConnected) return;
    tip.hidden = true;
    cy.batch(() => {
      cy.elements().remove();
      cy.add(elements);
      mark(selected);
      showEdges();
    });
    if (!fitted) {
      observer.observe(canvas);
      cy.resize();
      fit();
    }
    fitted = true;
    canvas.dataset.boxes = String(cy.nodes(".box").length);
  }
  function mark(uuid) {
    cy.nodes(".selected").removeClass("selected");
    cy.getElementById(uuid).addClass("selected");
  }
  return { element, draw, mark };
}

/** Styles in the colours of the page as it is now, light or dark. */
function styles() {
  const computed = getComputedStyle(document.body);
  const of = (name) => computed.getPropertyValue(`--${name}`).trim();
  const paint = Object.fromEntries(NAMES.map((name) => [name, of(name)]));
  const group = (number) => (number ? of(`group-${colour(number - 1)}`) : paint.used);
  const part = (name) => (name.startsWith("group-") ? group(Number(name.slice("group-".length))) : paint[name]);
  const gradient = (node) =>
    node.data("parts").flatMap(([name, end], position, all) => [
      [part(name), position ? all[position - 1][1] : 0],
      [part(name), end],
    ]);
  return [
    {
      selector: "node",
      style: {
        shape: "round-rectangle",
        width: "data(width)",
        height: "data(height)",
        label: "data(label)",
        color: paint.ink,
        "font-family": computed.fontFamily,
        "font-size": 11,
        "text-valign": "center",
        "text-halign": "center",
        "text-wrap": "ellipsis",
        "text-max-width": (node) => `${node.data("width") - 8}px`,
        "z-index-compare": "manual",
        "z-index": (node) => node.data("level") + (node.hasClass("box") ? 0 : 2),
        "overlay-opacity": 0,
        "corner-radius": 6,
      },
    },
    {
      selector: ".box",
      style: {
        "background-color": (node) => (node.data("level") % 2 ? paint.raised : paint.surface),
        "border-width": 1,
        "border-color": paint.line,
        "font-size": 12,
        "font-weight": "bold",
        "text-margin-y": "data(up)",
      },
    },
    { selector: ".box[?sharing]", style: { "border-style": "dashed", "border-width": 2 } },
    { selector: ".box[?over]", style: { "border-color": paint.over, "border-width": 3, "border-style": "double" } },
    {
      selector: ".box[colour > 0]",
      style: { "border-width": 3, "border-style": "solid", "border-color": (node) => group(node.data("colour")) },
    },
    { selector: ".box[?fails]", style: { "border-style": "dashed" } },
    { selector: ".box.selected", style: { "outline-width": 3, "outline-color": paint.focus, "outline-offset": 2 } },
    {
      selector: ".bar",
      style: {
        "corner-radius": 3,
        "border-width": 1,
        "border-color": paint.line,
        "background-fill": "linear-gradient",
        "background-gradient-direction": "to-right",
        "background-gradient-stop-colors": (node) =>
          gradient(node)
            .map(([paint]) => paint)
            .join(" "),
        "background-gradient-stop-positions": (node) =>
          gradient(node)
            .map(([, end]) => `${(end * 100).toFixed(2)}%`)
            .join(" "),
      },
    },
    {
      selector: ".bar[?over]",
      style: { color: paint["over-ink"], "font-weight": "bold", "border-color": paint.over, "border-width": 2 },
    },
    {
      selector: ".bar[colour > 0]",
      style: { "border-width": 2, "border-color": (node) => group(node.data("colour")), "font-weight": "bold" },
    },
    {
      selector: ".chip",
      style: { "background-color": paint.chip, "corner-radius": 8, "font-size": 9, color: paint.ink },
    },
    { selector: ".chip[kind = 'aggregate']", style: { "border-width": 1, "border-color": paint.quiet } },
    {
      selector: ".more",
      style: {
        "background-color": paint.chip,
        "border-width": 1,
        "border-style": "dashed",
        "border-color": paint.quiet,
        "font-weight": "bold",
      },
    },
    {
      selector: "edge",
      style: {
        width: 1,
        "line-color": paint.quiet,
        "z-index-compare": "manual",
        "z-index": "data(level)",
        events: "no",
      },
    },
    {
      selector: ".child-of",
      style: {
        "curve-style": "straight",
        "source-endpoint": "data(from)",
        "target-endpoint": "0 -50%",
        "target-arrow-shape": "none",
        opacity: 0.7,
      },
    },
    {
      selector: ".shares",
      style: {
        "curve-style": "unbundled-bezier",
        "line-style": "dashed",
        width: 1.5,
        "target-arrow-shape": "triangle",
        "target-arrow-color": paint.quiet,
        "arrow-scale": 0.8,
        "source-endpoint": "-50% 0",
        "target-endpoint": "50% 0",
      },
    },
    { selector: ".off", style: { display: "none" } },
  ];
}
