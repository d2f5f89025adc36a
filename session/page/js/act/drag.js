// Dragging one element onto another: pointer and mouse events along the way, and
// HTML's drag events, with one DataTransfer, where the page drags by those.

import { fail } from "../fault.js";
import { focusByPress } from "./focus.js";
import { where } from "./page.js";
import { at, move, press, release } from "./pointer.js";
import { reach } from "./reach.js";
import { begin, named, resolve, usable } from "./target.js";

const STEPS = 6;
const PAUSE = 16; // ms between steps: libraries start a drag a moment after the press

// drag takes {node…, target: {node…}} and says which way the page took:
// "html" (drag events), "pointer" (pointer and mouse events alone).
export async function drag(page, args) {
  begin(page, args);
  const from = resolve(page, args).el;
  const to = resolve(page, args.target).el;
  usable(page, from);
  const start = reach(page, from);
  const pressed = press(page, (move(page, start), start), 0, 1);
  if (pressed.focus) focusByPress(page, start.target);
  await page.turn(PAUSE);
  const source = pressed.focus ? draggable(page, start.target) : null;
  const value = source ? await byEvents(page, source, start, to, args) : await byPointer(page, start, to, pressed, args);
  return where(page, value);
}

// draggable is what the browser would drag from here.
function draggable(page, target) {
  const el = page.nearest(target, "[draggable],a[href],img[src]");
  return el && page.attr(el, "draggable") !== "false" ? el : null;
}

const late = (page, args) => {
  if (args.until && page.host.now() > args.until) fail("too_late", "the deadline came in the middle of the drag");
};

async function byEvents(page, source, start, to, args) {
  const { fire, native, window } = page;
  const data = new window.DataTransfer();
  const init = (spot) => ({ __proto__: null, ...at(page, spot), dataTransfer: data });
  const near = { ...start, x: start.x + 3, y: start.y + 3 };
  move(page, near, { __proto__: null, buttons: 1 });
  if (!fire.drag(source, "dragstart", init(near))) {
    return byPointer(page, start, to, { __proto__: null, mouse: true }, args);
  }
  fire.pointer(start.target, "pointercancel", { ...at(page, near), pointerType: "mouse", isPrimary: true, cancelable: false });
  await page.turn(PAUSE);
  const way = await over(page, source, start, to, init, args);
  const warnings = [];
  let effect = "none";
  if (way.accepted) {
    fire.drag(way.spot.target, "drop", init(way.spot));
    effect = native.get(data, "dropEffect");
    if (effect === "none") effect = "move";
    // A real drag tells its source what the target did with it.
    native.set(data, "dropEffect", effect);
  } else {
    fire.drag(way.spot.target, "dragleave", { ...init(way.spot), cancelable: false });
    warnings.push(`${named(page, to)} did not accept the drop`);
  }
  if (page.dom.connected(source)) fire.drag(source, "dragend", { ...init(way.spot), cancelable: false });
  return { __proto__: null, way: "html", accepted: way.accepted, emulated: ["sent drag events with one DataTransfer"], warnings: warnings.length ? warnings : undefined };
}

// over moves along the way with drag, dragenter and dragover events.
async function over(page, source, start, to, init, args) {
  const { fire } = page;
  const goal = reach(page, to);
  let last = null;
  let accepted = false;
  let spot = goal;
  for (let i = 1; i <= STEPS + 1; i++) {
    late(page, args);
    // What lies there now counts: lists make room while something is over them.
    spot = between(page, start, goal, Math.min(1, i / STEPS)) ?? goal;
    if (page.dom.connected(source)) fire.drag(source, "drag", init(spot));
    if (spot.target !== last) {
      fire.drag(spot.target, "dragenter", { ...init(spot), relatedTarget: last });
      if (last && page.dom.connected(last)) fire.drag(last, "dragleave", { ...init(spot), cancelable: false, relatedTarget: spot.target });
      last = spot.target;
    }
    accepted = !fire.drag(spot.target, "dragover", init(spot));
    await page.turn(PAUSE);
    if (!page.dom.connected(spot.target)) last = null;
  }
  // The list may have moved aside; the drop goes to what lies there now.
  const hit = page.hit(spot.x, spot.y);
  if (hit && hit !== spot.target) {
    spot = { ...spot, target: hit };
    fire.drag(hit, "dragenter", init(spot));
    accepted = !fire.drag(hit, "dragover", init(spot));
  }
  return { __proto__: null, accepted, spot };
}

async function byPointer(page, start, to, pressed, args) {
  const goal = reach(page, to);
  let spot = start;
  for (let i = 1; i <= STEPS + 1; i++) {
    late(page, args);
    const there = between(page, start, goal, Math.min(1, i / STEPS)) ?? goal;
    spot = held(page, start.target, there);
    move(page, spot, { __proto__: null, buttons: 1 });
    await page.turn(PAUSE);
  }
  if (!page.dom.connected(spot.target)) spot = { ...spot, target: page.hit(spot.x, spot.y) ?? page.dom.documentElement(page.document) };
  release(page, spot, 0, 1, pressed.mouse);
  return { __proto__: null, way: "pointer", emulated: ["sent pointer and mouse events along the way"], warnings: ["whether anything was dropped is for the page to say: look at the changes"] };
}

// held sends moves to what has captured the pointer, as a browser does.
function held(page, first, spot) {
  for (let el = first; el; el = page.up(el)) if (page.native.call(el, "hasPointerCapture", 0)) return { ...spot, target: el };
  return spot;
}

function between(page, a, b, t) {
  const x = a.x + (b.x - a.x) * t;
  const y = a.y + (b.y - a.y) * t;
  const target = page.hit(x, y);
  return target ? { __proto__: null, x, y, target } : null;
}
