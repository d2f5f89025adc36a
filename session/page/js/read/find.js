// find looks for elements without giving the rest of the page: by text, role,
// name and selector, of which all that are given must match. What it finds are
// the lines of a snapshot, so that what is a control, and what it is called, is
// the same here as there; what has no line (elements that a selector finds, rare
// roles) is described for itself.

import { bare } from "../bare.js";
import { fail } from "../fault.js";
import { name, plainText } from "../name.js";
import { markRows } from "../rows.js";
import { Selectors } from "../selector.js";
import { afterReading } from "../look.js";
import { collapse, cut } from "../text.js";
import { inside, nearest, place } from "./around.js";
import { around, EXACT, fold, match, NO, wish } from "./match.js";
import { elementFacts, Places } from "./places.js";
import { ranked } from "./rank.js";
import { oneName, rare } from "./roles.js";

const EVERYTHING = { __proto__: null, view: "full", light: true, rows: true, maxElements: 1000000, maxText: 16000000 };
const TEXT = 20000; // characters of a container that are searched
const SHOWN = 240; // code points of a text that is shown
const PATIENCE = 4000; // ms for looking at candidates, after the walk
const OTHERS = 6; // roles that are told when the wanted one is not there

class Finder {
  constructor(args, reader) {
    this.ctx = reader.view.ctx;
    this.text = wish(args.text ?? "");
    this.name = wish(args.name ?? "");
    this.role = oneName(collapse(args.role ?? "").toLowerCase());
    this.selector = args.selector ?? "";
    this.limit = args.limit ?? 20;
    this.view = reader.view;
    this.nodes = reader.nodes;
    this.places = new Places(this.view, this.nodes);
    this.plain = !this.text && !this.name;
    this.hits = [];
    this.total = 0;
    this.stopped = false;
  }

  run() {
    if (this.selector) this.elements(this.places.matching(this.selector));
    else if (this.role && rare(this.role)) this.elements(this.places.withRole(this.role));
    else for (let i = 0; i < this.nodes.length; i++) this.line(i);
  }

  // line looks at one line of the page.
  line(at) {
    const n = this.nodes[at];
    if (this.role && !this.hasRole(n)) return;
    this.hit(at, null, this.fit(n, at), disabled(n) ? 1 : 0);
  }

  hasRole(n) {
    if (n.r === this.role) return true;
    if (n.k === "x") return this.role === "text";
    return this.role === "heading" && n.a !== undefined && n.a.heading !== undefined;
  }

  // fit says how well a line fits the texts that are looked for.
  fit(n, at) {
    const named = this.name ? (n.k === "x" ? NO : match(this.fullName(n), this.name)) : EXACT;
    if (named === NO || !this.text) return named;
    const said = this.said(n, at);
    return said === NO ? NO : said > named ? said : named;
  }

  fullName(n) {
    const text = n.n ?? "";
    if (text.length < 200) return text;
    const el = this.ctx.registry.node(n.i);
    return el ? elementFacts(this.view, el).name : text;
  }

  // said: the text of a line is what it is called, what it holds and offers; of a
  // container also what is in it, if containers are asked for.
  said(n, at) {
    let best = match(n.k === "x" ? n.n : this.fullName(n), this.text);
    const also = (text) => {
      if (best === EXACT || !text) return;
      const how = match(text, this.text);
      if (how < best) best = how;
    };
    if (n.k === "c") {
      also(n.v);
      if (n.a) also(n.a.options);
      const el = best === NO ? this.ctx.registry.node(n.i) : null;
      if (el && FIELDS[n.t]) also(this.ctx.dom.attr(el, "placeholder"));
      else if (el && name(this.view, el).from !== "content") also(plainText(this.view, el, TEXT));
    } else if (n.k === "g" && this.role) also(inside(this.nodes, at, TEXT));
    return best;
  }

