// Elements and the lines of a snapshot: which line an element has, and between
// which lines it stands if it has none.

import { bare } from "../bare.js";
import { name } from "../name.js";
import { role, roleWord } from "../role.js";
import { disabled } from "../states.js";
import { FRAGMENT } from "../view.js";

// elementFacts says of an element what a line would say: off is 2 for what is not
// shown, 1 for what is disabled.
export function elementFacts(view, el) {
  const it = view.of(el);
  return {
    __proto__: null,
    tag: it.tag,
    role: roleWord(view, el),
    name: name(view, el).text,
    off: view.hidden(el) ? 2 : disabled(view, el) ? 1 : 0,
  };
}

export class Places {
  constructor(view, nodes) {
    this.view = view;
    this.nodes = nodes;
    this.lines = null; // number of a node -> its first line
    this.roots = null;
  }

  // lineOf gives the line of an element, -1 if it has none. A text's line is not
  // that of the element around it.
  lineOf(el) {
    const { nodes } = this;
    if (this.lines === null) {
      this.lines = new Map();
      for (let i = 0; i < nodes.length; i++) if (nodes[i].i && nodes[i].k !== "x" && !this.lines.has(nodes[i].i)) this.lines.set(nodes[i].i, i);
    }
    return this.lines.get(this.view.ctx.registry.known(el)) ?? -1;
  }

  // spot gives {at, depth} of where an element without a line stands: at is the
  // line before which it comes.
  spot(el) {
    const { view, nodes } = this;
    let above = -1;
    for (let up = view.parent(el); up !== null && above < 0; up = view.parent(up)) above = this.lineOf(up);
    const depth = above < 0 ? 0 : nodes[above].d + 1;
    let low = above + 1;
    let high = low;
    while (high < nodes.length && nodes[high].d >= depth) high++;
    // The first of the lines below whose element does not come before el.
    while (low < high) {
      const middle = (low + high) >> 1;
      let at = middle;
      while (at >= low && !nodes[at].i) at--;
      if (at < low) high = this.#afterNameless(middle, high, el) ? middle : low;
      else if (this.#before(view.ctx.registry.node(nodes[at].i), el, nodes[at].k === "x")) low = middle + 1;
      else high = at;
    }
    return { at: low, depth };
  }

  // #afterNameless: lines without a number at the beginning belong to the element
  // around, before all others.
  #afterNameless(middle, high, el) {
    const { nodes, view } = this;
    for (let at = middle; at < high; at++) if (nodes[at].i) return this.#before(view.ctx.registry.node(nodes[at].i), el, nodes[at].k === "x");
    return false;
  }

  // #before says whether a line's element comes before el on the page. The line of
  // a text has the number of the block that the text is in.
  #before(node, el, isText) {
    const { dom } = this.view;
    if (!node) return true;
    let a = node;
    while (dom.root(a) !== dom.root(el) && dom.kind(dom.root(a)) === FRAGMENT) a = dom.hostOf(dom.root(a));
    let b = el;
    while (dom.root(b) !== dom.root(a) && dom.kind(dom.root(b)) === FRAGMENT) b = dom.hostOf(dom.root(b));
    if (a === b) return isText;
    const place = dom.position(a, b);
    return (place & 4) !== 0 && (!isText || (place & 16) === 0);
  }

  // holds gives {at, how} of the first control in an element without a line.
  holds(el, from) {
    const { nodes, view } = this;
    for (let i = from, n = 0; i < nodes.length && n < 400; i++, n++) {
      if (!nodes[i].i || nodes[i].k === "x") continue;
      const node = view.ctx.registry.node(nodes[i].i);
      if (!node || !view.dom.contains(el, node)) return null;
      if (nodes[i].k === "c") return { at: i, how: "has" };
    }
    return null;
  }

  // matching gives what a selector finds in the document and in its shadow trees.
  matching(selector) {
    const { dom, doc } = this.view;
    const out = [];
    const take = (list) => {
      for (let i = 0; i < list.length; i++) out[out.length] = list[i];
    };
    take(dom.queryAll(doc, selector));
    const roots = this.allRoots();
    for (let i = 0; i < roots.length; i++) take(dom.rootQueryAll(roots[i], selector));
    return out;
  }

  // allRoots gives the shadow roots of the document, as far as they can be had.
  allRoots() {
    if (this.roots !== null) return this.roots;
    const { dom, doc, ctx } = this.view;
    const known = ctx.host.shadows();
    const out = (this.roots = []);
    if (known) {
      for (let i = 0; i < known.length; i++) out[i] = known[i];
      return out;
    }
    const look = (list) => {
      for (let i = 0; i < list.length; i++) {
        const root = dom.shadowRoot(list[i]);
        if (!root) continue;
        out[out.length] = root;
        look(dom.rootQueryAll(root, "*"));
      }
    };
    look(dom.queryAll(doc, "*"));
    return out;
  }

  // withRole gives the shown elements of a role, those in shadow trees last.
  withRole(wanted) {
    const { view } = this;
    const all = this.matching("*");
    const out = [];
    for (let i = 0; i < all.length; i++) if (role(view, all[i]) === wanted && !view.hidden(all[i])) out[out.length] = all[i];
    return out;
  }
}

bare(Places);
