// A View is one look at the document: it lives for one call, and remembers what
// it has found out about each element. Facts hang in one Map, with one computed
// style an element; whatever would otherwise be asked again and again (labels,
// owners, which roots there are) is collected once.

import { bare } from "./bare.js";
import { set } from "./sets.js";
import { words } from "./words.js";

const HTML = "http://www.w3.org/1999/xhtml";
const SVG = "http://www.w3.org/2000/svg";
const ELEMENT = 1;
const TEXT = 3;
const FRAGMENT = 11;

// Never rendered, whatever the style says.
const NEVER = { __proto__: null, script: true, style: true, template: true };
const SVG_NEVER = { __proto__: null, title: true, desc: true, metadata: true, defs: true, script: true, style: true };
// What is inside these is a fallback or the browser's own.
const SEALED = { __proto__: null, canvas: true, video: true, audio: true, object: true, textarea: true, iframe: true, frame: true, select: true };

class Facts {
  constructor(el, tag, html, svg) {
    this.el = el;
    this.tag = tag;
    this.html = html;
    this.svg = svg;
    this.css = null; // the live style
    this.display = "";
    this.shown = true; // not visibility: hidden
    this.inline = true; // inline or contents: no space around it in a name
    this.role = undefined;
    this.name = undefined;
    this.hidden = undefined; // itself or by an ancestor
  }
}

bare(Facts);

export class View {
  constructor(ctx) {
    this.ctx = ctx;
    this.dom = ctx.dom;
    this.doc = ctx.document;
    this.facts = new Map();
    this.labels = new Map(); // root -> Map(control -> [label])
    this.allOwners = null; // {moved: Map(element -> owner), owned: Map(owner -> [element])}
    this.roots = undefined; // host -> shadow root; null if the host object cannot tell
    this.ariaOff = new Map(); // element -> by aria-disabled
    this.maps = null; // name of an image map -> its image
  }

  of(el) {
    let it = this.facts.get(el);
    if (it === undefined) {
      it = this.#read(el);
      this.facts.set(el, it);
    }
    return it;
  }