  // elements looks at elements, which may have a line or not, be shown or not.
  elements(list) {
    const { view, ctx } = this;
    const start = ctx.now();
    let usable = 0;
    for (let i = 0; i < list.length; i++) {
      if (this.plain && !this.role && usable >= this.limit) {
        this.total += list.length - i;
        return;
      }
      if ((i & 63) === 63 && ctx.now() - start > PATIENCE) {
        this.stopped = true;
        return;
      }
      const el = list[i];
      const at = this.places.lineOf(el);
      if (at >= 0) {
        const n = this.nodes[at];
        if (this.role && !this.hasRole(n)) continue;
        const off = disabled(n) ? 1 : 0;
        if (this.hit(at, null, this.fitElement(el, n, at), off) && off === 0) usable++;
        continue;
      }
      const facts = elementFacts(view, el);
      if (this.role && facts.role !== this.role) continue;
      if (this.hit(-1, el, this.fitFacts(el, facts), facts.off) && facts.off === 0) usable++;
    }
  }

  fitElement(el, n, at) {
    const how = this.fit(n, at);
    return how === NO && n.k !== "c" ? this.fitFacts(el, elementFacts(this.view, el)) : how;
  }

  fitFacts(el, facts) {
    const named = this.name ? match(facts.name, this.name) : EXACT;
    if (named === NO || !this.text) return named;
    let said = match(facts.name, this.text);
    if (said !== EXACT) {
      const inner = match(plainText(this.view, el, TEXT), this.text);
      if (inner < said) said = inner;
    }
    return said === NO ? NO : said > named ? said : named;
  }

  hit(at, el, how, off) {
    if (how === NO) return false;
    this.total++;
    this.hits[this.hits.length] = { at, el, how, off, order: 0, spot: null };
    return true;
  }

  // across looks for a text that no single line has, since a link or a button in
  // it cuts it into pieces.
  across() {
    const { nodes } = this;
    const wanted = joined(this.text);
    for (let i = 0; i < nodes.length; ) {
      let end = i + 1;
      if (spoken(nodes[i])) while (end < nodes.length && nodes[end].d >= nodes[i].d && spoken(nodes[end]) && end - i < PIECES) end++;
      if (end > i + 1) this.pieces(i, end, wanted);
      i = end;
    }
  }

  // pieces looks at a run of lines as one text. The hit is the line where it begins.
  pieces(from, end, wanted) {
    const { nodes } = this;
    let whole = "";
    const ends = [];
    for (let i = from; i < end; i++) {
      const part = nodes[i].n ? joined(fold(nodes[i].n)) : "";
      if (part) whole += (whole && !MARKS[part[0]] ? " " : "") + part;
      ends[i - from] = whole.length;
    }
    const at = whole.indexOf(wanted);
    if (at < 0) return;
    let first = from;
    while (ends[first - from] <= at) first++;
    let last = first;
    while (last + 1 < end && ends[last - from] < at + wanted.length) last++;
    let text = "";
    for (let i = first; i <= last; i++) if (nodes[i].n) text += " " + nodes[i].n;
    this.hit(first, null, match(joined(collapse(text)), wanted), 0);
    const hit = this.hits[this.hits.length - 1];
    if (hit && hit.at === first) hit.whole = joined(collapse(text));
  }

  // others counts by role what has the other qualities but not the role.
  others() {
    const counts = { __proto__: null };
    for (let i = 0; i < this.nodes.length; i++) {
      const n = this.nodes[i];
      if (n.k === "x" || (n.k === "g" && !n.n) || this.fit(n, i) === NO) continue;
      counts[n.r] = (counts[n.r] ?? 0) + 1;
    }
    const out = { __proto__: null };
    for (let k = 0; k < OTHERS; k++) {
      let best = "";
      for (const r in counts) if (best === "" || counts[r] > counts[best]) best = r;
      if (best === "") break;
      out[best] = counts[best];
      delete counts[best];
    }
    return out;
  }

