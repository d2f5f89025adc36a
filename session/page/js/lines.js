// Which elements get a line, of which kind, and what stands in it.

import { description, name } from "./name.js";
import { NAME_LIMIT, typeOf } from "./describe.js";
import { editingHost, focusable, role, roleWord, tabIndex } from "./role.js";
import { level, states } from "./states.js";
import { set } from "./sets.js";
import { cut, has } from "./text.js";
import { href, value } from "./value.js";

const ACTIONS = set(`link button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider
  spinbutton switch tab textbox treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`);
// Structure that stands whatever it has, and structure that needs a name or a state.
const FRAMING = set(`heading banner main navigation contentinfo complementary region search form dialog alertdialog list listitem
  table grid treegrid row cell gridcell columnheader rowheader tree tablist menu menubar alert status log timer progressbar
  meter article`);
const NAMED = set("image group radiogroup toolbar tabpanel figure marquee math application feed note tooltip separator scrollbar graphics-document");
// Structure whose name is told by what is in it.
const UNNAMED = set("row cell gridcell listitem alert status log");
// What keeps its place in the outline although it can be focused.
const PLACES = set("banner main navigation contentinfo complementary region search form dialog alertdialog list table grid treegrid row cell");

const VALUE_LIMIT = 200;
const OPTIONS = 25;
const OPTIONS_LIMIT = 300;

// isWidget says whether an element is there to be acted on, and so is no mere place that can be.
export function isWidget(view, el, it, r) {
  if (ACTIONS[r]) return true;
  if (!it.html) return false;
  return it.tag === "input" || (it.tag === "summary" && roleWord(view, el) === "summary") || (r === "" && editingHost(view, el));
}

// kindOf gives "c" for what can be acted on, "g" for structure, "" for neither.
export function kindOf(view, el, it, r) {
  if (isWidget(view, el, it, r)) return "c";
  if (r === "gridcell" && focusable(view, el, it)) return "c";
  if (!PLACES[r]) {
    const index = tabIndex(view, el);
    if (index !== null && index >= 0) return r === "" && catchesFocus(view, el, it) ? "" : "c";
  }
  if (FRAMING[r]) return "g";
  return NAMED[r] && (name(view, el).text || states(view, el).length > 0) ? "g" : "";
}

// catchesFocus: an empty element without height or width is not there to be acted
// on, but to keep the focus in a dialog.
function catchesFocus(view, el, it) {
  if (view.dom.first(el) !== null || it.tag.indexOf("-") >= 0) return false;
  const { width, height } = view.dom.rect(el);
  return width === 0 || height === 0;
}

// control makes the node of something to act on. as is the control that a label
// stands for. known, if given, is the role of what has none.
export function control(reader, el, as, word, text) {
  const { view } = reader;
  const it = view.of(el);
  const told = as ?? el;
  const that = as ? view.of(as) : it;
  const r = role(view, told);
  const link = href(view, el);
  const node = {
    __proto__: null,
    i: view.ctx.registry.id(el),
    d: 0,
    k: "c",
    r: word ?? (roleWord(view, told) || "generic"),
    n: cut(text ?? name(view, told).text, NAME_LIMIT),
    s: list(states(view, told)),
    v: cut(value(view, told), VALUE_LIMIT) || undefined,
    a: undefined,
    t: it.tag,
    y: typeOf(view, el, it) || undefined,
    q: reader.selectors?.of(el),
    h: link.short || undefined,
  };
  const a = { __proto__: null };
  let some = false;
  const put = (key, what) => {
    if (!what) return;
    a[key] = what;
    some = true;
  };
  put("href", cut(link.full, 400));
  if (that.html && that.tag === "input") put("accept", cut(view.attr(told, "accept") ?? "", VALUE_LIMIT));
  put("options", options(view, told, that));
  put("level", level(view, told, r));
  put("description", cut(description(view, told), VALUE_LIMIT));
  if (some) node.a = a;
  return node;
}

const list = (items) => (items.length > 0 ? items : undefined);

// options of a closed drop-down, or of the list that a text field offers.
function options(view, el, it) {
  const { dom } = view;
  if (!it.html) return "";
  let all = null;
  if (it.tag === "select" && role(view, el) === "combobox") all = dom.options(el);
  else if (it.tag === "input" && role(view, el) === "combobox") {
    const offered = dom.list(el);
    all = offered && dom.all(offered, "option");
  }
  if (!all || all.length === 0) return "";
  let out = "";
  for (let i = 0; i < all.length; i++) {
    if (i === OPTIONS || out.length > OPTIONS_LIMIT) return out + "|\u2026";
    const label = dom.optionLabel(all[i]) || dom.optionValue(all[i]); // lists to choose from while typing often have values alone
    out += (i ? "|" : "") + cut(label.length > 1000 ? label.substring(0, 1000) : label, 60);
  }
  return out;
}

// structure makes the node of a landmark, heading, list, table…
export function structure(reader, el, r) {
  const { view } = reader;
  const it = view.of(el);
  const node = {
    __proto__: null,
    i: view.ctx.registry.id(el),
    d: 0,
    k: "g",
    r: r === "graphics-document" ? "image" : r,
    n: cut(UNNAMED[r] ? authored(view, el) : name(view, el).text, NAME_LIMIT) || undefined,
    s: undefined,
    v: undefined,
    a: undefined,
    t: it.tag,
  };
  if (!QUIET[r]) node.s = list(states(view, el));
  if (r === "progressbar" || r === "meter" || r === "scrollbar") node.v = cut(value(view, el), VALUE_LIMIT) || undefined;
  const a = { __proto__: null };
  if (r === "heading") a.level = level(view, el, r);
  else if (COUNTED[r]) {
    const n = items(view, el, it, r);
    if (n === 0) return node;
    a.count = n;
  } else {
    const more = QUIET[r] ? "" : description(view, el);
    if (!more) return node;
    a.description = cut(more, VALUE_LIMIT);
  }
  node.a = a;
  return node;
}

// folded: a heading that the control around it says, as in a link, is part of that control.
export function folded(reader, el, { carrier, said }) {
  if (!carrier || said === null) return false;
  if (!has(carrier.n, name(reader.view, el).text)) return said === true;
  carrier.a ??= { __proto__: null };
  carrier.a.heading ??= structure(reader, el, "heading").a.level;
  return true;
}

const QUIET = set("cell listitem list article table");
const COUNTED = set("list table grid treegrid");
const ROWS = "tr,[role~=row]";

function authored(view, el) {
  if (!view.dom.has(el, "aria-label") && !view.dom.has(el, "aria-labelledby")) return "";
  return name(view, el).from === "content" ? "" : name(view, el).text;
}

// items counts what a list or table holds.
function items(view, el, it, r) {
  const { dom } = view;
  if (r !== "list") return dom.all(el, ROWS).length;
  let n = 0;
  const kids = view.kids(el, it);
  for (let i = 0; i < kids.length && i < 10000; i++) {
    if (dom.kind(kids[i]) === 1 && role(view, kids[i]) === "listitem" && view.of(kids[i]).display !== "none") n++;
  }
  return n;
}
