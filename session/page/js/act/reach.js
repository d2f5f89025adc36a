// Where a pointer would have to press to hit an element: scrolled into view,
// not under something else.

import { fail } from "../fault.js";
import { describe } from "./reading.js";
import { named, phrase } from "./target.js";

// Places inside a box, as fractions, the best first.
const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9], [0.9, 0.1], [0.1, 0.9]];
const ALIGN = ["nearest", "center", "end", "start"];

// What takes a click for itself when it lies inside something else.
export const INTERACTIVE =
  "a[href],button,input,select,textarea,summary,label,audio[controls],video[controls],iframe,[onclick],[tabindex],[contenteditable=''],[contenteditable=true],[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=menuitem],[role=tab],[role=option]";

// reach gives {target, x, y}: the innermost element that a press on el would
// hit, and where. It refuses when el is not shown or truly covered.
export function reach(page, el) {
  const spot = spotOf(page, el);
  if (spot) return spot;
  if (!boxes(page, el).length) fail("element_not_interactable", `${named(page, el)} is not shown`);
  const { dom } = page;
  const style = dom.style(el);
  if (style.visibility !== "visible") fail("element_not_interactable", `${named(page, el)} is not visible`);
  if (style.pointerEvents === "none") fail("element_not_interactable", `${named(page, el)} takes no clicks (pointer-events: none)`);
  const cover = coverOf(page, el);
  if (!cover) return blind(page, el);
  const what = describe(cover, page.ctx);
  fail("element_covered", `${named(page, el)} is covered by ${whatCovers(page, cover, what)}`, { __proto__: null, cover: what });
}

// spotOf looks for a place, scrolling as little as it takes; null if there is none.
export function spotOf(page, el) {
  for (let i = 0; i < ALIGN.length; i++) {
    scrollTo(page, el, ALIGN[i]);
    const spot = test(page, el);
    if (spot) return spot;
  }
  return null;
}

export function scrollTo(page, el, align) {
  const box = page.dom.tag(el) === "area" ? (imageOf(page, el) ?? el) : boxed(page, el);
  page.native.call(box, "scrollIntoView", { __proto__: null, block: align, inline: align === "nearest" ? "nearest" : "center", behavior: "instant" });
}

// boxed is el, or what stands for it when it has no box of its own (display: contents).
function boxed(page, el) {
  if (page.dom.style(el).display !== "contents") return el;
  return page.dom.firstElement(el) ?? el;
}

function test(page, el) {
  const all = boxes(page, el);
  const { w, h } = page.size();
  let inner = null; // a place where only something pressable inside el is hit
  for (let i = 0; i < all.length && i < 8; i++) {
    const left = Math.max(0, all[i].left);
    const top = Math.max(0, all[i].top);
    const right = Math.min(w, all[i].right);
    const bottom = Math.min(h, all[i].bottom);
    if (right - left <= 0 || bottom - top <= 0) continue;
    for (let k = 0; k < SPOTS.length; k++) {
      const x = left + (right - left) * SPOTS[k][0];
      const y = top + (bottom - top) * SPOTS[k][1];
      const hit = page.hit(x, y);
      const how = hit ? relation(page, hit, el) : "";
      if (how === "own") return { __proto__: null, target: page.dom.tag(el) === "area" ? el : hit, x, y };
      if (how === "inner") inner ??= { __proto__: null, target: el, x, y };
    }
  }
  return inner;
}

// relation says what a press on hit means for el: "own" when el takes it,
// "inner" when something pressable inside el would take it first, else "".
function relation(page, hit, el) {
  const { dom, native } = page;
  if (dom.tag(el) === "area") return hit === el || hit === imageOf(page, el) ? "own" : "";
  if (page.within(hit, el)) {
    for (let at = hit; at && at !== el; at = page.up(at)) {
      if (!dom.matches(at, INTERACTIVE)) continue;
      return dom.tag(el) === "label" && native.get(el, "control") === at ? "own" : "inner";
    }
    return "own";
  }
  const label = page.nearest(hit, "label");
  return label && label !== el && native.get(label, "control") === el && !between(page, hit, label) ? "own" : "";
}

function between(page, hit, label) {
  for (let at = hit; at && at !== label; at = page.up(at)) if (page.dom.matches(at, INTERACTIVE)) return true;
  return false;
}

