// Scrolling the page, or a box in it.

import { where } from "./page.js";
import { at } from "./pointer.js";
import { boxes } from "./reach.js";
import { begin, resolve } from "./target.js";

const LINE = 40; // CSS pixels of an arrow key

// scroll takes {to: "top"|"bottom"} or {dx, dy}, within the box of an element if
// there is one; an element alone is scrolled into view.
export function scroll(page, args) {
  begin(page, args);
  const found = args.node ? resolve(page, args) : null;
  const warnings = [];
  const moves = args.to || args.dx || args.dy;
  let box = rootOf(page);
  if (found) {
    page.native.call(found.el, "scrollIntoView", { __proto__: null, block: moves ? "nearest" : "center", inline: "nearest", behavior: "instant" });
    box = boxOf(page, found.el);
  }
  if (moves) {
    const { w, h } = page.size();
    const rect = found ? boxes(page, found.el)[0] : null;
    const spot = rect ? { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 } : { x: w / 2, y: h / 2 };
    const target = found?.el ?? page.hit(spot.x, spot.y) ?? box;
    const to = args.to === "top" ? -1 : args.to === "bottom" ? 1 : 0;
    const dx = args.dx ?? 0;
    const dy = to ? to * page.native.get(box, "scrollHeight") : args.dy ?? 0;
    const go = page.fire.wheel(target, { __proto__: null, ...at(page, spot), deltaX: dx, deltaY: dy, deltaMode: 0 });
    if (go) page.native.call(box, "scrollBy", { __proto__: null, left: dx, top: dy, behavior: "instant" });
    else warnings.push("the page handles the wheel itself; it was told, and may scroll in its own way");
  }
  const value = where(page, { __proto__: null, relocated: found?.relocated || undefined, warnings: warnings.length ? warnings : undefined });
  return { __proto__: null, ...value, scroll: position(page, box) };
}

export const rootOf = (page) => page.native.get(page.document, "scrollingElement") ?? page.dom.documentElement(page.document);

// position is where a box stands and whether more would come.
function position(page, box) {
  const { native } = page;
  const x = native.get(box, "scrollLeft");
  const y = native.get(box, "scrollTop");
  const width = native.get(box, "clientWidth");
  const height = native.get(box, "clientHeight");
  const maxY = native.get(box, "scrollHeight") - height;
  const maxX = native.get(box, "scrollWidth") - width;
  return { __proto__: null, x: Math.round(x), y: Math.round(y), max_x: Math.max(0, maxX), max_y: Math.max(0, maxY), at_start: y <= 1, at_end: y >= maxY - 1 };
}

const scrolls = (style, axis) => /^(auto|scroll|overlay)$/.test(style[axis]);

// boxOf is the nearest thing around el, or itself, that scrolls.
export function boxOf(page, el) {
  const { native, dom } = page;
  for (let it = el; it; it = page.up(it)) {
    if (it === dom.body(page.document) || it === dom.documentElement(page.document)) break;
    const style = dom.style(it);
    const tall = native.get(it, "scrollHeight") > native.get(it, "clientHeight") + 1 && scrolls(style, "overflowY");
    const wide = native.get(it, "scrollWidth") > native.get(it, "clientWidth") + 1 && scrolls(style, "overflowX");
    if (tall || wide) return it;
  }
  return rootOf(page);
}

// scrollByKey does what a browser does with a key that nothing else takes: it
// scrolls the nearest box that still can.
export function scrollByKey(page, el, key) {
  const { native } = page;
  for (let box = boxOf(page, el), i = 0; i < 10; i++) {
    const before = [native.get(box, "scrollLeft"), native.get(box, "scrollTop")];
    const height = box === rootOf(page) ? page.size().h : native.get(box, "clientHeight");
    const leap = Math.max(LINE, height * 0.9);
    const way = { __proto__: null, ArrowUp: [0, -LINE], ArrowDown: [0, LINE], ArrowLeft: [-LINE, 0], ArrowRight: [LINE, 0], PageUp: [0, -leap], PageDown: [0, leap], Home: [0, -1e9], End: [0, 1e9] }[key];
    native.call(box, "scrollBy", { __proto__: null, left: way[0], top: way[1], behavior: "instant" });
    if (native.get(box, "scrollLeft") !== before[0] || native.get(box, "scrollTop") !== before[1]) return box === rootOf(page) ? "scrolled the page" : "scrolled a box";
    if (box === rootOf(page)) return undefined;
    box = boxOf(page, page.up(box) ?? rootOf(page));
  }
  return undefined;
}
