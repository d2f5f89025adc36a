// The registry names nodes by small numbers for as long as the document lives.
// A number is never given twice. It holds nodes weakly: a page that makes and
// drops elements all day is not kept from forgetting them.

import { bare } from "./bare.js";

const SWEEP = 4096;

export class Registry {
  #ids = new WeakMap();
  #nodes = new Map();
  #last = 0;
  #sweepAt = SWEEP;

  // id gives the node's number, the same one every time.
  id(node) {
    let id = this.#ids.get(node);
    if (id === undefined) {
      id = ++this.#last;
      this.#ids.set(node, id);
      this.#nodes.set(id, new WeakRef(node));
      if (this.#nodes.size > this.#sweepAt) this.#sweep();
    }
    return id;
  }

  // known gives the node's number if it has one, else 0.
  known(node) {
    return this.#ids.get(node) ?? 0;
  }

  // node gives the node of a number, or undefined once it has been collected.
  // It may well be disconnected.
  node(id) {
    return this.#nodes.get(id)?.deref();
  }

  #sweep() {
    this.#nodes.forEach((ref, id) => {
      if (ref.deref() === undefined) this.#nodes.delete(id);
    });
    this.#sweepAt = 2 * this.#nodes.size + SWEEP;
  }
}

bare(Registry);
