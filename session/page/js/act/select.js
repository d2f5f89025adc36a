// select chooses options, whatever the list is made of: a native select, a
// field with suggestions, a listbox, or a combobox that has to be opened first.

import { fail } from "../fault.js";
import { control, squeeze, textOf } from "./control.js";
import { choose, findOption, missing, optionsOf } from "./option.js";
import { fillByText, merge, writable } from "./fill.js";
import { fromPopup } from "./listbox.js";
import { fromListbox } from "./openlist.js";
import { where } from "./page.js";
import { begin, named, resolve, usable } from "./target.js";

// select takes {values}: values or labels.
export function select(page, args) {
  begin(page, args);
  const found = resolve(page, args);
  const note = found.relocated ? { __proto__: null, relocated: true } : {};
  const done = (value) => where(page, merge(note, value));
  const el = listOf(page, found.el);
  usable(page, el);
  const values = args.values ?? [];
  if (control(page, el) === "select") return done(choose(page, el, values));
  const list = page.dom.tag(el) === "input" ? page.native.get(el, "list") : null;
  if (list) return done(suggested(page, el, list, values));
  if (values.length === 0) fail("invalid_argument", "which option? values is empty");
  const role = page.role(el);
  if (/^(listbox|radiogroup|tree|menu|tablist|grid)$/.test(role)) return fromListbox(page, el, values, args).then(done);
  if (opens(page, el, role)) return fromPopup(page, el, values, args).then(done);
  return fail("unsupported_element", `${named(page, el)} is no list; click what opens it and choose from what appears`);
}

const opens = (page, el, role) => role === "combobox" || (page.dom.has(el, "aria-haspopup") && page.attr(el, "aria-haspopup") !== "false") || /^(list|both)$/.test(page.attr(el, "aria-autocomplete")) || page.dom.has(el, "aria-expanded");

// listOf is the list that an element stands for: that of a label, the one field
// in a wrapper, the trigger inside.
function listOf(page, el) {
  const { dom, native } = page;
  if (control(page, el) === "select" || opens(page, el, page.role(el)) || page.role(el) === "listbox") return el;
  if (dom.tag(el) === "label") return native.get(el, "control") ?? el;
  const only = (selector) => {
    const inside = native.call(page.host.shadow(el) ?? el, "querySelectorAll", selector);
    return inside.length === 1 ? inside[0] : null;
  };
  return only("select,[role=combobox],[aria-haspopup=listbox],input[list]") ?? only("[role=listbox]") ?? el;
}

// suggested fills a field with one of the values that its datalist suggests.
function suggested(page, el, list, values) {
  if (values.length !== 1) fail("invalid_argument", `${named(page, el)} takes exactly one value`);
  writable(page, el);
  const options = optionsOf(page, list).map((o) => ({ ...o, label: o.label || squeeze(o.value) }));
  const option = findOption(options, values[0]) ?? missing(values[0], options.map((o) => (o.label === o.value ? o.label : `${o.value} (${o.label})`)));
  const done = fillByText(page, el, option.value);
  return { ...done, value_after: textOf(page, el) };
}
