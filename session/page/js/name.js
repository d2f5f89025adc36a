// Names and descriptions, after the Accessible Name and Description Computation.

import { bare } from "./bare.js";
import { chosen, embedded, TYPED } from "./embedded.js";
import { role } from "./role.js";
import { pseudo } from "./pseudo.js";
import { blank, collapse } from "./text.js";
import { set } from "./sets.js";
import { ELEMENT } from "./view.js";

// A name that is longer is cut off while it is being put together.
const LIMIT = 2000;
const DEPTH = 500;
const BEFORE = 1;
const AFTER = 2;

const FROM_CONTENT = set(`button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option
  radio row rowheader switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle`);
const NO_CONTENT = set("menu menubar tree treegrid tablist toolbar dialog alertdialog");
const TEXTLIKE = set("textbox searchbox combobox spinbutton");
const HEADED = set("dialog alertdialog article");

// A Walk is one computation: what has contributed, how much room is left.
class Walk {
  constructor(view, self, seen = new Set()) {
    this.view = view;
    this.self = self;
    this.seen = seen;
    this.left = LIMIT;
    this.depth = 0;
  }
}

bare(Walk);

// name gives {text, from}; from says which step it came from ("" for no name).
export function name(view, el) {
  const it = view.of(el);
  if (it.name === undefined) {
    it.name = { text: "", from: "" };
    it.name = compute(view, el, it);
  }
  return it.name;
}

// authorName gives what the author wrote: aria-labelledby, aria-label, title.
export function authorName(view, el) {
  const walk = new Walk(view, el);
  const refs = referenced(walk, el, "aria-labelledby");
  if (refs) return refs;
  const label = ariaLabel(view, el);
  return label || collapse(title(view, el, view.of(el)));
}

function compute(view, el, it) {
  const walk = new Walk(view, el);
  let text = referenced(walk, el, "aria-labelledby");
  if (text) return { text, from: "labelledby" };
  text = ariaLabel(view, el);
  if (text) return { text, from: "aria-label" };
  const r = role(view, el);
  walk.seen.add(el);
  const given = r === "none" ? null : native(walk, el, it, false);
  if (given !== null && !blank(given)) return { text: collapse(given), from: "native" };
  if (FROM_CONTENT[r] || (it.html && it.tag === "summary")) {
    text = collapse(content(walk, el, it, false));
    if (text) return { text, from: "content" };
  }
  if (HEADED[r]) {
    text = firstHeading(view, el);
    if (text) return { text, from: "heading" };
  }
  if (given === null || !emptyOnPurpose(view, el, it)) {
    text = collapse(title(view, el, it));
    if (text) return { text, from: "title" };
  }
  text = placeholder(view, el, it, r);
  return text ? { text, from: "placeholder" } : { text: "", from: "" };
}

// An image with alt="" has no name whatever its title says.
function emptyOnPurpose(view, el, it) {
  return it.html && it.tag === "img" && view.attr(el, "alt") === "";
}

function ariaLabel(view, el) {
  const label = view.attr(el, "aria-label");
  return label === null || blank(label) ? "" : collapse(clip(label));
}

// clip keeps hostile lengths away from the loops.
export function clip(text) {
  return text.length > 4 * LIMIT ? text.substring(0, 4 * LIMIT) : text;
}

function referenced(walk, el, attribute) {
  const { view } = walk;
  const targets = view.refs(el, attribute);
  let out = "";
  for (let i = 0; i < targets.length && walk.left > 0; i++) {
    const inner = new Walk(view, walk.self, walk.seen);
    inner.left = walk.left;
    const part = collapse(piece(inner, targets[i], true, view.hidden(targets[i])));
    walk.left -= part.length;
    if (part) out += (out ? " " : "") + part;
  }
  return out;
}

