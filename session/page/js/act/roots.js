// The document and its shadow trees.

import { canHost } from "../view.js";

// shadowRoots lists every shadow root that can be reached. The isolated agent is
// told; in the page's realm each element is asked.
export function shadowRoots(page) {
  const { host, native, dom, document } = page;
  const told = host.shadows();
  if (told) return told;
  const out = [];
  const walk = (root) => {
    const all = native.call(root, "querySelectorAll", "*");
    for (let i = 0; i < all.length; i++) {
      const inner = canHost(dom.tag(all[i])) ? host.shadow(all[i]) : null;
      if (!inner) continue;
      out[out.length] = inner;
      walk(inner);
    }
  };
  walk(document);
  return out;
}

// eachRoot visits the document and its shadow roots until visit returns true.
export function eachRoot(page, visit) {
  if (visit(page.document)) return true;
  const roots = shadowRoots(page);
  for (let i = 0; i < roots.length; i++) if (visit(roots[i])) return true;
  return false;
}
