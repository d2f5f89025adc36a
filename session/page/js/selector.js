// Selectors: a CSS path to an element, with " >>> " at each shadow border. It
// begins at the nearest ancestor with an id that leads to it, and counts siblings
// of one type. Steps and paths are kept for the call, so that a long list costs
// each of its items once.

import { bare } from "./bare.js";
import { ELEMENT, FRAGMENT } from "./view.js";

// Bounds of a path: a longer one would not survive any change anyway.
const STEPS = 40;
const LENGTH = 600;
const FAMILY = 16;

export class Selectors {
  constructor(view) {
    this.view = view;
    this.names = { __proto__: null }; // tag -> the beginning of its step
    this.places = new Map(); // element -> its number in a long family
    this.paths = new Map(); // element -> its path within its root
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

  // #path climbs to the first element whose path is known, and comes back down.
  #path(el, root) {
    const { dom, doc } = this.view;
    const climb = [];
    let path = "";
    for (let at = el; ; ) {
      const known = this.paths.get(at);
      if (known !== undefined) {
        path = known;
        break;
      }
      climb[climb.length] = at;
      if (climb.length > STEPS) break; // too deep: its descendants begin anew
      const parent = dom.parent(at);
      if (this.#anchor(at, root) || parent === null || parent === root) break;
      at = parent;
    }
    for (let i = climb.length - 1; i >= 0; i--) {
      const at = climb[i];
      const anchor = this.#anchor(at, root);
      const parent = dom.parent(at);
      if (anchor) path = anchor;
      else if (parent === null) path = "";
      else if (parent === doc) path = ":root";
      else if (path === ":root" && dom.tag(at) === "body" && dom.body(doc) === at) path = "body";
      else if (parent === root) path = ":host>" + this.#step(at, parent);
      else if (path !== "" && path.length < LENGTH) path += ">" + this.#step(at, parent);
      else path = "";
      this.paths.set(at, path);
    }
    return path;
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

  // #step counts back to the first of its kind, or numbers all of a long family at
  // once, so that no list costs the square of its length.
  #step(el, parent) {
    const { dom } = this.view;
    const tag = dom.tag(el);
    const name = this.names[tag] ?? (this.names[tag] = escapeName(tag) + ":nth-of-type(");
    let n = 1;
    let back = 0;
    for (let at = dom.previousElement(el); at !== null; at = dom.previousElement(at)) {
      if (++back > FAMILY) return name + this.#number(el, parent) + ")";
      if (dom.tag(at) === tag) n++;
    }
    return name + n + ")";
  }

  #number(el, parent) {
    const known = this.places.get(el);
    if (known !== undefined || parent === null) return known ?? 1;
    const { dom } = this.view;
    const counts = { __proto__: null };
    for (let kid = dom.first(parent); kid !== null; kid = dom.next(kid)) {
      if (dom.kind(kid) !== ELEMENT) continue;
      const tag = dom.tag(kid);
      this.places.set(kid, (counts[tag] = (counts[tag] ?? 0) + 1));
    }
    return this.places.get(el) ?? 1;
  }
}

bare(Selectors);

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
