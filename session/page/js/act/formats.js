// What the browser's own typed fields take.

import { fail } from "../fault.js";

const SHAPES = {
  __proto__: null,
  number: "a number such as 12 or -3.5",
  range: "a number",
  date: "a date as YYYY-MM-DD",
  time: "a time as HH:MM or HH:MM:SS",
  month: "a month as YYYY-MM",
  week: "a week as YYYY-Www, for example 2026-W09",
  "datetime-local": "a date and time as YYYY-MM-DDTHH:MM",
  color: "a colour as #rrggbb",
};

// Firefox has no month and week fields and shows them as lines of text, whose
// page still expects what the standard says.
const WRITTEN = { __proto__: null, month: /^\d{4,}-(0[1-9]|1[0-2])$/, week: /^\d{4,}-W(0[1-9]|[1-4]\d|5[0-3])$/ };

// shapeOf gives the kind of a field with a format of its own, else "".
export function shapeOf(page, el, kind) {
  const written = kind === "line" ? page.attr(el, "type").toLowerCase() : kind;
  return written in SHAPES ? written : "";
}

// checked gives the value as the field will hold it, or refuses one that the
// browser would turn into nothing. The browser's own check is asked, on a field
// that is on no page.
export function checked(page, el, kind, value) {
  const { native, document } = page;
  const text = value.trim();
  if (text === "" && kind !== "color" && kind !== "range") return "";
  const refuse = (why) => fail("invalid_argument", `${JSON.stringify(value.slice(0, 60))} ${why}; nothing was changed`);
  if (kind === "color" && !/^#[0-9a-f]{6}$/i.test(text)) refuse(`is not ${SHAPES.color}`);
  if (kind in WRITTEN) return WRITTEN[kind].test(text) ? text : refuse(`is not ${SHAPES[kind]}`);
  const probe = native.call(document, "createElementNS", "http://www.w3.org/1999/xhtml", "input");
  native.set(probe, "type", kind === "range" ? "number" : kind);
  native.set(probe, "value", text);
  const kept = native.get(probe, "value");
  if (kept === "") refuse(`is not ${SHAPES[kind]}`);
  if (kind !== "range") return kept;
  const min = bound(page, el, "min", 0);
  const max = bound(page, el, "max", 100);
  if (+kept < min || +kept > max) refuse(`is not between ${min} and ${max}`);
  return kept;
}

export function bound(page, el, name, otherwise) {
  const text = page.attr(el, name);
  return text === "" || Number.isNaN(+text) ? otherwise : +text;
}
