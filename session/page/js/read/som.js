// som gives what a semantic object model says of a page beyond a snapshot's
// lines: particulars of its controls, its forms, and the data in its head.

import { href } from "../value.js";
import { set } from "../sets.js";
import { secret } from "../secret.js";
import { collapse, cut } from "../text.js";
import { name } from "../name.js";
import { View } from "../view.js";
import { words } from "../words.js";

const FORMS = 100;
const OPTIONS = 60;
const BLOCKS = 20; // of JSON-LD
const BLOCK = 60000; // UTF-16 units of one
const LINKS = 30;

// args: ids (of the controls that a snapshot named), head (whether the head is
// wanted). items has an object for each id, empty for a node that is gone.
export function som({ ids, head = false }, ctx) {
  const view = new View(ctx);
  const { document, dom } = ctx;
  const forms = [];
  const known = new Map();
  const items = [];
  for (let i = 0; i < ids.length; i++) {
    const el = ctx.registry.node(ids[i]);
    let item = { __proto__: null };
    try {
      if (el && dom.connected(el)) item = particulars(view, el, forms, known);
    } catch {
      // what cannot be read is left out
    }
    items[items.length] = item;
  }
  const root = dom.documentElement(document);
  return {
    __proto__: null,
    items,
    forms,
    head: head ? headData(view) : undefined,
    bytes: root ? bytes(ctx, root) : 0,
  };
}

function bytes(ctx, root) {
  try {
    return ctx.builtins.getterOf(root, "outerHTML")(root).length;
  } catch {
    return 0;
  }
}

// Attributes that are told as they are: key in the answer, attribute.
const PLAIN = [
  ["html_id", "id"], ["placeholder", "placeholder"], ["target", "target"], ["rel", "rel"], ["name", "name"], ["autocomplete", "autocomplete"],
  ["min", "min"], ["max", "max"], ["step", "step"], ["pattern", "pattern"], ["minlength", "minlength"], ["maxlength", "maxlength"], ["test_id", "data-testid"],
];

function particulars(view, el, forms, known) {
  const { dom, ctx } = view;
  const it = view.of(el);
  const out = { __proto__: null };
  for (let i = 0; i < PLAIN.length; i++) {
    const value = dom.attr(el, PLAIN[i][1]);
    if (value) out[PLAIN[i][0]] = cut(value, 200);
  }
  const classes = hints(dom.attr(el, "class") ?? "");
  if (classes.length > 0) out.hints = classes;
  const top = dom.root(el);
  if (dom.kind(top) === 11) out.shadow = ctx.builtins.getterOf(top, "mode")(top) === "closed" ? "closed" : "open";
  if (!it.html) return out;
  if (it.tag === "a" && href(view, el).full) out.href = cut(withoutUser(dom.anchorHref(el)), 2000);
  if (it.tag === "select") out.options = options(view, el);
  if (it.tag === "input" || it.tag === "button" || it.tag === "select" || it.tag === "textarea") {
    const form = ctx.builtins.getterOf(el, "form")(el);
    if (form) out.form = formOf(view, form, forms, known);
  }
  return out;
}

function withoutUser(url) {
  const at = url.indexOf("@");
  const start = url.indexOf("://");
  if (at < 0 || start < 0) return url;
  let end = start + 3;
  while (end < url.length && url[end] !== "/" && url[end] !== "?" && url[end] !== "#") end++;
  return at < end ? url.substring(0, start + 3) + url.substring(url.lastIndexOf("@", end) + 1) : url;
}

function options(view, el) {
  const { dom } = view;
  const all = dom.options(el);
  const hide = secret(view.ctx, el);
  const out = [];
  for (let i = 0; i < all.length && i < OPTIONS; i++) {
    const option = all[i];
    const one = { __proto__: null, value: cut(view.ctx.builtins.getterOf(option, "value")(option), 100), text: cut(collapse(dom.optionLabel(option)), 100) };
    if (!hide && dom.selected(option)) one.selected = true;
    if (dom.matches(option, ":disabled")) one.disabled = true;
    out[out.length] = one;
  }
  return out;
}

