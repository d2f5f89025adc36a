// The walk: down the flat tree, making a flat list of nodes in document order,
// each with its depth. It is a loop over a stack, since pages may be thousands of
// elements deep, and an element that throws costs its own line only.

import { bare } from "./bare.js";
import { label, standIn } from "./describe.js";
import { Files } from "./files.js";
import { control, folded, isWidget, kindOf, structure } from "./lines.js";
import { name } from "./name.js";
import { answers, pointed, PRESSED, pressed, wraps } from "./press.js";
import { role } from "./role.js";
import { secret } from "./secret.js";
import { Selectors } from "./selector.js";
import { set } from "./sets.js";
import { blank, collapse, count, cut, has } from "./text.js";
import { ELEMENT } from "./view.js";

const PATIENCE = 8000; // ms of walking after which a page is too large; the server waits for 10 s
const EXCERPT = 300; // code points of a text block in the view controls

// Controls that show text: what their name does not say of it is told all the same.
const OPEN = set("link button summary tab switch menuitem menuitemcheckbox menuitemradio checkbox radio treeitem option gridcell");
const FRAMES = set("iframe frame object embed");

// One open element of the walk.
class Level {
  constructor(el, it, kids, above, depth) {
    this.el = el;
    this.it = it;
    this.kids = kids;
    this.at = 0;
    this.depth = depth; // of nodes made inside
    this.said = above ? above.said : null; // text inside is in this name; true: all of it
    this.inside = above !== null && above.inside; // of a control
    this.carrier = above ? above.carrier : null; // the node of the control around
    this.loose = above !== null && above.loose; // the control around, if any, is one in which there may be more to click
    this.pointer = false; // the cursor is one
    this.block = it.inline && above ? above.block : el;
    this.late = false; // file inputs inside that nothing shows come after the rest
    this.words = NONE; // the first that are said inside
  }
}

bare(Level);

export class Reader {
  constructor(view, { maxElements = 500, maxText = 20000, view: kind = "controls", light = false, rows = !light } = {}) {
    this.view = view;
    this.dom = view.dom;
    this.max = maxElements;
    this.roomLeft = maxElements < 10000 ? 8 * maxElements + 2000 : 100000; // nodes of all kinds
    this.textLeft = maxText;
    this.blockLimit = kind === "controls" ? EXCERPT : maxText;
    this.selectors = light ? null : new Selectors(view);
    this.trails = rows ? new Map() : null; // node of a control -> the levels around it, the outermost first
    this.nodes = [];
    this.controls = 0;
    this.listed = 0;
    this.errors = 0;
    this.canvases = 0;
    this.maps = 0;
    this.buffer = "";
    this.bufferLevel = null;
    this.full = false;
    this.tooLarge = false;
    this.textCut = false;
    this.files = new Files(this);
    this.stack = [];
    this.root = null; // where the walk began
    this.roots = []; // shadow roots that it has come to
    this.restless = false; // the page moved its elements during the walk
    this.started = view.ctx.now();
  }

  // begin puts the walk before el and all that is in it.
  begin(el) {
    this.root = el;
    this.files.watch(this.dom.queryAll(this.view.doc, "input[type=file]"));
    this.enter(el, null);
  }

  // go walks on until a moment (ms since 1970), and says whether it came to the end.
  go(until) {
    const { stack } = this;
    let n = 0;
    while (stack.length > 0) {
      if ((++n & 31) === 0) {
        const now = this.view.ctx.now();
        if (now - this.started > PATIENCE) return this.giveUp();
        if (now >= until) return false;
      }
      this.step(stack[stack.length - 1]);
    }
    this.flush();
    return true;
  }

  // step takes the next child of the innermost element, or leaves it.
  step(top) {
    if (top.at < top.kids.length) {
      const kid = top.kids[top.at++];
      try {
        if (this.dom.kind(kid) === ELEMENT) this.enter(kid, top);
        else this.text(kid, top);
      } catch {
        this.errors++;
      }
      return;
    }
    this.stack.length--;
    if (!top.it.inline || top.carrier !== this.carrier()) this.flush(); // what follows is not said in the control
    if (top.late) this.files.inner(top.el, top.depth);
  }

  // carrier is the node of the control that the walk is in, or null.
  carrier() {
    const top = this.stack[this.stack.length - 1];
    return top ? top.carrier : null;
  }

  giveUp() {
    this.flush();
    this.stack.length = 0;
    this.tooLarge = true;
    return true;
  }

