// Selectors: a CSS path to an element, with " >>> " at each shadow border. It
// begins at the nearest ancestor with an id that leads to it, and counts siblings
// of one type. Steps and paths are kept for the call, so that a long list costs
// each of its items once.

import { ELEMENT, FRAGMENT } from "./view.js";

// A path of more steps is not given: it would not survive any change anyway.
const STEPS = 24;

export class Selectors {
  constructor(view) {
    this.view = view;
    this.places = new Map(); // element -> its step
    this.numbered = new Set(); // parents whose children have their steps
    this.anchors = new Map(); // element -> "#id" or ""
  }

  // of gives the selector, "" if there is no short one.
  of(el) {
    const { dom, doc } = this.view;
    const root = dom.root(el);
    const inner = this.#path(el, root);
    if (!inner || root === doc) return inner;
    if (dom.kind(root) !== FRAGMENT) return "";
    const outer = this.of(dom.hostOf(root));
    return outer && outer + " >>> " + inner;
  }

  #path(el, root) {
    const { dom, doc } = this.view;
    let path = "";
    let at = el;
    for (let n = 0; n < STEPS; n++) {
      const anchor = this.#anchor(at, root);
      const parent = anchor ? null : dom.parent(at);
      const step = anchor || (parent === doc ? ":root" : this.#step(at, parent));
      path = path ? step + ">" + path : step;
      if (anchor || parent === doc) return path;
      if (parent === root) return ":host>" + path;
      if (parent === null) return "";
      at = parent;
    }
    return "";
  }

  #anchor(el, root) {
    let anchor = this.anchors.get(el);
    if (anchor === undefined) {
      const id = this.view.attr(el, "id");
      anchor = id && id.length <= 100 && this.view.byId(root, id) === el ? "#" + escapeName(id) : "";
      this.anchors.set(el, anchor);
    }
    return anchor;
  }

  #step(el, parent) {
    const { dom } = this.view;
    if (parent !== null && !this.numbered.has(parent)) {
      this.numbered.add(parent);
      const counts = { __proto__: null };
      for (let kid = dom.first(parent); kid !== null; kid = dom.next(kid)) {
        if (dom.kind(kid) !== ELEMENT) continue;
        const tag = dom.tag(kid);
        const n = (counts[tag] = (counts[tag] ?? 0) + 1);
        this.places.set(kid, escapeName(tag) + ":nth-of-type(" + n + ")");
      }
    }
    return this.places.get(el) ?? escapeName(dom.tag(el));
  }
}

// escapeName writes a string as a CSS identifier.
export function escapeName(text) {
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    const letter = (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || c === "_" || c > "\x7f";
    const digit = c >= "0" && c <= "9";
    if (letter || (digit && (i > 1 || (i === 1 && text[0] !== "-")))) out += c;
    else if (c === "-" && (i > 0 || text.length > 1)) out += c;
    else if (c === "\0") out += "\ufffd";
    else if (digit) out += "\\3" + c + " ";
    else if (c < " " || c === "\x7f") out += "\\" + codes[c] + " ";
    else out += "\\" + c;
  }
  return out;
}

const CONTROLS = "\0\x01\x02\x03\x04\x05\x06\x07\b\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f";
const DIGITS = "0123456789abcdef";
const codes = { __proto__: null, "\x7f": "7f" };
for (let i = 1; i < 32; i++) codes[CONTROLS[i]] = (i > 15 ? "1" : "") + DIGITS[i % 16];
