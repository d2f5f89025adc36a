// locate names the element that a selector finds, as a snapshot would.

import { fail } from "../fault.js";
import { describe } from "./reading.js";
import { query } from "./target.js";

export function locate(page, args) {
  const el = find(page, args.selector);
  if (!el) fail("element_not_found", "nothing on the page fits the selector");
  return { __proto__: null, node: page.ctx.registry.id(el), expect: describe(el, page.ctx), selector: args.selector };
}

function find(page, selector) {
  try {
    return query(page, selector);
  } catch {
    return fail("invalid_selector", `${JSON.stringify(selector)} is not a CSS selector`);
  }
}
