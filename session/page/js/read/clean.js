// clean finds in the main part what is not of the text: lists of links, forms,
// boxes of next to no text. It goes from the inside out; what is dropped no longer
// counts in what is around it.

import { set } from "../sets.js";

const BOXES = set("form fieldset table ul ol div section aside nav header footer");
const PROSE = 60;
const CERTAIN = 10; // commas from which on a box is text

// clean adds to a set the elements to be left out.
export function clean(roots, dropped) {
  for (let i = 0; i < roots.length; i++) {
    const all = [];
    const stack = [roots[i]];
    while (stack.length > 0) {
      const at = stack[stack.length - 1];
      stack.length--;
      all[all.length] = at;
      for (let k = 0; k < at.kids.length; k++) stack[stack.length] = at.kids[k];
    }
    for (let k = all.length - 1; k > 0; k--) {
      const box = all[k];
      if (!shady(box, roots[i])) continue;
      dropped.add(box.el);
      without(box);
    }
  }
}

function without(box) {
  for (let at = box.up; at !== null; at = at.up) {
    at.size -= box.size;
    at.links -= box.links;
    at.commas -= box.commas;
    at.paragraphs -= box.paragraphs;
    at.prose -= box.prose;
    at.heads -= box.heads;
    at.listed -= box.listed;
    at.items -= box.items;
    at.fields -= box.fields;
    at.cleaned = true;
  }
}

function shady(box) {
  if (!BOXES[box.tag] || box.data || box.size === 0) return false;
  const { weight } = box.called;
  if (weight < 0) return true;
  if (box.commas >= CERTAIN) return false;
  const links = box.links / box.size;
  const list = box.tag === "ul" || box.tag === "ol" || box.listed > 0.9 * box.size;
  if (box.fields > Math.floor(box.paragraphs / 3)) return true;
  if (box.cleaned && box.heads >= 0.9 * box.size) return true;
  if (!list && weight < 25 && links > 0.2 && box.prose < PROSE) return true;
  if (weight >= 25 && links > 0.5) return true;
  return links > 0.8 && !amidst(box);
}

// amidst says whether a box stands among paragraphs, as a list of links does that
// belongs to the text.
function amidst(box) {
  const { up } = box;
  if (up === null) return false;
  let n = 0;
  for (let i = 0; i < up.kids.length; i++) if (up.kids[i].tag === "p" && up.kids[i].size > 0) n++;
  return n > 1;
}
