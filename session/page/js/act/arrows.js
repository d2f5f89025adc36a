// Arrows, Home, End, PageUp and PageDown in controls: the choice of a group, a
// list or a slider, the step of a number, the caret of a text. Each function
// answers what it did, "" for nothing, undefined where the key is not its own.

import { selectionOf, toEnd } from "./caret.js";
import { activate } from "./click.js";
import { control } from "./control.js";
import { focusOn } from "./focus.js";
import { bound } from "./formats.js";
import { optionsOf, selectOnly } from "./option.js";
import { groupOf } from "./tab.js";
import { named } from "./target.js";

const BACK = { __proto__: null, ArrowLeft: true, ArrowUp: true, Home: true, PageUp: true };
const UPRIGHT = { __proto__: null, ArrowUp: true, ArrowDown: true, PageUp: true, PageDown: true };

export function arrow(page, el, key, mods) {
  switch (control(page, el)) {
    case "radio":
      return radio(page, el, key);
    case "select":
      return list(page, el, key);
    case "range":
      return range(page, el, key);
    case "number":
      return number(page, el, key);
    case "line":
      return caret(page, el, key, mods, false);
    case "text":
      return caret(page, el, key, mods, true);
    case "editable":
      return edited(page, el, key, mods);
    case "date":
    case "time":
    case "month":
    case "week":
    case "datetime-local":
      return ""; // its parts are the browser's own, out of reach
  }
  return undefined;
}

function radio(page, el, key) {
  if (!/^Arrow/.test(key)) return undefined;
  const group = groupOf(page, el).filter((r) => r === el || !page.dom.matches(r, ":disabled"));
  if (group.length < 2) return "";
  const next = group[(group.indexOf(el) + (BACK[key] ? -1 : 1) + group.length) % group.length];
  focusOn(page, next);
  activate(page, next);
  return `chose ${named(page, next)}`;
}

function list(page, el, key) {
  const options = optionsOf(page, el);
  const able = options.filter((o) => !o.disabled);
  if (!able.length) return "";
  const current = options[page.native.get(el, "selectedIndex")];
  const at = able.indexOf(current);
  const stride = /^Page/.test(key) ? 10 : 1;
  const goal = key === "Home" ? 0 : key === "End" ? able.length - 1 : Math.min(able.length - 1, Math.max(0, at + (BACK[key] ? -stride : stride)));
  if (able[goal] === current) return "";
  selectOnly(page, el, able[goal].el);
  return `chose ${JSON.stringify(able[goal].label.slice(0, 80))}`;
}

function range(page, el, key) {
  const { native } = page;
  const before = native.get(el, "value");
  const min = bound(page, el, "min", 0);
  const max = Math.max(min, bound(page, el, "max", 100));
  const step = bound(page, el, "step", 0) || (page.attr(el, "step") === "any" ? (max - min) / 10 : 1);
  const leap = Math.max(step, Math.round((max - min) / 10 / step) * step);
  const rtl = page.dom.style(el).direction === "rtl" && !UPRIGHT[key];
  const up = key === "PageUp" || key === "ArrowUp" || (key === "ArrowRight") !== rtl && !/Left$/.test(key) && !UPRIGHT[key] || rtl && key === "ArrowLeft";
  const goal = key === "Home" ? min : key === "End" ? max : +before + (up ? 1 : -1) * (/^Page/.test(key) ? leap : step);
  native.set(el, "value", String(Math.min(max, Math.max(min, +goal.toFixed(10)))));
  return changed(page, el, before);
}

function number(page, el, key) {
  if (key !== "ArrowUp" && key !== "ArrowDown") return "";
  const { native } = page;
  if (native.get(el, "readOnly")) return "";
  const before = native.get(el, "value");
  native.call(el, key === "ArrowUp" ? "stepUp" : "stepDown");
  return changed(page, el, before);
}

function changed(page, el, before) {
  const now = page.native.get(el, "value");
  if (now === before) return "";
  page.fire.plain(el, "input", { __proto__: null, composed: true });
  page.fire.plain(el, "change");
  return `changed the value to ${JSON.stringify(now)}`;
}

// caret moves the caret of a field, or the end of its selection with Shift.
function caret(page, el, key, mods, lines) {
  const { native } = page;
  const text = native.get(el, "value");
  const from = native.get(el, "selectionStart");
  if (from === null || /^Page/.test(key)) return "";
  const to = native.get(el, "selectionEnd");
  const backwards = native.get(el, "selectionDirection") === "backward";
  const head = backwards ? from : to;
  const tail = backwards ? to : from;
  const next = step(text, head, key, mods, lines, from !== to && !mods.shiftKey ? (BACK[key] ? from : to) : -1);
  if (mods.shiftKey) native.call(el, "setSelectionRange", Math.min(tail, next), Math.max(tail, next), next < tail ? "backward" : "forward");
  else native.call(el, "setSelectionRange", next, next);
  return next === head && from === to ? "" : mods.shiftKey ? "changed the selection" : "moved the caret";
}

// step is where the caret goes from head; edge is the side of a selection that
// a plain arrow collapses to.
function step(text, head, key, mods, lines, edge) {
  const start = lines ? text.lastIndexOf("\n", head - 1) + 1 : 0;
  const end = lines && text.indexOf("\n", head) >= 0 ? text.indexOf("\n", head) : text.length;
  switch (key) {
    case "Home":
      return mods.ctrlKey ? 0 : start;
    case "End":
      return mods.ctrlKey ? text.length : end;
    case "ArrowLeft":
      if (edge >= 0) return edge;
      if (mods.ctrlKey) return text.slice(0, head).search(/\S+\s*$/) >= 0 ? text.slice(0, head).search(/\S+\s*$/) : 0;
      return head - (/[\udc00-\udfff]/.test(text[head - 1] ?? "") ? 2 : head > 0 ? 1 : 0);
    case "ArrowRight":
      if (edge >= 0) return edge;
      if (mods.ctrlKey) return head + /^\s*\S*\s*/.exec(text.slice(head))[0].length;
      return head + (/[\ud800-\udbff]/.test(text[head] ?? "") ? 2 : head < text.length ? 1 : 0);
    case "ArrowUp": {
      if (start === 0) return 0;
      const above = text.lastIndexOf("\n", start - 2) + 1;
      return Math.min(above + head - start, start - 1);
    }
  }
  if (end === text.length) return text.length;
  const below = text.indexOf("\n", end + 1);
  return Math.min(end + 1 + head - start, below >= 0 ? below : text.length);
}

// edited moves the caret in an edited element by the browser's own means.
function edited(page, el, key, mods) {
  if (/^Page/.test(key)) return "";
  const { native } = page;
  const selection = selectionOf(page);
  const alter = mods.shiftKey ? "extend" : "move";
  const unit = /^Arrow(Up|Down)$/.test(key) ? "line" : key === "Home" || key === "End" ? "lineboundary" : mods.ctrlKey ? "word" : "character";
  if (unit === "lineboundary" && mods.ctrlKey && alter === "move") {
    if (key === "End") toEnd(page, el);
    else native.call(selection, "collapse", el, 0);
    return "moved the caret";
  }
  native.call(selection, "modify", alter, BACK[key] ? "backward" : "forward", unit);
  return mods.shiftKey ? "changed the selection" : "moved the caret";
}
