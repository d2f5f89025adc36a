// extract gives what a person would read on the page, in reading order, as
// blocks: headings, paragraphs, list items, table rows, code.

import { fail } from "../fault.js";
import { cut } from "../text.js";
import { View } from "../view.js";
import { mainPart } from "./mainpart.js";
import { Prose } from "./prose.js";
import { pdfViewer } from "./source.js";

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
    contentType: pdfViewer(ctx) ? "application/pdf" : dom.contentType(document),
    part: "whole",
    matched: 1,
    blocks: [],
    more: false,
  };
  const read = (roots, noise) => {
    const prose = new Prose(view, { noise, links, limit });
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
    return take(read(found, false), "selector");
  }
  if (!root) return out;
  if (whole) return take(read([root], false), "whole");
  const main = mainPart(view, root);
  const some = read([main.el], true);
  if (some.size > ENOUGH) return take(some, main.part);
  // So little may be all there is, or the wrong part.
  const all = read([root], false);
  return some.size > 0 && all.size < 3 * some.size ? take(some, main.part) : take(all, "whole");
}

const ENOUGH = 200;

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
