// Where on a page something stands: what is around it in the lines of a snapshot.

import { set } from "../sets.js";
import { cut } from "../text.js";

const REGIONS = set("banner main navigation contentinfo complementary region search form dialog alertdialog");
const ITEMS = set("listitem row article treeitem");
const WORDS = 160; // code points of an item
const NEAR = 400; // lines in which the nearest control is looked for

// place gives {l, r, h, w}: role and name of the nearest landmark or dialog, the
// nearest heading, and the words of the row or item around. at is where the thing
// stands in the list, depth how deep; own is what it says itself.
export function place(nodes, at, depth, own) {
  const out = { __proto__: null, l: undefined, r: undefined, h: undefined, w: undefined };
  let item = -1;
  let d = depth;
  for (let i = at - 1; i >= 0; i--) {
    const n = nodes[i];
    if (n.d > d) continue;
    if (out.h === undefined && heads(n) && n.n && n.n !== own) out.h = n.n;
    if (n.d === d) continue;
    d = n.d;
    if (n.k !== "g") continue;
    if (item < 0 && ITEMS[n.r]) item = i;
    if (REGIONS[n.r]) {
      out.l = n.r;
      out.r = n.n;
      break;
    }
  }
  if (item >= 0) {
    const words = inside(nodes, item, 4 * WORDS, nodes[item].r === "row" ? " | " : " ");
    if (words !== own) out.w = cut(words, WORDS) || undefined;
  }
  return out;
}

const heads = (n) => (n.k === "g" && n.r === "heading") || (n.k === "c" && n.a !== undefined && n.a.heading !== undefined);

// inside puts the words of all lines below one together.
export function inside(nodes, at, limit, between = " ") {
  const { d } = nodes[at];
  let out = "";
  for (let i = at + 1; i < nodes.length && nodes[i].d > d && out.length < limit; i++) {
    const n = nodes[i];
    if (n.n) out += (out ? between : "") + n.n;
  }
  return out;
}

// nearest gives {at, how} of the control that belongs to a place: the one that it
// is in, the first one that is in it, or the nearest of the same item or region.
// own says whether the line at the place is the thing itself.
export function nearest(nodes, at, depth, own) {
  let bottom = 0;
  let d = depth;
  let bound = false;
  for (let i = at - 1; i >= 0; i--) {
    const n = nodes[i];
    if (n.d >= d) continue;
    d = n.d;
    if (n.k === "c") return { at: i, how: "in" };
    if (!bound && n.k === "g" && (ITEMS[n.r] || REGIONS[n.r]) && hasControl(nodes, i)) {
      bottom = i + 1;
      bound = true;
    }
  }
  const start = own ? at + 1 : at;
  let top = start;
  for (; top < nodes.length && nodes[top].d > depth && own; top++) if (nodes[top].k === "c") return { at: top, how: "has" };
  const end = bound ? past(nodes, bottom - 1) : nodes.length;
  for (let step = 0; step < NEAR; step++) {
    const after = top + step;
    const before = at - 1 - step;
    if (after < end && nodes[after].k === "c") return { at: after, how: "near" };
    if (before >= bottom && nodes[before].k === "c") return { at: before, how: "near" };
  }
  return null;
}

// past gives the index after the last line below one.
export function past(nodes, at) {
  let end = at + 1;
  while (end < nodes.length && nodes[end].d > nodes[at].d) end++;
  return end;
}

function hasControl(nodes, at) {
  for (let i = at + 1, n = 0; i < nodes.length && nodes[i].d > nodes[at].d && n < NEAR; i++, n++) if (nodes[i].k === "c") return true;
  return false;
}
