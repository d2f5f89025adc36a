// describe gives the fields by which an element is recognised: its fingerprint.

import { name } from "./name.js";
import { role, roleWord } from "./role.js";
import { cut } from "./text.js";
import { href } from "./value.js";
import { View } from "./view.js";

export const NAME_LIMIT = 200;

// describe gives {tag, role, type, name, href}. A view may be handed in to share
// what it knows.
export function describe(ctx, el, view = new View(ctx)) {
  const standsFor = standIn(view, el);
  const it = view.of(el);
  return {
    __proto__: null,
    tag: it.tag,
    role: roleWord(view, standsFor ?? el),
    type: typeOf(view, el, it),
    name: cut(name(view, standsFor ?? el).text, NAME_LIMIT).toWellFormed(), // as the answer had it
    href: href(view, el).short,
  };
}

export function typeOf(view, el, it) {
  if (!it.html) return "";
  return it.tag === "input" ? view.dom.inputType(el) : it.tag === "button" ? view.dom.buttonType(el) : "";
}

// standIn gives the checkbox or radio that a label stands for because it is not
// rendered itself, else null.
export function standIn(view, el) {
  const it = view.of(el);
  if (!it.html || it.tag !== "label") return null;
  const control = view.dom.control(el);
  if (!control || view.dom.tag(control) !== "input") return null;
  const r = role(view, control);
  const type = view.dom.inputType(control);
  if ((type !== "checkbox" && type !== "radio") || !r || !view.hidden(control)) return null;
  return blocked(view, control) ? null : control;
}

// blocked: hidden on purpose from everyone, by inert or aria-hidden.
function blocked(view, el) {
  for (let at = el; at !== null; at = view.parent(at)) if (view.dom.has(at, "inert")) return true;
  return false;
}
