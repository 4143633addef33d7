// A tree as the server gives it, and the part of it that is shown.

/**
 * @typedef {object} Provider
 * @property {string} uuid
 * @property {string} name
 * @property {number} generation
 * @property {string|null} parent_provider_uuid
 * @property {string} root_provider_uuid
 * @property {Record<string, import("./inventory.js").Inventory>} inventories
 * @property {string[]} traits
 * @property {string[]} aggregates
 * @property {number} [depth] 0 for the root
 * @property {string[]} [shares_via] aggregates, of a provider that stands beside the tree
 *
 * @typedef {{root_provider_uuid: string, providers: Provider[], sharing_providers: Provider[]}} Tree
 *
 * @typedef {object} Branch what is shown of a provider and below it
 * @property {Provider} provider
 * @property {Branch[]} children
 * @property {number} below how many children there are
 * @property {number} hidden how many of them are left out although the provider is open
 * @property {boolean} open
 */

/** With more children than this only a few are shown until more are asked for. */
const MOST_CHILDREN = 16;
const FIRST_CHILDREN = 3;
const MORE_CHILDREN = 32;
/** A tree is opened from its root down until so many providers are shown. */
const OPENED = 40;

/** What is known of a tree, and what of it is open: it changes by the functions below alone. */
export class Model {
  /**
   * @param {Tree} tree
   * @param {Iterable<string>} [needed] uuids of providers that are shown from the start
   */
  constructor(tree, needed = []) {
    this.sharing = tree.sharing_providers;
    this.root = tree.providers[0];
    /** @type {Map<string, Provider>} */
    this.providers = new Map([...tree.providers, ...tree.sharing_providers].map((one) => [one.uuid, one]));
    /** @type {Map<string, Provider[]>} */
    this.children = new Map(tree.providers.map((one) => [one.uuid, []]));
    for (const one of tree.providers.slice(1)) this.children.get(one.parent_provider_uuid).push(one);
    /** @type {Set<string>} */
    this.open = new Set();
    /** @type {Map<string, number>} */
    this.shown = new Map();
    /** @type {Set<string>} */
    this.needed = new Set();
    this.openFromRoot();
    for (const uuid of needed) this.need(uuid);
  }

  openFromRoot() {
    const waiting = [this.root.uuid];
    let left = OPENED;
    while (waiting.length) {
      const uuid = waiting.shift();
      const children = this.visibleChildren(uuid);
      left -= children.length;
      if (children.length && left < 0) break;
      this.open.add(uuid);
      waiting.push(...children.map((child) => child.uuid));
    }
  }

  /** Opens what is above a provider, so that it is shown. @param {string} uuid */
  need(uuid) {
    for (let one = this.providers.get(uuid); one; one = this.providers.get(one.parent_provider_uuid)) {
      this.needed.add(one.uuid);
      if (one.uuid !== uuid) this.open.add(one.uuid);
    }
  }

  /** Shows or hides the children of a provider. @param {string} uuid */
  toggle(uuid) {
    if (!this.open.delete(uuid)) this.open.add(uuid);
  }

  /** Shows some more of the children of a provider. @param {string} uuid */
  more(uuid) {
    this.shown.set(uuid, (this.shown.get(uuid) ?? FIRST_CHILDREN) + MORE_CHILDREN);
  }

  /** @param {string} uuid */
  visibleChildren(uuid) {
    const all = this.children.get(uuid) ?? [];
    if (all.length <= MOST_CHILDREN) return all;
    const first = this.shown.get(uuid) ?? FIRST_CHILDREN;
    return all.filter((child, position) => position < first || this.needed.has(child.uuid));
  }

  /** @param {Provider} [provider] @returns {Branch} */
  branch(provider = this.root) {
    const all = this.children.get(provider.uuid) ?? [];
    const open = all.length > 0 && this.open.has(provider.uuid);
    const children = open ? this.visibleChildren(provider.uuid) : [];
    return {
      provider,
      children: children.map((child) => this.branch(child)),
      below: all.length,
      hidden: open ? all.length - children.length : 0,
      open,
    };
  }

  /** The tree and the pools beside it. @returns {Branch[]} */
  branches() {
    const pools = this.sharing.map((provider) => ({ provider, children: [], below: 0, hidden: 0, open: false }));
    return [this.branch(), ...pools];
  }
}

/** All branches, a parent before what is below it. @param {Branch[]} branches @returns {Branch[]} */
export function flatten(branches) {
  return branches.flatMap((branch) => [branch, ...flatten(branch.children)]);
}