// formOf gives the number of a form, from 1, and describes it the first time.
function formOf(view, form, forms, known) {
  const { dom, ctx } = view;
  const got = known.get(form);
  if (got !== undefined) return got;
  if (forms.length === FORMS) return 0;
  const action = dom.attr(form, "action") ?? "";
  let url = "";
  try {
    url = new ctx.window.URL(action, dom.base(form)).href;
  } catch {
    url = action;
  }
  const out = { __proto__: null, id: ctx.registry.id(form), action: cut(withoutUser(url), 500), method: ctx.builtins.getterOf(form, "method")(form).toUpperCase() };
  if (typeof out.method !== "string" || out.method.length > 10) out.method = "GET";
  const label = name(view, form).text || dom.attr(form, "name") || dom.attr(form, "id") || "";
  if (label) out.label = cut(label, 200);
  const target = dom.attr(form, "target");
  if (target) out.target = cut(target, 50);
  if ((dom.attr(form, "enctype") ?? "").toLowerCase() === "multipart/form-data") out.enctype = "multipart/form-data";
  if (dom.has(form, "novalidate")) out.novalidate = true;
  forms[forms.length] = out;
  known.set(form, forms.length);
  return forms.length;
}

// What the words in a class say of an element's part or state.
const HINTS = {
  __proto__: null,
  primary: set("primary cta"), secondary: set("secondary"), danger: set("danger destructive delete"), warning: set("warning caution"), success: set("success"), error: set("error invalid"),
  disabled: set("disabled"), active: set("active current"), selected: set("selected checked"), loading: set("loading spinner skeleton"), collapsed: set("collapsed closed"), expanded: set("expanded open"),
  large: set("lg large xl"), small: set("sm small xs mini"), card: set("card"), hero: set("hero jumbotron"), modal: set("modal popup overlay"), notification: set("toast snackbar notification"),
  badge: set("badge chip pill"), sticky: set("sticky fixed pinned"), required: set("required mandatory"),
};

function hints(text) {
  if (!text || text.length > 1000) return [];
  const list = words(text.toLowerCase().replace(/[-_]+/g, " "));
  const out = [];
  for (const hint in HINTS) {
    for (let i = 0; i < list.length; i++) {
      if (!HINTS[hint][list[i]]) continue;
      out[out.length] = hint;
      break;
    }
  }
  return out.sort();
}

const META = set("description author keywords robots generator theme-color application-name article:published_time article:author");
const RELS = set("canonical icon apple-touch-icon manifest alternate amphtml author license search next prev");

function headData(view) {
  const { dom, doc } = view;
  const out = { __proto__: null, json_ld: [], open_graph: { __proto__: null }, twitter_card: { __proto__: null }, meta: { __proto__: null }, links: [] };
  const blocks = dom.queryAll(doc, 'script[type="application/ld+json" i]');
  for (let i = 0; i < blocks.length && i < BLOCKS; i++) {
    const text = dom.text(blocks[i]);
    if (text.length <= BLOCK) out.json_ld[out.json_ld.length] = text;
  }
  const metas = dom.queryAll(doc, "meta[content]");
  for (let i = 0; i < metas.length && i < 300; i++) {
    const key = (dom.attr(metas[i], "property") ?? dom.attr(metas[i], "name") ?? "").toLowerCase();
    const value = cut(collapse(dom.attr(metas[i], "content")), 500);
    if (!value || key.length > 60) continue;
    const into = key.startsWith("og:") ? out.open_graph : key.startsWith("twitter:") ? out.twitter_card : META[key] ? out.meta : null;
    const short = into === out.open_graph ? key.substring(3) : into === out.twitter_card ? key.substring(8) : key;
    if (into && !(short in into)) into[short] = value;
  }
  const links = dom.queryAll(doc, "link[rel][href]");
  for (let i = 0; i < links.length && out.links.length < LINKS; i++) {
    const rel = collapse(dom.attr(links[i], "rel").toLowerCase());
    const kinds = words(rel);
    let fit = false;
    for (let k = 0; k < kinds.length; k++) fit = fit || RELS[kinds[k]] === true;
    if (!fit || kinds.indexOf("stylesheet") >= 0) continue;
    const link = { __proto__: null, rel: cut(rel, 60), href: cut(dom.attr(links[i], "href"), 500) };
    const type = dom.attr(links[i], "type");
    const lang = dom.attr(links[i], "hreflang");
    if (type) link.type = cut(type, 60);
    if (lang) link.hreflang = cut(lang, 30);
    out.links[out.links.length] = link;
  }
  return out;
}