// piece is what an element contributes when it is met inside a name. inRef: it is
// reached through a reference, so that no further one is followed. all: hidden
// parts count.
function piece(walk, el, inRef, all) {
  if (walk.seen.has(el) || walk.left <= 0 || walk.depth > DEPTH) return "";
  const { view } = walk;
  const it = view.of(el);
  // The reference first: an element may be among its own labels.
  const text = inRef || (it.html && it.tag === "slot") ? "" : referenced(walk, el, "aria-labelledby");
  walk.seen.add(el);
  if (text) return text;
  if (it.html && it.tag === "slot") return content(walk, el, it, inRef, all);
  const r = role(view, el);
  if (el !== walk.self) {
    const value = embedded(walk, el, it, r, all);
    if (value !== null) return " " + value + " ";
  }
  const label = ariaLabel(view, el);
  if (label) return spend(walk, label);
  if (r !== "none") {
    const given = native(walk, el, it, all);
    if (given !== null && !blank(given)) return spend(walk, given);
  }
  if (emptyOnPurpose(view, el, it)) return "";
  const inside = NO_CONTENT[r] || (it.html && (it.tag === "select" || it.tag === "iframe")) ? "" : content(walk, el, it, inRef, all);
  return blank(inside) ? spend(walk, title(view, el, it)) || inside : inside;
}

export function spend(walk, text) {
  const clipped = clip(text);
  walk.left -= clipped.length;
  return clipped;
}

// content puts the children's parts together, white space not yet collapsed.
export function content(walk, el, it, inRef, all) {
  const { view } = walk;
  const { dom } = view;
  if (it.html && (it.tag === "textarea" || it.tag === "canvas" || it.tag === "video" || it.tag === "audio")) return "";
  walk.depth++;
  const boxes = all ? BEFORE | AFTER : view.ctx.host.generated(el);
  let out = boxes & BEFORE ? pseudo(view, el, it, "::before", all) : "";
  const kids = view.kids(el, it);
  const open = all || it.shown;
  for (let i = 0; i < kids.length && walk.left > 0; i++) {
    const kid = kids[i];
    if (dom.kind(kid) !== ELEMENT) {
      if (open) out += spend(walk, transform(dom, it, dom.data(kid)));
      continue;
    }
    const that = view.of(kid);
    if (that.html && (that.tag === "br" || that.tag === "wbr")) {
      out += that.tag === "br" ? " " : "";
      continue;
    }
    if (all ? never(that) : view.cut(kid, that) || view.veils(el, kid)) continue;
    const text = piece(walk, kid, inRef, all);
    if (text === "") {
      if (!that.inline) out += " ";
    } else out += that.inline && !image(that) ? text : " " + text + " ";
  }
  walk.depth--;
  return boxes & AFTER ? out + pseudo(view, el, it, "::after", all) : out;
}

const NEVER = set("script style template noscript");
const never = (it) => (it.html && NEVER[it.tag] === true) || (it.svg && (it.tag === "title" || it.tag === "desc"));
const image = (it) => it.html && it.tag === "img";

function transform(dom, it, data) {
  const text = clip(data);
  const how = dom.css.textTransform(it.css);
  if (how === "none" || how === "") return text;
  if (how === "uppercase") return text.toUpperCase();
  if (how === "lowercase") return text.toLowerCase();
  if (how !== "capitalize") return text;
  let out = "";
  let start = true;
  for (let i = 0; i < text.length; i++) {
    out += start ? text[i].toUpperCase() : text[i];
    start = blank(text[i]);
  }
  return out;
}

// native gives what the language says, null if it has no say.
function native(walk, el, it, all) {
  const { view } = walk;
  if (it.svg) return svgTitle(view, el);
  if (!it.html) return null;
  const labels = labellable(it.tag) ? fromLabels(walk, el) : "";
  if (labels) return labels;
  switch (it.tag) {
    case "input":
      return inputName(view, el);
    case "img":
    case "area":
      return view.attr(el, "alt");
    case "optgroup":
    case "option":
      return view.attr(el, "label");
    case "fieldset":
      return fromChild(walk, el, "legend", all);
    case "table":
      return fromChild(walk, el, "caption", all);
    case "figure":
      return fromChild(walk, el, "figcaption", all);
    default:
      return null;
  }
}

const LABELLABLE = set("button input meter output progress select textarea");
const labellable = (tag) => {
  if (LABELLABLE[tag]) return true;
  for (let i = 1; i < tag.length; i++) if (tag[i] === "-") return true;
  return false;
};

