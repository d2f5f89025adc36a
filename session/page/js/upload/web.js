// What files are made of, taken when the agent is installed: behind Xrays the
// browser's own, in the page's realm whatever the page has left of them. A page
// that has spoilt one of these spoils its uploads, not the agent.

import { makeNative } from "../act/native.js";
import { fail } from "../fault.js";
import { sequence } from "../lists.js";

const take = (name) => {
  try {
    return globalThis[name];
  } catch {
    return undefined;
  }
};

const Bytes = take("Uint8Array");
const DataTransfer = take("DataTransfer");
const File = take("File");
const Blob = take("Blob");
const crypto = take("crypto");
const decode = Bytes?.fromBase64;

const { getOwnPropertyDescriptor } = Reflect;
const { toString } = Function.prototype;

// pagesOwn finds a method of an interface in the page's realm, past getters that
// a page may have defined, and only if it is still the browser's.
function pagesOwn(waived, name, key) {
  try {
    const type = getOwnPropertyDescriptor(waived, name)?.value;
    const method = getOwnPropertyDescriptor(getOwnPropertyDescriptor(type, "prototype").value, key).value;
    return NATIVE.test(Reflect.apply(toString, method, [])) ? method : null;
  } catch {
    return null;
  }
}

const NATIVE = /^function \w+\(\) \{\s*\[native code\]\s*\}$/;

export function makeWeb(ctx) {
  const native = makeNative(ctx.builtins);
  return {
    __proto__: null,
    decode: (text) => ctx.builtins.apply(decode, Bytes, [text]),
    blob: (parts) => new Blob(sequence(parts)),
    file: (parts, name, options) => new File(sequence(parts), name, options),

    facts: (file) => ({ __proto__: null, name: native.get(file, "name"), size: native.get(file, "size"), type: native.get(file, "type") }),

    // transfer puts files into a DataTransfer, the only way to a FileList.
    transfer(files) {
      const transfer = new DataTransfer();
      const items = native.get(transfer, "items");
      for (let i = 0; i < files.length; i++) native.call(items, "add", files[i]);
      return transfer;
    },

    // gift is a transfer for the page to look into. Firefox shows its contents
    // only to the principal that put them in, and the isolated agent's is not
    // quite the page's: so there the page's own function puts them in. A page
    // that has replaced it gets no drop.
    gift(files) {
      const waived = ctx.window.wrappedJSObject;
      if (!ctx.isolated || !waived) return this.transfer(files);
      const transfer = new DataTransfer();
      const items = native.get(transfer, "items");
      const add = pagesOwn(waived, "DataTransferItemList", "add");
      for (let i = 0; add && i < files.length; i++) ctx.builtins.apply(add, items, [files[i]]);
      if (native.get(items, "length") !== files.length) fail("upload_target_invalid", "the page has replaced what a drop is made of");
      return transfer;
    },

    listed(transfer) {
      const list = native.get(transfer, "files");
      const out = [];
      for (let i = 0; i < native.get(list, "length"); i++) out[i] = list[i];
      return out;
    },

    // bytes reads a part of a blob into an array of the agent's own realm.
    async bytes(blob, from, to) {
      const buffer = await native.call(native.call(blob, "slice", from, to), "arrayBuffer");
      const own = new Bytes(to - from);
      own.set(new Bytes(buffer));
      return own;
    },

    // random gives 128 bits as hexadecimal digits.
    random() {
      let out = "";
      const bytes = native.call(crypto, "getRandomValues", new Bytes(16));
      for (let i = 0; i < 16; i++) out += (bytes[i] + 256).toString(16).slice(1);
      return out;
    },
  };
}
