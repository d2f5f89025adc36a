// key presses one key, with modifiers, once or several times.

import { fail } from "../fault.js";
import { arrow } from "./arrows.js";
import { control, report } from "./control.js";
import { edits, selectAll, toEnd } from "./caret.js";
import { command, edit } from "./edit.js";
import { enterAction } from "./enter.js";
import { escape } from "./escape.js";
import { flags } from "./events.js";
import { merge } from "./fill.js";
import { focusOn } from "./focus.js";
import { keyOf, single } from "./keytable.js";
import { touched } from "./kept.js";
import { where } from "./page.js";
import { scrollByKey } from "./scroll.js";
import { space } from "./space.js";
import { held, stroke } from "./stroke.js";
import { tab } from "./tab.js";
import { begin, named, resolve, usable } from "./target.js";

// key takes {key, modifiers, count, node…}; without a node the key goes to what
// has the focus. One press is done at once; more are done with a turn of the
// event loop in between, and an editor gets one to follow its model.
export function key(page, args) {
  begin(page, args);
  const what = keyOf(args.key);
  if (what.code === "" && !single(args.key)) fail("invalid_argument", `${JSON.stringify(args.key.slice(0, 40))} is no key`);
  const mods = flags(args.modifiers);
  let note;
  if (args.node) {
    const { el, relocated } = resolve(page, args);
    usable(page, el);
    page.native.call(el, "scrollIntoView", { __proto__: null, block: "nearest", inline: "nearest", behavior: "instant" });
    const there = page.active() === el;
    const taken = focusOn(page, el);
    // A key for a field that nobody has edited yet goes behind its text.
    if (!there && taken && edits(page, el) && !page.native.get(el, "selectionEnd")) toEnd(page, el);
    note = taken ? undefined : { __proto__: null, warnings: [`${named(page, el)} does not take the focus; the key was sent to it all the same`] };
    page.keyTarget = new WeakRef(el);
    note = merge(relocated ? { __proto__: null, relocated } : {}, note);
  } else page.keyTarget = null;
  const first = once(page, what, mods);
  const count = args.count ?? 1;
  const editor = control(page, target(page)) === "editable";
  if (count <= 1 && !editor) return done(page, merge(note, first));
  return (async () => {
    let all = merge(note, first);
    for (let i = 1; i < count; i++) {
      await page.turn();
      if (args.until && page.host.now() > args.until) fail("too_late", `the deadline came after ${i} of ${count} presses`);
      const next = once(page, what, mods);
      // What was emulated is named once.
      all = merge(all, { ...next, emulated: undefined, warnings: undefined });
    }
    if (editor) await page.turn(8);
    return done(page, all);
  })();
}

function done(page, value) {
  const active = page.active();
  const shown = active && edits(page, active) ? report(page, active) : undefined;
  return where(page, { __proto__: null, ...value, ...shown });
}

// target is where a key goes now: what has the focus, or an element that was
// asked for and does not take it.
function target(page) {
  const { dom, document } = page;
  const asked = page.keyTarget?.deref();
  const active = page.active();
  const body = dom.body(document);
  if (asked && dom.connected(asked) && (!active || active === body)) return asked;
  return active ?? body ?? dom.documentElement(document);
}

function once(page, what, mods) {
  const { prevented, did } = held(page, () => target(page), mods, () => stroke(page, () => target(page), what, mods, (el) => defaultOf(page, el, what, mods)));
  if (!prevented) return did;
  return { __proto__: null, prevented: true };
}

// defaultOf does what the browser would do for a key that the page let be.
function defaultOf(page, el, what, mods) {
  const says = (text) => (text ? { __proto__: null, emulated: [text] } : undefined);
  switch (what.key) {
    case "Enter":
      return enterAction(page, el, mods);
    case "Tab":
      return mods.ctrlKey || mods.altKey || mods.metaKey ? undefined : tab(page, el, mods.shiftKey);
    case "Escape":
      return says(escape(page));
    case " ":
      return space(page, el, mods);
    case "Backspace":
    case "Delete":
      return says(erase(page, el, what.key, mods));
    case "PageUp":
    case "PageDown":
      return says(arrow(page, el, what.key, mods) ?? scrollByKey(page, el, what.key));
  }
  if (/^(Arrow|Home$|End$)/.test(what.key)) return says(arrow(page, el, what.key, mods) ?? (mods.altKey || mods.metaKey ? undefined : scrollByKey(page, el, what.key, mods)));
  return says(what.char === "" ? undefined : character(page, el, what, mods));
}

function erase(page, el, name, mods) {
  if (!edits(page, el) || mods.altKey || mods.metaKey) return undefined;
  const back = name === "Backspace";
  if (mods.ctrlKey) arrow(page, el, back ? "ArrowLeft" : "ArrowRight", { ...mods, shiftKey: true });
  const how = edit(page, el, back ? "deleteContentBackward" : "deleteContentForward");
  if (how === "done") touched(page, el);
  return how === "done" ? (back ? "deleted backwards" : "deleted forwards") : undefined;
}

// character types a character, or does what an editing shortcut does.
function character(page, el, what, mods) {
  if (!edits(page, el)) return undefined;
  if (mods.altKey) return undefined;
  if (!mods.ctrlKey && !mods.metaKey) {
    const text = mods.shiftKey ? what.char.toUpperCase() : what.char;
    const how = edit(page, el, "insertText", text);
    if (how === "done") touched(page, el);
    return how === "done" ? "typed the character" : undefined;
  }
  const letter = what.char.toLowerCase();
  if (letter === "a") return selectAll(page, el), "selected all";
  if (letter === "z") return command(page, mods.shiftKey ? "redo" : "undo") ? (mods.shiftKey ? "redid an edit" : "undid an edit") : undefined;
  if (letter === "y") return command(page, "redo") ? "redid an edit" : undefined;
  if (control(page, el) !== "editable") return undefined;
  const style = { __proto__: null, b: "bold", i: "italic", u: "underline" }[letter];
  return style && command(page, style) ? `made the selection ${style}` : undefined;
}