function fromLabels(walk, el) {
  const { view } = walk;
  const labels = view.labelsOf(el);
  if (labels.length === 0) return "";
  for (let pass = 0; pass < 2; pass++) {
    let out = "";
    for (let i = 0; i < labels.length && walk.left > 0; i++) {
      const hidden = view.hidden(labels[i]);
      if (hidden !== (pass === 1)) continue;
      const part = collapse(piece(walk, labels[i], false, hidden));
      if (part) out += (out ? " " : "") + part;
    }
    if (out) return out;
  }
  return "";
}

const CAPTION = ["alt", "value", "title"]; // of an image button

function inputName(view, el) {
  const type = view.dom.inputType(el);
  if (type === "button") return view.attr(el, "value");
  if (type === "submit" || type === "reset") {
    const value = view.attr(el, "value");
    return value !== null && !blank(value) ? value : view.attr(el, "title") ? null : type === "submit" ? "Submit Query" : "Reset";
  }
  if (type !== "image") return null;
  for (let i = 0; i < CAPTION.length; i++) {
    const text = view.attr(el, CAPTION[i]);
    if (text !== null && !blank(text)) return text;
  }
  return "Submit Query";
}

function fromChild(walk, el, tag, all) {
  const { view } = walk;
  const { dom } = view;
  for (let kid = dom.firstElement(el); kid !== null; kid = dom.nextElement(kid)) {
    if (dom.tag(kid) !== tag) continue;
    return !all && view.cut(kid) ? null : piece(walk, kid, false, all);
  }
  return null;
}

function svgTitle(view, el) {
  const { dom } = view;
  for (let kid = dom.firstElement(el); kid !== null; kid = dom.nextElement(kid)) {
    if (dom.tag(kid) === "title" && view.of(kid).svg) return dom.text(kid);
  }
  return null;
}

function title(view, el, it) {
  const text = view.attr(el, "title");
  if (text !== null && !blank(text)) return clip(text);
  return (it.svg && view.dom.attrNS(el, "http://www.w3.org/1999/xlink", "title")) || "";
}

function placeholder(view, el, it, r) {
  if (!TEXTLIKE[r] && !(it.html && it.tag === "input" && TYPED[view.dom.inputType(el)])) return "";
  const own = it.html && (it.tag === "input" || it.tag === "textarea") ? view.attr(el, "placeholder") : null;
  if (own !== null && !blank(own)) return collapse(clip(own));
  const aria = view.attr(el, "aria-placeholder");
  return aria === null ? "" : collapse(clip(aria));
}

function firstHeading(view, el) {
  const { dom } = view;
  const found = dom.all(el, "h1,h2,h3,h4,h5,h6,[role~=heading]");
  for (let i = 0; i < found.length && i < 20; i++) {
    if (role(view, found[i]) !== "heading" || view.hidden(found[i])) continue;
    const text = name(view, found[i]).text;
    if (text) return text;
  }
  return "";
}

// description gives what explains an element beyond its name.
export function description(view, el) {
  const walk = new Walk(view, el);
  const refs = referenced(walk, el, "aria-describedby");
  if (refs) return refs;
  const own = view.attr(el, "aria-description");
  if (own !== null && !blank(own)) return collapse(clip(own));
  const it = view.of(el);
  const text = collapse(title(view, el, it));
  if (!text) return "";
  const named = name(view, el);
  return named.from === "title" || named.text === text ? "" : text;
}

// plainText gives the text that is visible in an element, as in a name, with at
// most limit characters.
export function plainText(view, el, limit) {
  const walk = new Walk(view, el);
  walk.left = limit;
  walk.seen.add(el);
  return collapse(content(walk, el, view.of(el), false, false));
}

// ownText gives the text of an editing host or the choice of a combobox as a
// control's own value.
export function ownText(view, el, it, r) {
  const walk = new Walk(view, el);
  return collapse(r === "combobox" || r === "listbox" ? chosen(walk, el, it, r, false) : content(walk, el, it, false, false));
}
