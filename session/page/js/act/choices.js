// The options of lists that a page has made itself: found wherever they are drawn,
// and told apart by what they are called.

import { fail } from "../fault.js";
import { squeeze } from "./control.js";
import { boxes } from "./reach.js";
import { describe } from "./reading.js";
import { eachRoot } from "./roots.js";
import { standIns, surroundings, unseen } from "./standin.js";

const OPTION = "[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem],[role=radio],[role=tab],[role=gridcell]";
const MANY = 50000; // elements looked at in one list
const KEYS = ["data-value", "value", "data-key"]; // attributes that hold an option's value

// optionsIn are the drawn options of a list, in the flat tree: an option may be
// slotted into the list, or lie in the shadow tree of what is.
export function optionsIn(page, list) {
  const told = page.host.shadows(); // null: not known
  const all = told?.length === 0 ? page.native.call(list, "querySelectorAll", OPTION) : optionsDeep(page, list);
  const out = [];
  for (let i = 0; i < all.length && i < MANY; i++) if (boxes(page, all[i]).length) out[out.length] = all[i];
  return out;
}

// optionsDeep walks the flat tree below a list, in its order.
function optionsDeep(page, list) {
  const { dom } = page;
  const out = [];
  const waiting = [list]; // the next one last
  for (let n = 0; waiting.length > 0 && n < MANY; n++) {
    const el = waiting[waiting.length - 1];
    waiting.length--;
    if (el !== list && dom.matches(el, OPTION)) out[out.length] = el;
    const kids = flatKids(page, el);
    for (let i = kids.length - 1; i >= 0; i--) waiting[waiting.length] = kids[i];
  }
  return out;
}

function flatKids(page, el) {
  const { dom, host } = page;
  const given = dom.tag(el) === "slot" ? dom.assigned(el) : [];
  const out = [];
  if (given.length) {
    for (let i = 0; i < given.length; i++) if (dom.kind(given[i]) === 1) out[out.length] = given[i];
    return out;
  }
  for (let kid = dom.first(host.shadow(el) ?? el); kid; kid = dom.next(kid)) if (dom.kind(kid) === 1) out[out.length] = kid;
  return out;
}

// showsOptions says whether an option is drawn in an element's own tree.
export function showsOptions(page, el) {
  const all = page.native.call(el, "querySelectorAll", OPTION);
  for (let i = 0; i < all.length && i < 50; i++) if (boxes(page, all[i]).length) return true;
  return false;
}

// visibleOptions are all options on the page that are drawn.
export function visibleOptions(page) {
  const out = [];
  eachRoot(page, (root) => {
    const all = page.native.call(root, "querySelectorAll", OPTION);
    for (let i = 0; i < all.length && i < 2000; i++) if (boxes(page, all[i]).length) out[out.length] = all[i];
    return false;
  });
  return out;
}

export const labelOf = (page, option) => squeeze(describe(option, page.ctx).name || page.dom.text(option));

// labelsOf are the labels in a list, which may be null.
export function labelsOf(page, list, before) {
  if (!list) return [];
  const options = optionsIn(page, list);
  const around = unseen(page, options) ? surroundings(page, list, before) : null;
  return (around ? standIns(page, around, before, false) : options).map((o) => labelOf(page, o));
}

export const chosen = (page, option) => page.attr(option, "aria-selected") === "true" || page.attr(option, "aria-checked") === "true";

// valuesOf are the values of an option, as one text to compare.
export const valuesOf = (page, option) => KEYS.map((key) => page.dom.attr(option, key) ?? "").join("\n");

// choice finds an option in a list: {at, option, label, chosen}, at being what is to
// be clicked, which is not always the option with the role; null if there is none.
export function choice(page, list, wanted, before) {
  const options = optionsIn(page, list);
  const option = match(page, options, wanted);
  const around = unseen(page, options) ? surroundings(page, list, before) : null;
  const at = around ? standIn(page, around, before, option, wanted) : option;
  return at ? { __proto__: null, at, option: option ?? at, label: labelOf(page, option ?? at), chosen: option !== null && chosen(page, option) } : null;
}

// standIn is the one drawn element around a list that says what is wanted.
function standIn(page, around, before, option, wanted) {
  const words = option ? labelOf(page, option) : wanted;
  const fit = standIns(page, around, before, option !== null).filter((el) => like(page.dom.text(el), words));
  return fit.length === 1 ? fit[0] : null;
}

// match takes the label, else the value, else what is drawn of the label, else a
// label in other letters' case.
function match(page, options, wanted) {
  const text = squeeze(wanted);
  const labels = options.map((o) => labelOf(page, o));
  const exact = labels.indexOf(text);
  if (exact >= 0) return options[exact];
  for (let i = 0; i < KEYS.length; i++) {
    const found = options.find((o) => page.dom.attr(o, KEYS[i]) === wanted);
    if (found) return found;
  }
  const drawn = options.filter((o) => like(page.native.get(o, "innerText") ?? "", text));
  if (drawn.length === 1) return drawn[0];
  const lower = labels.filter((l) => l.toLowerCase() === text.toLowerCase());
  return lower.length === 1 ? options[labels.indexOf(lower[0])] : null;
}

// refuse fails for a choice that is disabled, having done before.
export function refuse(page, { at, option, label }, before) {
  const off = (el) => page.attr(el, "aria-disabled") === "true" || page.dom.matches(el, ":disabled");
  if (!off(at) && !off(option)) return;
  before?.();
  fail("element_not_interactable", `the option ${JSON.stringify(label)} is disabled`);
}

export const like = (a, b) => squeeze(a).toLowerCase() === squeeze(b).toLowerCase();

// contains says whether words stand in a text, whole: "Male" is not in "Female".
export function contains(text, words) {
  const all = squeeze(text).toLowerCase();
  const part = squeeze(words).toLowerCase();
  for (let at = part === "" ? -1 : all.indexOf(part); at >= 0; at = all.indexOf(part, at + 1)) {
    if (!joined(all, at) && !joined(all, at + part.length)) return true;
  }
  return false;
}

// joined: what is before and behind a place in a text is one word.
const joined = (text, at) => /[\p{L}\p{M}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) && /^[\p{L}\p{M}\p{N}]/u.test(text.slice(at, at + 2));
