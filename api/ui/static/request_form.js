// The form that builds a request for candidates. What counts is the text of the query: the fields below it write it.

import { fill, h, say } from "./dom.js";
import { newGroup, parse, readable, write } from "./request.js";
import { askApi } from "./server.js";
import { visit } from "./visit.js";

/**
 * @typedef {object} Field
 * @property {string} name the parameter
 * @property {string} label
 * @property {string} hint
 * @property {string} [list] what completes it
 * @property {string} [another] what the button says that adds one more of them
 */

/** @type {Field[]} */
const GROUP_FIELDS = [
  { name: "required", label: "Trait", hint: "TRAIT, !TRAIT or in:A,B", list: "traits", another: "Another trait" },
  { name: "member_of", label: "Aggregate", hint: "uuid, !uuid or in:uuid,uuid", another: "Another aggregate" },
  { name: "in_tree", label: "In the tree of", hint: "uuid of a provider" },
];
/** @type {Field[]} */
const FIELDS = [
  { name: "group_policy", label: "Group policy", hint: "none or isolate", list: "policies" },
  { name: "same_subtree", label: "Same subtree", hint: "_A,_B", another: "Another subtree" },
  { name: "root_required", label: "Traits of the root", hint: "TRAIT or !TRAIT", list: "traits" },
  { name: "limit", label: "Limit", hint: "100" },
];

/** @param {string} query */
export function requestForm(query) {
  let request = parse(query);
  let loaded = false;
  const text = h("textarea", {
    id: "query",
    rows: 2,
    spellcheck: "false",
    placeholder: "resources=VCPU:2,MEMORY_MB:2048&required=HW_CPU_X86_AVX2",
    input: () => {
      request = parse(text.value);
      draw();
    },
  });
  text.value = readable(query);
  const builder = h("div", { class: "builder" });
  const lists = h(
    "div",
    { hidden: true },
    names("classes", []),
    names("traits", []),
    names("policies", ["none", "isolate"]),
  );
  draw();

  function go(event) {
    event.preventDefault();
    const query = text.value.replaceAll(/\s/g, "").replace(/^\?/, "").replaceAll("#", "%23");
    visit(`${location.pathname}?${query}`);
  }
  function changed() {
    text.value = write(request);
  }

  /**
   * Changes which fields there are, and goes to the one that was added.
   * @param {() => void} change
   * @param {string} [label]
   */
  function redraw(change, label) {
    change();
    changed();
    draw();
    [...builder.querySelectorAll("input")].findLast((input) => input.ariaLabel === label)?.focus();
  }
  function draw() {
    const add = () => request.groups.push(newGroup(`_${request.groups.length}`));
    fill(
      builder,
      ...request.groups.map(groupFields),
      button("Add a group", () => redraw(add, "Suffix")),
      h("fieldset", {}, h("legend", {}, "The whole request"), ...FIELDS.map((field) => inputs(field, request.all))),
    );
  }

  /** @param {import("./request.js").Group} group @param {number} number */
  function groupFields(group, number) {
    const last = `Class ${group.resources.length + 1}`;
    return h(
      "fieldset",
      {},
      h("legend", {}, group.suffix ? `Group ${group.suffix}` : "Unsuffixed group"),
      number > 0 && labelled("Suffix", "", group.suffix, (value) => (group.suffix = value)),
      h(
        "div",
        { class: "resources" },
        ...group.resources.flatMap((resource, position) => [
          labelled(`Class ${position + 1}`, "VCPU", resource.name, (value) => (resource.name = value), "classes"),
          labelled(`Amount ${position + 1}`, "1", resource.amount, (value) => (resource.amount = value)),
        ]),
        button("Another class", () => redraw(() => group.resources.push({ name: "", amount: "" }), last)),
      ),
      ...GROUP_FIELDS.map((field) => inputs(field, group.more)),
      number > 0 && button("Remove this group", () => redraw(() => request.groups.splice(number, 1))),
    );
  }

  /**
   * The inputs of one parameter, which may be repeated.
   * @param {Field} field
   * @param {Record<string, string[]>} values
   */
  function inputs({ name, label, hint, list, another }, values) {
    const given = () => (values[name]?.length ? values[name] : [""]);
    const set = (position) => (value) => (values[name] = given().with(position, value));
    return h(
      "div",
      {},
      ...given().map((value, position) => labelled(label, hint, value, set(position), list)),
      another && button(another, () => redraw(() => (values[name] = [...given(), ""]), label)),
    );
  }

  /**
   * @param {string} label
   * @param {string} hint
   * @param {string} value
   * @param {(value: string) => void} set
   * @param {string} [list]
   */
  function labelled(label, hint, value, set, list) {
    const listen = () => {
      set(input.value.replaceAll(/\s/g, ""));
      changed();
    };
    const input = h("input", { "aria-label": label, placeholder: hint, list, autocomplete: "off", input: listen });
    input.value = value;
    return h("label", {}, label, input);
  }

  /** Names are read when the fields are looked at. */
  async function load() {
    if (loaded) return;
    loaded = true;
    try {
      const [classes, traits] = await Promise.all([askApi("/resource_classes"), askApi("/traits")]);
      const found = { classes: classes.resource_classes.map((one) => one.name), traits: traits.traits };
      for (const [id, all] of Object.entries(found)) lists.querySelector(`#${id}`).replaceWith(names(id, all));
    } catch (error) {
      // The fields can be filled without.
      say(`Names are not completed: ${error.message}`);
    }
  }
  return h(
    "form",
    { class: "request", submit: go },
    h("label", { for: "query" }, "Query"),
    text,
    h("button", {}, "Find candidates"),
    h("details", { open: !query, toggle: load }, h("summary", {}, "Build a request"), builder),
    lists,
  );
}

/** @param {string} label @param {() => void} click */
function button(label, click) {
  return h("button", { type: "button", click }, label);
}

/** @param {string} id @param {string[]} all */
function names(id, all) {
  return h("datalist", { id }, ...all.map((value) => h("option", { value })));
}
