// The options of lists that a page has made itself: found wherever they are drawn,
// and told apart by what they are called.

import { fail } from "../fault.js";
import { squeeze } from "./control.js";
import { boxes, clipped } from "./reach.js";
import { describe } from "./reading.js";
import { eachRoot } from "./roots.js";

const OPTION = "[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem],[role=radio],[role=tab],[role=gridcell]";
const MANY = 5000; // elements looked at in one list
const KEYS = ["data-value", "value", "data-key"]; // attributes that hold an option's value

// optionsIn are the drawn options of a list, in the flat tree: an option may be
// slotted into the list, or lie in the shadow tree of what is.
export function optionsIn(page, list) {
  const out = [];
  each(page, list, (el) => {
    if (el === list || !page.dom.matches(el, OPTION)) return false;
    if (boxes(page, el).length) out[out.length] = el;
    return false;
  });
  return out;
}

// each visits the elements of a flat tree until visit returns true for one.
function each(page, root, visit) {
  const { dom, host } = page;
  const waiting = [root];
  for (let i = 0; i < waiting.length && waiting.length < MANY; i++) {
    const el = waiting[i];
    if (visit(el)) return el;
    const given = dom.tag(el) === "slot" ? dom.assigned(el) : [];
    const inner = host.shadow(el);
    for (let k = 0; k < given.length; k++) if (dom.kind(given[k]) === 1) waiting[waiting.length] = given[k];
    const kids = given.length ? null : dom.first(inner ?? el);
    for (let kid = kids; kid; kid = dom.next(kid)) if (dom.kind(kid) === 1) waiting[waiting.length] = kid;
  }
  return null;
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
export function labelsOf(page, list) {
  if (!list) return [];
  const options = optionsIn(page, list);
  return (unseen(page, options) ? drawnTexts(page, list) : options).map((o) => labelOf(page, o));
}

export const chosen = (page, option) => page.attr(option, "aria-selected") === "true" || page.attr(option, "aria-checked") === "true";

export const chosenIn = (page, list) => optionsIn(page, list).filter((o) => chosen(page, o)).map((o) => labelOf(page, o));

// choice finds an option in a list: {at, label, chosen}, at being what is to be
// clicked; null if there is none.
export function choice(page, list, wanted) {
  const options = optionsIn(page, list);
  const option = match(page, options, wanted);
  const found = (at, known) => (at ? { __proto__: null, at, label: labelOf(page, known ?? at), chosen: known !== null && chosen(page, known) } : null);
  if (!unseen(page, options)) return found(option, option);
  return found(standIn(page, list, option ? labelOf(page, option) : wanted), option);
}

// unseen: some lists have their options twice, once with roles in a box without
// size, which nobody can click, and once without roles for the eye.
const unseen = (page, options) => options.length > 0 && options.every((o) => clipped(page, o));

// drawnTexts are the innermost elements with text around a list that is not seen.
function drawnTexts(page, list) {
  const around = page.dom.parent(list);
  const out = [];
  const all = around && page.dom.kind(around) === 1 ? page.native.call(around, "querySelectorAll", "*") : [];
  for (let i = 0; i < all.length && i < MANY; i++) {
    const el = all[i];
    if (page.dom.firstElement(el) === null && squeeze(page.dom.text(el)) !== "" && boxes(page, el).length && !page.dom.contains(list, el) && !clipped(page, el)) out[out.length] = el;
  }
  return out;
}

// standIn is the one drawn element around the list that says what is wanted.
function standIn(page, list, wanted) {
  const fit = drawnTexts(page, list).filter((el) => like(page.dom.text(el), wanted));
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

// refuse fails for an option that is disabled, having done before.
export function refuse(page, option, before) {
  if (page.attr(option, "aria-disabled") !== "true" && !page.dom.matches(option, ":disabled")) return;
  const label = labelOf(page, option);
  before?.();
  fail("element_not_interactable", `the option ${JSON.stringify(label)} is disabled`);
}

export const like = (a, b) => squeeze(a).toLowerCase() === squeeze(b).toLowerCase();
export const contains = (a, b) => squeeze(a).toLowerCase().includes(squeeze(b).toLowerCase());
