// What is drawn: boxes of providers with bars and chips in them, and edges, each with its place.

import { inWords, isOver, shares, short } from "./inventory.js";
import { layOut, moreOf, PAD, ROW, TITLE, WIDTH } from "./layout.js";
import { flatten } from "./model.js";

const BAR = 16;
const CHIP = 15;
const GAP = 4;
const WIDEST_ROW = 300;
const MOST_CHIPS = 3;
const CHARACTER = 6.2;
const NARROWEST_CHIP = 24;
const LONGEST_CHIP = 22;
// A box, the edges on it, and its bars and chips, in this order.
const LEVELS = 3;
const ON_TOP = 10000;

/**
 * @typedef {import("./layout.js").Place} Place
 * @typedef {import("./model.js").Branch} Branch
 * @typedef {import("./model.js").Provider} Provider
 * @typedef {import("./overlay.js").Overlay} Overlay
 */

/**
 * Returns the elements that Cytoscape draws, all of them at their places. The same branches always give the same.
 * @param {Branch[]} branches the tree, then the pools beside it
 * @param {Overlay} overlay
 */
export async function sceneOf(branches, overlay) {
  const places = await layOut(branches, rowsOf);
  const [tree, ...pools] = branches;
  const members = flatten([tree]);
  return [
    ...[...members, ...pools].flatMap((branch) => elementsOf(branch, places, overlay)),
    ...members.flatMap(({ provider, children }) => children.map((child) => childOf(child.provider, provider, places))),
    ...pools.flatMap(({ provider }) => sharing(provider, members)),
  ];
}

/** @param {Provider} provider */
function rowsOf(provider) {
  return Object.keys(provider.inventories).length + (chipsOf(provider).length ? 1 : 0);
}

/** @param {Branch} branch @param {Map<string, Place>} places @param {Overlay} overlay */
function elementsOf(branch, places, overlay) {
  const { provider } = branch;
  const place = places.get(provider.uuid);
  const level = levelOf(provider);
  const width = Math.min(place.width, branch.children.length ? WIDEST_ROW : WIDTH) - 2 * PAD;
  const row = (number, height) => ({ x: place.x + PAD, y: place.y + TITLE + number * ROW, width, height });
  const inventories = Object.entries(provider.inventories);
  const taken = overlay.taken.get(provider.uuid);
  return [
    box(branch, place, level, overlay.marks.get(provider.uuid) ?? []),
    ...inventories.map(([name, inventory], number) =>
      bar(provider, name, inventory, taken?.get(name), row(number, BAR), level),
    ),
    ...chips(provider, row(inventories.length, CHIP), level),
    ...(branch.hidden ? [more(branch, places.get(moreOf(provider.uuid)), level)] : []),
  ];
}

/**
 * @param {string} kind
 * @param {string} id
 * @param {Place} place
 * @param {number} level what lies in a box is above it
 * @param {object} data
 */
function element(kind, id, { x, y, width, height }, level, data) {
  return {
    group: "nodes",
    classes: kind,
    data: { id, kind, width, height, level, ...data },
    position: { x: x + width / 2, y: y + height / 2 },
  };
}

/** @param {Provider} provider */
function levelOf(provider) {
  return LEVELS * (provider.depth ?? 0);
}

/**
 * @param {Branch} branch
 * @param {Place} place
 * @param {number} level
 * @param {import("./overlay.js").Mark[]} marks
 */
function box({ provider, below, open }, place, level, marks) {
  const over = Object.values(provider.inventories).some(isOver);
  const closed = below > 0 && !open;
  const label = [
    below > 0 && (open ? "▾" : "▸"),
    provider.name,
    closed && `(${below})`,
    over && "⚠",
    ...marks.map((mark) => mark.sign),
  ];
  return element("box", provider.uuid, place, level, {
    uuid: provider.uuid,
    label: label.filter(Boolean).join(" "),
    words: [provider.name, ...marks.map((mark) => mark.words)].join("\n"),
    colour: marks[0]?.colour ?? 0,
    fails: marks.length > 0 && marks.every((mark) => mark.fails),
    over,
    sharing: "shares_via" in provider,
    // The title stands at the upper edge.
    up: TITLE / 2 - place.height / 2,
  });
}

/**
 * @param {Provider} provider
 * @param {string} name
 * @param {import("./inventory.js").Inventory} inventory
 * @param {import("./overlay.js").Taken|undefined} taken
 * @param {Place} place
 * @param {number} level
 */
