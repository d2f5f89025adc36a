// Some lists have their options twice: once with roles in a box without size,
// which nobody can click, and once without roles for the eye. What is for the eye
// stands in for an option, but only what has come with the list: words alone
// could be those of anything on the page.

import { squeeze } from "./control.js";
import { boxes, clipped, INTERACTIVE } from "./reach.js";
import { eachRoot } from "./roots.js";

const MANY = 5000; // elements looked at around one list

export const LIST = "[role=listbox],[role=menu],[role=tree],[role=grid],[role=dialog]";

// beforeOpening notes what there is before the list of a field is opened.
export function beforeOpening(page, field) {
  const { native, dom } = page;
  const there = [];
  const hidden = new Set(); // what is around lists that are not shown
  eachRoot(page, (root) => {
    there[there.length] = native.call(root, "querySelectorAll", "*");
    const lists = native.call(root, "querySelectorAll", LIST);
    for (let i = 0; i < lists.length; i++) {
      const around = dom.parent(lists[i]);
      if (around && dom.kind(around) === 1 && !shows(page, around)) hidden.add(around);
    }
    return false;
  });
  return { __proto__: null, field, there, hidden, old: null, open: page.attr(field, "aria-expanded") === "true" };
}

const shows = (page, el) => boxes(page, el).length > 0 && page.dom.style(el).visibility === "visible";

// unseen says whether the options of a list are not for the eye.
export const unseen = (page, options) => options.length > 0 && options.every((o) => clipped(page, o));

// surroundings is where what stands in for the options of a list may be: beside the
// list, in something that is about nothing else; or null.
export function surroundings(page, list, before) {
  const { dom } = page;
  const around = dom.parent(list);
  if (!before || !around || dom.kind(around) !== 1 || /^(body|html)$/.test(dom.tag(around))) return null;
  return page.within(before.field, around) ? null : around;
}

// standIns are the innermost elements with text around a list that has come, or
// has been open from the start. What is pressed for a purpose of its own is not among
// them, unless it stands for an option that is known.
export function standIns(page, around, before, known) {
  const { dom, native } = page;
  const out = [];
  const all = native.call(around, "querySelectorAll", "*");
  for (let i = 0; i < all.length && i < MANY; i++) {
    const el = all[i];
    if (dom.firstElement(el) !== null || squeeze(dom.text(el)) === "") continue;
    const fresh = before.hidden.has(around) || isNew(before, el);
    if (!fresh && !before.open) continue;
    if (!(fresh && known) && pressable(page, el, around)) continue;
    if (shows(page, el) && !clipped(page, el)) out[out.length] = el;
  }
  return out;
}

function isNew(before, el) {
  if (!before.old) {
    before.old = new Set();
    for (let i = 0; i < before.there.length; i++) for (let k = 0; k < before.there[i].length; k++) before.old.add(before.there[i][k]);
  }
  return !before.old.has(el);
}

function pressable(page, el, around) {
  for (let at = el; at && at !== around; at = page.up(at)) if (page.dom.matches(at, INTERACTIVE)) return true;
  return false;
}
