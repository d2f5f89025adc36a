// settle watches what comes of an action until the page is quiet, and no longer
// than the caller wants to wait.

import { recheck } from "./kept.js";
import { where } from "./page.js";
import { difference } from "./reading.js";
import { startWatch, stopWatch } from "./watch.js";

const SILENCE = 50; // ms without a change after one that is taken for rest
const DEAF = 100; // the same for a page that has not answered at all
const FRAME = 34; // what a page that draws may still have in hand

export async function settle(page, args) {
  const { host, ctx, dom, document } = page;
  const start = host.now();
  const end = Math.min(start + (args.wait ?? 250), args.until ?? Infinity);
  const watch = page.watch ?? startWatch(page);
  const quiet = await rest(page, watch, start, end);
  stopWatch(page, watch);
  const changes = args.changes === false ? undefined : await difference(ctx);
  const field = args.node ? ctx.registry.node(args.node) : page.acted?.deref();
  const again = field ? recheck(page, field) : undefined;
  const active = page.active();
  return where(page, {
    __proto__: null,
    title: dom.title(document),
    quiet,
    moved: watch.moved,
    elapsed: host.now() - start,
    focus: active && active !== dom.body(document) ? ctx.registry.id(active) : 0,
    changes,
    value_after: again?.value_after,
    secret: again?.secret,
    rejected: again && !again.kept ? true : undefined,
  });
}

// rest resolves with true once the page has been silent, with false at the end.
async function rest(page, watch, start, end) {
  const { host } = page;
  if (page.frontmost()) await frame(page, end);
  for (;;) {
    const now = host.now();
    const due = (watch.moved ? Math.max(watch.last, start - SILENCE) + SILENCE : Math.max(watch.last, start) + DEAF) - now;
    if (due <= 0) return true;
    if (now >= end) return false;
    await page.turn(Math.min(due, end - now));
  }
}

// frame lets the page draw once, if it is drawing.
function frame(page, end) {
  const { host } = page;
  return new Promise((done) => {
    const timer = host.setTimeout(done, Math.max(0, Math.min(FRAME, end - host.now())));
    page.frame(() => {
      host.clearTimeout(timer);
      host.setTimeout(done, 0);
    });
  });
}
