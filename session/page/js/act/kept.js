// Whether a page keeps what was put into a field: compared at once, and once
// more when the page has settled.

import { report, squeeze, textOf } from "./control.js";

// touched notes a field that was edited, with nothing that it should hold.
export function touched(page, el) {
  remember(page, el, null);
}

// remember notes what a field held when an action on it had ended well.
export function remember(page, el, wanted) {
  page.fills.set(el, { __proto__: null, wanted });
  page.acted = new WeakRef(el);
}

// verdict compares what a field holds with what it should: "kept", "changed"
// (the page wrote it in a way of its own) or "lost".
export function verdict(wanted, before, now) {
  if (now === wanted) return "kept";
  if (squeeze(now) === squeeze(wanted)) return "kept";
  if (now === before || squeeze(now) === "") return "lost";
  return "changed";
}

// recheck reads a field again: {kept, value_after | secret}; undefined when
// nothing was put into it.
export function recheck(page, el) {
  const fill = page.fills.get(el);
  if (!fill) return undefined;
  if (!page.dom.connected(el)) return { __proto__: null, kept: true, gone: true };
  const now = textOf(page, el);
  const kept = fill.wanted === null || now === fill.wanted || squeeze(now) === squeeze(fill.wanted);
  return { __proto__: null, kept, ...report(page, el) };
}
