// From a reference to the very element to act on, or a refusal. All of it runs
// in the same task as the action, so that nothing can change in between.

import { fail } from "../fault.js";
import { describe, rowOf } from "./reading.js";
import { eachRoot } from "./roots.js";
import { startWatch } from "./watch.js";

const FIELDS = ["tag", "role", "type", "name", "href"];

// begin is the first step of every acting method: nothing is done late, and
// nothing is done to another document than the caller has seen.
export function begin(page, args) {
  const { host, window } = page;
  if (args.until && host.now() > args.until) fail("too_late", "the deadline of the call had passed before the page came to it; nothing was done");
  if (args.url !== undefined && window.location.href !== args.url) {
    fail("stale_element", "the page has gone to another address since the snapshot; nothing was done", { __proto__: null, url: window.location.href });
  }
  if (host.modal()) fail("dialog_open", "the page shows a dialog and stands still until it is answered; nothing was done");
  page.acted = null;
  if (args.baseline) startWatch(page);
}

// resolve finds the element of {node, expect, selector, unique}.
export function resolve(page, args) {
  const { ctx, dom, document } = page;
  const node = args.node ? ctx.registry.node(args.node) : undefined;
  if (node && dom.connected(node) && dom.owner(node) === document) {
    const now = describe(node, ctx);
    if (args.expect && !same(now, args.expect)) {
      fail("stale_element", `the element is another now: it was ${phrase(args.expect)} and is ${phrase(now)}; take a new snapshot`, { __proto__: null, was: args.expect, now });
    }
    if (args.row) sameRow(page, node, args);
    return { __proto__: null, el: node, relocated: false };
  }
  return { __proto__: null, el: successor(page, args), relocated: true };
}

// sameRow refuses an element among others like it whose row is about something
// else now: a list that has used its elements again for other entries.
function sameRow(page, el, { row, expect }) {
  const now = rowOf(el, row.up, page.ctx);
  if (now === "" || now === row.text) return;
  const quote = (text) => JSON.stringify(text.replace("\n", " "));
  fail("stale_element", `${phrase(expect)} stands beside other words now: it was in the row of ${quote(row.text)} and is in that of ${quote(now)}; take a new snapshot`);
}

// successor is the one element that has taken the place of a node that is gone:
// where its selector leads, equal in every field, and alone with these fields
// both then and now.
function successor(page, args) {
  const { ctx } = page;
  const { expect, selector, unique } = args;
  const gone = "the element is gone from the page";
  if (!expect || !selector) fail("stale_element", gone + "; take a new snapshot");
  const el = query(page, selector);
  const now = el ? describe(el, ctx) : undefined;
  const details = { __proto__: null, was: expect, now };
  if (!el) fail("stale_element", `${gone}: it was ${phrase(expect)}, and nothing is in its place; take a new snapshot`, details);
  if (!same(now, expect)) fail("stale_element", `${gone}: it was ${phrase(expect)}, and ${phrase(now)} is in its place; take a new snapshot`, details);
  if (!unique || twins(page, el, expect)) fail("stale_element", `${gone}, and more than one ${phrase(expect)} could be meant; take a new snapshot`, details);
  return el;
}

const same = (a, b) => {
  for (let i = 0; i < FIELDS.length; i++) if ((a[FIELDS[i]] ?? "") !== (b[FIELDS[i]] ?? "")) return false;
  return true;
};

function twins(page, el, expect) {
  let found = false;
  eachRoot(page, (root) => {
    const all = page.native.call(root, "querySelectorAll", page.dom.tag(el));
    for (let i = 0; i < all.length && !found; i++) found = all[i] !== el && same(describe(all[i], page.ctx), expect);
    return found;
  });
  return found;
}

// query follows a selector; " >>> " goes through a shadow border.
export function query(page, selector) {
  const steps = selector.split(" >>> ");
  let root = page.document;
  for (let i = 0; i < steps.length; i++) {
    const el = root && page.native.call(root, "querySelector", steps[i]);
    if (i === steps.length - 1 || !el) return el;
    root = page.host.shadow(el);
  }
  return null;
}

// phrase names an element in a message; what the page wrote stays in quotes.
export function phrase(what) {
  const name = what.name ? " " + JSON.stringify(what.name.length > 80 ? what.name.slice(0, 80) + "…" : what.name) : "";
  const href = what.href ? ` to ${JSON.stringify(what.href)}` : "";
  return (what.role || what.tag || "element") + name + href;
}

export const named = (page, el) => phrase(describe(el, page.ctx));

// usable refuses what the browser or the page has switched off. A control in a
// disabled fieldset counts, one in its first legend does not: the browser knows.
export function usable(page, el) {
  const { dom } = page;
  if (dom.matches(el, ":disabled")) fail("element_not_interactable", `${named(page, el)} is disabled`);
  if (page.attr(el, "aria-disabled") === "true") fail("element_not_interactable", `${named(page, el)} is marked as disabled (aria-disabled)`);
  if (page.nearest(el, "[inert]")) fail("element_not_interactable", `${named(page, el)} is inert at the moment`);
}
