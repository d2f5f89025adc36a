// What goes wrong in a page.

import { bare } from "./bare.js";

// A PageFault is what the page, or the caller's idea of it, did wrong. It
// travels as an envelope; anything else that is thrown is page_script_failed.
export class PageFault {
  constructor(code, message, details) {
    this.code = code;
    this.message = message;
    this.details = details;
  }
}

bare(PageFault);

export function fail(code, message, details) {
  throw new PageFault(code, message, details);
}
