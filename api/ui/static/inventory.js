// One inventory in numbers, in words, and as shares of a bar.

/**
 * @typedef {object} Inventory
 * @property {number} total
 * @property {number} reserved
 * @property {number} capacity what all allocations together may reach
 * @property {number} used
 * @property {number} free negative when over capacity
 * @property {number} allocation_ratio
 */

const LONGEST = 6;

/** @param {Inventory} inventory */
export function isOver(inventory) {
  return inventory.used > inventory.capacity;
}

/** The parts of a bar, which sum up to 1, and how much of it one unit is. @param {Inventory} inventory */
export function shares(inventory) {
  const reserved = inventory.reserved * inventory.allocation_ratio;
  const unit = 1 / (Math.max(inventory.capacity, inventory.used) + reserved || 1);
  const used = inventory.used * unit;
  return { used, free: Math.max(0, 1 - used - reserved * unit), reserved: reserved * unit, unit };
}

/** @param {string} name @param {Inventory} inventory */
export function inWords(name, inventory) {
  const rest = isOver(inventory) ? `over capacity by ${-inventory.free}` : `${inventory.free} free`;
  const reserved = inventory.reserved ? `, ${inventory.reserved} of ${inventory.total} reserved` : "";
  const ratio = inventory.allocation_ratio === 1 ? "" : `, ratio ${inventory.allocation_ratio}`;
  return `${name}: ${inventory.used} of ${inventory.capacity} used, ${rest}${reserved}${ratio}`;
}

/** A number as it fits into a bar. @param {number} number */
export function short(number) {
  const text = String(number);
  return text.length <= LONGEST
    ? text
    : new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(number);
}
