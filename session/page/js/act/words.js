// The text that can be read on a page, for waiting. The question is only whether
// a certain text is there, and it is asked at every change; so the cheap answer
// "no" comes first, and styles are looked at only where the text may be.

const BREAKS = /^(address|article|aside|blockquote|br|button|caption|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|select|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/;
const SILENT = /^(script|style|template|noscript|textarea|iframe|object|canvas|audio|video|head|title)$/;
const LABELS = /^(button|submit|reset)$/;

export const flatten = (text) => text.replace(/[\u200b\u00ad]/g, "").replace(/[\s\u00a0]+/g, " ");

// shows says whether a text can be read on the page. styled asks for text that
// styles make, too, which takes a look at every element.
export function shows(page, wanted, styled) {
  const needle = flatten(wanted).trim();
  if (needle === "") return true;
  if (!styled && !flatten(raw(page)).toLowerCase().includes(needle.toLowerCase())) return false;
  const text = { __proto__: null, plain: "", cased: "" };
  const root = page.dom.documentElement(page.document);
  if (root) read(page, root, text, styled);
  return flatten(text.plain).includes(needle) || (text.cased !== text.plain && flatten(text.cased).includes(needle));
}

// raw is all text, seen or not, shadow trees included.
function raw(page) {
  const { dom, native, host, document } = page;
  let out = "";
  const visit = (node) => {
    for (let kid = dom.first(node); kid; kid = dom.next(kid)) {
      const kind = dom.kind(kid);
      if (kind === 3 || kind === 4) out += dom.data(kid);
      if (kind !== 1) continue;
      const tag = dom.tag(kid);
      if (BREAKS.test(tag)) out += " ";
      if (tag === "input" && LABELS.test(native.get(kid, "type"))) out += ` ${native.get(kid, "value")} `;
      const inner = tag.includes("-") || tag === "div" || tag === "span" ? host.shadow(kid) : null;
      if (inner) visit(inner);
      if (!SILENT.test(tag)) visit(kid);
      if (BREAKS.test(tag)) out += " ";
    }
  };
  visit(document);
  return out;
}

// read collects what is seen of an element.
function read(page, el, text, styled) {
  const { dom, native, host } = page;
  const tag = dom.tag(el);
  if (SILENT.test(tag)) return;
  const style = dom.style(el);
  if (style.display === "none" || style.display === "") return;
  const sees = style.visibility === "visible";
  const breaks = tag === "br" || !/^(inline|contents|ruby)/.test(style.display);
  const cell = breaks ? " " : "";
  add(text, cell);
  if (styled && sees) add(text, made(page, el, "::before"));
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
  if (styled && sees) add(text, made(page, el, "::after"));
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
function made(page, el, pseudo) {
  const content = page.dom.style(el, pseudo).content;
  if (content === "none" || content === "normal" || content === "" || content === undefined) return "";
  let out = "";
  for (const [, quoted, attr] of content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([-\w]+)/g)) {
    out += attr ? page.attr(el, attr) : quoted.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16)) : char));
  }
  return out;
}
