// What is laid over a tree: who gives what to a candidate, what a consumer holds, or who fits and who does not.

/**
 * @typedef {object} Mark
 * @property {number} colour the number of a colour of the page, from 1
 * @property {string} words what is said of the provider
 * @property {string} sign a short form of it
 * @property {boolean} [fails]
 *
 * @typedef {object} Taken
 * @property {number} colour
 * @property {number} amount
 * @property {boolean} held whether the amount is part of what is used already
 *
 * @typedef {object} Overlay
 * @property {Map<string, Mark[]>} marks by uuid of provider
 * @property {Map<string, Map<string, Taken>>} taken by uuid of provider and resource class
 */

export const COLOURS = 6;

/** @returns {Overlay} */
export function noOverlay() {
  return { marks: new Map(), taken: new Map() };
}

/** @param {Overlay} overlay @param {string} uuid @param {Mark} mark */
export function addMark(overlay, uuid, mark) {
  overlay.marks.set(uuid, [...(overlay.marks.get(uuid) ?? []), mark]);
}

/** @param {Overlay} overlay @param {string} uuid @param {string} resourceClass @param {Taken} taken */
export function addTaken(overlay, uuid, resourceClass, taken) {
  const found = overlay.taken.get(uuid) ?? new Map();
  overlay.taken.set(uuid, found.set(resourceClass, taken));
}

/** The colour of the one at a position. @param {number} position */
export function colour(position) {
  return (position % COLOURS) + 1;
}

/** @param {Overlay} overlay */
export function concerned(overlay) {
  return new Set([...overlay.marks.keys(), ...overlay.taken.keys()]);
}
