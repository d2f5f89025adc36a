// Roles, after ARIA 1.3, HTML-AAM and SVG-AAM. "" is no role (generic).

import { authorName } from "./name.js";
import { blank } from "./text.js";
import { set } from "./sets.js";
import { words } from "./words.js";

// The roles that an attribute may name.
const KNOWN = set(`alert alertdialog application article banner blockquote button caption cell checkbox code columnheader
  combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic
  grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem
  menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup
  region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status
  strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree
  treegrid treeitem associationlist associationlistitemkey associationlistitemvalue
  doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
  doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
  doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
  doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
  doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc graphics-document graphics-object graphics-symbol`);

const SYNONYM = { __proto__: null, img: "image", presentation: "none", directory: "list" };

const GLOBAL = `aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details aria-dropeffect
  aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant
  aria-roledescription`;
const GLOBALS = words(GLOBAL);

// Elements whose role is always the same.
const PLAIN = {
  __proto__: null,
  article: "article", blockquote: "blockquote", button: "button", caption: "caption", code: "code", dialog: "dialog",
  figure: "figure", main: "main", mark: "mark", math: "math", meter: "meter", search: "search", strong: "strong",
  table: "table", time: "time", address: "group", details: "group", fieldset: "group", hgroup: "group", optgroup: "group",
  nav: "navigation", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
  dd: "definition", dt: "term", dfn: "term", del: "deletion", s: "deletion", ins: "insertion", em: "emphasis",
  sub: "subscript", sup: "superscript", p: "paragraph", hr: "separator", output: "status", progress: "progressbar",
  ul: "list", dir: "list", ol: "list", menu: "list", option: "option", datalist: "listbox", textarea: "textbox", iframe: "iframe", frame: "iframe",
};

const INPUT = {
  __proto__: null,
  text: "textbox", email: "textbox", tel: "textbox", url: "textbox", search: "searchbox", number: "spinbutton",
  range: "slider", checkbox: "checkbox", radio: "radio", button: "button", submit: "button", reset: "button", image: "button",
};

const SECTIONS = set("article aside main nav section");
const SECTION_ROLES = set("article complementary main navigation region");
const NEAR = 64; // how far up context is looked for

// role gives the ARIA role.
export function role(view, el) {
  const it = view.of(el);
  if (it.role === undefined) {
    it.role = ""; // a name on the way may ask again
    it.role = explicit(view, el, it) ?? implicit(view, el, it);
  }
  return it.role;
}

// roleWord gives what a line prints: the role, else the input's type, summary, or "".
export function roleWord(view, el) {
  const r = role(view, el);
  const it = view.of(el);
  if (r) return r === "graphics-document" && it.svg ? "image" : r;
  if (!it.html) return "";
  if (it.tag === "input") return "input " + view.dom.inputType(el);
  return it.tag === "summary" && isSummary(view, el) ? "summary" : "";
}

function explicit(view, el, it) {
  const text = view.attr(el, "role");
  if (text === null) return null;
  const tokens = words(text);
  for (let i = 0; i < tokens.length; i++) {
    let token = tokens[i].toLowerCase();
    if (!KNOWN[token]) continue;
    token = SYNONYM[token] ?? token;
    if (token === "generic") return "";
    if (token === "none") return conflicts(view, el, it) ? null : "none";
    if ((token === "region" || token === "form") && !authorName(view, el)) continue;
    return token;
  }
  return null;
}

// conflicts says whether role=none has to be ignored.
function conflicts(view, el, it) {
  if (focusable(view, el, it)) return true;
  if (view.attr(el, "aria-hidden") === "true") return true;
  for (let i = 0; i < GLOBALS.length; i++) {
    const value = view.attr(el, GLOBALS[i]);
    if (value !== null && !blank(value)) return true;
  }
  return false;
}

// focusable goes by markup, not by layout.
export function focusable(view, el, it = view.of(el)) {
  if (tabIndex(view, el) !== null) return true;
  if (it.svg) return it.tag === "a" && svgHref(view, el) !== null;
  if (!it.html) return false;
  switch (it.tag) {
    case "a":
    case "area":
      return view.dom.has(el, "href");
    case "input":
      return view.dom.inputType(el) !== "hidden" && !view.dom.matches(el, ":disabled");
    case "button":
    case "select":
    case "textarea":
      return !view.dom.matches(el, ":disabled");
    case "iframe":
    case "frame":
      return true;
    case "summary":
      return isSummary(view, el);
    case "audio":
    case "video":
      return view.dom.has(el, "controls");
    default:
      return editingHost(view, el);
  }
}

// tabIndex reads the attribute as HTML does: null if it is no number.
export function tabIndex(view, el) {
  const text = view.attr(el, "tabindex");
  if (text === null) return null;
  const n = parseInt(text, 10);
  return n === n ? n : null;
}

export function editingHost(view, el) {
  const value = view.attr(el, "contenteditable");
  if (value === null) return false;
  const word = value.toLowerCase();
  return word === "" || word === "true" || word === "plaintext-only";
}

export function svgHref(view, el) {
  return view.attr(el, "href") ?? view.dom.attrNS(el, "http://www.w3.org/1999/xlink", "href");
}

