// Values of controls, as they stand inside names and as the controls' own.

import { clip, content, name, spend } from "./name.js";
import { editingHost, role } from "./role.js";
import { secret } from "./secret.js";
import { set } from "./sets.js";
import { blank, collapse } from "./text.js";

const RANGES = set("slider spinbutton scrollbar progressbar meter");
export const TYPED = set("password date time datetime-local month week color number");

// embedded gives the current value of a control that stands inside a name, null
// for anything that is no such control. Secrets say nothing.
export function embedded(walk, el, it, r, all) {
  const { view } = walk;
  const { dom } = view;
  if (it.html && it.tag === "input" && TYPED[dom.inputType(el)] && !RANGES[r]) {
    return secret(view.ctx, el) ? "" : dom.inputType(el) === "password" ? "" : clip(dom.inputValue(el));
  }
  if (r === "textbox" || r === "searchbox") return textValue(walk, el, it, all);
  if (r === "combobox" || r === "listbox") return chosen(walk, el, it, r, all);
  return RANGES[r] ? rangeValue(view, el, it) : null;
}

function textValue(walk, el, it, all) {
  const { view } = walk;
  if (secret(view.ctx, el)) return "";
  if (it.html && it.tag === "input") return spend(walk, view.dom.inputValue(el));
  if (it.html && it.tag === "textarea") return spend(walk, view.dom.areaValue(el));
  return content(walk, el, it, false, all);
}

// chosen gives the text of the selected options.
export function chosen(walk, el, it, r, all) {
  const { view } = walk;
  const { dom } = view;
  if (secret(view.ctx, el)) return "";
  if (it.html && it.tag === "select") {
    let out = "";
    const options = dom.selectedOptions(el);
    for (let i = 0; i < options.length && walk.left > 0; i++) out += (out ? " " : "") + spend(walk, name(view, options[i]).text);
    return out;
  }
  if (r === "combobox" && it.html && it.tag === "input") return spend(walk, dom.inputValue(el));
  const picked = ariaChosen(view, el, it);
  if (picked) return spend(walk, picked);
  if (r === "listbox") return "";
  const inner = dom.one(el, "input");
  if (inner) return secret(view.ctx, inner) ? "" : spend(walk, dom.inputValue(inner));
  return content(walk, el, it, false, all);
}

const BELONGINGS = ["aria-owns", "aria-controls"];

export function ariaChosen(view, el, it) {
  const { dom } = view;
  const places = [el];
  for (let k = 0; k < BELONGINGS.length; k++) {
    const more = view.byIds(el, dom.attr(el, BELONGINGS[k]));
    for (let i = 0; i < more.length; i++) places[places.length] = more[i];
  }
  let out = "";
  for (let i = 0; i < places.length && it; i++) {
    const options = dom.all(places[i], '[aria-selected="true" i]');
    for (let k = 0; k < options.length && k < 20; k++) {
      if (role(view, options[k]) !== "option") continue;
      const text = name(view, options[k]).text;
      if (text) out += (out ? " " : "") + text;
    }
    if (i > 0 && role(view, places[i]) === "option" && lower(dom.attr(places[i], "aria-selected")) === "true") out += (out ? " " : "") + name(view, places[i]).text;
  }
  return out;
}

export const lower = (text) => (text === null ? "" : text.toLowerCase());

export function rangeValue(view, el, it) {
  const text = view.attr(el, "aria-valuetext");
  if (text !== null && !blank(text)) return collapse(clip(text));
  const written = it.html && editingHost(view, el) ? view.dom.text(el) : ""; // in a part of a date
  if (!blank(written)) return collapse(clip(written));
  const now = view.attr(el, "aria-valuenow");
  if (now !== null && !blank(now)) return collapse(clip(now));
  if (!it.html) return "";
  if (it.tag === "input") return secret(view.ctx, el) ? "" : view.dom.inputValue(el);
  if (it.tag === "progress") return view.dom.has(el, "value") ? "" + view.dom.progressValue(el) : "";
  return it.tag === "meter" ? "" + view.dom.meterValue(el) : "";
}
