// The markers of list items: what a list counts, written as the page writes it.

import { bare } from "../bare.js";
import { set } from "../sets.js";

const BULLETS = set("disc circle square disclosure-open disclosure-closed");
const LATIN = "abcdefghijklmnopqrstuvwxyz";
const GREEK = "αβγδεζηθικλμνξοπρστυφχψω";
const ROMAN = [
  [1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"], [50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"],
];

// How each style writes a number, "" for one that it cannot write.
const STYLES = {
  __proto__: null,
  decimal: (n) => "" + n,
  "decimal-leading-zero": (n) => (n < 0 ? "-" : "") + (n > -10 && n < 10 ? "0" : "") + (n < 0 ? -n : n),
  "lower-alpha": (n) => letters(n, LATIN),
  "lower-latin": (n) => letters(n, LATIN),
  "upper-alpha": (n) => letters(n, LATIN).toUpperCase(),
  "upper-latin": (n) => letters(n, LATIN).toUpperCase(),
  "lower-greek": (n) => letters(n, GREEK),
  "lower-roman": roman,
  "upper-roman": (n) => roman(n).toUpperCase(),
};

export class Markers {
  constructor(view) {
    this.view = view;
    this.numbers = new Map(); // of items
    this.counted = new Map(); // lists
  }

  // of gives the marker of an item, "" for a bullet. A list that is numbered by
  // its element has numbers even without a marker: they tell its order, and mostly
  // something else on the page shows them.
  of(el) {
    const { dom, ctx } = this.view;
    const list = dom.parent(el);
    const ordered = list !== null && dom.tag(list) === "ol";
    const { css } = this.view.of(el);
    const style = ctx.builtins.getterOf(css, "listStyleType")(css);
    if (style[0] === '"') return text(style);
    const write = STYLES[style] ?? (ordered && !BULLETS[style] ? STYLES.decimal : null);
    if (write === null || list === null) return "";
    if (!this.counted.has(list)) this.#count(list, ordered);
    const n = this.numbers.get(el);
    return n === undefined ? "" : (write(n) || n) + ".";
  }

  // #count numbers the items of a list. Those that are not there do not count.
  #count(list, ordered) {
    const { view, numbers } = this;
    const { dom } = view;
    this.counted.set(list, true);
    const items = [];
    for (let at = dom.firstElement(list); at !== null; at = dom.nextElement(at)) if (dom.tag(at) === "li" && !view.gone(at)) items[items.length] = at;
    const step = ordered && dom.has(list, "reversed") ? -1 : 1;
    let n = (ordered ? whole(dom.attr(list, "start")) : null) ?? (step < 0 ? items.length : 1);
    for (let i = 0; i < items.length; i++, n += step) {
      n = whole(dom.attr(items[i], "value")) ?? n;
      numbers.set(items[i], n);
    }
  }
}

bare(Markers);

// whole reads a number as HTML does, null for none.
function whole(attr) {
  const n = parseInt(attr ?? "", 10);
  return n === n && n > -1e9 && n < 1e9 ? n : null;
}

function letters(n, alphabet) {
  let out = "";
  for (let left = n; left > 0; left = Math.floor((left - 1) / alphabet.length)) out = alphabet[(left - 1) % alphabet.length] + out;
  return out;
}

function roman(n) {
  if (n > 3999) return "";
  let out = "";
  let left = n;
  for (let i = 0; i < ROMAN.length; i++) for (; left >= ROMAN[i][0]; left -= ROMAN[i][0]) out += ROMAN[i][1];
  return out;
}

// text gives what a style that is a string says.
function text(style) {
  let out = "";
  for (let i = 1; i < style.length - 1; i++) {
    if (style[i] === "\\") i++;
    out += style[i];
  }
  return out;
}
