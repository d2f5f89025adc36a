// Moving the focus, with the events that go with it.

import { begin, named, resolve, usable } from "./target.js";
import { fail } from "../fault.js";
import { where } from "./page.js";

const FOCUSABLE =
  "a[href],area[href],button,input:not([type=hidden]),select,textarea,iframe,object,embed,summary,audio[controls],video[controls],[tabindex],[contenteditable=''],[contenteditable=true],[contenteditable=plaintext-only]";

// focusOn focuses el and says whether it has the focus now. In a tab that is
// not in front Firefox moves the focus without a word; the page is then told
// what it would have been told in front.
export function focusOn(page, el) {
  const before = page.active();
  if (before === el) return true;
  if (!page.native.can(el, "focus")) return false;
  page.native.call(el, "focus", { __proto__: null, preventScroll: true });
  const now = page.active();
  const there = now === el || (now && page.within(now, el));
  if (now === before) return !!there;
  if (!page.frontmost()) tell(page, before, now);
  // The browser sends a change event that is due with the blur, synthetic or not.
  if (before) page.changed.delete(before);
  return !!there;
}

function tell(page, before, now) {
  const { fire, dom, document } = page;
  const body = dom.body(document);
  const still = { __proto__: null, bubbles: false };
  if (before && before !== body && dom.connected(before)) {
    fire.focus(before, "blur", { ...still, relatedTarget: now });
    fire.focus(before, "focusout", { __proto__: null, relatedTarget: now });
  }
  if (now && now !== body) {
    fire.focus(now, "focus", { ...still, relatedTarget: before });
    fire.focus(now, "focusin", { __proto__: null, relatedTarget: before });
  }
}

// blur takes the focus away from everything.
export function blur(page) {
  const before = page.active();
  if (!before || before === page.dom.body(page.document)) return;
  if (!page.native.can(before, "blur")) return;
  page.native.call(before, "blur");
  if (!page.frontmost()) tell(page, before, null);
}

// focusByPress moves the focus as a press of the mouse does: to the nearest
// thing that takes it, or away from where it was.
export function focusByPress(page, target) {
  const { dom } = page;
  for (let at = target; at; at = page.up(at)) {
    if (dom.matches(at, FOCUSABLE) && !dom.matches(at, ":disabled") && focusOn(page, at)) return;
    if (dom.shadowRoot(at)?.delegatesFocus && focusOn(page, at)) return;
  }
  blur(page);
}

export function focus(page, args) {
  begin(page, args);
  const { el, relocated } = resolve(page, args);
  usable(page, el);
  page.native.call(el, "scrollIntoView", { __proto__: null, block: "nearest", inline: "nearest", behavior: "instant" });
  if (!focusOn(page, el)) fail("element_not_interactable", `${named(page, el)} does not take the focus`);
  return where(page, relocated ? { __proto__: null, relocated } : {});
}
