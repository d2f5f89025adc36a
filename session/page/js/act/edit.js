// One editing step in the focused field: announced by beforeinput, carried out
// by the browser's own editing command, which keeps to maxlength, caret and
// undo, and sends the input event itself.

import { during } from "./listen.js";

const COMMANDS = {
  __proto__: null,
  insertText: "insertText",
  insertParagraph: "insertParagraph",
  insertLineBreak: "insertLineBreak",
  deleteContentBackward: "delete",
  deleteContentForward: "forwardDelete",
};

// edit answers "page" (the page took the step over), "done" or "refused" (the
// browser changed nothing).
export function edit(page, el, inputType, data = null) {
  const { fire } = page;
  if (!fire.input(el, "beforeinput", { __proto__: null, inputType, data })) return "page";
  const text = inputType === "insertText" ? data : /^insert/.test(inputType) ? "\n" : "";
  if (text !== "" && !fire.textInput(el, text)) return "page";
  if (page.within(page.active() ?? el, el)) return command(page, COMMANDS[inputType], data) ? "done" : "refused";
  return splice(page, el, inputType, data) ? "done" : "refused";
}

// command runs an editing command on whatever has the focus. Its input event is
// the sign that something was changed: its answer is not.
export function command(page, name, data) {
  const { native, document } = page;
  let told = false;
  during(page, [["input", () => void (told = true), true]], () => native.call(document, "execCommand", name, false, data ?? ""));
  return told;
}

// splice edits a field that would not take the focus.
function splice(page, el, inputType, data) {
  const { native, dom } = page;
  if (!/^(input|textarea)$/.test(dom.tag(el))) return false;
  const value = native.get(el, "value");
  let from = native.get(el, "selectionStart") ?? value.length;
  let to = native.get(el, "selectionEnd") ?? value.length;
  let text = inputType === "insertText" ? data : inputType === "insertLineBreak" ? "\n" : "";
  if (text === "" && from === to) {
    if (inputType === "deleteContentBackward") from = Math.max(0, from - 1);
    else to = Math.min(value.length, to + 1);
  }
  const max = native.get(el, "maxLength") ?? -1;
  if (max >= 0) text = text.slice(0, Math.max(0, max - (value.length - (to - from))));
  const next = value.slice(0, from) + text + value.slice(to);
  if (next === value) return false;
  native.set(el, "value", next);
  if (native.get(el, "selectionStart") !== null) native.call(el, "setSelectionRange", from + text.length, from + text.length);
  page.fire.input(el, "input", { __proto__: null, inputType, data: text || null });
  return true;
}
