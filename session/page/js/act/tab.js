// Tab: where the focus would go next. Firefox's own way is closed to synthetic
// keys, so the order is worked out by the rules of HTML: first what has a
// positive tabindex, then the rest in the order of the flat tree; a shadow tree
// or a slot is a world of its own inside that order.

import { joined } from "../lists.js";
import { control } from "./control.js";
import { focusOn } from "./focus.js";
import { shadowRoots } from "./roots.js";
import { named } from "./target.js";

const STOPS = "a[href],area[href],button,input,select,textarea,iframe,summary,audio[controls],video[controls],object,embed,[tabindex],[contenteditable=''],[contenteditable=true],[contenteditable=plaintext-only]";

// tab moves the focus on, or back, from el.
export function tab(page, el, back) {
  const { dom, document } = page;
  const modal = topModal(page);
  const order = stops(page, modal ?? dom.documentElement(document));
  if (!order.length) return undefined;
  let at = order.indexOf(el);
  if (at < 0) at = nearby(page, order, el, back);
  const step = back ? -1 : 1;
  for (let i = 1; i <= order.length; i++) {
    const next = order[(at + step * i + order.length * 2) % order.length];
    if (next === el || !focusOn(page, next)) continue;
    if (control(page, next) === "line" || control(page, next) === "number") page.native.call(next, "select");
    const wrapped = back ? at - i < 0 : at + i >= order.length;
    return { __proto__: null, emulated: [`moved the focus to ${named(page, next)}`], warnings: wrapped && !modal ? ["this was the last control: in a browser window the focus would leave the page"] : undefined };
  }
  return undefined;
}

// nearby is the place in the order of an element that is not in it itself.
function nearby(page, order, el, back) {
  const { dom } = page;
  if (el === dom.body(page.document)) return back ? order.length : -1;
  let last = -1;
  for (let i = 0; i < order.length; i++) if (dom.position(el, order[i]) & 2) last = i;
  return back ? last + 1 : last;
}

function topModal(page) {
  const all = page.dom.queryAll(page.document, "dialog:modal");
  return all.length ? all[all.length - 1] : null;
}

// stops lists what Tab stops at below a root, in order.
function stops(page, root) {
  const first = [];
  const rest = [];
  const radios = new Map();
  if (shadowRoots(page).length) collect(page, root, first, rest, radios);
  else flat(page, root, first, rest, radios);
  first.sort((a, b) => a.index - b.index); // stable: the tree's order within one index
  return listed(joined(first, rest));
}

// flat is collect where there is no shadow tree.
function flat(page, root, first, rest, radios) {
  const { native, dom } = page;
  const all = native.call(root, "querySelectorAll", STOPS);
  for (let i = 0; i < all.length; i++) {
    const el = all[i];
    const drawn = dom.tag(el) === "area" || native.call(el, "checkVisibility", { __proto__: null, visibilityProperty: true }) || dom.style(el).display === "contents";
    if (!drawn || page.nearest(el, "[inert]")) continue;
    const index = tabIndex(page, el);
    if (stop(page, el, index, radios)) (index > 0 ? first : rest).push({ __proto__: null, index, list: [el] });
  }
}

function collect(page, el, first, rest, radios) {
  const { dom, host } = page;
  if (hidden(page, el)) return;
  const index = tabIndex(page, el);
  const inner = host.shadow(el);
  if (inner || dom.tag(el) === "slot") {
    // Its content stands at the place of the host, in an order of its own.
    const a = [];
    const b = [];
    const kids = inner ? elements(page, inner) : slotted(page, el);
    for (let i = 0; i < kids.length && (index === null || index >= 0); i++) collect(page, kids[i], a, b, radios);
    a.sort((x, y) => x.index - y.index);
    const list = listed(joined(a, b));
    const own = stop(page, el, index, radios) && !(inner && inner.delegatesFocus) ? [el] : [];
    const place = { __proto__: null, index: index ?? 0, list: joined(own, list) };
    (index > 0 ? first : rest).push(place);
    return;
  }
  if (stop(page, el, index, radios)) (index > 0 ? first : rest).push({ __proto__: null, index, list: [el] });
  const kids = elements(page, el);
  for (let i = 0; i < kids.length; i++) collect(page, kids[i], first, rest, radios);
}

// listed joins the lists of several stops.
function listed(stops) {
  let out = [];
  for (let i = 0; i < stops.length; i++) out = joined(out, stops[i].list);
  return out;
}

function elements(page, root) {
  const out = [];
  const { dom, native } = page;
  const closed = dom.kind(root) === 1 && dom.tag(root) === "details" && !dom.has(root, "open");
  for (let kid = native.get(root, "firstElementChild"); kid; kid = dom.nextElement(kid)) {
    if (!closed || dom.tag(kid) === "summary") out[out.length] = kid;
    if (closed && out.length) break;
  }
  return out;
}

function slotted(page, slot) {
  const out = [];
  const given = page.dom.assigned(slot);
  for (let i = 0; i < given.length; i++) if (page.dom.kind(given[i]) === 1) out[out.length] = given[i];
  return out.length ? out : elements(page, slot);
}

function hidden(page, el) {
  const { dom } = page;
  return dom.has(el, "inert") || (dom.style(el).display === "none" && dom.tag(el) !== "map" && dom.tag(el) !== "area");
}

// tabIndex is the number that counts, null where there is none.
function tabIndex(page, el) {
  const n = parseInt(page.attr(el, "tabindex"), 10);
  return Number.isNaN(n) ? null : n;
}

function stop(page, el, index, radios) {
  const { dom, native } = page;
  if (index !== null && index < 0) return false;
  if (!dom.matches(el, STOPS) || dom.matches(el, ":disabled,input[type=hidden]")) return false;
  if (dom.tag(el) !== "area" && dom.style(el).visibility !== "visible") return false;
  if (dom.tag(el) === "summary" && index === null) {
    const details = dom.parent(el);
    if (!details || dom.tag(details) !== "details" || elements(page, details).find((kid) => dom.tag(kid) === "summary") !== el) return false;
  }
  if (page.type(el) !== "radio") return true;
  // A group of radio buttons has one stop: the chosen one, else the first.
  const name = native.get(el, "name");
  if (!name) return true;
  const key = native.get(el, "form") ?? dom.root(el);
  const seen = radios.get(key) ?? radios.set(key, new Map()).get(key);
  if (!seen.has(name)) seen.set(name, chosenOf(page, el, name) ?? el);
  return seen.get(name) === el;
}

function chosenOf(page, el, name) {
  const group = groupOf(page, el, name);
  for (let i = 0; i < group.length; i++) if (page.native.get(group[i], "checked") && !page.dom.matches(group[i], ":disabled")) return group[i];
  return null;
}

// groupOf is the group of a radio button, in order.
export function groupOf(page, el, name = page.native.get(el, "name")) {
  const { native, dom } = page;
  const form = native.get(el, "form");
  const all = native.call(dom.root(el), "querySelectorAll", "input[type=radio]");
  const out = [];
  for (let i = 0; i < all.length; i++) if (all[i] === el || (name && native.get(all[i], "name") === name && native.get(all[i], "form") === form)) out[out.length] = all[i];
  return out;
}
