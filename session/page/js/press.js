// What answers clicks although its role does not say so.

import { name } from "./name.js";
import { set } from "./sets.js";
import { blank } from "./text.js";

const NO_CLICK = set("html body main form fieldset label p ul ol table tbody thead tr dl");
const CONTROLS = "a[href],button,input,select,textarea,summary,[role],[tabindex],[contenteditable]";

// Structure that is clicked as a whole now and then.
export const PRESSED = set("row listitem article");

// pointed says whether the cursor over an element is a pointing hand.
export function pointed(view, it) {
  return view.dom.css.cursor(it.css) === "pointer";
}

// ownHand: the hand is the element's own and not the one of what it is in.
const ownHand = (level, above) => level.pointer && !(above && above.pointer);

// pressed says whether a row, an item or an article answers clicks as a whole. Of
// rows listeners tell as well; on the others they are mostly there to count.
export function pressed(view, el, r, level, above) {
  return ownHand(level, above) || view.dom.has(el, "onclick") || (r === "row" && view.ctx.host.clickable(el));
}

// answers says whether an element without a role answers clicks: it says so by its
// cursor or an attribute, or listens and has nothing else inside.
export function answers(view, el, it, level, above) {
  if (it.html && NO_CLICK[it.tag]) return false;
  return ownHand(level, above) || view.dom.has(el, "onclick") || listens(view, el);
}

// listens: it has text of its own, a listener, and nothing inside that the
// listener could be meant for.
function listens(view, el) {
  const { dom } = view;
  let found = false;
  for (let kid = dom.first(el), n = 0; kid !== null && n < 8 && !found; kid = dom.next(kid), n++) {
    found = dom.kind(kid) === 3 && !blank(dom.data(kid));
  }
  return found && view.ctx.host.clickable(el) && dom.one(el, CONTROLS) === null;
}

// wraps says whether an element called text is only the wrapper of a control that
// is called so: who clicks the one clicks the other.
export function wraps(view, el, text) {
  const inner = view.dom.one(el, CONTROLS);
  return inner !== null && name(view, inner).text === text;
}
