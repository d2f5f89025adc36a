// Generated content: what ::before and ::after say.

import { collapse } from "./text.js";

// pseudo gives the text of generated content.
export function pseudo(view, el, it, which, all) {
  if (it.display === "none" && !all) return "";
  const css = view.dom.style(el, which);
  const text = view.dom.css.content(css);
  if (text === "none" || text === "normal" || text === "") return "";
  if (!all && (view.dom.css.visibility(css) !== "visible" || view.dom.css.display(css) === "none")) return "";
  const said = generated(text, (key) => view.attr(el, key));
  const display = view.dom.css.display(css);
  return display === "inline" || display === "contents" || display === "none" ? said : " " + said + " ";
}

// generated reads a computed `content`: strings, attributes and quotes count,
// images and counters do not; behind a slash stands the alternative text.
export function generated(text, attribute) {
  let out = "";
  for (let i = 0; i < text.length; ) {
    const c = text[i];
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) {
        if (text[i] === "\\") i++;
        out += text[i] ?? "";
      }
      i++;
    } else if (c === "/") {
      out = "";
      i++;
    } else {
      let word = "";
      for (; i < text.length && text[i] !== " " && text[i] !== "("; i++) word += text[i];
      if (text[i] === "(") {
        const end = past(text, i);
        if (word === "attr") out += fromAttribute(text.substring(i + 1, end - 1), attribute);
        i = end;
      }
      if (word === "open-quote") out += "\u201c";
      if (word === "close-quote") out += "\u201d";
      if (text[i] === " ") i++;
    }
  }
  return out;
}

// fromAttribute reads the inside of attr(): a name, perhaps a type, perhaps a fallback.
function fromAttribute(inside, attribute) {
  let key = "";
  let i = 0;
  for (; i < inside.length && inside[i] !== "," && inside[i] !== " "; i++) key += inside[i];
  const value = attribute(key);
  if (value !== null) return value;
  while (i < inside.length && inside[i] !== ",") i++;
  return i < inside.length ? generated(collapse(inside.substring(i + 1)), attribute) : "";
}

// past gives the index after the parenthesis that opens at i.
function past(text, i) {
  let depth = 0;
  let quoted = false;
  for (; i < text.length; i++) {
    const c = text[i];
    if (c === "\\") i++;
    else if (c === '"') quoted = !quoted;
    else if (!quoted && c === "(") depth++;
    else if (!quoted && c === ")" && --depth === 0) return i + 1;
  }
  return i;
}