  #read(el) {
    const { dom } = this;
    const space = dom.space(el);
    const it = new Facts(el, dom.tag(el), space === HTML, space === SVG);
    if (it.html ? NEVER[it.tag] : it.svg && SVG_NEVER[it.tag]) {
      it.display = "none";
      it.css = dom.style(el);
      return it;
    }
    const css = dom.style(el);
    const display = dom.css.display(css);
    it.css = css;
    // Outside the flat tree there is no style at all.
    it.display = display === "" ? "none" : display;
    it.inline = display === "inline" || display === "contents";
    if (it.display !== "none") it.shown = dom.css.visibility(css) === "visible";
    return it;
  }

  attr(el, name) {
    return this.dom.attr(el, name);
  }

  // shadow gives the shadow root of an element, closed ones too where the host
  // object can open them.
  shadow(el, it) {
    if (!it.html) return null;
    if (this.roots === undefined) this.#collectRoots();
    if (this.roots !== null) return this.roots.size === 0 ? null : (this.roots.get(el) ?? null);
    return canHost(it.tag) ? this.ctx.host.shadow(el) : null;
  }

  #collectRoots() {
    const all = this.ctx.host.shadows();
    this.roots = all && new Map();
    for (let i = 0; all && i < all.length; i++) this.roots.set(this.dom.hostOf(all[i]), all[i]);
  }

  // kids gives the flat tree's children, elements and texts: the shadow root's
  // in place of the host's, a slot's assigned nodes in place of its fallback, the
  // summary alone of a closed details, and what aria-owns brings in or takes away.
  kids(el, it = this.of(el)) {
    const { dom } = this;
    let list;
    if (it.html) {
      if (it.tag === "slot") {
        const given = dom.assigned(el);
        if (given.length > 0) return this.#pick(given);
      } else if (it.tag === "details" && !dom.has(el, "open")) return this.#summary(el);
      list = this.#children(this.shadow(el, it) ?? el);
    } else list = this.#children(el);
    return this.owns() ? this.#adopt(el, list) : list;
  }

  #children(node) {
    const { dom } = this;
    const list = [];
    for (let kid = dom.first(node); kid !== null; kid = dom.next(kid)) {
      const kind = dom.kind(kid);
      if (kind === ELEMENT || kind === TEXT || kind === 4) list[list.length] = kid;
    }
    return list;
  }

  #pick(nodes) {
    const list = [];
    for (let i = 0; i < nodes.length; i++) list[i] = nodes[i];
    return list;
  }

  #summary(el) {
    const { dom } = this;
    for (let kid = dom.firstElement(el); kid !== null; kid = dom.nextElement(kid)) {
      if (dom.tag(kid) === "summary") return [kid];
    }
    return [];
  }

  // owns says whether aria-owns moves anything at all.
  owns() {
    return this.#owners().moved.size > 0;
  }

  #owners() {
    if (!this.allOwners) {
      this.allOwners = { moved: new Map(), owned: new Map() };
      this.#collectOwners(this.dom.queryAll(this.doc, "[aria-owns]"));
    }
    return this.allOwners;
  }

  // addRoot is told of each shadow root that a walk enters.
  addRoot(root) {
    const found = this.dom.rootQueryAll(root, "[aria-owns]");
    if (found.length > 0) {
      this.#owners();
      this.#collectOwners(found);
    }
  }

  #collectOwners(list) {
    const { moved, owned } = this.allOwners;
    for (let i = 0; i < list.length; i++) {
      const owner = list[i];
      if (owned.has(owner) || this.hidden(owner)) continue;
      const targets = this.byIds(owner, this.dom.attr(owner, "aria-owns"));
      const mine = [];
      for (let k = 0; k < targets.length; k++) {
        const it = targets[k];
        if (moved.has(it) || it === owner || this.dom.contains(it, owner) || !this.rendered(it)) continue;
        moved.set(it, owner);
        mine[mine.length] = it;
      }
      owned.set(owner, mine);
    }
  }

  #adopt(el, list) {
    const { moved, owned } = this.allOwners;
    const out = [];
    for (let i = 0; i < list.length; i++) if (!moved.has(list[i])) out[out.length] = list[i];
    const mine = owned.get(el);
    if (mine) for (let i = 0; i < mine.length; i++) out[out.length] = mine[i];
    return out;
  }

  // byIds looks a list of ids up in the root that el is in.
  byIds(el, ids) {
    const out = [];
    if (!ids) return out;
    const root = this.dom.root(el);
    const parts = words(ids);
    for (let i = 0; i < parts.length; i++) {
      const found = this.byId(root, parts[i]);
      if (found) out[out.length] = found;
    }
    return out;
  }

  byId(root, id) {
    if (root === this.doc) return this.dom.byId(root, id);
    return this.dom.kind(root) === FRAGMENT ? this.dom.rootById(root, id) : null;
  }

  // refs gives the elements that an ARIA reference means, also those set by script.
  refs(el, attribute) {
    const { dom } = this;
    if (!dom.has(el, attribute)) return [];
    const read = attribute === "aria-labelledby" ? dom.labelledBy : dom.describedBy;
    let set = null;
    try {
      set = read(el);
    } catch {
      // an older engine: the ids below
    }
    if (set) return this.#pick(set);
    return this.byIds(el, dom.attr(el, attribute));
  }

  // labelsOf gives the labels of a control in tree order. One map for each root:
  // element.labels is quadratic in Gecko.
  labelsOf(el) {
    const root = this.dom.root(el);
    let map = this.labels.get(root);
    if (map === undefined) {
      map = this.#collectLabels(root);
      this.labels.set(root, map);
    }
    return map.get(el) ?? [];
  }

  #collectLabels(root) {
    const { dom } = this;
    const map = new Map();
    const list = root === this.doc ? dom.queryAll(root, "label") : dom.kind(root) === FRAGMENT ? dom.rootQueryAll(root, "label") : [];
    for (let i = 0; i < list.length; i++) {
      if (dom.space(list[i]) !== HTML) continue;
      const control = dom.control(list[i]);
      if (!control) continue;
      const known = map.get(control);
      if (known) known[known.length] = list[i];
      else map.set(control, [list[i]]);
    }
    return map;
  }

  // parent gives the flat tree's parent element, or null.
  parent(el) {
    const { dom } = this;
    const slot = dom.slot(el);
    if (slot) return slot;
    const parent = dom.parent(el);
    if (!parent) return null;
    const kind = dom.kind(parent);
    if (kind === FRAGMENT) return dom.hostOf(parent);
    return kind === ELEMENT ? parent : null;
  }

  // cut says whether an element hides itself with all that is in it.
  cut(el, it = this.of(el)) {
    if (it.display === "none" && !(it.tag === "area" && it.html && this.areaShown(el))) return true;
    return this.barred(el);
  }

  // barred: hidden on purpose from everyone.
  barred(el) {
    return this.dom.attr(el, "aria-hidden") === "true" || this.dom.has(el, "inert");
  }

  // sealed says whether an element hides all its children.
  sealed(el, it) {
    return it.html && SEALED[it.tag] === true;
  }

  // veils says whether el hides this child of its own.
  veils(el, kid) {
    const it = this.of(el);
    if (it.html && it.tag === "details" && !this.dom.has(el, "open")) return this.#summary(el)[0] !== kid;
    return this.dom.css.contentVisibility(it.css) === "hidden";
  }

  // hidden says whether el is hidden by rules 1 to 5, by itself or by an ancestor
  // (visibility: hidden of its own counts as well).
  hidden(el) {
    return !this.of(el).shown || this.gone(el);
  }

  // gone leaves visibility aside. Loops instead of recursion: trees may be deep.
  gone(el) {
    const path = [];
    let answer = false;
    for (let at = el; at !== null; ) {
      const it = this.of(at);
      if (it.hidden !== undefined) {
        answer = it.hidden;
        break;
      }
      path[path.length] = it;
      if (this.cut(at, it)) {
        answer = true;
        break;
      }
      const up = this.parent(at);
      if (up !== null && this.veils(up, at)) {
        answer = true;
        break;
      }
      at = up;
    }
    if (answer) {
      // Only what is below the cut is known to be hidden, and that is all of path.
      for (let i = 0; i < path.length; i++) path[i].hidden = true;
    } else for (let i = 0; i < path.length; i++) path[i].hidden = false;
    return answer;
  }

  // rendered looks at display alone: aria-owns may take from an aria-hidden tree.
  rendered(el) {
    if (this.dom.attr(el, "aria-hidden") === "true") return false;
    for (let at = el; at !== null; at = this.parent(at)) if (this.of(at).display === "none") return false;
    return true;
  }

  // areaShown says whether an image with the area's map is shown.
  areaShown(el) {
    const { dom } = this;
    if (!this.maps) this.#collectMaps();
    for (let at = dom.parent(el); at !== null && dom.kind(at) === ELEMENT; at = dom.parent(at)) {
      if (dom.tag(at) !== "map") continue;
      const image = this.maps.get(dom.attr(at, "name") ?? "") ?? this.maps.get(dom.attr(at, "id") ?? "");
      return image !== undefined && !this.hidden(image);
    }
    return false;
  }

  #collectMaps() {
    this.maps = new Map();
    const images = this.dom.queryAll(this.doc, "img[usemap], object[usemap]");
    for (let i = 0; i < images.length; i++) {
      const use = this.dom.attr(images[i], "usemap");
      if (use[0] === "#" && use.length > 1) this.maps.set(use.substring(1), images[i]);
    }
  }
}

bare(View);

const HOSTS = set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span");

export function canHost(tag) {
  if (HOSTS[tag]) return true;
  for (let i = 1; i < tag.length; i++) if (tag[i] === "-") return true;
  return false;
}

export { ELEMENT, FRAGMENT, TEXT };
