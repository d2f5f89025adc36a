// Options of a native select: finding, setting, telling the page.

import { fail } from "../fault.js";
import { squeeze, textOf } from "./control.js";
import { focusOn } from "./focus.js";
import { remember } from "./kept.js";
import { named, usable } from "./target.js";

const LISTED = 40;

// optionsOf lists {el, value, label, disabled} of a select or a datalist.
export function optionsOf(page, list) {
  const { native, dom } = page;
  const all = native.get(list, "options");
  const out = [];
  for (let i = 0; i < all.length; i++) {
    const group = dom.parent(all[i]);
    out[i] = {
      __proto__: null,
      el: all[i],
      value: native.get(all[i], "value"),
      label: squeeze(native.get(all[i], "label") || native.get(all[i], "text")),
      disabled: native.get(all[i], "disabled") || (!!group && dom.tag(group) === "optgroup" && native.get(group, "disabled")),
    };
  }
  return out;
}

// findOption takes a value, else a label, else a label in other letters' case.
export function findOption(options, wanted) {
  const label = squeeze(wanted);
  const lower = label.toLowerCase();
  return options.find((o) => o.value === wanted) ?? options.find((o) => o.label === label) ?? only(options.filter((o) => o.label.toLowerCase() === lower));
}

const only = (list) => (list.length === 1 ? list[0] : undefined);

// missing says which options there are instead.
export function missing(wanted, labels) {
  const shown = labels.slice(0, LISTED).map((l) => JSON.stringify(l.length > 80 ? l.slice(0, 80) + "…" : l));
  const rest = labels.length > LISTED ? ` and ${labels.length - LISTED} more` : "";
  const there = labels.length ? `there are ${shown.join(", ")}${rest}` : "the list is empty";
  fail("option_not_found", `there is no option ${JSON.stringify(wanted)}; ${there}`, { __proto__: null, options: labels.slice(0, 200) });
}

// choose makes exactly the named options the selection of a native select.
export function choose(page, select, values) {
  const { native } = page;
  usable(page, select);
  const multiple = native.get(select, "multiple");
  if (!multiple && values.length !== 1) fail("invalid_argument", `${named(page, select)} takes exactly one value`);
  const options = optionsOf(page, select);
  const chosen = values.map((wanted) => {
    const option = findOption(options, wanted) ?? missing(wanted, options.map((o) => o.label));
    if (option.disabled) fail("element_not_interactable", `the option ${JSON.stringify(option.label)} is disabled`);
    return option;
  });
  return apply(page, select, options, (o) => chosen.includes(o));
}

// pickOption does what a click on an option in an open list does.
export function pickOption(page, option) {
  const { native } = page;
  const select = page.nearest(option, "select");
  if (!select) fail("unsupported_element", "the option belongs to no list; use select_option on its field");
  usable(page, select);
  const options = optionsOf(page, select);
  const picked = options.find((o) => o.el === option);
  if (!picked || picked.disabled) fail("element_not_interactable", "the option is disabled");
  const multiple = native.get(select, "multiple");
  return apply(page, select, options, (o) => (o === picked ? !multiple || !native.get(option, "selected") : multiple && native.get(o.el, "selected")));
}

// selectOnly makes one option the whole selection.
export function selectOnly(page, select, option) {
  return apply(page, select, optionsOf(page, select), (o) => o.el === option);
}

// apply sets the selection and tells the page, as a browser does only when
// something has changed.
function apply(page, select, options, wants) {
  const { native, fire } = page;
  const goal = options.filter(wants);
  const before = textOf(page, select);
  focusOn(page, select);
  let changed = false;
  const multiple = native.get(select, "multiple");
  for (let i = 0; i < options.length; i++) {
    const o = options[i];
    const on = goal.includes(o);
    if (native.get(o.el, "selected") === on) continue;
    changed = true;
    if (multiple || on) native.set(o.el, "selected", on);
  }
  if (changed) {
    fire.plain(select, "input", { __proto__: null, composed: true });
    fire.plain(select, "change");
  }
  const after = textOf(page, select);
  if (after !== goal.map((o) => o.label).join(", ")) {
    fail("fill_rejected", `the page did not keep the choice; ${named(page, select)} shows ${JSON.stringify(after)}`, { __proto__: null, value_after: after });
  }
  remember(page, select, after, before);
  return { __proto__: null, value_after: after, unchanged: changed ? undefined : true };
}
