// The places of boxes in boxes, found by ELK. Rows inside a box have fixed heights.

import "./vendor/elk-api.js";

export const WIDTH = 210;
export const PAD = 10;
export const TITLE = 26;
export const ROW = 20;
const MORE = 26;

const TOGETHER = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.layered.spacing.nodeNodeBetweenLayers": "90",
  "elk.spacing.nodeNode": "24",
  // Pools stay in the order of their names.
  "elk.layered.crossingMinimization.forceNodeModelOrder": "true",
};
const PACKED = {
  "elk.algorithm": "rectpacking",
  "elk.aspectRatio": "1.5",
  "elk.spacing.nodeNode": String(PAD),
  "elk.nodeSize.constraints": "MINIMUM_SIZE",
};

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Place the upper left corner, and the size
 */

// In a worker: the page answers meanwhile. Its first layout takes longest, so it has one before it is asked for one.
const elk = new globalThis.ELK({ workerUrl: new URL("./vendor/elk-worker.min.js", import.meta.url).href });
elk.layout({ id: "first", children: [{ id: "inside", children: [{ id: "innermost" }], layoutOptions: PACKED }] });
let last = { question: "", answer: null };

/**
 * Returns the place of each box by the uuid of its provider, and of what stands for hidden children by `moreOf`.
 * @param {import("./model.js").Branch[]} branches the tree, then the pools beside it
 * @param {(provider: import("./model.js").Provider) => number} rows how many rows a provider has
 * @returns {Promise<Map<string, Place>>}
 */
export async function layOut([tree, ...pools], rows) {
  const edges = pools.map(({ provider: { uuid } }) => ({
    id: `pool-${uuid}`,
    sources: [tree.provider.uuid],
    targets: [uuid],
  }));
  const children = [tree, ...pools].map((branch) => box(branch, rows));
  const graph = { id: "scene", layoutOptions: TOGETHER, children, edges };
  const question = JSON.stringify(graph);
  // Other candidates of a tree, and what is marked in it, have no part in its places.
  if (question !== last.question) last = { question, answer: placesOf(graph) };
  return last.answer;
}

/** @param {any} graph @returns {Promise<Map<string, Place>>} */
async function placesOf(graph) {
  const places = new Map();
  const { children } = await elk.layout(graph);
  collect(children, { x: 0, y: 0 }, places);
  return places;
}

/** The name of what stands for the hidden children of a provider. @param {string} uuid */
export function moreOf(uuid) {
  return `more-${uuid}`;
}

/** @param {import("./model.js").Branch} branch @param {(provider: any) => number} rows */
function box({ provider, children, hidden }, rows) {
  const id = provider.uuid;
  const height = TITLE + rows(provider) * ROW + PAD;
  if (!children.length) return { id, width: WIDTH, height };
  const more = hidden ? [{ id: moreOf(id), width: WIDTH, height: MORE }] : [];
  return {
    id,
    children: [...children.map((child) => box(child, rows)), ...more],
    layoutOptions: {
      ...PACKED,
      "elk.padding": `[top=${height},left=${PAD},bottom=${PAD},right=${PAD}]`,
      "elk.nodeSize.minimum": `(${WIDTH},${height})`,
    },
  };
}

/**
 * ELK tells places in the box around.
 * @param {any[]} nodes
 * @param {{x: number, y: number}} around
 * @param {Map<string, Place>} places
 */
function collect(nodes, around, places) {
  for (const { id, x, y, width, height, children = [] } of nodes) {
    const place = { x: around.x + x, y: around.y + y, width, height };
    places.set(id, place);
    collect(children, place, places);
  }
}