  enter(el, above) {
    const { view, dom } = this;
    const it = view.of(el);
    if (view.cut(el, it)) {
      if (it.display !== "none" && this.buffer !== "") this.buffer += " "; // a picture or a mark between two words
      return this.files.cut(el, above ? above.depth : 0);
    }
    if (!it.inline || (it.html && it.tag === "br")) this.flush();
    else if (it.svg && it.tag === "text" && this.buffer !== "") this.buffer += " ";
    const level = new Level(el, it, NONE, above, above ? above.depth : 0);
    try {
      if (it.shown || it.display === "none") this.line(el, it, level, above);
      else this.files.unshown(el, level.depth);
    } catch {
      this.errors++;
    }
    if (it.html && SKIP[it.tag] && !(it.tag === "select" && role(view, el) === "listbox")) return;
    if (dom.css.contentVisibility(it.css) === "hidden") return this.files.inner(el, level.depth);
    level.kids = this.kids(el, it);
    if (level.kids.length > 0) this.stack[this.stack.length] = level;
    level.late = it.html && it.tag === "details" && !dom.has(el, "open");
  }

  kids(el, it) {
    const { view } = this;
    if (it.html) {
      const root = view.shadow(el, it);
      if (root) {
        view.addRoot(root);
        this.roots[this.roots.length] = root;
        this.files.watch(this.dom.rootQueryAll(root, "input[type=file]"));
      } else if (!view.ctx.isolated) this.sealedRoot(el, it);
    }
    return view.kids(el, it);
  }

  // sealedRoot notes an element of the page's own that shows something although
  // nothing is in it: only a closed shadow tree does that.
  sealedRoot(el, it) {
    const { dom } = this;
    if (dom.first(el) !== null || it.tag[0] === "-" || !hyphen(it.tag)) return;
    const box = dom.rect(el);
    if (box.width > 0 && box.height > 0) this.push({ __proto__: null, i: this.view.ctx.registry.id(el), d: this.depthNow(), k: "z", r: "shadow-root", n: it.tag, t: it.tag });
  }

  depthNow() {
    const top = this.stack[this.stack.length - 1];
    return top ? top.depth : 0;
  }

  // line makes the element's node, if it gets one, and settles what that means
  // for what is inside.
  line(el, it, level, above) {
    const { view } = this;
    const depth = level.depth;
    const isInput = it.html && it.tag === "input";
    if (isInput && secret(view.ctx, el)) view.ctx.secrets.add(el);
    if (isInput) this.files.met(el);
    if (it.html && FRAMES[it.tag] && this.frame(el, it, depth)) return;
    if (it.html && it.tag === "canvas") this.canvases++;
    if (it.html && it.tag === "label") return this.label(el, level, depth);
    const r = role(view, el);
    const kind = kindOf(view, el, it, r);
    if (kind === "c") {
      this.controls++;
      if (it.html && it.tag === "area") this.maps++;
      level.inside = true;
      if (this.stop()) return;
      const word = r === "" && !isInput && it.tag !== "summary" ? "clickable" : undefined;
      const node = control(this, el, null, word, label(view, el));
      this.add(node, depth);
      level.depth = depth + 1;
      level.carrier = node;
      const widget = isWidget(view, el, it, r);
      level.said = (!widget || OPEN[node.r]) && name(view, el).from !== "content" ? node.n : true;
      level.loose = !widget && r !== "gridcell";
      if (level.loose) level.pointer = pointed(view, it);
      return;
    }
    if (kind === "g") {
      if (this.full || (r === "heading" && folded(this, el, level))) return;
      level.pointer = pointed(view, it);
      if (PRESSED[r] && !level.inside && pressed(view, el, r, level, above) && this.press(el, r, level, depth)) return;
      const node = structure(this, el, r);
      if (r === "row" && node.s) node.s = undefined;
      this.add(node, depth);
      level.depth = depth + 1;
      if (node.n && TOLD[r] && name(view, el).from === "content") level.said = true;
      return;
    }
    if (it.html && CAPTIONS[it.tag] && above && name(view, above.el).from === "native") level.said = true;
    level.pointer = pointed(view, it);
    if ((!level.inside || level.loose) && !this.full) this.clickable(el, it, r, level, above, depth);
  }

  // press makes a control of structure. The cells of a row still say what is in
  // them. It returns false if there is no need.
  press(el, r, level, depth) {
    const text = label(this.view, el);
    if (wraps(this.view, el, text)) return false;
    this.controls++;
    level.inside = true;
    level.loose = true;
    if (this.stop()) return true;
    const node = control(this, el, null, r, text);
    this.add(node, depth);
    level.depth = depth + 1;
    level.carrier = node;
    level.said = r === "row" || !node.n ? null : node.n;
    return true;
  }

  // stop says whether no more lines are made.
  stop() {
    if (!this.full && (this.listed >= this.max || this.roomLeft <= 0)) {
      this.flush();
      this.full = true;
    }
    return this.full;
  }

  add(node, depth) {
    this.flush();
    node.d = depth;
    if (node.k === "c") {
      this.listed++;
      if (this.trails && node.y !== "file") this.trails.set(node, this.trail());
    }
    this.push(node);
  }

  // trail gives the innermost open levels.
  trail() {
    const { stack } = this;
    const out = [];
    for (let i = stack.length > TRAIL ? stack.length - TRAIL : 0; i < stack.length; i++) out[out.length] = stack[i];
    return out;
  }

