// Lists that a page has made itself. They are worked as a person works them:
// open, look, click, and look again at what is chosen.

import { fail } from "../fault.js";
import { clickOn } from "./click.js";
import { editable, squeeze, textOf, control } from "./control.js";
import { edit } from "./edit.js";
import { flags } from "./events.js";
import { focusOn } from "./focus.js";
import { graphemes, keyOf } from "./keytable.js";
import { missing } from "./option.js";
import { boxes } from "./reach.js";
import { describe } from "./reading.js";
import { stroke } from "./stroke.js";
import { eachRoot } from "./roots.js";
import { named } from "./target.js";
import { selectAll } from "./caret.js";

const OPTION = "[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem],[role=radio],[role=tab],[role=gridcell]";
const LIST = "[role=listbox],[role=menu],[role=tree],[role=grid],[role=dialog]";
const ANSWER = 250; // ms for a list to answer a click before a key is tried
const OPENING = 1500; // ms for a list to appear, and for a search to answer
const PAUSE = 25; // ms between looks
const LONG = 6000; // ms for looking through a long list

const NOTHING = flags();

// fromListbox chooses in a list that is there.
export async function fromListbox(page, list, values, args) {
  const multiple = page.attr(list, "aria-multiselectable") === "true";
  if (!multiple && values.length !== 1) fail("invalid_argument", `${named(page, list)} takes exactly one value`);
  for (let i = 0; i < values.length; i++) {
    const wanted = values[i];
    const option = await seek(page, () => list, wanted, args);
    if (!option) missing(wanted, labelsIn(page, list));
    refuse(page, option);
    if (!chosen(page, option)) await clickOn(page, option);
    await page.turn(PAUSE);
  }
  if (multiple) await drop(page, list, values);
  const after = chosenIn(page, list);
  const unsure = after.length === 0 ? ["the list does not tell which option is chosen"] : after.every((label) => values.some((v) => like(label, v))) ? undefined : [`chosen now: ${after.map((l) => JSON.stringify(l)).join(", ")}`];
  return { __proto__: null, value_after: after.length ? after.join(", ") : undefined, warnings: unsure };
}

// drop takes back what is chosen beside the wanted values.
async function drop(page, list, values) {
  const options = optionsIn(page, list);
  for (let i = 0; i < options.length; i++) {
    const option = options[i];
    if (!chosen(page, option) || values.some((v) => like(labelOf(page, option), v))) continue;
    await clickOn(page, option);
    await page.turn(PAUSE);
  }
}

// fromPopup opens the list that belongs to a field or button, chooses, and reads
// the field again.
export async function fromPopup(page, el, values, args) {
  const field = fieldIn(page, el);
  const before = shown(page, el);
  for (let i = 0; i < values.length; i++) {
    const wanted = values[i];
    const known = visibleOptions(page);
    const list = await open(page, el, known);
    const find = () => popupOf(page, el, known) ?? list();
    let option = await seek(page, find, wanted, args);
    const labels = option ? [] : labelsOf(page, find());
    const text = field ? textOf(page, field) : "";
    if (!option && field) option = await search(page, field, find, wanted);
    if (!option) {
      if (field && textOf(page, field) !== text) restore(page, field, text);
      close(page, field ?? el);
      missing(wanted, labels);
    }
    refuse(page, option, () => close(page, field ?? el));
    const label = labelOf(page, option);
    const was = chosen(page, option);
    if (!was) await clickOn(page, option);
    await arrives(page, el, wanted, label, before);
  }
  return readBack(page, el, values, before, field);
}

// open opens the list unless it is open, and gives a function that finds it.
async function open(page, el, known) {
  const there = () => popupOf(page, el, known);
  if (page.attr(el, "aria-expanded") === "true" && there()) return there;
  await clickOn(page, el);
  if (await until(page, there, ANSWER)) return there;
  const at = fieldIn(page, el) ?? el;
  focusOn(page, at);
  stroke(page, () => at, keyOf("ArrowDown"), NOTHING, () => undefined);
  if (await until(page, there, OPENING)) return there;
  // Some lists come only with something to search for.
  if (fieldIn(page, el)) return there;
  return fail("option_not_found", `no list appeared when ${named(page, el)} was clicked`, { __proto__: null, options: [] });
}

