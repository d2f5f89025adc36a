// Whether a text can be read on the page. It is asked at every change of the page,
// so the cheap answers come first: nowhere at all, then only where it may be.

import { shadowRoots } from "./roots.js";
import { flatten, made, read, reader } from "./words.js";

const LABELS = "input[type=button],input[type=submit],input[type=reset]";
const solid = (text) => text.replace(/[\s\u00a0\u00ad\u200b]+/g, "").toLowerCase();

// shows looks for a text. thorough looks for text that styles make, too.
export function shows(page, wanted, thorough) {
  const needle = flatten(wanted).trim();
  const root = page.dom.documentElement(page.document);
  if (needle === "" || !root) return needle === "";
  const roots = shadowRoots(page);
  const raw = solid(rawText(page, root, roots));
  if (!roots.length && raw.includes(solid(needle)) && within(page, root, needle)) return true;
  const words = needle.split(" ").map(solid);
  if (roots.length && words.every((word) => raw.includes(word)) && whole(page, root, needle, false)) return true;
  if (!thorough) return false;
  const made = styledTexts(page, roots);
  const possible = (word) => raw.includes(word) || made.some((piece) => piece.includes(word) || word.includes(piece));
  return made.length > 0 && words.every(possible) && whole(page, root, needle, true);
}

// rawText is all text, seen or not.
function rawText(page, root, roots) {
  const { dom, native, document } = page;
  let out = dom.text(root);
  const labels = dom.queryAll(document, LABELS);
  for (let i = 0; i < labels.length; i++) out += " " + native.get(labels[i], "value");
  for (let i = 0; i < roots.length; i++) {
    out += " " + dom.text(roots[i]);
    const inner = native.call(roots[i], "querySelectorAll", LABELS);
    for (let k = 0; k < inner.length; k++) out += " " + native.get(inner[k], "value");
  }
  return out;
}

// styledTexts are all texts that styles make.
function styledTexts(page, roots) {
  const { native, document, host } = page;
  const out = [];
  const put = (text) => {
    if (text !== "" && !out.includes(text)) out[out.length] = text;
  };
  for (let r = -1; r < roots.length; r++) {
    const all = native.call(r < 0 ? document : roots[r], "querySelectorAll", "*");
    for (let i = 0; i < all.length; i++) {
      const which = host.generated(all[i]);
      if (which & 1) put(solid(made(page, all[i], "::before")));
      if (which & 2) put(solid(made(page, all[i], "::after")));
    }
  }
  return out;
}

function whole(page, el, needle, styled) {
  const text = reader();
  read(page, el, text, styled);
  return text.includes(needle);
}

// within goes down to where the text is, so that only there styles are looked at.
function within(page, el, needle) {
  const { dom } = page;
  if (dom.style(el).display === "none") return false;
  const wanted = solid(needle);
  let inside = 0;
  for (let kid = dom.firstElement(el); kid; kid = dom.nextElement(kid)) {
    const times = count(solid(dom.text(kid)), wanted);
    inside += times;
    if (times && within(page, kid, needle)) return true;
  }
  // What is left may run through several children, or stand in a button's value.
  const own = count(solid(dom.text(el)), wanted);
  return (own > inside || dom.matches(el, `:has(> ${LABELS.split(",").join("),:has(> ")}),select`)) && whole(page, el, needle, false);
}

function count(text, part) {
  let n = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) n++;
  return n;
}
