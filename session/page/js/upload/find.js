// From the element that the caller named to the one that takes the files. What
// people see of a file input is often something else: a label, a button whose
// script opens the input's dialog, a zone to drop files on.

import { fail } from "../fault.js";
import { makeNative } from "../act/native.js";

const XHTML = "http://www.w3.org/1999/xhtml";

// Where a group of controls ends: a button in one of these has no business with
// an input outside it.
const GROUP = "form,fieldset,dialog,main,nav,header,footer,aside,article,section,li,tr,[role=dialog],[role=form],[role=region],[role=listitem],[role=row],[role=group]";
const LEVELS = 6;

// Controls that do something else, whatever lies around them.
const OTHER = "input:not([type=button],[type=image],[type=submit]),select,textarea,option,iframe,frame,object,embed,video,audio,meter,progress";

export function makeFinder(ctx) {
  const { dom, host, builtins } = ctx;
  const native = makeNative(builtins);

  const isFileInput = (e) => dom.tag(e) === "input" && dom.space(e) === XHTML && native.get(e, "type") === "file";

  // inputs lists the file inputs below a root, and in the shadow tree of the
  // root itself.
  const inputs = (root, all) => {
    const found = [];
    const collect = (list) => {
      for (let i = 0; i < list.length; i++) if (isFileInput(list[i])) found[found.length] = list[i];
    };
    collect(all(root, "input"));
    const shadow = dom.kind(root) === 1 && host.shadow(root);
    if (shadow) collect(dom.rootQueryAll(shadow, "input"));
    return found;
  };

  // up climbs out of shadow trees too.
  const up = (e) => {
    const parent = dom.parent(e);
    if (!parent || dom.kind(parent) === 9) return null;
    return dom.kind(parent) === 11 ? (dom.hostOf(parent) ?? null) : parent;
  };

  // behind says whether an input cannot be seen, as one that something else
  // stands for: not rendered, a dot, transparent, or off the page.
  const behind = (input) => {
    const r = dom.rect(input);
    if (r.width <= 1 || r.height <= 1 || r.right < 0 || r.bottom + ctx.window.scrollY < 0) return true;
    for (let e = input, n = 0; e && n < 4; e = up(e), n++) {
      const style = dom.style(e);
      if (style.opacity === "0" || style.visibility === "hidden") return true;
    }
    return false;
  };

  const labelled = (element) => {
    for (let e = element; e; e = up(e)) {
      if (dom.tag(e) !== "label") continue;
      const control = native.get(e, "control");
      return control && isFileInput(control) ? control : null;
    }
    return null;
  };

  const controlled = (element) => {
    const ids = (dom.attr(element, "aria-controls") ?? "").split(/\s+/);
    const root = dom.root(element);
    for (let i = 0; i < ids.length; i++) {
      if (ids[i] === "") continue;
      const e = dom.kind(root) === 9 ? dom.byId(root, ids[i]) : dom.kind(root) === 11 ? dom.rootById(root, ids[i]) : null;
      if (!e) continue;
      if (isFileInput(e)) return e;
      const found = inputs(e, dom.all);
      if (found.length === 1) return found[0];
    }
    return null;
  };

  // nearby finds the input that a button stands for: the only hidden one in the
  // smallest part of the page around the button that has any.
  const nearby = (element) => {
    for (let e = element, level = 0; e && level < LEVELS; e = up(e), level++) {
      const all = inputs(e, dom.all);
      const hidden = [];
      for (let i = 0; i < all.length; i++) if (behind(all[i])) hidden[hidden.length] = all[i];
      if (hidden.length > 0 || (level > 0 && dom.matches(e, GROUP))) return hidden;
    }
    return [];
  };

  // find gives {input, via}, or {zone, via: "drop"} for an element that may take
  // files only by drag and drop, which nothing but trying can tell.
  return (element) => {
    if (isFileInput(element)) return { __proto__: null, input: element, via: "itself" };
    if (dom.matches(element, OTHER) || native.get(element, "isContentEditable")) fail("upload_target_invalid", "the element takes no files");
    let input = labelled(element);
    if (input) return { __proto__: null, input, via: "label" };
    const inside = inputs(element, dom.all);
    if (inside.length === 1) return { __proto__: null, input: inside[0], via: "inside" };
    if (inside.length > 1) fail("upload_target_invalid", "there are " + inside.length + " file inputs in the element: name one of them");
    input = controlled(element);
    if (input) return { __proto__: null, input, via: "controls" };
    const near = nearby(element);
    if (near.length === 1) return { __proto__: null, input: near[0], via: "nearby" };
    return { __proto__: null, zone: element, via: "drop", rivals: near.length };
  };
}
