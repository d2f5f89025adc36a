// Staging keeps what has arrived of one call's files: as Blobs of about a
// megabyte, and the decoded chunks that do not make one yet. Nothing is held in
// base64, and building a File copies nothing.

import { fail } from "../fault.js";

const BLOCK = 1 << 20;

export class Staging {
  #files = [];
  #web;

  // files: [{name, size, type, modified}]
  constructor(files, web) {
    this.#web = web;
    for (let i = 0; i < files.length; i++) {
      const { name, size, type, modified } = files[i];
      this.#files[i] = { __proto__: null, name, size, type, modified, blobs: [], loose: [], looseBytes: 0, received: 0, chunks: 0 };
    }
  }

  get count() {
    return this.#files.length;
  }

  // append takes the next chunk of a file, and no other.
  append(index, chunk, data) {
    const file = this.#files[index];
    if (!file || chunk !== file.chunks) failed("chunk " + chunk + " of file " + index + " came out of order");
    let bytes;
    try {
      bytes = this.#web.decode(data);
    } catch {
      failed("chunk " + chunk + " of file " + index + " cannot be decoded");
    }
    const n = bytes.length;
    if (file.received + n > file.size) failed("file " + index + " is longer than announced");
    file.loose[file.loose.length] = bytes;
    file.looseBytes += n;
    file.received += n;
    file.chunks++;
    if (file.looseBytes >= BLOCK) this.#pack(file);
    return { __proto__: null, file: index, chunk, received: file.received };
  }

  #pack(file) {
    file.blobs[file.blobs.length] = this.#web.blob(file.loose);
    file.loose = [];
    file.looseBytes = 0;
  }

  // build makes the Files, once every byte is here.
  build() {
    const built = [];
    for (let i = 0; i < this.#files.length; i++) {
      const file = this.#files[i];
      if (file.received !== file.size) failed("file " + i + " has arrived with " + file.received + " of its " + file.size + " bytes");
      if (file.loose.length > 0) this.#pack(file);
      try {
        built[i] = this.#web.file(file.blobs, file.name, { __proto__: null, type: file.type, lastModified: file.modified });
      } catch {
        fail("upload_transfer_failed", "the page lets no File be made", { __proto__: null, stage: "construction" });
      }
      file.blobs = [];
    }
    return built;
  }

  // differs says in what files differ from those announced, "" if in nothing.
  differs(files) {
    if (files.length !== this.#files.length) return "there are " + files.length + " files instead of " + this.#files.length;
    for (let i = 0; i < files.length; i++) {
      const { name, size, type } = this.#files[i];
      const got = this.#web.facts(files[i]);
      if (got.name !== name) return "file " + i + " has another name";
      if (got.size !== size) return "file " + i + " has another size";
      if (got.type !== type) return "file " + i + " has another type";
    }
    return "";
  }
}

function failed(message) {
  fail("upload_transfer_failed", message, { __proto__: null, stage: "transfer" });
}
