// Roles as callers name them, and which of them have lines of their own.

import { set } from "../sets.js";

const SYNONYM = { __proto__: null, img: "image", presentation: "none", directory: "list", graphic: "image", textarea: "textbox", input: "textbox", header: "heading", dropdown: "combobox" };

// Every element that has one of these has a line (or, a heading in a link, is part of one).
const LINED = set(`link button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio radio searchbox slider
  spinbutton switch tab textbox treeitem clickable summary heading banner main navigation contentinfo complementary region
  search form dialog alertdialog list listitem table grid treegrid row cell gridcell columnheader rowheader tree tablist menu
  menubar alert status log timer progressbar meter article iframe text`);

// oneName gives the role by its one name.
export function oneName(role) {
  return SYNONYM[role] ?? role;
}

// rare says whether elements of a role may have no line.
export function rare(role) {
  return !LINED[role] && role.substring(0, 6) !== "input ";
}
