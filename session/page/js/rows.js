// Rows: what tells like controls apart is what they stand beside. Of each control
// that has a twin (another one that looks the same: the tenth "Delete"), the first
// words of its row are kept, the row being whatever it does not share with a twin.
// Lists that use their elements again for other entries are known by that.

import { Reader } from "./walk.js";

// markRows gives each control with a twin its row: w = {up, text}, up being how
// many parents above the control the row is.
export function markRows(reader) {
  const { nodes, trails, view } = reader;
  if (view.owns()) return; // parents are not what they seem
  const groups = [];
  const known = new Map();
  for (let i = 0; i < nodes.length; i++) {
    const n = nodes[i];
    if (!trails.has(n)) continue;
    const key = n.t + "\n" + n.r + "\n" + (n.y ?? "") + "\n" + n.n + "\n" + (n.h ?? "");
    let group = known.get(key);
    if (group === undefined) {
      group = groups[groups.length] = [];
      known.set(key, group);
    }
    group[group.length] = n;
  }
  for (let g = 0; g < groups.length; g++) {
    const group = groups[g];
    for (let i = 0; group.length > 1 && i < group.length; i++) group[i].w = rowOf(trails, group, i);
  }
}

function rowOf(trails, group, i) {
  const mine = trails.get(group[i]);
  let row = -1; // index in mine: the outermost level that no neighbour is in
  for (let k = i - 1; k <= i + 1; k += 2) {
    if (k < 0 || k === group.length) continue;
    const shared = sharedWith(mine, trails.get(group[k]));
    if (shared < 0) return undefined; // they are too far apart for a row
    if (shared + 1 > row) row = shared + 1;
  }
  if (row >= mine.length) return undefined; // side by side
  const text = wordsOf(mine[row].words, group[i].i);
  return text ? { __proto__: null, up: mine.length - row, text } : undefined;
}

// sharedWith gives the index in mine of the innermost level that both are in.
function sharedWith(mine, other) {
  for (let i = mine.length - 1; i >= 0; i--) for (let k = other.length - 1; k >= 0; k--) if (mine[i] === other[k]) return i;
  return -1;
}

// rowWords gives the words of the row as it is now, "" if there are none.
export function rowWords(view, el, up) {
  let row = el;
  for (let i = 0; i < up && row !== null; i++) row = view.parent(row);
  if (row === null) return "";
  const reader = new Reader(view, { __proto__: null });
  reader.begin(row);
  const words = reader.firstWords();
  return wordsOf(words, view.ctx.registry.known(el));
}

// wordsOf takes the first words that are not the control's own, and the second
// without its digits: times and amounts change while a row stays what it is.
function wordsOf(words, id) {
  let text = "";
  let found = 0;
  for (let i = 0; i < words.length && found < 2; i++) {
    if (words[i].of === id) continue;
    text = found++ === 0 ? words[i].text : text + "\n" + withoutDigits(words[i].text);
  }
  return text;
}

function withoutDigits(text) {
  let out = "";
  for (let i = 0; i < text.length; i++) if (text[i] < "0" || text[i] > "9") out += text[i];
  return out;
}
