// The snapshot: what the walk has found, and what goes with it.

import { hints } from "./hints.js";
import { afterReading } from "./look.js";
import { active } from "./states.js";
import { cut } from "./text.js";

export const snapshot = (args, ctx) => afterReading(ctx, args, (reader) => told(reader, args.light));

// told makes the answer of what has been read.
function told(reader, light) {
  const { view, nodes } = reader;
  const { ctx, dom, doc: document } = view;
  const { window } = ctx;
  if (!light) markUnique(nodes);
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
