// fill replaces what a control holds, whatever kind of control it is.

import { fail } from "../fault.js";
import { joined } from "../lists.js";
import { clickOn } from "./click.js";
import { control, editingHost, fieldOf, isOn, report, textOf } from "./control.js";
import { fillEditable } from "./editable.js";
import { focusOn } from "./focus.js";
import { checked, shapeOf } from "./formats.js";
import { remember, touched, verdict } from "./kept.js";
import { choose } from "./option.js";
import { where } from "./page.js";
import { isSecret } from "./reading.js";
import { submit } from "./submit.js";
import { begin, named, resolve, usable } from "./target.js";

const ON = { __proto__: null, true: true, on: true, checked: true, yes: true, 1: true, false: false, off: false, unchecked: false, no: false, 0: false };

export function fill(page, args) {
  begin(page, args);
  const found = resolve(page, args);
  const el = fieldOf(page, found.el);
  writable(page, el);
  const note = found.relocated ? { __proto__: null, relocated: true } : {};
  const finish = (done) => {
    const sent = args.submit ? submit(page, el) : undefined;
    if (sent?.submitted) touched(page, el);
    return where(page, merge(note, done, sent));
  };
  const kind = control(page, el);
  if (kind === "checkbox" || kind === "radio" || kind === "toggle") return fillSwitch(page, el, kind, args.value).then(finish);
  if (kind === "editable") return fillEditable(page, editingHost(page, el), args.value, args.until).then(finish);
  return finish(fillControl(page, el, kind, args.value));
}

// writable refuses what cannot be changed.
export function writable(page, el) {
  usable(page, el);
  const { native, dom } = page;
  const tag = dom.tag(el);
  if ((tag === "textarea" || tag === "input") && native.get(el, "readOnly")) fail("element_not_interactable", `${named(page, el)} is read-only`);
  if (page.attr(el, "aria-readonly") === "true") fail("element_not_interactable", `${named(page, el)} is marked as read-only (aria-readonly)`);
}

function fillControl(page, el, kind, value) {
  const shape = shapeOf(page, el, kind);
  if (shape) return fillByText(page, el, checked(page, el, shape, value));
  switch (kind) {
    case "line":
    case "text":
      return fillByText(page, el, fitting(page, el, kind, value));
    case "select":
      return choose(page, el, [value]);
    case "file":
      return fail("unsupported_element", "a file input takes files, not text; use upload_files");
  }
  return fail("unsupported_element", `${named(page, el)} holds no value that could be filled in; use click, type_text or press_key`);
}

// fitting is the value as the browser would let it be typed: a field of one
// line has no line breaks, a field with a maxlength has no more than that.
function fitting(page, el, kind, value) {
  const text = kind === "line" ? value.replace(/[\r\n]+/g, "") : value.replace(/\r\n?/g, "\n");
  const max = page.native.get(el, "maxLength");
  if (max >= 0 && text.length > max) fail("fill_rejected", `${named(page, el)} takes at most ${max} characters, and the value has ${text.length}; nothing was changed`);
  return text;
}

// fillByText goes past the accessors that frameworks put on an element, so that
// they see a change, and tells the page in the order of a browser.
export function fillByText(page, el, value) {
  const { native, fire, dom } = page;
  focusOn(page, el);
  if (!dom.connected(el)) fail("stale_element", "the page replaced the field when it got the focus; nothing was filled in; take a new snapshot");
  const before = textOf(page, el);
  if (native.get(el, "selectionStart") !== null) native.call(el, "select");
  const inputType = value === "" ? "deleteContentBackward" : "insertReplacementText";
  const data = value === "" ? null : value;
  const ours = fire.input(el, "beforeinput", { __proto__: null, inputType, data });
  if (ours) {
    native.set(el, "value", value);
    if (dom.connected(el) && native.get(el, "selectionStart") !== null) native.call(el, "setSelectionRange", value.length, value.length);
    fire.input(el, "input", { __proto__: null, inputType, data });
  }
  if (dom.connected(el)) fire.plain(el, "change");
  return judge(page, el, value, before, ours ? "" : "the page handled the input itself");
}

// judge says what became of a value, without telling a secret.
export function judge(page, el, wanted, before, note) {
  const now = textOf(page, el);
  const secret = isSecret(el, page.ctx);
  const state = secret && now !== wanted && now !== "" ? "changed" : verdict(wanted, before, now);
  if (state === "lost") {
    const shows = secret ? "" : `; the field shows ${JSON.stringify(now.slice(0, 200))}`;
    fail("fill_rejected", `the page did not keep the value${shows}`, { __proto__: null, ...report(page, el) });
  }
  remember(page, el, now, before);
  const warnings = note ? [note] : [];
  if (state === "changed") warnings.push(secret ? "the page changed the value" : `the page changed the value to ${JSON.stringify(now.slice(0, 200))}`);
  const invalid = page.native.get(el, "validationMessage");
  if (invalid && !page.native.get(page.native.get(el, "validity"), "customError")) warnings.push(`the browser finds the value not valid: ${invalid}`);
  else if (invalid) warnings.push(`the page finds the value not valid: ${invalid}`);
  return { __proto__: null, ...report(page, el), warnings: warnings.length ? warnings : undefined };
}

async function fillSwitch(page, el, kind, value) {
  const key = value.trim().toLowerCase();
  const wanted = ON[key] ?? (kind === "radio" && value === page.native.get(el, "value") ? true : undefined);
  if (wanted === undefined) fail("invalid_argument", `${named(page, el)} takes "true" or "false"`);
  if (wanted === false && kind === "radio") fail("invalid_argument", "a radio button cannot be switched off; switch another one of its group on");
  if (isOn(page, el) === wanted) return { __proto__: null, checked: wanted, unchanged: true };
  const done = await clickOn(page, el);
  if (isOn(page, el) !== wanted && kind !== "toggle") {
    fail("fill_rejected", `the page did not keep the change; ${named(page, el)} is ${wanted ? "off" : "on"}`, { __proto__: null, checked: isOn(page, el) });
  }
  return done;
}

// merge joins results; lists are put together, later members win.
export function merge(...parts) {
  const out = { __proto__: null };
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    for (const key in part) {
      if (part[key] === undefined) continue;
      out[key] = Array.isArray(part[key]) && Array.isArray(out[key]) ? joined(out[key], part[key]) : part[key];
    }
  }
  return out;
}
