// Sending a form as the browser does when Enter is pressed in one of its fields.

import { during, origin } from "./listen.js";
import { named } from "./target.js";

export const formOf = (page, el) => page.native.get(el, "form") ?? page.nearest(el, "form");

// defaultButton is the first submit button of a form in the order of the tree,
// wherever it stands.
export function defaultButton(page, form) {
  const { native, dom } = page;
  const all = native.call(dom.root(form), "querySelectorAll", "button,input");
  for (let i = 0; i < all.length; i++) {
    const type = native.get(all[i], "type");
    if ((type === "submit" || type === "image") && native.get(all[i], "form") === form) return all[i];
  }
  return null;
}

// submit sends the form of el: through its default button, which a page may
// listen to, else by itself. {submitted, emulated?, warnings?} says what the
// browser made of it.
export function submit(page, el) {
  const form = formOf(page, el);
  if (!form) return none("there is no form around the field, so nothing was submitted; press Enter in it or click the page's own button");
  const button = defaultButton(page, form);
  if (button && page.dom.matches(button, ":disabled")) return none(`the form was not submitted: ${named(page, button)}, its button, is disabled`);
  return send(page, form, button);
}

// send watches for the submit event, since invalid fields keep it from coming.
export function send(page, form, button) {
  const { native, fire } = page;
  let sent = false;
  const refused = [];
  const listeners = [
    ["submit", (e) => void (sent ||= origin(page, e) === form), true],
    ["invalid", (e) => void (refused[refused.length] = origin(page, e)), true],
  ];
  during(page, listeners, () => {
    if (button) fire.pointer(button, "click", { __proto__: null, detail: 0 });
    else native.call(form, "requestSubmit");
  });
  const how = button ? `clicked ${named(page, button)}, the form's default button` : "submitted the form";
  if (sent) return { __proto__: null, submitted: true, emulated: [how] };
  if (refused.length) return none(`the form was not submitted: ${named(page, refused[0])}: ${native.get(refused[0], "validationMessage") || "not valid"}`, how);
  // The button's own handlers may have done the work and prevented the rest.
  return none("no submit event followed; the page may have handled it in a way of its own", how);
}

const none = (why, how) => ({ __proto__: null, submitted: false, emulated: how ? [how] : undefined, warnings: [why] });
