// Events as a browser makes them, but for isTrusted: they bubble, they cross
// shadow borders, and they carry the window.

const FLAGS = { __proto__: null, Control: "ctrlKey", Shift: "shiftKey", Alt: "altKey", Meta: "metaKey" };

// flags turns modifier names into the members of an event.
export function flags(modifiers) {
  const out = { __proto__: null, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
  for (let i = 0; i < (modifiers?.length ?? 0); i++) if (FLAGS[modifiers[i]]) out[FLAGS[modifiers[i]]] = true;
  return out;
}

// makeEvents takes the constructors once. Each function dispatches one event
// and says whether the page let its default action be.
export function makeEvents(window, native) {
  const { Event, MouseEvent, PointerEvent, WheelEvent, KeyboardEvent, InputEvent, FocusEvent, DragEvent, ClipboardEvent } = window;
  const base = (more) => ({ __proto__: null, bubbles: true, cancelable: true, composed: true, view: window, ...more });
  const fire = (target, event) => native.call(target, "dispatchEvent", event);
  return {
    __proto__: null,
    plain: (target, type, init) => fire(target, new Event(type, { __proto__: null, bubbles: true, ...init })),
    mouse: (target, type, init) => fire(target, new MouseEvent(type, base(init))),
    pointer: (target, type, init) => fire(target, new PointerEvent(type, base(init))),
    wheel: (target, init) => fire(target, new WheelEvent("wheel", base(init))),
    key: (target, type, init) => fire(target, new KeyboardEvent(type, base(init))),
    focus: (target, type, init) => fire(target, new FocusEvent(type, base({ cancelable: false, ...init }))),
    input: (target, type, init) => fire(target, new InputEvent(type, base({ cancelable: type === "beforeinput", ...init }))),
    // The old event that Firefox still sends between beforeinput and input, and by
    // which React makes its own beforeinput.
    textInput(target, data) {
      const event = native.call(window.document, "createEvent", "TextEvent");
      native.call(event, "initTextEvent", "textInput", true, true, window, data);
      return fire(target, event);
    },
    drag: (target, type, init) => fire(target, new DragEvent(type, base(init))),
    // Firefox fills the clipboard of a constructed event from members of its own.
    paste: (target, text) => fire(target, new ClipboardEvent("paste", base({ dataType: "text/plain", data: text }))),
  };
}
