// Carets and selections, in fields and in edited elements.

import { control } from "./control.js";

const isField = (page, el) => /^(input|textarea)$/.test(page.dom.tag(el));

// toEnd puts the caret behind everything.
export function toEnd(page, el) {
  const { native } = page;
  if (!isField(page, el)) return endOfEdited(page, el);
  const value = native.get(el, "value");
  if (native.get(el, "selectionStart") !== null) return native.call(el, "setSelectionRange", value.length, value.length);
  // Number and e-mail fields hide their caret; it goes to the end when a script
  // gives them a value.
  if (value === "") return undefined;
  native.set(el, "value", "");
  native.set(el, "value", value);
}

// selectAll selects everything that is in el.
export function selectAll(page, el) {
  const { native, window } = page;
  if (isField(page, el)) return native.call(el, "select");
  const selection = native.call(window.document, "getSelection");
  native.call(selection, "selectAllChildren", el);
}

export const selectionOf = (page) => page.native.call(page.document, "getSelection");

function endOfEdited(page, el) {
  const { dom, native } = page;
  const selection = selectionOf(page);
  let at = el;
  for (;;) {
    const kids = dom.kids(at);
    let last = kids[kids.length - 1];
    // The line break that only keeps an empty line open stands behind the caret.
    if (last && dom.nodeName(last).toLowerCase() === "br") return native.call(selection, "collapse", at, kids.length - 1);
    if (last && dom.kind(last) === 3 && !/\S/.test(dom.data(last)) && kids.length > 1 && dom.kind(kids[kids.length - 2]) === 1) last = kids[kids.length - 2];
    if (last && dom.kind(last) === 3) return native.call(selection, "collapse", last, dom.data(last).length);
    if (!last || dom.kind(last) !== 1 || page.attr(last, "contenteditable") === "false" || !dom.firstElement(last) && dom.text(last) === "" && /^(img|input|hr|video|audio|canvas|svg)$/.test(dom.tag(last))) {
      return native.call(selection, "collapse", at, kids.length);
    }
    at = last;
  }
}

// caretIn says whether the caret or selection is inside el already.
export function caretIn(page, el) {
  if (isField(page, el)) return page.active() === el;
  const node = page.native.get(selectionOf(page), "anchorNode");
  return !!node && page.dom.contains(el, node);
}

// edits says whether keys change text in el.
export function edits(page, el) {
  const kind = control(page, el);
  return kind === "line" || kind === "text" || kind === "editable" || kind === "number";
}
