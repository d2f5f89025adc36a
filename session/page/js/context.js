// The context is what every part of the agent is given instead of globals.

import { takeBuiltins } from "./builtins.js";
import { makeDOM } from "./dom.js";
import { makeJSON } from "./json.js";
import { Registry } from "./registry.js";
import { watchSecrets } from "./secret.js";

// makeContext. host is what only the isolated agent has: {shadow, shadows, viewer,
// frameId, clickable, generated, setTimeout, clearTimeout, modal, now}. In the page's realm
// honest substitutes stand in: open shadow roots only, the browser's viewers known by the
// media type only, no frame ids, no listeners, and timers that the browser slows down in
// tabs that are not in front.
export function makeContext(window, host) {
  const isolated = host !== undefined;
  const builtins = takeBuiltins(window);
  const dom = makeDOM(window, builtins);
  const { setTimeout, clearTimeout } = window;
  const ctx = {
    __proto__: null,
    window,
    document: window.document,
    isolated,
    builtins,
    dom,
    json: makeJSON(isolated),
    now: Date.now,
    registry: new Registry(),
    secrets: new WeakSet(), // fields that have held a secret in this document
    host: host ?? {
      shadow: (e) => dom.shadowRoot(e),
      shadows: () => null, // not known: ask each
      viewer: () => viewerOf(dom.contentType(window.document) ?? ""),
      frameId: () => 0,
      clickable: () => false,
      generated: () => 3, // not known: ask the styles
      setTimeout: (fn, ms) => builtins.apply(setTimeout, window, [fn, ms]),
      clearTimeout: (timer) => builtins.apply(clearTimeout, window, [timer]),
      modal: () => false, // not known
      now: Date.now,
    },
  };
  watchSecrets(ctx);
  return ctx;
}

const viewerOf = (type) => (type === "application/pdf" ? "pdf" : /[/+]json$/.test(type) ? "json" : "");
