// States, in the order in which a line prints them: words, or key=value.

import { lower } from "./embedded.js";
import { isSummary, role } from "./role.js";
import { secret } from "./secret.js";
import { set } from "./sets.js";
import { blank } from "./text.js";

const CHECKABLE = set("checkbox radio switch menuitemcheckbox menuitemradio");
const EXPANDABLE = set(`application button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio row
  rowheader columnheader switch tab treeitem`);
const SELECTABLE = set("option tab treeitem gridcell row rowheader columnheader");
const READONLY = set(`checkbox combobox grid gridcell listbox radiogroup slider spinbutton textbox searchbox switch treegrid
  rowheader columnheader menuitemcheckbox menuitemradio`);
const CELLS = set("gridcell rowheader columnheader");
const LEVELS = set("treeitem row listitem");
const POPUPS = set("menu listbox tree grid dialog");
const CURRENT = set("page step location date time");
const TEXT_TYPES = set("text search url tel email password number date month week time datetime-local");

// states gives the list.
export function states(view, el) {
  const it = view.of(el);
  const r = role(view, el);
  const out = [];
  const add = (word) => {
    if (word) out[out.length] = word;
  };
  add(checked(view, el, it, r));
  if (r === "button") add(pressed(view, el));
  add(expanded(view, el, it, r));
  if (selected(view, el, it, r)) add("selected");
  if (disabled(view, el, it)) add("disabled");
  if (readonly(view, el, it, r)) add("readonly");
  if (required(view, el, it)) add("required");
  add(invalid(view, el, it));
  add(popup(view, el, it, r));
  add(current(view, el));
  if (r === "dialog" || r === "alertdialog") if (lower(view.attr(el, "aria-modal")) === "true" || matches(view, el, ":modal")) add("modal");
  if (focused(view, el)) add("focused");
  if (it.html && it.tag === "textarea") add("multiline");
  else if (r === "textbox" && lower(view.attr(el, "aria-multiline")) === "true") add("multiline");
  if (multiple(view, el, it, r)) add("multiple");
  add(filled(view, el, it));
  return out;
}

function matches(view, el, selector) {
  try {
    return view.dom.matches(el, selector);
  } catch {
    return false;
  }
}

const aria = (view, el, key) => lower(view.attr(el, key));
const isInput = (it) => it.html && it.tag === "input";

function checked(view, el, it, r) {
  if (isInput(it)) {
    const type = view.dom.inputType(el);
    if (type === "checkbox") return view.dom.mixed(el) ? "checked=mixed" : view.dom.checked(el) ? "checked" : "";
    if (type === "radio") return view.dom.checked(el) ? "checked" : "";
  }
  const value = aria(view, el, "aria-checked");
  if (!CHECKABLE[r] && !((r === "option" || r === "treeitem") && value)) return "";
  if (value === "true") return "checked";
  return value === "mixed" && (r === "checkbox" || r === "menuitemcheckbox") ? "checked=mixed" : "";
}

function pressed(view, el) {
  const value = aria(view, el, "aria-pressed");
  return value === "true" ? "pressed" : value === "false" || value === "mixed" ? "pressed=" + value : "";
}

function expanded(view, el, it, r) {
  if (it.html && it.tag === "summary" && isSummary(view, el)) return view.dom.has(view.dom.parent(el), "open") ? "expanded" : "expanded=false";
  if (EXPANDABLE[r]) {
    const value = aria(view, el, "aria-expanded");
    if (value === "true") return "expanded";
    if (value === "false") return "expanded=false";
  }
  if (!it.html || !view.dom.has(el, "popovertarget")) return "";
  const target = view.byIds(el, view.attr(el, "popovertarget"))[0];
  if (!target || !view.dom.has(target, "popover")) return "";
  return matches(view, target, ":popover-open") ? "expanded" : "expanded=false";
}

function selected(view, el, it, r) {
  if (it.html && it.tag === "option") {
    const list = view.dom.parent(el);
    return view.dom.selected(el) && !(list && secret(view.ctx, list));
  }
  return SELECTABLE[r] === true && aria(view, el, "aria-selected") === "true";
}

// disabled: natively, or by the nearest aria-disabled.
export function disabled(view, el, it = view.of(el)) {
  if (it.html && matches(view, el, ":disabled")) return true;
  return ariaDisabled(view, el);
}

