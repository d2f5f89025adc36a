// type puts text into a field character by character, as a keyboard does: what
// the page does with one character may decide about the next.

import { fail } from "../fault.js";
import { toEnd, edits, selectAll, caretIn } from "./caret.js";
import { typed } from "./commit.js";
import { control, editingHost, fieldOf, report, textOf } from "./control.js";
import { edit } from "./edit.js";
import { enter } from "./enter.js";
import { flags } from "./events.js";
import { merge, writable } from "./fill.js";
import { focusOn } from "./focus.js";
import { remember, touched } from "./kept.js";
import { graphemes, keyOf } from "./keytable.js";
import { where } from "./page.js";
import { isSecret } from "./reading.js";
import { stroke } from "./stroke.js";
import { begin, named, resolve } from "./target.js";

const PLAIN = flags();

// type takes {text, mode, first, last, submit}; text is a string or a list of
// characters. A batch that is not the first goes on where the last one ended.
export async function type(page, args) {
  begin(page, args);
  const run = args.first === false && page.typing ? page.typing : start(page, args);
  page.typing = run;
  if (run.fresh) {
    // Editors learn of the caret by an event that comes with the next turns.
    await page.turn();
    await page.turn();
  }
  const chars = Array.isArray(args.text) ? args.text : graphemes(args.text);
  for (let i = 0; i < chars.length; i++) {
    if (args.until && page.host.now() > args.until) fail("too_late", `the deadline came after ${run.sent} characters`);
    if (!follow(page, run)) break;
    one(page, run, chars[i]);
    await page.turn();
  }
  return args.last === false ? where(page, {}) : finish(page, args, run);
}

function start(page, args) {
  const found = resolve(page, args);
  let el = fieldOf(page, found.el);
  writable(page, el);
  const kind = control(page, el);
  if (kind === "editable") el = editingHost(page, el);
  const keysOnly = !edits(page, el);
  if (keysOnly && kind !== "") fail("unsupported_element", `${named(page, el)} takes no text; use ${kind === "select" ? "select_option" : kind === "file" ? "upload_files" : kind === "button" || kind === "checkbox" || kind === "radio" || kind === "toggle" ? "click" : "fill"}`);
  page.native.call(el, "scrollIntoView", { __proto__: null, block: "nearest", inline: "nearest", behavior: "instant" });
  if (!focusOn(page, el) && keysOnly) fail("unsupported_element", `${named(page, el)} takes no text`);
  if (!page.dom.connected(el)) fail("stale_element", "the page replaced the field when it got the focus; nothing was typed; take a new snapshot");
  const before = keysOnly ? "" : textOf(page, el);
  if (kind !== "editable" && !keysOnly) typed(page, el, before);
  if (!keysOnly && args.mode === "replace") selectAll(page, el);
  else if (!keysOnly) toEnd(page, el);
  return { __proto__: null, el, first: el, keysOnly, before, sent: 0, page: 0, refused: 0, moved: 0, stopped: "", relocated: found.relocated, fresh: !keysOnly };
}

// follow keeps to what has the focus, as a keyboard does: rows of one-character
// fields hand it on. Typing stops where it would go to something unrelated.
function follow(page, run) {
  if (run.stopped) return false;
  const { dom } = page;
  const active = page.active();
  if (active === run.el || !active || (dom.connected(run.el) && page.within(active, run.el))) return true;
  if (run.keysOnly || active === dom.body(page.document)) return run.sent === 0 || dom.connected(run.el);
  if (run.sent > 0 && edits(page, active) && related(page, run.first, active)) {
    run.el = active;
    run.moved++;
    return true;
  }
  if (run.sent === 0) return true; // it would not take the focus at all
  run.stopped = `the page moved the focus to ${named(page, active)} after ${run.sent} characters, where typing stopped`;
  return false;
}

function related(page, a, b) {
  const { native, dom } = page;
  const form = native.get(a, "form") ?? null;
  if (form && form === native.get(b, "form")) return true;
  for (let at = dom.parent(a), i = 0; at && i < 3; at = dom.parent(at), i++) if (dom.contains(at, b) && at !== dom.body(page.document)) return true;
  return false;
}

// one sends one character.
function one(page, run, char) {
  const { el } = run;
  const target = () => (page.dom.connected(run.el) ? run.el : page.active()) ?? el;
  const key = keyOf(char);
  run.sent++;
  if (run.fresh && !caretIn(page, el)) toEnd(page, el);
  run.fresh = false;
  const { prevented, did } = stroke(page, target, key, PLAIN, (at) => {
    if (run.keysOnly) return "keys";
    if (key.key === "Enter") return lineBreak(page, at);
    return edit(page, at, "insertText", key.key === "Tab" ? "\t" : char);
  });
  if (prevented || did === "page") run.page++;
  else if (did === "refused") run.refused++;
}

// lineBreak types a line break where there can be one; Enter in a field of one
// line would send its form, which is not what a text asks for.
function lineBreak(page, el) {
  const kind = control(page, el);
  if (kind !== "text" && kind !== "editable") return "refused";
  return edit(page, el, kind === "text" ? "insertLineBreak" : "insertParagraph");
}

async function finish(page, args, run) {
  page.typing = null;
  await page.turn(run.page > 0 ? 16 : 0); // editors write their text a moment later
  const { el } = run;
  const warnings = [];
  const sent = run.keysOnly || run.moved || !page.dom.connected(el) ? undefined : outcome(page, run, el);
  if (run.stopped) warnings.push(run.stopped);
  if (run.moved) warnings.push(`the page handed the focus on ${run.moved} times, and the typing followed it`);
  if (run.refused) warnings.push(`the browser did not take ${run.refused} of ${run.sent} characters`);
  if (run.page && (run.still || control(page, el) !== "editable")) warnings.push(`the page handled ${run.page} of ${run.sent} key presses itself`);
  if (!page.dom.connected(run.first)) return where(page, { __proto__: null, warnings });
  if (run.still) warnings.push("the field shows the same text as before");
  if (run.keysOnly) warnings.push("it holds no text that could be read back; only key events were sent");
  if (args.submit) touched(page, el);
  const pressed = args.submit ? enter(page, page.dom.connected(el) ? el : run.first, PLAIN) : undefined;
  return where(page, merge({ __proto__: null, relocated: run.relocated || undefined, ...sent, warnings: warnings.length ? warnings : undefined }, pressed));
}

// outcome reads back; nothing typed at all is a failure.
function outcome(page, run, el) {
  const now = textOf(page, el);
  if (run.sent > 0 && now === run.before && run.refused + run.page === run.sent && run.refused > 0) {
    const shows = isSecret(el, page.ctx) ? "" : `; the field shows ${JSON.stringify(now.slice(0, 200))}`;
    fail("fill_rejected", `none of the ${run.sent} characters got into the field${shows}`, { __proto__: null, ...report(page, el) });
  }
  if (run.sent > 0 && now === run.before) run.still = true;
  remember(page, el, now, run.before);
  return report(page, el);
}
