// One key going down and up, and what a browser would do in between unless the
// page prevented it.

import { keyOf } from "./keytable.js";

const MODIFIERS = ["Control", "Alt", "Shift", "Meta"];

// stroke sends the events of a key to what has the focus. act carries out the
// default action of the key and says what it did; the default that belongs to
// letting the key go is the function that act may return as up. The answer is
// {prevented, did}.
export function stroke(page, target, key, mods, act) {
  const { fire } = page;
  const init = { __proto__: null, key: key.key, code: key.code, keyCode: key.keyCode, which: key.keyCode, ...mods };
  if (key.shift) init.shiftKey = true;
  if (key.char !== "" && mods.shiftKey && /^[a-z]$/.test(key.key)) init.key = key.key.toUpperCase();
  let go = fire.key(target(), "keydown", init);
  const shortcut = mods.ctrlKey || mods.metaKey || mods.altKey;
  if (go && (key.key === "Enter" || (key.char !== "" && !shortcut))) {
    const code = key.key === "Enter" ? 13 : key.char.codePointAt(0);
    go = fire.key(target(), "keypress", { ...init, charCode: key.key === "Enter" ? 0 : code, keyCode: code, which: code });
  }
  const did = go ? act(target()) : undefined;
  const up = fire.key(target(), "keyup", init);
  const later = typeof did === "function" ? (up ? did() : undefined) : did;
  return { __proto__: null, prevented: !go, did: later };
}

// held sends the modifiers down, runs press, and lets them go again.
export function held(page, target, mods, press) {
  const down = { __proto__: null, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };
  const FLAG = { __proto__: null, Control: "ctrlKey", Alt: "altKey", Shift: "shiftKey", Meta: "metaKey" };
  const wanted = MODIFIERS.filter((m) => mods[FLAG[m]]);
  const send = (type, name) => {
    const key = keyOf(name);
    page.fire.key(target(), type, { key: key.key, code: key.code, keyCode: key.keyCode, which: key.keyCode, ...down });
  };
  for (let i = 0; i < wanted.length; i++) {
    down[FLAG[wanted[i]]] = true;
    send("keydown", wanted[i]);
  }
  const out = press();
  for (let i = wanted.length - 1; i >= 0; i--) {
    down[FLAG[wanted[i]]] = false;
    send("keyup", wanted[i]);
  }
  return out;
}