// popupOf finds the list of el: the one it names, else options that were not
// there before.
function popupOf(page, el, known) {
  const { dom } = page;
  const named = [el, fieldIn(page, el)];
  for (let i = 0; i < named.length; i++) {
    const at = named[i];
    const ids = at ? `${page.attr(at, "aria-controls")} ${page.attr(at, "aria-owns")}`.trim().split(/\s+/) : [];
    for (let k = 0; k < ids.length; k++) {
      const list = ids[k] ? byId(page, at, ids[k]) : null;
      if (list && optionsIn(page, list).length) return list;
    }
    const active = at ? byId(page, at, page.attr(at, "aria-activedescendant")) : null;
    if (active) return page.nearest(active, LIST) ?? dom.parent(active);
  }
  const options = visibleOptions(page);
  for (let i = 0; i < options.length; i++) if (!known.includes(options[i])) return page.nearest(options[i], LIST) ?? dom.parent(options[i]);
  return page.attr(el, "aria-expanded") === "true" && known.length ? page.nearest(known[0], LIST) : null;
}

function byId(page, near, id) {
  if (!id) return null;
  const { native, dom, document } = page;
  const root = dom.root(near);
  return (root !== document && native.can(root, "getElementById") ? native.call(root, "getElementById", id) : null) ?? dom.byId(document, id);
}

// seek looks for an option, from the top on in lists that draw only what shows.
async function seek(page, find, wanted, args) {
  const { native, host } = page;
  const end = Math.min(host.now() + LONG, (args.until ?? Infinity) - 500);
  let last = null;
  for (;;) {
    const list = find();
    const option = list ? match(page, optionsIn(page, list), wanted) : null;
    const box = list && !option && host.now() < end ? scroller(page, list) : null;
    if (!box) return option;
    const top = native.get(box, "scrollTop");
    if (top === last) return null;
    if (last === null) native.set(box, "scrollTop", 0);
    else native.call(box, "scrollBy", { __proto__: null, top: native.get(box, "clientHeight") * 0.8, behavior: "instant" });
    last = last === null ? -1 : top;
    await page.turn();
    await page.turn(16); // scroll events come with the next frame
  }
}

function scroller(page, list) {
  const { native, dom } = page;
  const tall = (el) => native.get(el, "scrollHeight") > native.get(el, "clientHeight") + 1 && /^(auto|scroll)$/.test(dom.style(el).overflowY);
  if (tall(list)) return list;
  const inside = native.call(list, "querySelectorAll", "*");
  for (let i = 0; i < inside.length && i < 200; i++) if (tall(inside[i])) return inside[i];
  const outside = dom.parent(list);
  return outside && dom.kind(outside) === 1 && tall(outside) ? outside : null;
}

// search types what is wanted into the field of the list and waits for answers.
async function search(page, field, find, wanted) {
  if (control(page, field) !== "line" && !editable(page, field)) return null;
  if (page.native.get(field, "readOnly")) return null;
  focusOn(page, field);
  selectAll(page, field);
  const chars = graphemes(wanted);
  for (let i = 0; i < chars.length; i++) {
    stroke(page, () => field, keyOf(chars[i]), NOTHING, () => edit(page, field, "insertText", chars[i]));
    await page.turn();
  }
  return until(page, () => {
    const list = find();
    return list ? match(page, optionsIn(page, list), wanted) : null;
  }, OPENING);
}

// until looks again and again for something, waking with the page's changes.
async function until(page, look, ms) {
  const end = page.host.now() + ms;
  for (;;) {
    const found = look();
    if (found || page.host.now() >= end) return found;
    await page.turn(PAUSE);
  }
}

// arrives waits for the choice to show.
async function arrives(page, el, wanted, label, before) {
  await page.turn();
  const there = () => !page.dom.connected(el) || like(shown(page, el), wanted) || like(shown(page, el), label) || shown(page, el) !== before;
  await until(page, there, 300);
}

function readBack(page, el, values, before, field) {
  if (!page.dom.connected(el)) return { __proto__: null, warnings: ["the page replaced the field when the option was chosen"] };
  const after = shown(page, el);
  const good = values.every((v) => contains(after, v));
  if (good) return { __proto__: null, value_after: after };
  const value = { __proto__: null, value_after: after || undefined };
  if (after === before && page.attr(field ?? el, "aria-expanded") === "true") {
    fail("fill_rejected", `the option was clicked, but the list stays open and the field shows ${JSON.stringify(after)}`, value);
  }
  value.warnings = [after === before ? "the option was clicked; the field shows the same as before" : `the option was clicked; the field shows ${JSON.stringify(after.slice(0, 200))}`];
  return value;
}

