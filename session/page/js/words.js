// words splits at ASCII white space.
export function words(text) {
  const out = [];
  let word = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === " " || c === "\n" || c === "\t" || c === "\r" || c === "\f") {
      if (word) out[out.length] = word;
      word = "";
    } else word += c;
  }
  if (word) out[out.length] = word;
  return out;
}