  // answer makes what is told of one hit.
  answer(hit, selectors) {
    const { ctx, nodes, view, text } = this;
    const out = { __proto__: null };
    const { at, depth, own } = hit.spot;
    let said;
    if (hit.el === null) {
      const n = nodes[at];
      for (const key in n) out[key] = n[key];
      said = n.n;
      if (n.k === "x") out.n = around(hit.whole ?? n.n, text, SHOWN);
      else if (n.k === "c") {
        out.q = selectors.of(ctx.registry.node(n.i));
        if (hit.whole) out.x = around(hit.whole, text, SHOWN);
      } else if (!n.n) out.x = around(inside(nodes, at, TEXT), text, SHOWN) || undefined;
    } else {
      const facts = elementFacts(view, hit.el);
      out.i = ctx.registry.id(hit.el);
      out.k = "g";
      out.r = facts.role || "generic";
      out.n = cut(facts.name, 200) || undefined;
      out.t = facts.tag;
      out.s = facts.off === 2 ? ["hidden"] : facts.off === 1 ? ["disabled"] : undefined;
      said = plainText(view, hit.el, TEXT);
      if (said !== facts.name) out.x = around(said, text, SHOWN) || undefined;
    }
    out.m = hit.how;
    out.o = at;
    out.f = hit.off;
    const where = place(nodes, at, depth, said);
    for (const key in where) out[key + "x"] = where[key];
    if (out.k === "c") return out;
    const near = (hit.el !== null && this.places.holds(hit.el, at)) || nearest(nodes, at, depth, own);
    if (near) {
      const n = nodes[near.at];
      out.near = { __proto__: null };
      for (const key in n) out.near[key] = n[key];
      out.near.q = selectors.of(ctx.registry.node(n.i));
      out.how = near.how;
    }
    return out;
  }
}

bare(Finder);

const PIECES = 60; // of one text
const spoken = (n) => n.k === "x" || n.k === "c";
const GAP = / [,.;:!?)]/;
const MARKS = { __proto__: null, ",": true, ".": true, ";": true, ":": true, "!": true, "?": true, ")": true };

// joined closes the gaps that pieces leave before marks.
function joined(text) {
  if (!GAP.test(text)) return text[0] === " " ? text.substring(1) : text;
  let out = "";
  for (let i = 0; i < text.length; i++) if (text[i] !== " " || !(out === "" || MARKS[text[i + 1]])) out += text[i];
  return out;
}

const FIELDS = { __proto__: null, input: true, textarea: true, select: true };

function disabled(n) {
  if (n.s) for (let i = 0; i < n.s.length; i++) if (n.s[i] === "disabled") return true;
  return false;
}

export function find(args, ctx) {
  if (args.selector) check(args.selector, ctx);
  return afterReading(ctx, EVERYTHING, (reader) => found(args, reader));
}

function check(selector, { dom, document }) {
  try {
    dom.query(document, selector);
  } catch {
    fail("invalid_selector", "selector is not valid CSS");
  }
}

function found(args, reader) {
  markRows(reader);
  const finder = new Finder(args, reader);
  finder.run();
  if (finder.total === 0 && finder.text && !finder.name && !finder.role && !finder.selector) finder.across();
  const best = ranked(finder);
  const selectors = new Selectors(finder.view);
  const hits = [];
  for (let i = 0; i < best.length; i++) hits[i] = finder.answer(best[i], selectors);
  const { ctx, nodes, total } = finder;
  const frames = [];
  for (let i = 0; i < nodes.length; i++) if (nodes[i].k === "f" && nodes[i].b) frames[frames.length] = { __proto__: null, b: nodes[i].b, o: i };
  return {
    __proto__: null,
    url: ctx.window.location.href,
    title: cut(ctx.dom.title(ctx.document) ?? "", 1000),
    ready: ctx.dom.readyState(ctx.document),
    hits,
    total,
    lines: nodes.length,
    frames,
    others: total === 0 && finder.role && !finder.selector ? finder.others() : undefined,
    modal: reader.modal ? 1 : undefined,
    stopped: finder.stopped || reader.tooLarge ? 1 : undefined,
  };
}
