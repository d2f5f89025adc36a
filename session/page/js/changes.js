// Changes: what an action has done to the page, as the difference of two walks.

import { afterReading } from "./look.js";

const LIMIT = 60;
const BOUNDS = { __proto__: null, maxElements: 1500, maxText: 20000, view: "controls", rows: false };

// takeBaseline walks the page before an action. It gives nothing: a promise would ask
// an array in the page's realm for a "then", which the page may have put there.
export function takeBaseline(ctx) {
  return afterReading(ctx, { __proto__: null, ...BOUNDS, light: true }, (reader) => void (ctx.baseline = index(reader.nodes)));
}

// difference walks again and gives {added, removed, changed, more}, or undefined
// without a baseline. The baseline is spent.
export function difference(ctx) {
  const before = ctx.baseline;
  ctx.baseline = null;
  return before ? afterReading(ctx, BOUNDS, (reader) => compared(before, index(reader.nodes))) : undefined;
}

function compared(before, after) {
  const out = { __proto__: null, added: [], removed: [], changed: [], more: 0 };
  const put = (list, node) => {
    if (out.added.length + out.removed.length + out.changed.length < LIMIT) list[list.length] = node;
    else out.more++;
  };
  for (let i = 0; i < after.length; i++) {
    const { key, sign, node } = after[i];
    const old = before.byKey.get(key);
    if (!old) put(out.added, node);
    else if (old.sign !== sign) put(out.changed, node);
  }
  for (let i = 0; i < before.length; i++) if (!after.byKey.has(before[i].key)) put(out.removed, before[i].node);
  return out;
}

// index gives each node a key, by which it is known again, and a sign, which says
// all that is worth telling of it.
function index(nodes) {
  const out = [];
  out.byKey = new Map();
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    // Wrappers say nothing that is not said by what is in them.
    if (node.k === "g" && !node.n && !node.s && !node.v) continue;
    let key = node.i ? node.k + node.i : node.k + ":" + node.n;
    for (let n = 2; out.byKey.has(key); n++) key = node.k + ":" + node.n + ":" + n;
    const entry = { key, sign: sign(node), node };
    out[out.length] = entry;
    out.byKey.set(key, entry);
  }
  return out;
}

function sign(node) {
  let out = node.r + "\n" + (node.n ?? "") + "\n" + (node.v ?? "") + "\n" + (node.h ?? "");
  const states = node.s ?? [];
  for (let i = 0; i < states.length; i++) if (states[i] !== "focused") out += "\n" + states[i];
  return node.a ? out + "\n" + (node.a.description ?? "") + "\n" + (node.a.href ?? "") + "\n" + (node.a.count ?? "") : out;
}