// boxes are the client rectangles that el draws, or its content when it has
// none: display: contents, or a link around what is positioned elsewhere.
export function boxes(page, el) {
  const { dom, native } = page;
  if (dom.tag(el) === "area") return areaBox(page, el);
  const own = solid(native.call(el, "getClientRects"));
  if (own.length || dom.style(el).display === "none") return own;
  const out = [];
  const range = native.call(page.document, "createRange");
  native.call(range, "selectNodeContents", el);
  const inside = solid(native.call(range, "getClientRects"));
  for (let i = 0; i < inside.length && i < 8; i++) out[out.length] = inside[i];
  for (let kid = dom.firstElement(el); kid && out.length < 8; kid = dom.nextElement(kid)) {
    const more = boxes(page, kid);
    for (let i = 0; i < more.length; i++) out[out.length] = more[i];
  }
  return out;
}

function solid(rects) {
  const out = [];
  for (let i = 0; i < rects.length; i++) if (rects[i].width > 0 && rects[i].height > 0) out[out.length] = rects[i];
  return out;
}

// imageOf finds the image that shows an area.
export function imageOf(page, area) {
  const map = page.nearest(area, "map");
  const name = map && (page.attr(map, "name") || page.attr(map, "id"));
  const images = name ? page.dom.queryAll(page.document, "img[usemap],object[usemap]") : [];
  for (let i = 0; i < images.length; i++) if (page.attr(images[i], "usemap").replace(/^#/, "") === name) return images[i];
  return null;
}

// areaBox is a small box in the middle of an area of an image map.
function areaBox(page, area) {
  const image = imageOf(page, area);
  if (!image) return [];
  const rect = page.dom.rect(image);
  const n = page.attr(area, "coords").split(/[\s,;]+/).map(Number);
  let x = rect.width / 2;
  let y = rect.height / 2;
  if (/^circ/i.test(page.attr(area, "shape"))) {
    x = n[0];
    y = n[1];
  } else if (n.length >= 4) {
    x = middle(n, 0);
    y = middle(n, 1);
  }
  return [{ __proto__: null, left: rect.left + x - 1, right: rect.left + x + 1, top: rect.top + y - 1, bottom: rect.top + y + 1, width: 2, height: 2 }];
}

// middle is halfway between the smallest and the largest of every second number.
function middle(numbers, from) {
  let low = numbers[from];
  let high = low;
  for (let i = from; i < numbers.length; i += 2) {
    low = Math.min(low, numbers[i]);
    high = Math.max(high, numbers[i]);
  }
  return (low + high) / 2;
}

// coverOf is what lies over the middle of el, null when no place of el is in
// the viewport at all or nothing foreign is there.
function coverOf(page, el) {
  scrollTo(page, el, "center");
  const { w, h } = page.size();
  const all = boxes(page, el);
  for (let i = 0; i < all.length; i++) {
    const x = (Math.max(0, all[i].left) + Math.min(w, all[i].right)) / 2;
    const y = (Math.max(0, all[i].top) + Math.min(h, all[i].bottom)) / 2;
    if (x < all[i].left || x > all[i].right || y < all[i].top || y > all[i].bottom) continue;
    // A clipped element (the one pixel of a text for screen readers) is not
    // covered: it draws nothing that could be.
    const hit = page.hit(x, y);
    if (hit && !clipped(page, el)) return hit;
  }
  return null;
}

export function clipped(page, el) {
  for (let at = el, i = 0; at && i < 4; at = page.up(at), i++) {
    const style = page.dom.style(at);
    const rect = page.dom.rect(at);
    if ((style.clip !== "auto" && style.clip !== "") || style.clipPath !== "none" || (style.overflow !== "visible" && (rect.width <= 1 || rect.height <= 1))) return true;
  }
  return false;
}

// blind is for what no pointer can reach and a keyboard still can.
function blind(page, el) {
  const rect = page.dom.rect(el);
  return { __proto__: null, target: el, x: rect.left + rect.width / 2, y: rect.top + rect.height / 2, blind: true };
}

function whatCovers(page, cover, what) {
  const dialog = page.nearest(cover, "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]");
  const marks = page.attr(cover, "id") ? "#" + page.attr(cover, "id") : page.attr(cover, "class") ? "." + page.attr(cover, "class").trim().split(/\s+/)[0] : "";
  const self = what.name ? phrase(what) : `${what.tag}${marks ? " " + JSON.stringify(marks.slice(0, 60)) : ""}`;
  return dialog && dialog !== cover ? `${self} in ${named(page, dialog)}` : self;
}