function bar(provider, name, inventory, taken, place, level) {
  const over = isOver(inventory);
  const amount = taken && (taken.held ? ` (${short(taken.amount)})` : ` +${short(taken.amount)}`);
  const numbers = `${short(inventory.used)}/${short(inventory.capacity)}`;
  return element("bar", `${provider.uuid}/${name}`, place, level, {
    uuid: provider.uuid,
    label: `${over ? "⚠ " : ""}${name} ${numbers}${amount ?? ""}`,
    words: inWords(name, inventory) + (taken ? `\n${taken.amount} ${taken.held ? "held" : "asked for"}` : ""),
    over,
    colour: taken?.colour ?? 0,
    parts: partsOf(inventory, taken),
  });
}

/**
 * The parts of a bar from left to right: what it is, and where it ends.
 * @param {import("./inventory.js").Inventory} inventory
 * @param {import("./overlay.js").Taken} [taken]
 */
function partsOf(inventory, taken) {
  const { used, reserved, unit } = shares(inventory);
  const part = (taken?.amount ?? 0) * unit;
  const before = taken?.held ? Math.max(0, used - part) : used;
  const after = Math.min(1, before + part);
  return [
    [isOver(inventory) ? "over" : "used", before],
    [`group-${taken?.colour ?? 0}`, after],
    ["free", Math.max(after, 1 - reserved)],
    ["reserved", 1],
  ];
}

/** @param {Provider} provider @param {Place} row @param {number} level */
function chips(provider, row, level) {
  const found = [];
  let { x } = row;
  for (const chip of chipsOf(provider)) {
    const width = Math.min(chip.label.length * CHARACTER + 2 * GAP, row.x + row.width - x);
    if (width < NARROWEST_CHIP) break;
    found.push(
      element("chip", `${provider.uuid}/${chip.words}`, { ...row, x, width }, level, { uuid: provider.uuid, ...chip }),
    );
    x += width + GAP;
  }
  return found;
}

/** The first aggregates and traits, and how many more there are. @param {Provider} provider */
function chipsOf({ aggregates, traits }) {
  const all = [
    ...aggregates.map((uuid) => ({ label: `@${uuid.slice(0, 8)}`, words: `aggregate ${uuid}`, kind: "aggregate" })),
    ...traits.map((name) => ({ label: cut(name), words: `trait ${name}`, kind: "trait" })),
  ];
  if (all.length <= MOST_CHIPS) return all;
  const rest = all.splice(MOST_CHIPS - 1);
  return [...all, { label: `+${rest.length}`, words: rest.map((chip) => chip.words).join("\n"), kind: "rest" }];
}

/** @param {string} text */
function cut(text) {
  return text.length > LONGEST_CHIP ? `${text.slice(0, LONGEST_CHIP - 1)}…` : text;
}

/** @param {Branch} branch @param {Place} place @param {number} level */
function more({ provider, hidden }, place, level) {
  const words = `${hidden} more children of ${provider.name}`;
  return element("more", moreOf(provider.uuid), place, level + 1, { uuid: provider.uuid, label: `+${hidden}`, words });
}

/**
 * An edge from what is in the box around to a box.
 * @param {Provider} provider
 * @param {Provider} around
 * @param {Map<string, Place>} places
 */
function childOf(provider, around, places) {
  const { width, height } = places.get(around.uuid);
  const x = (Math.min(width, WIDEST_ROW) - width) / 2;
  const y = TITLE + rowsOf(around) * ROW - height / 2;
  return {
    group: "edges",
    classes: "child-of",
    data: {
      id: `child-of-${provider.uuid}`,
      source: around.uuid,
      target: provider.uuid,
      // Behind the boxes that it passes.
      level: levelOf(around) + 1,
      from: `${x}px ${y}px`,
    },
  };
}

/** Edges from a pool to those that it shares with. @param {Provider} pool @param {Branch[]} members */
function sharing(pool, members) {
  const together = members.filter(({ provider }) => provider.aggregates.some((uuid) => pool.shares_via.includes(uuid)));
  return together.map(({ provider: { uuid } }) => ({
    group: "edges",
    classes: "shares",
    data: { id: `shares-${pool.uuid}-${uuid}`, source: pool.uuid, target: uuid, level: ON_TOP },
  }));
}