// isSummary: the first summary of a details.
export function isSummary(view, el) {
  const { dom } = view;
  const parent = dom.parent(el);
  if (!parent || dom.nodeName(parent).toLowerCase() !== "details") return false;
  for (let at = dom.firstElement(parent); at !== null; at = dom.nextElement(at)) if (dom.tag(at) === "summary") return at === el;
  return false;
}

function implicit(view, el, it) {
  if (it.svg) return svgRole(view, el, it);
  if (it.tag === "math" && !it.html) return "math";
  if (!it.html) return "";
  const plain = PLAIN[it.tag];
  if (plain) return plain;
  const special = SPECIAL[it.tag];
  const found = special ? special(view, el, it) : "";
  return found || (editingHost(view, el) ? "textbox" : "");
}

const named = (view, el) => !!authorName(view, el);

const SPECIAL = {
  __proto__: null,
  a: (view, el) => (view.dom.has(el, "href") ? "link" : ""),
  area: (view, el) => (view.dom.has(el, "href") ? "link" : ""),
  aside: (view, el) => (!within(view, el, false) || named(view, el) ? "complementary" : ""),
  header: (view, el) => (within(view, el, true) ? "sectionheader" : "banner"),
  footer: (view, el) => (within(view, el, true) ? "sectionfooter" : "contentinfo"),
  section: (view, el) => (named(view, el) ? "region" : ""),
  form: (view, el) => (named(view, el) ? "form" : ""),
  li: (view, el) => listItem(view, el),
  img: (view, el) => {
    if (view.attr(el, "alt") !== "") return "image";
    return !blank(view.attr(el, "aria-label") ?? "") || view.refs(el, "aria-labelledby").length > 0 ? "image" : "none";
  },
  select: (view, el) => (view.dom.has(el, "multiple") || view.dom.selectSize(el) > 1 ? "listbox" : "combobox"),
  input: (view, el) => {
    const type = view.dom.inputType(el);
    const r = INPUT[type] ?? "";
    return (r === "textbox" || r === "searchbox") && view.dom.list(el) ? "combobox" : r;
  },
  thead: (view, el) => rowGroup(view, el),
  tbody: (view, el) => rowGroup(view, el),
  tfoot: (view, el) => rowGroup(view, el),
  tr: (view, el) => (tableRole(view, el) === "none" ? "" : "row"),
  td: (view, el) => cell(view, el, "cell"),
  th: (view, el) => {
    const scope = (view.attr(el, "scope") ?? "").toLowerCase();
    if (tableRole(view, el) === "none") return "";
    if (scope === "row" || scope === "rowgroup") return "rowheader";
    if (scope === "col" || scope === "colgroup") return "columnheader";
    return rowHasCell(view, el) ? "rowheader" : "columnheader";
  },
};

function rowGroup(view, el) {
  return tableRole(view, el) === "none" ? "" : "rowgroup";
}

function cell(view, el, plain) {
  const table = tableRole(view, el);
  if (table === "none") return "";
  return table === "grid" || table === "treegrid" ? "gridcell" : plain;
}

// tableRole gives the role of the table that a part belongs to.
function tableRole(view, el) {
  const { dom } = view;
  let at = dom.parent(el);
  for (let n = 0; n < 4 && at !== null && dom.kind(at) === 1; n++, at = dom.parent(at)) {
    if (dom.tag(at) === "table") return role(view, at);
  }
  return "";
}

function rowHasCell(view, el) {
  const { dom } = view;
  const row = dom.parent(el);
  for (let at = row && dom.firstElement(row); at; at = dom.nextElement(at)) if (dom.tag(at) === "td") return true;
  return false;
}

function listItem(view, el) {
  const parent = view.parent(el);
  if (!parent) return "";
  const it = view.of(parent);
  const r = role(view, parent);
  if (it.html && (it.tag === "ul" || it.tag === "ol" || it.tag === "menu")) return r === "none" ? "" : "listitem";
  return r === "list" ? "listitem" : "";
}

// within says whether el is inside sectioning content, main counted or not.
function within(view, el, main) {
  let at = view.parent(el);
  for (let n = 0; n < NEAR && at !== null; n++, at = view.parent(at)) {
    const it = view.of(at);
    if (it.html && SECTIONS[it.tag] && (main || it.tag !== "main")) return !(it.tag !== "section" && role(view, at) === "none");
    const r = view.attr(at, "role");
    if (r !== null && SECTION_ROLES[role(view, at)] && (main || role(view, at) !== "main")) return true;
  }
  return false;
}

const SHAPES = set("circle ellipse line path polygon polyline rect image use text tspan textpath foreignobject");

function svgRole(view, el, it) {
  if (it.tag === "svg") return "graphics-document";
  if (it.tag === "a") return svgHref(view, el) !== null ? "link" : svgNamed(view, el) ? "group" : "";
  if (it.tag === "g") return svgNamed(view, el) ? "group" : "";
  if (SHAPES[it.tag.toLowerCase()]) return svgNamed(view, el) ? (it.tag === "text" || it.tag === "foreignObject" ? "group" : "image") : "";
  return "";
}

function svgNamed(view, el) {
  if (authorName(view, el)) return true;
  const { dom } = view;
  for (let at = dom.firstElement(el); at !== null; at = dom.nextElement(at)) {
    if (dom.tag(at) === "title" && !blank(dom.text(at))) return true;
  }
  return false;
}
