// extract gives what a person would read on the page, in reading order, as
// blocks: headings, paragraphs, list items, table rows, code.

import { fail } from "../fault.js";
import { cut } from "../text.js";
import { View } from "../view.js";
import { mainPart } from "./mainpart.js";
import { isNoise } from "./noise.js";
import { Prose } from "./prose.js";
import { typeOf } from "./source.js";

const MATCHES = 500; // elements of one selector

// args: scope (CSS, all that it matches), whole (not only the main part), links
// (addresses behind the text of links), limit (UTF-16 units of text).
export function extract({ scope, whole = false, links = false, limit = 1 << 22 }, ctx) {
  const { document, dom, window } = ctx;
  const view = new View(ctx);
  const root = dom.documentElement(document);
  const out = {
    __proto__: null,
    url: window.location.href,
    title: cut(dom.title(document) ?? "", 1000),
    lang: (root && dom.attr(root, "lang")) || "",
    ready: dom.readyState(document),
    contentType: typeOf(ctx),
    part: "whole",
    matched: 1,
    blocks: [],
    more: false,
  };
  const read = (roots, drops) => {
    const prose = new Prose(view, { drops, links, limit });
    for (let i = 0; i < roots.length; i++) prose.walk(roots[i]);
    return prose;
  };
  const take = (prose, part) => {
    out.part = part;
    out.blocks = prose.blocks;
    out.more = prose.full;
    return out;
  };
  if (scope) {
    const found = scoped(view, scope);
    out.matched = found.length;
    return take(read(found, null), "selector");
  }
  if (!root) return out;
  if (whole) return take(read([root], null), "whole");
  let best = null;
  let first = null;
  for (let n = 0; n < 2; n++) {
    const main = mainPart(view, root, n === 0); // strictly at first
    if (main === null) break;
    first ??= main;
    const some = read(main.roots, main.drops);
    if (best === null || some.size > 2 * best.prose.size) best = { prose: some, part: main.part };
    if (best.prose.size > ENOUGH) return take(best.prose, best.part);
  }
  // So little may be all there is, or the wrong part.
  const all = read([root], (el) => isNoise(view, el));
  const bare = first === null ? all : read([first.core], first.around);
  return bare.size > 0 && all.size < 3 * bare.size ? take(bare, first === null ? "whole" : first.corePart) : take(all, "whole");
}

const ENOUGH = 200; // UTF-16 units

// scoped finds what a selector names: the outermost of what it matches.
function scoped(view, selector) {
  const { dom, doc } = view;
  let found;
  try {
    found = dom.queryAll(doc, selector);
  } catch {
    fail("invalid_selector", "selector is not valid CSS");
  }
  const out = [];
  for (let i = 0; i < found.length && out.length < MATCHES; i++) {
    const last = out[out.length - 1];
    if (!last || !dom.contains(last, found[i])) out[out.length] = found[i];
  }
  return out;
}
