// Hovering: the events of a pointer that comes to rest on an element.

import { where } from "./page.js";
import { move } from "./pointer.js";
import { reach } from "./reach.js";
import { begin, resolve } from "./target.js";

export function hover(page, args) {
  begin(page, args);
  const { el, relocated } = resolve(page, args);
  move(page, reach(page, el));
  const warnings = ["the pointer events were sent; styles under :hover apply only to a real pointer"];
  return where(page, { __proto__: null, relocated: relocated || undefined, warnings });
}
