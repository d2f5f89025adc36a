// Enter, and what it does where the page lets it be.

import { activate } from "./click.js";
import { control } from "./control.js";
import { commit } from "./commit.js";
import { edit } from "./edit.js";
import { keyOf } from "./keytable.js";
import { stroke } from "./stroke.js";
import { defaultButton, formOf, send } from "./submit.js";
import { named } from "./target.js";

// Fields that keep a form without a button from being sent by Enter when there
// is more than one of them.
const BLOCKING = "input:not([type]),input[type=text],input[type=search],input[type=tel],input[type=url],input[type=email],input[type=password],input[type=date],input[type=month],input[type=week],input[type=time],input[type=datetime-local],input[type=number]";

// enter presses Enter on an element: {emulated, submitted?, warnings?}.
export function enter(page, el, mods) {
  const { did } = stroke(page, () => (page.dom.connected(el) ? el : page.active()), keyOf("Enter"), mods, (at) => enterAction(page, at, mods));
  return did ?? { __proto__: null };
}

// enterAction is the default action of Enter on an element.
export function enterAction(page, el, mods) {
  const kind = control(page, el);
  const says = (what) => ({ __proto__: null, emulated: [what] });
  if (kind === "text") return mods.ctrlKey || mods.altKey || mods.metaKey ? undefined : edit(page, el, "insertLineBreak") === "done" ? says("inserted a line break") : undefined;
  if (kind === "editable") {
    if (mods.ctrlKey || mods.altKey || mods.metaKey) return undefined;
    return edit(page, el, mods.shiftKey ? "insertLineBreak" : "insertParagraph") === "done" ? says("inserted a line break") : undefined;
  }
  if (presses(page, el, kind)) {
    return { __proto__: null, ...activate(page, el), emulated: [`clicked ${named(page, el)}`] };
  }
  if (page.dom.tag(el) === "input" && kind !== "file" && kind !== "color") return implicit(page, el);
  return undefined;
}

// presses says whether Enter on an element is a click.
function presses(page, el, kind) {
  return kind === "button" || page.dom.matches(el, "button,a[href],area[href],summary") || kind === "color";
}

// implicit sends the form of a field, by the rules of HTML.
function implicit(page, el) {
  const { native, dom } = page;
  commit(page, el);
  const form = formOf(page, el);
  if (!form) return undefined;
  const button = defaultButton(page, form);
  if (button) {
    if (!dom.matches(button, ":disabled")) return send(page, form, button);
    return { __proto__: null, submitted: false, warnings: [`Enter does not send the form: ${named(page, button)}, its button, is disabled`] };
  }
  const fields = native.call(dom.root(form), "querySelectorAll", BLOCKING);
  let own = 0;
  for (let i = 0; i < fields.length; i++) if (native.get(fields[i], "form") === form) own++;
  if (own > 1) return { __proto__: null, submitted: false, warnings: ["Enter does not send a form that has several fields and no button"] };
  return send(page, form, null);
}