// ariaDisabled: the nearest value counts. Ancestors are remembered.
function ariaDisabled(view, el) {
  const path = [];
  let off = false;
  for (let at = el; at !== null; at = view.parent(at)) {
    const known = view.ariaOff.get(at);
    if (known !== undefined) {
      off = known;
      break;
    }
    path[path.length] = at;
    const value = aria(view, at, "aria-disabled");
    if (value === "true" || value === "false") {
      off = value === "true";
      break;
    }
  }
  for (let i = 0; i < path.length; i++) view.ariaOff.set(path[i], off);
  return off;
}

export function readonly(view, el, it, r) {
  if (it.html && (it.tag === "textarea" || (it.tag === "input" && TEXT_TYPES[view.dom.inputType(el)]))) {
    if (view.dom.has(el, "readonly")) return true;
  }
  if (!READONLY[r]) return false;
  const value = aria(view, el, "aria-readonly");
  if (value || !CELLS[r]) return value === "true";
  for (let at = view.parent(el), n = 0; at !== null && n < 8; at = view.parent(at), n++) {
    const up = role(view, at);
    if (up === "grid" || up === "treegrid") return aria(view, at, "aria-readonly") === "true";
  }
  return false;
}

function required(view, el, it) {
  if (it.html && (it.tag === "input" || it.tag === "select" || it.tag === "textarea") && matches(view, el, ":required")) return true;
  return aria(view, el, "aria-required") === "true";
}

function invalid(view, el, it) {
  const value = view.attr(el, "aria-invalid");
  if (value !== null && !blank(value)) {
    const word = value.toLowerCase();
    if (word === "false") return "";
    return word === "grammar" || word === "spelling" ? "invalid=" + word : "invalid";
  }
  return it.html && (it.tag === "input" || it.tag === "select" || it.tag === "textarea") && matches(view, el, ":user-invalid") ? "invalid" : "";
}

function popup(view, el, it, r) {
  const value = aria(view, el, "aria-haspopup");
  if (value === "true") return "haspopup=menu";
  if (POPUPS[value]) return "haspopup=" + value;
  if (r === "combobox" && value === "" && !(it.html && it.tag === "select")) return "haspopup=listbox";
  return "";
}

function current(view, el) {
  const value = view.attr(el, "aria-current");
  if (value === null || blank(value)) return "";
  const word = value.toLowerCase();
  return word === "false" ? "" : "current=" + (CURRENT[word] ? word : "true");
}

function multiple(view, el, it, r) {
  if (it.html && (it.tag === "select" || it.tag === "input")) return view.dom.has(el, "multiple") && (it.tag === "select" || view.dom.inputType(el) === "file" || view.dom.inputType(el) === "email");
  return r === "listbox" && aria(view, el, "aria-multiselectable") === "true";
}

// filled says of what must not show its value whether there is one.
function filled(view, el, it) {
  if (!it.html) return "";
  if (it.tag === "input" && view.dom.inputType(el) === "file") return (view.dom.files(el)?.length ?? 0) > 0 ? "filled" : "empty";
  if (!secret(view.ctx, el)) return "";
  if (it.tag === "select") return "";
  return (it.tag === "input" ? view.dom.inputValue(el) : view.dom.areaValue(el)) === "" ? "empty" : "filled";
}

// active gives the focused element, down through shadow roots.
export function active(view) {
  if (view.focus !== undefined) return view.focus;
  let el = view.dom.active(view.doc);
  while (el) {
    const root = view.shadow(el, view.of(el));
    const inner = root && view.dom.rootActive(root);
    if (!inner) break;
    el = inner;
  }
  return (view.focus = el ?? null);
}

function focused(view, el) {
  const at = active(view);
  if (!at) return false;
  if (at === el) return el !== view.dom.body(view.doc) && el !== view.dom.documentElement(view.doc);
  const id = view.attr(at, "aria-activedescendant");
  return id !== null && view.byIds(at, id)[0] === el;
}

// level: of a heading always, of some others when given.
export function level(view, el, r) {
  const n = parseInt(view.attr(el, "aria-level") ?? "", 10);
  if (r === "heading") {
    if (n >= 1) return n;
    const it = view.of(el);
    return it.html && it.tag.length === 2 && it.tag[0] === "h" && it.tag[1] >= "1" && it.tag[1] <= "6" ? +it.tag[1] : 2;
  }
  return LEVELS[r] && n >= 1 ? n : 0;
}
