// Prose is one walk down the flat tree that makes blocks of text. A loop over a
// stack, since pages may be a hundred thousand elements deep.

import { bare } from "../bare.js";
import { role } from "../role.js";
import { set } from "../sets.js";
import { level } from "../states.js";
import { blank, collapse } from "../text.js";
import { ELEMENT } from "../view.js";
import { Markers } from "./markers.js";
import { cells, isData } from "./tables.js";

// Not text of the page: drawn, played, typed in or chosen from.
const SKIP = set("canvas video audio object embed textarea select input datalist progress meter svg template script style head img");
const INLINE = { __proto__: null, inline: true, contents: true, "inline-block": true, "inline-flex": true, "inline-grid": true, ruby: true, "ruby-base": true, "ruby-text": true };
const PRE = { __proto__: null, pre: true, "pre-wrap": true, "pre-line": true, "break-spaces": true };

// One open element.
class Level {
  constructor(el, it, kids, how) {
    this.el = el;
    this.it = it;
    this.kids = kids;
    this.at = 0;
    this.how = how;
    this.block = true;
    this.after = ""; // what ends the element's own text
  }
}

bare(Level);

// How text inside an element is told: kind, heading level, depth in lists and in
// quotations, marker of the list item (n is -1 for none at all). Shared by what is inside until the next
// element that says otherwise; used says that the item has had its marker.
const PLAIN = { __proto__: null, k: "p", l: 0, d: 0, q: 0, m: "", n: 0, used: false, pre: false };

export class Prose {
  constructor(view, { drops, links, limit }) {
    this.view = view;
    this.dom = view.dom;
    this.markers = new Markers(view);
    this.drops = drops;
    this.links = links;
    this.left = limit;
    this.blocks = [];
    this.size = 0; // UTF-16 units of text
    this.full = false;
    this.text = "";
    this.how = PLAIN;
    this.stack = [];
  }

  walk(el) {
    const { stack } = this;
    if (this.view.gone(el)) return;
    this.enter(el, null);
    while (stack.length > 0 && !this.full) {
      const top = stack[stack.length - 1];
      if (top.at < top.kids.length) {
        const kid = top.kids[top.at++];
        try {
          if (this.dom.kind(kid) === ELEMENT) this.enter(kid, top);
          else this.put(kid, top);
        } catch {
          // an element that cannot be read is left out
        }
      } else {
        stack.length--;
        if (top.after) this.text += top.after;
        if (top.block) this.flush();
      }
    }
    this.flush();
  }

  enter(el, above) {
    const { view } = this;
    const it = view.of(el);
    if (view.cut(el, it)) return;
    const tag = it.html ? it.tag : "";
    if (it.svg || SKIP[tag]) return;
    if (tag === "br") return void (this.text += "\n");
    if (tag === "iframe" || tag === "frame") return this.frame(el);
    if (above !== null && this.drops !== null && this.drops(el)) return;
    const how = this.manner(el, it, tag, above ? above.how : PLAIN);
    if (tag === "table" && it.shown && isData(view, el)) return this.table(el, how);
    const open = new Level(el, it, this.dom.css.contentVisibility(it.css) === "hidden" ? [] : view.kids(el, it), how);
    open.block = !INLINE[it.display];
    if (open.block) this.flush();
    this.around(el, it, tag, open);
    this.stack[this.stack.length] = open;
  }

  // manner says how what is in an element is told.
  manner(el, it, tag, how) {
    const { view } = this;
    const r = role(view, el);
    if (r === "heading") return { ...how, k: "h", l: level(view, el, r), used: false };
    if (tag === "blockquote") return { ...how, q: how.q + 1 };
    if (tag === "pre") return { ...how, k: how.k === "h" ? "h" : "c", pre: true };
    if (r === "listitem" || (tag === "li" && r !== "none")) return { ...how, k: "i", d: how.d + 1, m: this.markers.of(el), n: 0, used: false };
    if (tag === "dd") return { ...how, k: "i", d: how.d + 1, m: "", n: -1, used: false };
    return how;
  }

  // around puts what belongs before and after an element's text.
  around(el, it, tag, open) {
    if (tag === "rt") {
      this.text += "(";
      open.after = ")";
    } else if (tag === "q") {
      this.text += "\u201c";
      open.after = "\u201d";
    } else if (tag === "td" || tag === "th") open.after = " ";
    else if (tag === "a" && this.links && this.dom.has(el, "href")) {
      const href = this.dom.anchorHref(el);
      if (href.length > 2000 || !(href.startsWith("http:") || href.startsWith("https:"))) return;
      this.text += "[";
      open.after = "](" + href + ")";
    }
  }

