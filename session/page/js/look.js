// Looking at a page: where a walk starts, and how it stands aside. A large page
// is walked in slices, and between two of them the page has its turn. If it moves
// its elements meanwhile, it is looked at anew, so that no answer is half of one
// state and half of another; a page that never rests is read all the same, and
// the hints say so.

import { fail } from "./fault.js";
import { active } from "./states.js";
import { View } from "./view.js";
import { Reader } from "./walk.js";

const SLICE = 20; // ms of the page's main thread at a stretch, or as long as the page's turn was
const AGAIN = 2; // how often a walk begins anew
const PATIENCE = 1500; // ms of walking after which it does so no more
const TREE = { __proto__: null, subtree: true, childList: true };

// afterReading walks the page and gives what use makes of the reader: a promise
// of it in the isolated realm. In the page's own realm everything is done at
// once, since a page that shows a dialog keeps no promises.
export function afterReading(ctx, args, use) {
  return ctx.isolated ? later(ctx, args, use) : use(whole(ctx, args));
}

function whole(ctx, args) {
  const reader = start(ctx, args);
  reader.go(Infinity);
  return finish(reader);
}

async function later(ctx, args, use) {
  const begun = ctx.now();
  for (let n = 0; ; n++) {
    const reader = start(ctx, args);
    reader.restless = !(await inSlices(ctx, reader));
    if (!reader.restless || n === AGAIN || ctx.now() - begun > PATIENCE) return use(finish(reader));
  }
}

// inSlices walks to the end and says whether the tree stayed as it was.
async function inSlices(ctx, reader) {
  if (reader.go(ctx.now() + SLICE)) return true;
  let still = true;
  const observer = new ctx.window.MutationObserver(() => (still = false));
  const observe = (root) => observer.observe(root, TREE);
  observe(ctx.document);
  let seen = 0;
  let pause;
  do {
    for (; seen < reader.roots.length; seen++) observe(reader.roots[seen]);
    const before = ctx.now();
    await new Promise((done) => ctx.host.setTimeout(done, 0));
    pause = ctx.now() - before;
  } while (!reader.go(ctx.now() + (pause > SLICE ? pause : SLICE)));
  still = still && observer.takeRecords().length === 0;
  observer.disconnect();
  return still;
}

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

// start gives a reader that stands before the first element of its walk.
function start(ctx, args) {
  if (ctx.noteSecrets) ctx.noteSecrets();
  const view = new View(ctx);
  const reader = new Reader(view, args);
  const { el, modal } = begin(view, args.scope);
  reader.modal = modal;
  if (!el) return reader;
  reader.unseen = (args.scope !== undefined && args.scope !== "") && view.gone(el);
  if (!reader.unseen) reader.begin(el);
  return reader;
}

// finish makes up for a walk that found nothing.
function finish(reader) {
  if (reader.nodes.length === 0) reader.raw();
  return reader;
}
