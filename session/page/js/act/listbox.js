// Lists that a page has made itself and that open when one comes to them. They are
// worked as a person works them: open, look, click, and look again at what is chosen.

import { fail } from "../fault.js";
import { choice, contains, labelsOf, like, optionsIn, refuse, showsOptions, visibleOptions } from "./choices.js";
import { clickOn } from "./click.js";
import { editable, squeeze, textOf, control } from "./control.js";
import { edit } from "./edit.js";
import { flags } from "./events.js";
import { focusOn } from "./focus.js";
import { graphemes, keyOf } from "./keytable.js";
import { missing } from "./option.js";
import { spotOf } from "./reach.js";
import { eachRoot } from "./roots.js";
import { beforeOpening, LIST } from "./standin.js";
import { stroke } from "./stroke.js";
import { named } from "./target.js";
import { selectAll } from "./caret.js";

const ANSWER = 250; // ms for a list to answer a click before a key is tried
const LATE = 400; // ms for the options to come into a list that is there
const MOVING = 600; // ms for a list that unfolds to come to rest
const OPENING = 1500; // ms for a list to appear, and for a search to answer
export const PAUSE = 25; // ms between looks
const LONG = 6000; // ms for looking through a long list

const NOTHING = flags();

// fromPopup opens the list that belongs to a field or button, chooses, and reads
// the field again.
export async function fromPopup(page, el, values, args) {
  const field = fieldIn(page, el);
  const before = { __proto__: null, shown: shown(page, el), known: visibleOptions(page), standing: beforeOpening(page, el) };
  const labels = [];
  let searched = false;
  for (let i = 0; i < values.length; i++) {
    const found = await locate(page, el, field, values[i], before, args);
    searched = found.searched === true;
    labels[i] = found.label;
    refuse(page, found, () => close(page, field ?? el));
    if (!found.chosen || highlit(page, el, field, found)) {
      await until(page, () => spotOf(page, found.at) !== null, MOVING);
      await clickOn(page, found.at);
    }
    await arrives(page, el, values[i], found.label, before.shown);
  }
  return readBack(page, el, values, labels, before.shown, searched ? field : null);
}

// highlit: many lists say of the option that the keyboard is at that it is chosen.
// Then the field does not show it. A list in which several can be chosen is believed.
function highlit(page, el, field, { option, label }) {
  const active = page.attr(field ?? el, "aria-activedescendant") || page.attr(el, "aria-activedescendant");
  if (active === "" || page.attr(option, "id") !== active || page.attr(option, "aria-checked") === "true") return false;
  const list = page.nearest(option, LIST);
  return !(list && page.attr(list, "aria-multiselectable") === "true") && !contains(shown(page, el), label) && !contains(besideText(page, el), label);
}

// locate opens the list and finds an option in it, by searching if need be:
// {at, option, label, chosen, searched}.
async function locate(page, el, field, wanted, before, args) {
  const find = () => popupOf(page, el, before.known);
  const pick = (list) => choice(page, list, wanted, before.standing);
  const look = () => {
    const list = find();
    return list ? pick(list) : null;
  };
  for (let i = 0; i < 2; i++) {
    await open(page, el, find);
    const there = (await seek(page, find, pick, args)) ?? (await until(page, look, LATE));
    if (there) return there;
    if (find()) break; // else it was the list of an earlier choice, about to close
  }
  const labels = labelsOf(page, find(), before.standing);
  const text = field ? textOf(page, field) : "";
  const hit = field ? await search(page, field, look, wanted) : null;
  if (hit) return { __proto__: null, ...hit, searched: true };
  if (field && textOf(page, field) !== text) restore(page, field, text);
  close(page, field ?? el);
  return missing(wanted, labels);
}

// open opens the list unless it is open; find finds it.
async function open(page, el, find) {
  const there = () => find() !== null;
  if (page.attr(el, "aria-expanded") === "true" && there()) return;
  await clickOn(page, el);
  if (await until(page, there, ANSWER)) return;
  const at = fieldIn(page, el) ?? el;
  focusOn(page, at);
  stroke(page, () => at, keyOf("ArrowDown"), NOTHING, () => undefined);
  if (await until(page, there, OPENING)) return;
  // Some lists come only with something to search for.
  if (!fieldIn(page, el)) fail("option_not_found", `no list appeared when ${named(page, el)} was clicked`, { __proto__: null, options: [] });
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
  const listOf = (option) => page.nearest(option, LIST) ?? dom.parent(option);
  for (let i = 0; i < options.length; i++) if (!known.includes(options[i]) && !taken(page, listOf(options[i]), named)) return listOf(options[i]);
  if (page.attr(el, "aria-expanded") !== "true") return null;
  const old = options.find((o) => known.includes(o) && !taken(page, listOf(o), named));
  return old ? listOf(old) : null;
}

