// wait waits in the page for something to come true. It looks at every change of
// the page, so that what is there for a moment only is seen too, and at a steady
// beat for what no observer tells: addresses, styles, layout.

import { fail } from "../fault.js";
import { isOn } from "./control.js";
import { boxes } from "./reach.js";
import { eachRoot } from "./roots.js";
import { observeAll } from "./watch.js";
import { shows } from "./find.js";

const DEAR = 4; // a look that takes n ms is not repeated within 4n ms
const SMALL = 3000; // elements up to which text made by styles is sought at every look

const STATES = {
  __proto__: null,
  present: () => true,
  visible: (page, el) => isShown(page, el),
  hidden: (page, el) => !isShown(page, el),
  enabled: (page, el) => !isOff(page, el),
  disabled: (page, el) => isOff(page, el),
  checked: (page, el) => isOn(page, el) === true,
  unchecked: (page, el) => isOn(page, el) === false,
};

// wait takes one of {text, text_gone, selector, url_contains, node}, with state,
// timeout and poll in ms, and a ticket by which stop_wait ends it. It answers
// {met, elapsed}.
export async function wait(page, args) {
  const { host, window } = page;
  const start = host.now();
  const end = Math.min(start + (args.timeout ?? 30_000), args.until ?? Infinity);
  const look = condition(page, args);
  const answer = (met) => ({ __proto__: null, met, elapsed: host.now() - start, url: window.location.href });
  if (look(true)) return answer(true);
  if (host.now() >= end) return answer(false);
  return answer(await watch(page, look, args, end));
}

// What a page tells of changes that no observer sees.
const EVENTS = ["hashchange", "popstate", "load", "input", "change", "scroll", "transitionend", "animationend", "toggle"];

// watch is resolved by the first look that sees the condition come true.
function watch(page, look, args, end) {
  const { host, window, native } = page;
  const poll = args.poll ?? 250;
  return new Promise((resolve, reject) => {
    let timer = 0;
    let cost = 0;
    let last = 0;
    const seen = new WeakSet();
    const finish = (settle, value) => {
      native.call(observer, "disconnect");
      host.clearTimeout(timer);
      for (let i = 0; i < EVENTS.length; i++) native.call(window, "removeEventListener", EVENTS[i], changed, true);
      if (args.ticket !== undefined) page.waits.delete(args.ticket);
      settle(value);
    };
    const attempt = (thorough) => {
      const before = host.now();
      try {
        if (look(thorough)) return finish(resolve, true);
      } catch (thrown) {
        return finish(reject, thrown);
      }
      last = host.now();
      cost = last - before;
      return undefined;
    };
    const changed = () => {
      if (host.now() - last >= cost * DEAR) attempt(false);
    };
    const observer = new window.MutationObserver(changed);
    const beat = () => {
      // Shadow trees that have come since the last beat are observed from now on.
      observeAll(page, observer, seen);
      attempt(true);
      if (host.now() >= end) return finish(resolve, false);
      timer = host.setTimeout(beat, Math.max(10, Math.min(Math.max(poll, cost * DEAR), end - host.now())));
      return undefined;
    };
    for (let i = 0; i < EVENTS.length; i++) native.call(window, "addEventListener", EVENTS[i], changed, true);
    if (args.ticket !== undefined) page.waits.set(args.ticket, () => finish(resolve, false));
    observeAll(page, observer, seen);
    timer = host.setTimeout(beat, Math.max(0, Math.min(poll, end - host.now())));
  });
}

// stopWait ends a wait before its time; it answers as not met.
export function stopWait(page, args) {
  page.waits.get(args.ticket)?.();
  return { __proto__: null };
}

// condition makes the look: a function that says whether it is true now.
// thorough allows a dear one.
function condition(page, args) {
  const absent = args.state === "absent";
  if (args.text !== undefined) return textLook(page, args.text, absent);
  if (args.text_gone !== undefined) return textLook(page, args.text_gone, true);
  if (args.url_contains !== undefined) return () => page.window.location.href.includes(args.url_contains) !== absent;
  if (args.selector !== undefined) return selectorLook(page, args.selector, args.state ?? "present");
  const known = args.node ? page.ctx.registry.node(args.node) : undefined;
  return elementLook(page, () => (known && page.dom.connected(known) ? known : null), args.state ?? "visible");
}

function textLook(page, text, absent) {
  const small = () => page.native.call(page.document, "getElementsByTagName", "*").length <= SMALL;
  return (thorough) => shows(page, text, thorough || small()) !== absent;
}

function selectorLook(page, selector, state) {
  const find = () => {
    let found = null;
    eachRoot(page, (root) => (found = page.native.call(root, "querySelector", selector)) !== null);
    return found;
  };
  try {
    page.native.call(page.document, "querySelector", selector);
  } catch {
    fail("invalid_selector", `${JSON.stringify(selector.slice(0, 200))} is not a CSS selector`);
  }
  return elementLook(page, find, state);
}

function elementLook(page, find, state) {
  if (state !== "absent" && !STATES[state]) fail("invalid_argument", `${JSON.stringify(state)} is no state to wait for`);
  return () => {
    const el = find();
    if (state === "absent") return el === null;
    if (el === null) return state === "hidden";
    return STATES[state](page, el);
  };
}

function isShown(page, el) {
  return page.dom.connected(el) && boxes(page, el).length > 0 && page.dom.style(el).visibility === "visible";
}

function isOff(page, el) {
  return page.dom.matches(el, ":disabled") || page.attr(el, "aria-disabled") === "true";
}
