// Sets of words, as objects without a prototype: membership is a property.

import { words } from "./words.js";

export function set(text) {
  const out = { __proto__: null };
  const list = words(text);
  for (let i = 0; i < list.length; i++) out[list[i]] = true;
  return out;
}
