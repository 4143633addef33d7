// A request for candidates as a query, and as what a form has fields for.

/**
 * @typedef {{name: string, amount: string}} Resource
 * @typedef {{suffix: string, resources: Resource[], more: Record<string, string[]>}} Group
 * @typedef {object} Request
 * @property {Group[]} groups the first one has no suffix
 * @property {Record<string, string[]>} all what holds for the whole request
 * @property {[string, string][]} others what there are no fields for
 */

const OF_GROUP = /^(resources|required|member_of|in_tree)(.*)$/;
export const OF_ALL = ["group_policy", "same_subtree", "root_required", "limit"];

/** @param {string} suffix @returns {Group} */
export function newGroup(suffix) {
  return { suffix, resources: [{ name: "", amount: "" }], more: {} };
}

/** @param {string} query @returns {Request} */
export function parse(query) {
  const groups = new Map([["", newGroup("")]]);
  const all = {};
  const others = [];
  for (const [key, value] of new URLSearchParams(query)) {
    const [, name, suffix] = key.match(OF_GROUP) ?? [];
    if (name) {
      if (!groups.has(suffix)) groups.set(suffix, newGroup(suffix));
      const group = groups.get(suffix);
      if (name === "resources") group.resources = value.split(",").map(resource);
      else group.more[name] = [...(group.more[name] ?? []), value];
    } else if (OF_ALL.includes(key)) {
      all[key] = [...(all[key] ?? []), value];
    } else {
      others.push([key, value]);
    }
  }
  return { groups: [...groups.values()], all, others };
}

/** @param {string} part @returns {Resource} */
function resource(part) {
  const [name, amount = ""] = part.split(":");
  return { name, amount };
}

/** @param {Request} request */
export function write({ groups, all, others }) {
  const pairs = groups.flatMap(({ suffix, resources, more }) => {
    const whole = resources.filter(({ name, amount }) => name && amount).map(({ name, amount }) => `${name}:${amount}`);
    return [...(whole.length ? [[`resources${suffix}`, whole.join(",")]] : []), ...pairsOf(more, suffix)];
  });
  return [...pairs, ...pairsOf(all, ""), ...others]
    .map(([name, value]) => `${name}=${readable(encodeURIComponent(value))}`)
    .join("&");
}

/** @param {Record<string, string[]>} values @param {string} suffix */
function pairsOf(values, suffix) {
  return Object.entries(values).flatMap(([name, all]) =>
    all.filter(Boolean).map((value) => [`${name}${suffix}`, value]),
  );
}

/** A query with the signs that people know from it. @param {string} query */
export function readable(query) {
  return query.replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%21", "!");
}
