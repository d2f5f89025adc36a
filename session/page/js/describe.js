// describe gives the fields by which an element is recognised: its fingerprint.

import { name, plainText } from "./name.js";
import { role, roleWord } from "./role.js";
import { set } from "./sets.js";
import { cut } from "./text.js";
import { href } from "./value.js";
import { View } from "./view.js";

export const NAME_LIMIT = 200;
export const CLICKABLE = 300; // characters of text beyond which a click is not meant for the whole

// Roles whose name is not their content, of things that are clicked all the same.
const NAMELESS = set(`none listitem row article cell figure paragraph emphasis strong code time mark term definition deletion
  insertion subscript superscript blockquote caption`);

// label gives what an element that is acted on is called: its name or, when its
// role gives it none, its text, "" if that is long.
export function label(view, el) {
  const text = name(view, el).text;
  const r = role(view, el);
  if (text || !(r === "" || NAMELESS[r])) return text;
  const plain = plainText(view, el, CLICKABLE + 1);
  return plain.length > CLICKABLE ? "" : plain;
}

// describe gives {tag, role, type, name, href}. A view may be handed in to share
// what it knows.
export function describe(ctx, el, view = new View(ctx)) {
  const standsFor = standIn(view, el);
  const it = view.of(el);
  const r = roleWord(view, standsFor ?? el);
  return {
    __proto__: null,
    tag: it.tag,
    role: r === "none" ? "" : r,
    type: typeOf(view, el, it),
    name: cut(standsFor ? name(view, standsFor).text : label(view, el), NAME_LIMIT).toWellFormed(), // as the answer had it
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
