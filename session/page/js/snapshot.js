// The snapshot: what the walk has found, and what goes with it.

import { hints } from "./hints.js";
import { afterReading } from "./look.js";
import { typeOf } from "./read/source.js";
import { markRows } from "./rows.js";
import { active } from "./states.js";
import { cut } from "./text.js";

export const snapshot = (args, ctx) => afterReading(ctx, args, told);

// told makes the answer of what has been read.
function told(reader) {
  const { view, nodes } = reader;
  const { ctx, dom, doc: document } = view;
  const { window } = ctx;
  markRows(reader);
  const root = dom.documentElement(document);
  const at = active(view);
  const lost = at && at !== dom.body(document) && at !== root ? at : null;
  return {
    __proto__: null,
    url: window.location.href,
    title: cut(dom.title(document) ?? "", 1000),
    lang: (root && dom.attr(root, "lang")) || "",
    ready: dom.readyState(document),
    type: typeOf(ctx),
    nodes,
    controls: reader.controls,
    more: reader.controls - reader.listed,
    hints: hints(reader),
    focus: lost ? ctx.registry.id(lost) : 0,
    dialogs: reader.modal ? 1 : undefined,
  };
}
