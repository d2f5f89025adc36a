// The observation of a page from an action to its settle: whether anything
// moved, and when it last did.

import { eachRoot } from "./roots.js";

const EVERYTHING = { __proto__: null, subtree: true, childList: true, characterData: true, attributes: true };

// A watch that nobody comes to settle ends by itself.
const FORGOTTEN = 10_000;

// startWatch observes the document and its open shadow trees from now on. Only
// one watch runs at a time.
export function startWatch(page) {
  stopWatch(page);
  const { host, window } = page;
  const watch = { __proto__: null, moved: false, last: host.now(), wake: null, roots: new WeakSet() };
  watch.observer = new window.MutationObserver(() => {
    watch.moved = true;
    watch.last = host.now();
    watch.wake?.();
  });
  observeAll(page, watch.observer, watch.roots);
  watch.timer = host.setTimeout(() => stopWatch(page, watch), FORGOTTEN);
  page.watch = watch;
  return watch;
}

// observeAll observes every root that is not observed yet.
export function observeAll(page, observer, seen) {
  eachRoot(page, (root) => {
    if (seen.has(root)) return false;
    seen.add(root);
    page.native.call(observer, "observe", root, EVERYTHING);
    return false;
  });
}

export function stopWatch(page, watch = page.watch) {
  if (!watch) return;
  page.native.call(watch.observer, "disconnect");
  page.host.clearTimeout(watch.timer);
  if (page.watch === watch) page.watch = null;
}