  push(node) {
    if (this.roomLeft-- <= 0) {
      this.full = true;
      if (node.k !== "c") return;
    }
    this.nodes[this.nodes.length] = node;
  }

  label(el, level, depth) {
    const { view } = this;
    level.pointer = pointed(view, view.of(el));
    const as = standIn(view, el);
    if (as) {
      this.controls++;
      level.inside = true;
      if (this.stop()) return;
      this.add(control(this, el, as), depth);
      level.depth = depth + 1;
      level.said = true;
      return;
    }
    const of = view.dom.control(el);
    if (of && !view.hidden(of) && name(view, of).from === "native") level.said = true;
  }

  // frame makes the node of a frame. What is in it belongs to another agent.
  frame(el, it, depth) {
    const { view, dom } = this;
    const id = view.ctx.host.frameId(el);
    if (it.tag !== "iframe" && it.tag !== "frame" && !id) return false;
    if (this.full) return true;
    const box = dom.rect(el);
    if (box.width < 6 || box.height < 6) return true; // a tracker, with its border
    this.add({ __proto__: null, i: view.ctx.registry.id(el), d: 0, k: "f", r: "iframe", n: cut(name(view, el).text, 200) || undefined, t: it.tag, b: id || undefined }, depth);
    return true;
  }

  // clickable gives a line to what has no role and yet answers clicks.
  clickable(el, it, r, level, above, depth) {
    const { view } = this;
    if (!answers(view, el, it, level, above)) return;
    const text = label(view, el);
    if (!text || (level.inside && level.carrier && level.carrier.n === text) || wraps(view, el, text)) return;
    this.controls++;
    if (this.stop()) return;
    const node = control(this, el, null, r === "" || r === "none" ? "clickable" : undefined, text);
    this.add(node, depth);
    level.depth = depth + 1;
    level.said = text;
    level.carrier = node;
    level.inside = true;
    level.loose = true;
  }

  // text collects what is visible and not said by a name.
  text(node, level) {
    if (!level.it.shown) return;
    const wanted = this.trails && level.words.length < WORDS && level.carrier?.r !== "button";
    const collected = !this.full && this.textLeft > 0 && level.said !== true;
    if (!wanted && !collected) return;
    const data = this.dom.data(node);
    if (wanted && !blank(data)) this.hear(data, level.carrier);
    if (!collected) return;
    if (this.buffer === "") {
      if (blank(data)) return;
      this.bufferLevel = level;
    }
    if (this.buffer.length < 4 * this.blockLimit + 1000) this.buffer += data.length > 100000 ? data.substring(0, 100000) : data;
  }

  // hear notes what is said first in each of the open levels.
  hear(data, carrier) {
    const said = { __proto__: null, text: cut(collapse(data.substring(0, 200)), 60), of: carrier ? carrier.i : 0 };
    // A level has never heard less than those in it.
    for (let i = this.stack.length - 1; i >= 0 && this.stack[i].words.length < WORDS; i--) {
      const level = this.stack[i];
      if (level.words === NONE) level.words = [said];
      else level.words[level.words.length] = said;
    }
  }

  // firstWords walks until enough is said where the walk began.
  firstWords() {
    const { stack } = this;
    if (stack.length === 0) return NONE;
    const first = stack[0];
    while (stack.length > 0 && first.words.length < WORDS) this.step(stack[stack.length - 1]);
    return first.words;
  }

  // flush makes a text block of what has been collected.
  flush() {
    if (this.buffer === "") return;
    const level = this.bufferLevel;
    let text = collapse(this.buffer);
    this.buffer = "";
    if (!text || this.full || (level.said && has(level.said, text))) return;
    const limit = this.blockLimit < this.textLeft ? this.blockLimit : this.textLeft;
    const short = cut(text, limit);
    if (short !== text && limit === this.textLeft) this.textCut = true;
    text = short;
    this.textLeft -= count(text);
    const block = level.block;
    const id = this.lastBlock === block ? 0 : this.view.ctx.registry.id(block);
    this.lastBlock = block;
    this.push({ __proto__: null, i: id || undefined, d: level.depth, k: "x", n: text });
  }

  // raw gives the text of a document that Firefox shows by a viewer of its own, as
  // it does with XML without a style.
  raw() {
    const el = this.root;
    if (el === null || el !== this.dom.documentElement(this.view.doc)) return;
    const it = this.view.of(el);
    if (it.html || it.svg) return;
    const data = this.dom.text(el);
    const text = cut(collapse(data.length > 400000 ? data.substring(0, 400000) : data), this.textLeft);
    if (text) this.push({ __proto__: null, d: 0, k: "x", n: text });
  }
}

bare(Reader);

const NONE = [];
export const WORDS = 3; // pieces of text that a level remembers
const TRAIL = 16; // levels around a control that are remembered
const SKIP = set("canvas video audio object textarea iframe frame select input img embed");
const TOLD = set("heading columnheader rowheader image tooltip");
const CAPTIONS = set("legend caption figcaption");

function hyphen(tag) {
  return has(tag, "-");
}
