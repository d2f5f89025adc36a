// Filling what is edited in place (contenteditable). Who owns the text is not to
// be seen from outside: the document, or a model behind it. So the text is
// offered in the ways an editor may listen to, one after the other, and after
// each the page gets time to answer before the text is read again.

import { fail } from "../fault.js";
import { command, edit } from "./edit.js";
import { editedText, report, squeeze } from "./control.js";
import { flags } from "./events.js";
import { focusOn } from "./focus.js";
import { remember } from "./kept.js";
import { keyOf } from "./keytable.js";
import { selectAll } from "./caret.js";
import { stroke } from "./stroke.js";

const PAUSES = [0, 0, 8, 16, 32, 64]; // ms, between looks at what became of a step

// fillEditable makes value the whole text of el and says what is there then.
export async function fillEditable(page, el, value, until) {
  const { host } = page;
  const before = editedText(page, el);
  const text = value.replace(/\r\n?/g, "\n");
  const ways = text === "" ? [byKey, wipe] : [byCommand, byPaste, byHand];
  let handled = false;
  for (let i = 0; i < ways.length; i++) {
    if (until && host.now() > until) break;
    if (!page.dom.connected(el)) fail("stale_element", "the page replaced the field while it was filled; take a new snapshot");
    focusOn(page, el);
    selectAll(page, el);
    // Editors learn of a selection by an event that comes with the next turns.
    await page.turn();
    await page.turn();
    if (ways[i](page, el, text)) handled = true;
    if (await arrives(page, el, text)) return accept(page, el, before);
  }
  const now = editedText(page, el);
  fail("fill_rejected", `the page did not keep the text; it shows ${JSON.stringify(now.slice(0, 200))}${handled ? "" : " (its editor took no notice)"}`, { __proto__: null, ...report(page, el) });
}

function accept(page, el, before) {
  page.fire.plain(el, "change");
  remember(page, el, editedText(page, el), before);
  return report(page, el);
}

// arrives looks until the text is there and stays for a turn.
async function arrives(page, el, text) {
  for (let i = 0; i < PAUSES.length; i++) {
    await page.turn(PAUSES[i]);
    if (!alike(editedText(page, el), text)) continue;
    await page.turn(8);
    return alike(editedText(page, el), text);
  }
  return false;
}

// alike compares words and lines, not the blank lines between paragraphs.
const alike = (a, b) => lines(a) === lines(b);
const lines = (text) => text.split("\n").map(squeeze).filter((line) => line !== "").join("\n");

function byCommand(page, el, text) {
  const parts = text.split("\n");
  let done = false;
  for (let i = 0; i < parts.length; i++) {
    if (i > 0) done = edit(page, el, "insertParagraph") !== "refused" || done;
    if (parts[i] !== "") done = edit(page, el, "insertText", parts[i]) !== "refused" || done;
  }
  return done;
}

const byPaste = (page, el, text) => !page.fire.paste(el, text);

// byHand is for elements that only look edited: the text is put there as text.
function byHand(page, el, text) {
  const { native, document, fire } = page;
  const nodes = [];
  const parts = text.split("\n");
  for (let i = 0; i < parts.length; i++) {
    if (i > 0) nodes[nodes.length] = native.call(document, "createElement", "br");
    if (parts[i] !== "") nodes[nodes.length] = native.call(document, "createTextNode", parts[i]);
  }
  native.call(el, "replaceChildren");
  for (let i = 0; i < nodes.length; i++) native.call(el, "appendChild", nodes[i]);
  fire.input(el, "input", { __proto__: null, inputType: "insertText", data: text });
  return true;
}

// byKey erases what is selected as people do: many editors listen to the key.
function byKey(page, el) {
  const { prevented, did } = stroke(page, () => el, keyOf("Backspace"), flags(), (at) => edit(page, at, "deleteContentBackward"));
  return prevented || did !== "refused";
}

function wipe(page, el) {
  if (command(page, "delete")) return true;
  page.native.call(el, "replaceChildren");
  page.fire.input(el, "input", { __proto__: null, inputType: "deleteContentBackward", data: null });
  return true;
}