// taken says whether a list is that of another field, which names it.
function taken(page, list, own) {
  const id = page.attr(list, "id");
  if (!/^[\w:.-]+$/.test(id)) return false;
  let found = false;
  eachRoot(page, (root) => {
    const all = page.native.call(root, "querySelectorAll", `[aria-controls~="${id}"],[aria-owns~="${id}"]`);
    for (let i = 0; i < all.length; i++) found ||= !own.includes(all[i]) && !page.within(all[i], list);
    return found;
  });
  return found;
}

function byId(page, near, id) {
  if (!id) return null;
  const { native, dom, document } = page;
  const root = dom.root(near);
  return (root !== document && native.can(root, "getElementById") ? native.call(root, "getElementById", id) : null) ?? dom.byId(document, id);
}

// seek looks for an option, from the top on in lists that draw only what shows.
export async function seek(page, find, pick, args) {
  const { native, host } = page;
  const end = Math.min(host.now() + LONG, (args.until ?? Infinity) - 500);
  let last = null;
  let patience = page.dom.visibility(page.document) === "visible" ? 300 : 1200; // frames come once a second in the background
  for (;;) {
    const list = find();
    const option = list ? pick(list) : null;
    const box = list && !option && host.now() < end ? scroller(page, list) : null;
    if (!box) return option;
    const top = native.get(box, "scrollTop");
    if (top === last) return null;
    const before = ends(page, list);
    if (last === null) native.set(box, "scrollTop", 0);
    else native.call(box, "scrollBy", { __proto__: null, top: native.get(box, "clientHeight") * 0.8, behavior: "instant" });
    last = last === null ? -1 : top;
    // Scroll events come with a frame. A list that does not draw anew has been there
    // as a whole, and is not waited for again.
    await page.turn();
    const moved = native.get(box, "scrollTop") !== top;
    if (moved && !(await until(page, () => ends(page, find() ?? list) !== before, patience))) patience = 16;
  }
}

// ends tell whether a list shows other options than it did.
function ends(page, list) {
  const options = optionsIn(page, list);
  return options.length === 0 ? "" : options.length + page.dom.text(options[0]) + page.dom.text(options[options.length - 1]);
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
async function search(page, field, look, wanted) {
  if (control(page, field) !== "line" && !editable(page, field)) return null;
  if (page.native.get(field, "readOnly")) return null;
  focusOn(page, field);
  selectAll(page, field);
  const chars = graphemes(wanted);
  for (let i = 0; i < chars.length; i++) {
    stroke(page, () => field, keyOf(chars[i]), NOTHING, () => edit(page, field, "insertText", chars[i]));
    await page.turn();
  }
  return until(page, look, OPENING);
}

// until looks again and again for something, which is no element: a promise would
// ask an element in the page's realm for a "then", which the page may have put there.
export async function until(page, look, ms) {
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

// readBack tells what the field shows now. What was typed to search in it is no
// sign of a choice as long as the list is open.
function readBack(page, el, values, labels, before, searched) {
  if (!page.dom.connected(el)) return { __proto__: null, warnings: ["the page replaced the field when the option was chosen"] };
  const field = fieldIn(page, el);
  const after = shown(page, el);
  const value = { __proto__: null, value_after: after || undefined };
  const open = page.attr(field ?? el, "aria-expanded") === "true";
  const typed = searched !== null && open && like(textOf(page, searched), values[values.length - 1]);
  if (!typed && values.every((v, i) => contains(after, v) || contains(after, labels[i]))) return value;
  if ((after === before || typed) && open) {
    fail("fill_rejected", `the option was clicked, but the list stays open and the field shows ${JSON.stringify(after)}${typed ? ", which was typed to search" : ""}`, value);
  }
  value.warnings = [after === before ? "the option was clicked; the field shows the same as before" : `the option was clicked; the field shows ${JSON.stringify(after.slice(0, 200))}`];
  return value;
}

// shown is what a person reads in a field that a list belongs to.
function shown(page, el) {
  const field = fieldIn(page, el);
  const value = field ? textOf(page, field) : "";
  if (value) return squeeze(value);
  const own = el === field ? besideText(page, el) : squeeze(page.native.get(el, "innerText") ?? page.dom.text(el));
  return own.slice(0, 500);
}

// besideText is for fields that show a choice beside themselves, as chips. Where
// the list is, everything that could be chosen stands as well.
function besideText(page, el) {
  for (let at = page.dom.parent(el), i = 0; at && page.dom.kind(at) === 1 && i < 3; at = page.dom.parent(at), i++) {
    if (showsOptions(page, at)) break;
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