  // put adds a text node.
  put(node, level) {
    if (!level.it.shown) return;
    const data = this.dom.data(node);
    if (this.text === "") {
      if (!level.how.pre && blank(data)) return;
      this.how = level.how;
    }
    this.text += level.how.pre || (data.indexOf("\n") >= 0 && this.keeps(level)) ? data : oneLine(data);
    if (this.text.length > this.left) {
      this.flush();
      this.full = true;
    }
  }

  // keeps says whether line breaks in the source are line breaks on the page.
  keeps(level) {
    if (level.keeps === undefined) level.keeps = PRE[this.view.ctx.builtins.getterOf(level.it.css, "whiteSpace")(level.it.css)] === true;
    return level.keeps;
  }

  flush() {
    if (this.text === "") return;
    const { how } = this;
    const { text } = this;
    this.text = "";
    if (how.pre) return this.say(trimLines(text), how);
    // An empty line between two line breaks parts paragraphs.
    let from = 0;
    for (let at = 0; (at = gap(text, from)) >= 0; from = at) this.say(lines(text.substring(from, at)), how);
    this.say(lines(text.substring(from)), how);
  }

  say(t, how) {
    if (t !== "") this.add({ __proto__: null, k: how.k, t }, how);
  }

  add(block, how) {
    const { q, d, m, n, l } = how;
    if (block.k === "i" && how.used) block.k = "p"; // further paragraphs of an item
    how.used = how !== PLAIN;
    if (q) block.q = q;
    if (d) block.d = d;
    if (n && block.k === "i") block.n = n;
    if (m && block.k === "i") block.m = m;
    if (l && block.k === "h") block.l = l;
    this.blocks[this.blocks.length] = block;
    const size = block.t === undefined ? 0 : block.t.length;
    this.size += size;
    this.left -= size;
    if (this.left <= 0) this.full = true;
  }

  // frame marks the place of a frame: what is in it belongs to another agent.
  frame(el) {
    const { dom, view } = this;
    const id = view.ctx.host.frameId(el);
    const box = dom.rect(el);
    if (!id || box.width < 2 || box.height < 2) return;
    this.flush();
    this.add({ __proto__: null, k: "f", b: id }, PLAIN);
  }

  // linked gives the text of a cell with the addresses behind its links.
  linked(cell, limit) {
    const inner = new Prose(this.view, { drops: null, links: true, limit });
    inner.walk(cell);
    let out = "";
    for (let i = 0; i < inner.blocks.length; i++) if (inner.blocks[i].t) out += (out ? " " : "") + inner.blocks[i].t;
    return collapse(out);
  }

  // table tells a table of data row by row.
  table(el, how) {
    this.flush();
    const rows = this.links ? cells(this.view, el, (cell, limit) => this.linked(cell, limit)) : cells(this.view, el);
    for (let i = 0; i < rows.length && !this.full; i++) {
      const row = rows[i];
      let size = 0;
      for (let k = 0; k < row.texts.length; k++) size += row.texts[k].length;
      this.add({ __proto__: null, k: row.caption ? "p" : "r", t: row.caption ? row.texts[0] : undefined, c: row.caption ? undefined : row.texts, h: row.head || undefined }, { ...how, k: "r" });
      this.size += row.caption ? 0 : size;
      this.left -= row.caption ? 0 : size;
    }
  }
}

bare(Prose);

// oneLine turns the line breaks of the source into spaces.
function oneLine(data) {
  let out = "";
  let from = 0;
  for (let i = 0; i < data.length; i++) {
    if (data[i] !== "\n" && data[i] !== "\r" && data[i] !== "\t" && data[i] !== "\f") continue;
    out += data.substring(from, i) + " ";
    from = i + 1;
  }
  return from === 0 ? data : out + data.substring(from);
}

// gap finds the second of two line breaks with nothing between, -1 for none.
function gap(text, from) {
  let last = -1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "\n") {
      if (last >= 0) return i;
      last = i;
    } else if (last >= 0 && !blank(text[i])) last = -1;
  }
  return -1;
}

// lines collapses each line and drops empty ones.
function lines(text) {
  let out = "";
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && text[i] !== "\n") continue;
    const line = collapse(text.substring(from, i));
    if (line) out += (out ? "\n" : "") + line;
    from = i + 1;
  }
  return out;
}

// trimLines drops empty lines at both ends of code.
function trimLines(text) {
  let from = 0;
  let to = text.length;
  for (let i = 0; i < to && (text[i] === "\n" || text[i] === " " || text[i] === "\r" || text[i] === "\t"); i++) if (text[i] === "\n") from = i + 1;
  while (to > from && (text[to - 1] === "\n" || text[to - 1] === " " || text[to - 1] === "\r" || text[to - 1] === "\t")) to--;
  return text.substring(from, to);
}
