// The page agent: one closure per document, reached only through the handle on
// the function that install returns. Nothing of it is on the page.
//
//   call(method, argsJSON) -> '{"ok":true,"value":…}'
//                           | '{"ok":false,"error":{"code","message","details"?}}'
//
// or a promise of such a string, for the methods that wait. This is the one
// place where envelopes are made.

import { methods as acting } from "./act/index.js";
import { makeContext } from "./context.js";
import { PageFault } from "./fault.js";
import { methods as telling } from "./read/index.js";
import { methods as reading } from "./reading.js";
import { methods as uploading } from "./upload.js";

export function install(window, host) {
  const ctx = makeContext(window, host);
  const { json, builtins } = ctx;
  const methods = { __proto__: null, ...reading, ...telling, ...acting, ...uploading };

  const ok = (value) => json.stringify({ __proto__: null, ok: true, value: value ?? null });

  const failed = (thrown) => {
    const error = { __proto__: null, code: "page_script_failed", message: "" };
    if (thrown instanceof PageFault) {
      error.code = thrown.code;
      error.message = thrown.message;
      if (thrown.details !== undefined) error.details = thrown.details;
    } else {
      // Whatever was thrown may be the page's own object, with getters that throw.
      try {
        error.message = ("" + (thrown?.message ?? thrown)).slice(0, 300);
      } catch {
        error.message = "something was thrown that cannot be read";
      }
    }
    return json.stringify({ __proto__: null, ok: false, error });
  };

  const later = async (promise) => {
    try {
      return ok(await promise);
    } catch (thrown) {
      return failed(thrown);
    }
  };

  return (method, args) => {
    try {
      const run = methods[method];
      if (!run) throw new PageFault("internal", "the page agent has no such method");
      const value = run(json.parse(args) ?? { __proto__: null }, ctx);
      const waits = value !== null && typeof value === "object" && builtins.getPrototypeOf(value) === builtins.promise;
      return waits ? later(value) : ok(value);
    } catch (thrown) {
      return failed(thrown);
    }
  };
}
