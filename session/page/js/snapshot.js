// The snapshot: where a walk starts, and what goes with its nodes.

import { fail } from "./fault.js";
import { hints } from "./hints.js";
import { active } from "./states.js";
import { cut } from "./text.js";
import { View } from "./view.js";
import { Reader } from "./walk.js";

// begin finds where a walk starts.
function begin(view, scope) {
  const { dom, doc, ctx } = view;
  if (typeof scope === "number" && scope > 0) {
    const el = ctx.registry.node(scope);
    if (!el || !dom.connected(el)) fail("stale_element", "the element to look into is gone from the page; take a new snapshot");
    return { el, modal: false };
  }
  if (typeof scope === "string" && scope !== "") {
    let el;
    try {
      el = dom.query(doc, scope);
    } catch {
      fail("invalid_selector", "scope is not a valid CSS selector");
    }
    if (!el) fail("element_not_found", "no element matches the selector of scope");
    return { el, modal: false };
  }
  const modal = topModal(view);
  return { el: modal ?? dom.documentElement(doc), modal: modal !== null };
}

// topModal gives the modal dialog that hides the rest, or null.
function topModal(view) {
  let open;
  try {
    open = view.dom.queryAll(view.doc, "dialog:modal");
  } catch {
    return null;
  }
  if (open.length === 0) return null;
  const at = active(view);
  for (let i = open.length - 1; i >= 0; i--) if (at && view.dom.contains(open[i], at)) return open[i];
  return open[open.length - 1];
}

// read walks the document and gives the reader.
export function read(ctx, args) {
  if (ctx.noteSecrets) ctx.noteSecrets();
  const view = new View(ctx);
  const reader = new Reader(view, args);
  const { el, modal } = begin(view, args.scope);
  reader.modal = modal;
  if (!el) return reader;
  reader.unseen = (args.scope !== undefined && args.scope !== "") && view.gone(el);
  if (!reader.unseen) reader.walk(el);
  if (reader.nodes.length === 0) reader.raw(el);
  return reader;
}

export function snapshot(args, ctx) {
  const { document, dom, window } = ctx;
  const reader = read(ctx, args);
  const { view, nodes } = reader;
  if (!args.light) markUnique(nodes);
  const root = dom.documentElement(document);
  const at = active(view);
  const lost = at && at !== dom.body(document) && at !== root ? at : null;
  return {
    __proto__: null,
    url: window.location.href,
    title: cut(dom.title(document) ?? "", 1000),
    lang: (root && dom.attr(root, "lang")) || "",
    ready: dom.readyState(document),
    nodes,
    controls: reader.controls,
    more: reader.controls - reader.listed,
    hints: hints(reader),
    focus: lost ? ctx.registry.id(lost) : 0,
    dialogs: reader.modal ? 1 : undefined,
  };
}

// markUnique marks the controls whose fingerprint no other has.
function markUnique(nodes) {
  const seen = new Map();
  for (let i = 0; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.k !== "c") continue;
    const key = n.t + "\n" + n.r + "\n" + (n.y ?? "") + "\n" + n.n + "\n" + (n.h ?? "");
    const twin = seen.get(key);
    if (twin) twin.u = undefined;
    else {
      n.u = 1;
      seen.set(key, n);
    }
  }
}
