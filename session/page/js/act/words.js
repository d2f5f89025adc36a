// The text that can be read in an element: what is shown of it, in the order and
// with the gaps in which it is shown.

const SILENT = /^(script|style|template|noscript|textarea|iframe|object|canvas|audio|video|head|title)$/;
const LABELS = /^(button|submit|reset)$/;

export const flatten = (text) => text.replace(/[\u200b\u00ad]/g, "").replace(/[\s\u00a0]+/g, " ");

// reader is what read fills: the text as it stands in the document, and as
// styles show its letters.
export const reader = () => ({
  __proto__: null,
  plain: "",
  cased: "",
  includes(needle) {
    return flatten(this.plain).includes(needle) || (this.cased !== this.plain && flatten(this.cased).includes(needle));
  },
});

// read collects what is seen of an element.
export function read(page, el, text, styled) {
  const { dom, native, host } = page;
  const tag = dom.tag(el);
  if (SILENT.test(tag)) return;
  const style = dom.style(el);
  if (style.display === "none" || style.display === "") return;
  const sees = style.visibility === "visible";
  const breaks = tag === "br" || !/^(inline|contents|ruby)/.test(style.display);
  const cell = breaks ? " " : "";
  add(text, cell);
  const boxes = styled && sees ? host.generated(el) : 0;
  if (boxes & 1) add(text, made(page, el, "::before"));
  if (tag === "input") {
    if (sees && LABELS.test(native.get(el, "type"))) add(text, native.get(el, "value"));
  } else if (tag === "select") {
    const chosen = native.get(el, "selectedOptions");
    for (let i = 0; sees && i < chosen.length; i++) add(text, " " + native.get(chosen[i], "label"));
  } else if (style.contentVisibility !== "hidden") {
    const root = host.shadow(el);
    const given = tag === "slot" ? dom.assigned(el) : [];
    if (given.length) for (let i = 0; i < given.length; i++) node(page, given[i], text, styled, sees, style);
    else {
      const closed = tag === "details" && !dom.has(el, "open");
      for (let kid = dom.first(root ?? el); kid; kid = dom.next(kid)) {
        if (!closed || (dom.kind(kid) === 1 && dom.tag(kid) === "summary")) node(page, kid, text, styled, sees, style);
      }
    }
  }
  if (boxes & 2) add(text, made(page, el, "::after"));
  add(text, cell);
}

function node(page, it, text, styled, sees, style) {
  const kind = page.dom.kind(it);
  if (kind === 1) read(page, it, text, styled);
  else if ((kind === 3 || kind === 4) && sees) add(text, page.dom.data(it), style.textTransform);
}

function add(text, piece, transform = "none") {
  if (piece === "") return;
  text.plain += piece;
  text.cased += transform === "uppercase" ? piece.toUpperCase() : transform === "lowercase" ? piece.toLowerCase() : transform === "capitalize" ? piece.replace(/(^|[\s\u00a0(])(\S)/g, (_, a, b) => a + b.toUpperCase()) : piece;
}

// made is the text that a style puts before or after an element.
export function made(page, el, pseudo) {
  const content = page.dom.style(el, pseudo).content;
  if (content === "none" || content === "normal" || content === "" || content === undefined) return "";
  let out = "";
  const pieces = /"((?:[^"\\]|\\.)*)"|attr\(\s*([-\w]+)/g;
  for (let found = pieces.exec(content); found !== null; found = pieces.exec(content)) {
    const quoted = found[1];
    const attr = found[2];
    out += attr ? page.attr(el, attr) : quoted.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16)) : char));
  }
  return out;
}
