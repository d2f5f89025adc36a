// Matching of texts as people compare them: letters of either case, one kind of
// space, quote and hyphen, and nothing that cannot be seen.

import { cut } from "../text.js";

// How well a text fits, the best first; NO if it does not.
export const EXACT = 0;
export const PREFIX = 1;
export const PART = 2;
export const NO = 3;

const ODD = /[^ -~]| {2}/;
const SAME = {
  __proto__: null,
  "\t": " ", "\n": " ", "\r": " ", "\f": " ", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
  "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "",
  "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-",
};

// fold gives a text as it is compared.
export function fold(text) {
  const low = text.toLowerCase();
  if (!ODD.test(low)) return low;
  let out = "";
  for (let i = 0; i < low.length; i++) {
    const c = SAME[low[i]] ?? low[i];
    if (c !== " " || (out !== "" && out[out.length - 1] !== " ")) out += c;
  }
  return out;
}

// wish prepares what is looked for: folded, without space at its ends.
export function wish(text) {
  const folded = fold(text);
  let from = 0;
  let end = folded.length;
  while (from < end && folded[from] === " ") from++;
  while (end > from && folded[end - 1] === " ") end--;
  return folded.substring(from, end);
}

// match says how well a text fits a wish.
export function match(text, wanted) {
  const folded = fold(text);
  const at = folded.indexOf(wanted);
  if (at < 0) return NO;
  if (at > 0) return PART;
  return folded.length - wanted.length <= (folded[folded.length - 1] === " " ? 1 : 0) ? EXACT : PREFIX;
}

// around gives the part of a long text in which the wish is, at most limit
// characters of it and the marks of what was left out.
export function around(text, wanted, limit) {
  if (text.length <= limit) return text;
  const at = wanted ? fold(text).indexOf(wanted) : 0;
  const lead = limit >> 2;
  if (at <= lead) return cut(text, limit);
  // Folding moves places: count along the text until as much has been folded.
  let n = 0;
  let i = 0;
  let space = true;
  for (; i < text.length && n < at - lead; i++) {
    const c = SAME[text[i]] ?? text[i].toLowerCase();
    if (c !== " " || !space) n += c.length;
    if (c !== "") space = c === " ";
  }
  while (i < text.length && i > 0 && text[i - 1] !== " " && n < at) {
    n++;
    i++;
  }
  return "\u2026" + cut(text.substring(i), limit);
}
