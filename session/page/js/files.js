// File inputs are listed even where nothing else is: most pages hide them and show
// a button in their stead.

import { bare } from "./bare.js";
import { control } from "./lines.js";
import { ELEMENT } from "./view.js";

export class Files {
  constructor(reader) {
    this.reader = reader;
    this.dom = reader.dom;
    this.waiting = new Set(); // not met yet
    this.leads = new Set(); // their ancestors
  }

  // watch is told of the file inputs of each root that the walk comes to.
  watch(found) {
    const { dom } = this;
    for (let i = 0; i < found.length && i < 1000; i++) {
      if (this.waiting.has(found[i])) continue;
      this.waiting.add(found[i]);
      for (let at = dom.parent(found[i]); at !== null && !this.leads.has(at); at = dom.parent(at)) this.leads.add(at);
    }
  }

  // met says that an element has got its line like any other.
  met(el) {
    this.waiting.delete(el);
  }

  // unshown lists an element that shows nothing itself, if it is a file input.
  unshown(el, depth) {
    if (this.waiting.has(el)) this.list(el, depth);
  }

  // cut lists the file inputs in an element that is cut off with all that is in it.
  cut(el, depth) {
    if (this.waiting.size === 0 || (!this.waiting.has(el) && !this.leads.has(el)) || this.reader.view.barred(el)) return;
    if (this.waiting.has(el)) this.list(el, depth);
    else this.inner(el, depth);
  }

  // inner lists the file inputs in an element whose inside is not shown.
  inner(el, depth) {
    if (!this.leads.has(el)) return;
    const found = this.dom.all(el, "input[type=file]");
    for (let i = 0; i < found.length; i++) if (this.waiting.has(found[i]) && !this.shunned(found[i], el)) this.list(found[i], depth);
  }

  shunned(file, outer) {
    for (let at = file; at !== null && at !== outer; at = this.dom.parent(at)) if (this.dom.kind(at) === ELEMENT && this.reader.view.barred(at)) return true;
    return false;
  }

  list(el, depth) {
    const { reader } = this;
    this.waiting.delete(el);
    reader.controls++;
    if (!reader.stop()) reader.add(control(reader, el, null), depth);
  }
}

bare(Files);
