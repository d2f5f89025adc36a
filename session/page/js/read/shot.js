// shot measures what is to be in a picture: the view, the whole page, or one
// element, in CSS pixels of the document.

import { makePage } from "../act/page.js";
import { boxOf, rootOf } from "../act/scroll.js";
import { resolve } from "../act/target.js";
import { fail } from "../fault.js";

// args: node, expect, selector, unique (of an element, or none of them).
export function shot(args, ctx) {
  const page = (ctx.acting ??= makePage(ctx));
  const { native, dom } = page;
  const root = rootOf(page);
  const { w, h } = page.size();
  const out = {
    __proto__: null,
    view: { __proto__: null, left: native.get(root, "scrollLeft"), top: native.get(root, "scrollTop"), width: w, height: h },
    page: { __proto__: null, left: 0, top: 0, width: Math.max(w, native.get(root, "scrollWidth")), height: Math.max(h, native.get(root, "scrollHeight")) },
  };
  if (!args.node) return out;
  const { el, relocated } = resolve(page, args);
  const box = boxOf(page, el);
  if (box !== root) native.call(el, "scrollIntoView", { __proto__: null, block: "nearest", inline: "nearest", behavior: "instant" });
  let rect = edges(dom.rect(el));
  if (box !== root && box !== el) rect = common(rect, edges(dom.rect(box)));
  if (rect.right - rect.left < 1 || rect.bottom - rect.top < 1) fail("element_not_interactable", "the element has no size on the page, so there is nothing to take a picture of");
  const x = native.get(root, "scrollLeft");
  const y = native.get(root, "scrollTop");
  out.element = { __proto__: null, left: rect.left + x, top: rect.top + y, width: rect.right - rect.left, height: rect.bottom - rect.top };
  out.relocated = relocated || undefined;
  return out;
}

const edges = (r) => ({ __proto__: null, left: r.left, top: r.top, right: r.right, bottom: r.bottom });

const common = (a, b) => ({
  __proto__: null,
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});
