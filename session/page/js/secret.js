// Secrets are values that must never leave the page: passwords, one-time codes,
// card data. What has been one stays one for the life of its node, because
// pages show passwords by turning the field into a text field.

import { sequence } from "./lists.js";
import { words } from "./words.js";

// secret says whether the value of an element is one, and remembers it.
export function secret(ctx, el) {
  if (ctx.secrets.has(el)) return true;
  const { dom } = ctx;
  const tag = dom.tag(el);
  if (tag !== "input" && tag !== "textarea" && tag !== "select") return false;
  if (!(tag === "input" && dom.attr(el, "type") !== null && dom.inputType(el) === "password") && !sensitive(dom.attr(el, "autocomplete"), suggests(dom, el))) return false;
  ctx.secrets.add(el);
  return true;
}

// suggests: a field with a list to choose from is none for passwords. Libraries
// give such fields autocomplete=new-password to have no other list in the way.
const suggests = (dom, el) => dom.attr(el, "role") === "combobox" && dom.has(el, "aria-autocomplete") && dom.has(el, "aria-expanded");

// sensitive reads an autocomplete attribute. suggests says that the field has a list.
export function sensitive(text, suggests = false) {
  if (text === null) return false;
  const all = words(text.toLowerCase());
  for (let i = 0; i < all.length; i++) {
    const word = all[i];
    if (word === "one-time-code" || word === "current-password" || (word === "new-password" && !suggests)) return true;
    if (word[0] === "c" && word[1] === "c" && word[2] === "-") return true;
  }
  return false;
}

// watchSecrets keeps the memory from the first moment: password fields that are
// there now, and those whose type changes before anyone has looked at them.
export function watchSecrets(ctx) {
  const { document, dom, secrets, window } = ctx;
  const now = dom.queryAll(document, "input[type=password]");
  for (let i = 0; i < now.length; i++) secrets.add(now[i]);
  try {
    const note = (records) => {
      for (let i = 0; i < records.length; i++) if (("" + records[i].oldValue).toLowerCase() === "password") secrets.add(records[i].target);
    };
    const observer = new window.MutationObserver(note);
    observer.observe(document, { subtree: true, attributeFilter: sequence(["type"]), attributeOldValue: true });
    ctx.noteSecrets = () => note(observer.takeRecords());
  } catch {
    // a page's realm without observers: the look at each snapshot remains
  }
}
