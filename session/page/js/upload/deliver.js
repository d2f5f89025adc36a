// The last steps: files to the page, with the events that a user's choice or
// drop would have made. Nothing is ever submitted.

import { fail } from "../fault.js";
import { SHA256 } from "./sha256.js";

const STEP = 1 << 20;

// digests computes what files hold, a megabyte at a time, so that the page's own
// scripts and events get their turns in between. goesOn throws when the call is
// over meanwhile.
export async function digests(files, web, goesOn) {
  const out = [];
  for (let i = 0; i < files.length; i++) {
    const { size } = web.facts(files[i]);
    const hash = new SHA256();
    for (let at = 0; at < size; at += STEP) {
      hash.update(await web.bytes(files[i], at, at + STEP < size ? at + STEP : size));
      goesOn();
    }
    out[i] = hash.hex();
  }
  return out;
}

// assign gives the files to an input and tells the page. What counts as success
// is what the input holds before the page's own handlers run: they may well
// empty or replace it once they have read it.
export function assign(page, input, transfer, files) {
  const { native, dom, fire } = page;
  const before = native.get(input, "files");
  native.set(input, "files", native.get(transfer, "files"));
  if (!holds(native.get(input, "files"), files)) {
    native.set(input, "files", before);
    fail("upload_assignment_failed", "the input did not take the files", { __proto__: null, stage: "assignment" });
  }
  fire.plain(input, "input", { composed: true });
  fire.plain(input, "change");
  const value = { __proto__: null, events: ["input", "change"], warnings: [] };
  const { warnings } = value;
  if (!dom.connected(input)) warnings[0] = "the page replaced the input in its own handler";
  else if (native.get(native.get(input, "files"), "length") === 0) {
    warnings[0] = "the input holds no file any more: the page emptied it in its own handler, having taken the files or refused them";
  } else if (!holds(native.get(input, "files"), files)) warnings[0] = "the page put other files into the input in its own handler";
  return value;
}

// holds compares identities: a File cannot change, so an input that holds the
// very Files whose bytes have been verified holds those bytes.
function holds(list, files) {
  if (!list || list.length !== files.length) return false;
  for (let i = 0; i < files.length; i++) if (list[i] !== files[i]) return false;
  return true;
}

// welcomes asks a zone as a browser does while the user hovers over it with
// files in hand: one that does not prevent dragover takes no drop.
export function welcomes(page, zone, transfer) {
  const init = where(page, zone, transfer);
  page.fire.drag(zone, "dragenter", init);
  return !page.fire.drag(zone, "dragover", init);
}

export function leave(page, zone, transfer) {
  page.fire.drag(zone, "dragleave", where(page, zone, transfer));
}

// drop lets the files fall. A page that does not prevent the event has not taken
// them: a browser would now show the file instead of the page.
export function drop(page, zone, transfer) {
  if (!welcomes(page, zone, transfer)) {
    leave(page, zone, transfer);
    fail("upload_target_invalid", "the element takes no dropped files any more");
  }
  if (page.fire.drag(zone, "drop", where(page, zone, transfer))) {
    fail("upload_assignment_failed", "the page did not take the dropped files", { __proto__: null, stage: "assignment" });
  }
  return { __proto__: null, events: ["drop"], warnings: ["the files were dropped and the page took them; what it keeps of them cannot be verified"] };
}

function where(page, zone, dataTransfer) {
  const r = page.dom.rect(zone);
  return { dataTransfer, clientX: Math.round(r.left + r.width / 2), clientY: Math.round(r.top + r.height / 2) };
}