// shown is what a person reads in a field that a list belongs to.
function shown(page, el) {
  const field = fieldIn(page, el);
  const value = field ? textOf(page, field) : "";
  if (value) return squeeze(value);
  const own = el === field ? (besideText(page, el)) : squeeze(page.native.get(el, "innerText") ?? page.dom.text(el));
  return own.slice(0, 500);
}

// besideText is for fields that show a choice beside themselves, as chips.
function besideText(page, el) {
  for (let at = page.dom.parent(el), i = 0; at && page.dom.kind(at) === 1 && i < 3; at = page.dom.parent(at), i++) {
    const text = squeeze(page.native.get(at, "innerText") ?? "");
    if (text && text.length < 300) return text;
    if (text) break;
  }
  return "";
}

// fieldIn is the text field of a combobox: itself or the one inside.
function fieldIn(page, el) {
  if (page.dom.tag(el) === "input" || editable(page, el)) return el;
  const inside = page.native.call(el, "querySelectorAll", "input:not([type=hidden]):not([type=button])");
  return inside.length === 1 ? inside[0] : null;
}

// restore takes back what was typed to search.
function restore(page, field, text) {
  focusOn(page, field);
  selectAll(page, field);
  if (text === "") edit(page, field, "deleteContentBackward");
  else edit(page, field, "insertText", text);
}

function close(page, at) {
  // What has opened has the focus, more often than not, and closes itself.
  const active = page.active();
  const target = active && active !== page.dom.body(page.document) ? active : at;
  if (page.dom.connected(target)) stroke(page, () => target, keyOf("Escape"), NOTHING, () => undefined);
}

function refuse(page, option, before) {
  if (page.attr(option, "aria-disabled") !== "true" && !page.dom.matches(option, ":disabled")) return;
  const label = labelOf(page, option);
  before?.();
  fail("element_not_interactable", `the option ${JSON.stringify(label)} is disabled`);
}

export const chosen = (page, option) => page.attr(option, "aria-selected") === "true" || page.attr(option, "aria-checked") === "true";

function chosenIn(page, list) {
  return optionsIn(page, list).filter((o) => chosen(page, o)).map((o) => labelOf(page, o));
}

function optionsIn(page, list) {
  const out = [];
  const all = page.native.call(list, "querySelectorAll", OPTION);
  for (let i = 0; i < all.length; i++) if (boxes(page, all[i]).length) out[out.length] = all[i];
  const inner = page.host.shadow(list);
  if (!out.length && inner) {
    const deep = page.native.call(inner, "querySelectorAll", OPTION);
    for (let i = 0; i < deep.length; i++) if (boxes(page, deep[i]).length) out[out.length] = deep[i];
  }
  return out;
}

// visibleOptions are all options on the page that are drawn.
function visibleOptions(page) {
  const out = [];
  eachRoot(page, (root) => {
    const all = page.native.call(root, "querySelectorAll", OPTION);
    for (let i = 0; i < all.length && i < 2000; i++) if (boxes(page, all[i]).length) out[out.length] = all[i];
    return false;
  });
  return out;
}

const labelOf = (page, option) => squeeze(describe(option, page.ctx).name || page.dom.text(option));
const labelsIn = (page, list) => optionsIn(page, list).map((o) => labelOf(page, o));
const labelsOf = (page, list) => (list ? labelsIn(page, list) : []);

const KEYS = ["data-value", "value", "data-key"]; // attributes that hold an option's value

// match takes the label, else the value, else a label in other letters' case.
function match(page, options, wanted) {
  const text = squeeze(wanted);
  const labels = options.map((o) => labelOf(page, o));
  const exact = labels.indexOf(text);
  if (exact >= 0) return options[exact];
  for (let i = 0; i < KEYS.length; i++) {
    const found = options.find((o) => page.dom.attr(o, KEYS[i]) === wanted);
    if (found) return found;
  }
  const lower = labels.filter((l) => l.toLowerCase() === text.toLowerCase());
  return lower.length === 1 ? options[labels.indexOf(lower[0])] : null;
}

const like = (a, b) => squeeze(a).toLowerCase() === squeeze(b).toLowerCase();
const contains = (a, b) => squeeze(a).toLowerCase().includes(squeeze(b).toLowerCase());
