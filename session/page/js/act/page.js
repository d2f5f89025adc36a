// The page as the actions see it: the context, the browser's own members,
// events, and the few questions about the flat tree that every action asks.

import { makeEvents } from "./events.js";
import { makeNative } from "./native.js";

export function makePage(ctx) {
  const { window, document, dom, host, builtins } = ctx;
  const native = makeNative(builtins);
  const { requestAnimationFrame } = window;

  const page = {
    __proto__: null,
    ctx,
    window,
    document,
    dom,
    host,
    native,
    fire: makeEvents(window, native),
    over: null, // WeakRef to what the pointer was last over
    typing: null, // where the last batch of type ended
    acted: null, // WeakRef to the field that the last action put something into
    fills: new WeakMap(), // control -> what the last fill wanted of it
    changed: new WeakMap(), // field -> what it held at its last change event
    waits: new Map(), // ticket -> what ends the wait
    keyTarget: null, // WeakRef to the element that a key was meant for
    watch: null, // the observation from an action to its settle

    // active is the focused element itself, however deep in shadow trees.
    active() {
      let el = dom.active(document);
      for (;;) {
        const root = el && host.shadow(el);
        const inner = root && dom.rootActive(root);
        if (!inner) return el;
        el = inner;
      }
    },

    // up is the parent in the flat tree.
    up(el) {
      const slot = native.get(el, "assignedSlot");
      if (slot) return slot;
      const parent = dom.parent(el);
      return parent && dom.kind(parent) === 11 ? (dom.hostOf(parent) ?? null) : parent && dom.kind(parent) === 1 ? parent : null;
    },

    // within says whether el is outer or lies in it, in the flat tree or, for
    // light children that no slot takes, in the plain one.
    within(el, outer) {
      for (let at = el; at; at = page.up(at)) if (at === outer) return true;
      return dom.contains(outer, el);
    },

    // nearest climbs the flat tree to the first element that fits a selector.
    nearest(el, selector) {
      for (let at = el; at; at = page.up(at)) if (dom.matches(at, selector)) return at;
      return null;
    },

    // hit is the innermost element at a point of the viewport.
    hit(x, y) {
      let found = null;
      for (let root = document; root; root = host.shadow(found)) {
        const next = native.call(root, "elementFromPoint", x, y);
        if (!next || next === found || (root !== document && dom.root(next) !== root)) break;
        found = next;
      }
      return found;
    },

    attr: (el, name) => dom.attr(el, name) ?? "",
    role: (el) => (dom.attr(el, "role") ?? "").trim().split(/\s+/)[0],
    type: (el) => (dom.tag(el) === "input" ? native.get(el, "type") : ""),
    frame: (fn) => builtins.apply(requestAnimationFrame, window, [fn]),
    frontmost: () => native.call(document, "hasFocus"),
    size: () => {
      const root = dom.documentElement(document);
      return { w: window.innerWidth || native.get(root, "clientWidth"), h: window.innerHeight || native.get(root, "clientHeight") };
    },
    // turn gives the page a turn of the event loop: its promises, observers and
    // selection events come before what follows.
    // breath lets the page's promises that are due come true, in the same task:
    // what a view library does between two events of a person.
    async breath() {
      for (let i = 0; i < 6; i++) await null;
    },
    turn: (ms = 0) => new Promise((done) => host.setTimeout(done, ms)),
  };
  return page;
}

// where says where the page stands after an action.
export function where(page, value) {
  const { window } = page;
  return { __proto__: null, ...value, url: window.location.href, scroll: { __proto__: null, x: Math.round(window.scrollX), y: Math.round(window.scrollY) } };
}
