// Space: it presses what is pressed with the keyboard, types into what is typed
// into, and turns the page elsewhere.

import { edits } from "./caret.js";
import { activate } from "./click.js";
import { control } from "./control.js";
import { edit } from "./edit.js";
import { scrollByKey } from "./scroll.js";
import { named } from "./target.js";

export function space(page, el, mods) {
  if (mods.ctrlKey || mods.altKey || mods.metaKey) return undefined;
  const says = (text) => (text ? { __proto__: null, emulated: [text] } : undefined);
  if (edits(page, el)) return says(edit(page, el, "insertText", " ") === "done" ? "typed the character" : undefined);
  const kind = control(page, el);
  const pressed = kind === "checkbox" || kind === "radio" || kind === "button" || kind === "color" || page.dom.matches(el, "button,summary");
  if (!pressed) return kind === "select" || kind === "range" ? undefined : says(scrollByKey(page, el, mods.shiftKey ? "PageUp" : "PageDown"));
  // A browser presses when the key comes up again.
  return () => {
    const toggled = kind === "checkbox" || kind === "radio";
    return { __proto__: null, ...activate(page, el), emulated: [`${toggled ? "toggled" : "clicked"} ${named(page, el)}`] };
  };
}
