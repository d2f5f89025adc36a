// Whether a page keeps what was put into a field: compared at once, and once
// more when the page has settled.

import { report, squeeze, textOf } from "./control.js";

// remember notes what a field holds after an action that went well, and what it
// held before.
export function remember(page, el, wanted, before) {
  page.fills.set(el, { __proto__: null, wanted, before });
  page.acted = new WeakRef(el);
}

// touched notes a field whose further life is the page's affair: it was edited
// by keys, or its form was sent.
export function touched(page, el) {
  remember(page, el, null);
}

// verdict compares what a field holds with what it should: "kept", "changed"
// (the page wrote it in a way of its own) or "lost".
export function verdict(wanted, before, now) {
  if (now === wanted) return "kept";
  if (squeeze(now) === squeeze(wanted)) return "kept";
  if (now === before || squeeze(now) === "") return "lost";
  return "changed";
}

// recheck reads a field again: {kept, value_after, secret}; undefined when
// nothing was put into it. What the page writes in a way of its own is kept.
export function recheck(page, el) {
  const fill = page.fills.get(el);
  if (!fill || !page.dom.connected(el)) return undefined;
  const kept = fill.wanted === null || verdict(fill.wanted, fill.before, textOf(page, el)) !== "lost";
  return { __proto__: null, kept, ...report(page, el) };
}
