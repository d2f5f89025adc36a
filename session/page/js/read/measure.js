// measure takes stock of what a page says: one walk down the flat tree that gives
// each box its share of text, links, commas, paragraphs, lists and fields, with all
// that is in it. Text that nobody sees does not count, nor does what is none of the
// page's text by its role.

import { bare } from "../bare.js";
import { role } from "../role.js";
import { set } from "../sets.js";
import { collapse } from "../text.js";
import { ELEMENT } from "../view.js";
import { called, isNoise } from "./noise.js";
import { isData } from "./tables.js";

// Elements of text: no boxes of their own unless they are shown as such.
const PHRASES = set(`a abbr acronym b bdi bdo big cite code data dfn del em font i ins kbd label mark q rp rt ruby s samp small span strong
  sub sup time tt u var wbr`);
const FIELDS = set("input textarea select");
const SKIP = set("canvas video audio object embed svg template script style head datalist progress meter img");
const HEART = "main,[role=main],h1";
const INLINE = set("inline contents ruby ruby-base ruby-text");

export class Box {
  constructor(el, tag, up, it) {
    this.el = el;
    this.tag = tag;
    this.up = up;
    this.it = it;
    this.kids = [];
    this.role = "";
    this.called = null;
    this.own = 0; // text that is in no box below; of it, the longest part between two line breaks
    this.ownLinks = 0;
    this.ownCommas = 0;
    this.breaks = 0; // line breaks among it
    this.size = 0; // all text, in Latin characters
    this.links = 0; // of it in links
    this.commas = 0;
    this.paragraphs = 0;
    this.prose = 0; // text of paragraphs that go on for a while, without links
    this.heads = 0; // text in headings
    this.titles = 0; // headings of the first level
    this.listed = 0; // text in lists
    this.items = 0;
    this.fields = 0;
    this.data = false; // is, or has, a table of data
    this.score = 0;
  }
}

bare(Box);

class Level {
  constructor(kids, box, linked, over) {
    this.kids = kids;
    this.at = 0;
    this.box = box;
    this.linked = linked; // how much of its text is link: 0, 0.3 for one to a place on the page, 1
    this.over = over; // the box ends with this level
  }
}

bare(Level);

// measure gives the box of root, or null. strict leaves out what by its name is
// unlikely to be text. What is left out is added to the set out.
export function measure(view, root, strict, out) {
  const { dom } = view;
  if (view.gone(root)) return null;
  const stack = [];
  const first = new Box(root, dom.tag(root), null, view.of(root));
  stack[0] = new Level(view.kids(root), first, 0, true);
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    if (top.at === top.kids.length) {
      stack.length--;
      if (top.over) close(top.box);
      continue;
    }
    const kid = top.kids[top.at++];
    try {
      if (dom.kind(kid) === ELEMENT) enter(view, kid, top, stack, strict, out);
      else if (top.it === undefined || top.it.shown) say(top, dom.data(kid));
    } catch {
      // an element that cannot be read is left out
    }
  }
  return first;
}

function enter(view, el, top, stack, strict, out) {
  const { dom } = view;
  const it = view.of(el);
  if (view.cut(el, it)) return;
  const tag = it.html ? it.tag : "";
  const { box } = top;
  if (it.svg || SKIP[tag]) return;
  if (tag === "br") return void box.breaks++;
  if (FIELDS[tag]) return void box.fields++;
  if (isNoise(view, el)) return void out.add(el);
  let { linked } = top;
  if (tag === "a" && dom.has(el, "href")) linked = inPage(dom.attr(el, "href")) ? 0.3 : 1;
  if (tag === "span" && strict && dom.has(el, "class") && called(dom, el).unlikely) return void out.add(el);
  if (PHRASES[tag] === true && INLINE[it.display] === true) return push(stack, new Level(view.kids(el, it), box, linked, false), it);
  const names = called(dom, el);
  const below = new Box(el, tag, box, it);
  below.called = names;
  below.role = role(view, el);
  if (strict && names.unlikely && tag !== "body" && tag !== "main" && tag !== "article" && !inTable(box) && dom.one(el, HEART) === null) return void out.add(el);
  if (tag === "table") below.data = isData(view, el);
  box.kids[box.kids.length] = below;
  push(stack, new Level(view.kids(el, it), below, linked, true), it);
}

const inPage = (href) => href[0] === "#" && href.length > 1;

function push(stack, level, it) {
  level.it = it;
  stack[stack.length] = level;
}

function inTable(box) {
  for (let at = box; at !== null; at = at.up) if (at.data) return true;
  return false;
}

// say counts a text node.
function say(level, data) {
  const text = collapse(data);
  if (text === "") return;
  const { box } = level;
  const { size, commas } = weigh(text);
  box.own += size;
  box.ownLinks += size * level.linked;
  box.ownCommas += commas;
}

const WIDE = 2; // Latin characters that one of a script without spaces stands for

function weigh(text) {
  let size = text.length;
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === ",") commas++;
    else if (c > "\u2e80") {
      if (c >= "\u3040" && c <= "\u9fff") size += WIDE - 1;
      else if (c === "\uff0c") commas++;
      if (c === "\u3001" || c === "\u3002") commas++;
    } else if (c === "\u060c") commas++;
  }
  return { __proto__: null, size, commas };
}

const SHORTEST = 25; // characters of a paragraph
const LONG = 80;

// close adds up what is in a box, and adds it to the one around.
function close(box) {
  box.size += box.own;
  box.links += box.ownLinks;
  box.commas += box.ownCommas;
  if (box.own >= SHORTEST) box.paragraphs++;
  if (box.own >= LONG) box.prose += box.own - box.ownLinks;
  if (box.role === "heading") {
    box.heads = box.size;
    if (box.tag === "h1") box.titles = 1;
  }
  const list = box.tag === "ul" || box.tag === "ol";
  if (list) box.listed = box.size;
  if (box.tag === "li") box.items++;
  const { up } = box;
  if (up === null) return;
  up.size += box.size;
  up.links += box.links;
  up.commas += box.commas;
  up.paragraphs += box.paragraphs;
  up.prose += box.prose;
  up.heads += box.heads;
  up.titles += box.titles;
  up.listed += box.listed;
  up.items += box.items;
  up.fields += box.fields;
  up.data = up.data || box.data;
}
