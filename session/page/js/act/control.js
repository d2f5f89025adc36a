// What kind of control an element is, what it holds, and who may know.

import { isSecret } from "./reading.js";

// How much of a field's content an answer carries, in UTF-16 units.
const SHOWN = 2000;

const BUTTONS = { __proto__: null, button: 1, submit: 1, reset: 1, image: 1 };
const TYPED = { __proto__: null, number: 1, range: 1, date: 1, time: 1, month: 1, week: 1, "datetime-local": 1, color: 1, checkbox: 1, radio: 1, file: 1, hidden: 1 };

// control gives "line" (one line of text), "text" (a textarea), "editable",
// "select", "button", the type of other inputs, "toggle" for ARIA's switches
// and check boxes, or "" for everything else.
export function control(page, el) {
  const { dom } = page;
  const tag = dom.tag(el);
  if (tag === "textarea") return "text";
  if (tag === "select") return "select";
  if (tag === "button") return toggles(page, el) ? "toggle" : "button";
  if (tag === "input") {
    const type = page.type(el);
    return BUTTONS[type] ? "button" : TYPED[type] ? type : "line";
  }
  if (editable(page, el)) return "editable";
  return toggles(page, el) ? "toggle" : "";
}

const toggles = (page, el) => /^(checkbox|switch|radio|menuitemcheckbox|menuitemradio)$/.test(page.role(el)) && page.dom.has(el, "aria-checked");

export const editable = (page, el) => !!page.native.get(el, "isContentEditable") || (page.native.get(page.document, "designMode") === "on" && !("type" in el && "form" in el));

// host is the outermost element that is edited as one with el.
export function editingHost(page, el) {
  let host = el;
  for (let at = el; at && editable(page, at); at = page.dom.parent(at)) host = at;
  return host;
}

// fieldOf is the control that el stands for: itself, the control of a label, or
// the only field inside a wrapper.
export function fieldOf(page, el) {
  const { dom, native } = page;
  if (control(page, el) && control(page, el) !== "button") return el;
  if (dom.tag(el) === "label") return native.get(el, "control") ?? el;
  const root = dom.shadowRoot(el) ?? el;
  const inside = native.call(root, "querySelectorAll", "input:not([type=hidden]):not([type=file]),textarea,select,[contenteditable=''],[contenteditable=true]");
  return inside.length === 1 && control(page, inside[0]) !== "button" ? inside[0] : el;
}

// isOn is the state of a check box, radio button or switch; undefined for others.
export function isOn(page, el) {
  const type = page.type(el);
  if (type === "checkbox" || type === "radio") return page.native.get(el, "checked");
  if (page.dom.tag(el) === "label") {
    const inner = page.native.get(el, "control");
    return inner ? isOn(page, inner) : undefined;
  }
  return toggles(page, el) ? page.attr(el, "aria-checked") === "true" : undefined;
}

// textOf is what a field holds.
export function textOf(page, el) {
  const { dom, native } = page;
  switch (dom.tag(el)) {
    case "input":
    case "textarea":
      return native.get(el, "value");
    case "select": {
      const chosen = native.get(el, "selectedOptions");
      const out = [];
      for (let i = 0; i < chosen.length; i++) out[i] = squeeze(native.get(chosen[i], "label"));
      return out.join(", ");
    }
  }
  return editedText(page, el);
}

// editedText is the text of an edited element as a reader sees it: without the
// invisible fillers that editors use, without the line that ends it.
export function editedText(page, el) {
  const text = page.native.get(el, "innerText") ?? page.dom.text(el) ?? "";
  return text.replace(/[\u200b\u2060\ufeff]/g, "").replace(/\u00a0/g, " ").replace(/\n$/, "");
}

export const squeeze = (text) => (text ?? "").replace(/\s+/g, " ").trim();

// report is what a result may say about a field's content.
export function report(page, el) {
  const text = textOf(page, el);
  if (isSecret(el, page.ctx)) return { __proto__: null, secret: true, value_after: text === "" ? "empty" : "filled" };
  return { __proto__: null, value_after: text.length > SHOWN ? text.slice(0, SHOWN) + "…" : text };
}
