// Small helpers on strings, in plain syntax where a page's realm could have
// replaced the methods.

const isSpace = (c) => c === " " || c === "\n" || c === "\t" || c === "\r" || c === "\f";

// collapse turns runs of ASCII white space into one space and cuts the ends. A
// no-break space is not white space.
export function collapse(text) {
  let out = "";
  let from = 0;
  let gap = false;
  const n = text.length;
  for (let i = 0; i < n; i++) {
    if (!isSpace(text[i])) continue;
    if (i > from) {
      out += (gap && out ? " " : "") + text.substring(from, i);
      gap = false;
    }
    gap = true;
    from = i + 1;
  }
  if (n > from) out += (gap && out ? " " : "") + text.substring(from, n);
  return out;
}

// blank says whether there is nothing but ASCII white space.
export function blank(text) {
  for (let i = 0; i < text.length; i++) if (!isSpace(text[i])) return false;
  return true;
}

// cut shortens to a number of code points, the last of which is then "…".
export function cut(text, limit) {
  if (text.length <= limit) return text;
  let points = 0;
  let end = 0;
  for (let i = 0; i < text.length; i++, points++) {
    if (points === limit - 1) end = i;
    if (points === limit) return text.substring(0, end) + "\u2026";
    const lead = text[i] >= "\ud800" && text[i] <= "\udbff";
    if (lead && i + 1 < text.length && text[i + 1] >= "\udc00" && text[i + 1] <= "\udfff") i++;
  }
  return text;
}

// count gives the number of code points.
export function count(text) {
  let n = 0;
  for (let i = 0; i < text.length; i++, n++) {
    if (text[i] >= "\ud800" && text[i] <= "\udbff" && i + 1 < text.length && text[i + 1] >= "\udc00" && text[i + 1] <= "\udfff") i++;
  }
  return n;
}

// has says whether a string is in another.
export function has(text, part) {
  return text.indexOf(part) >= 0;
}
