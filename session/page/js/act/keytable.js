// Names and numbers of keys, on the layout that web pages know best.

import { count } from "../text.js";

const NAMED = {
  __proto__: null,
  Enter: ["Enter", 13], Tab: ["Tab", 9], Escape: ["Escape", 27], Space: ["Space", 32],
  ArrowLeft: ["ArrowLeft", 37], ArrowUp: ["ArrowUp", 38], ArrowRight: ["ArrowRight", 39], ArrowDown: ["ArrowDown", 40],
  Backspace: ["Backspace", 8], Delete: ["Delete", 46], Home: ["Home", 36], End: ["End", 35], PageUp: ["PageUp", 33], PageDown: ["PageDown", 34],
  Shift: ["ShiftLeft", 16], Control: ["ControlLeft", 17], Alt: ["AltLeft", 18], Meta: ["MetaLeft", 91],
};

// Characters of the keys besides letters and digits: plain, shifted, code, keyCode in Firefox.
const MARKS = [
  ["`", "~", "Backquote", 192], ["-", "_", "Minus", 173], ["=", "+", "Equal", 61], ["[", "{", "BracketLeft", 219], ["]", "}", "BracketRight", 221],
  ["\\", "|", "Backslash", 220], [";", ":", "Semicolon", 59], ["'", '"', "Quote", 222], [",", "<", "Comma", 188], [".", ">", "Period", 190], ["/", "?", "Slash", 191],
];
const SHIFTED_DIGITS = ")!@#$%^&*(";

// keyOf gives {key, code, keyCode, char, shift} of a key's name or of one
// character (which may be several code points); undefined for other names.
export function keyOf(name) {
  if (NAMED[name]) {
    const char = name === "Space" ? " " : "";
    return { __proto__: null, key: char || name, code: NAMED[name][0], keyCode: NAMED[name][1], char, shift: false };
  }
  if (name === "\n") return keyOf("Enter");
  if (name === "\t") return keyOf("Tab");
  if (name === " ") return keyOf("Space");
  return character(name);
}

function character(char) {
  const it = (code, keyCode, shift) => ({ __proto__: null, key: char, code, keyCode, char, shift });
  if (/^[a-zA-Z]$/.test(char)) return it("Key" + char.toUpperCase(), char.toUpperCase().charCodeAt(0), char < "a");
  if (/^[0-9]$/.test(char)) return it("Digit" + char, char.charCodeAt(0), false);
  const digit = char.length === 1 ? SHIFTED_DIGITS.indexOf(char) : -1;
  if (digit >= 0) return it("Digit" + digit, 48 + digit, true);
  for (let i = 0; i < MARKS.length; i++) {
    const mark = MARKS[i]; // plain, shifted, code, keyCode
    if (char === mark[0] || char === mark[1]) return it(mark[2], mark[3], char === mark[1]);
  }
  return it("", 0, false);
}

// single says whether a text is one character, as people count them.
export function single(text) {
  if (text === "") return false;
  if (typeof Intl.Segmenter !== "function") return count(text) === 1;
  return graphemes(text).length === 1;
}

export function graphemes(text) {
  const out = [];
  const parts = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
  for (let at = 0; at < text.length; ) {
    const { segment } = parts.containing(at);
    out[out.length] = segment;
    at += segment.length;
  }
  return out;
}
