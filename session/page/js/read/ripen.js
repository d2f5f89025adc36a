// ripen waits until a page that was just loaded shows what it is going to show:
// loaded, silent for a moment, and not obviously waiting for its own scripts.

const SILENCE = 120; // ms without a change after which a page counts as done
const PATIENCE = 1200; // the same for a page that shows next to nothing: in the background its timers run once a second
const LITTLE = 120; // characters of text

// args: wait (ms at most), complete (ms at most to wait for the load event).
// It gives {ready, quiet, elapsed, frames, status, redirects}.
export async function ripen({ wait = 3000, complete = 2000 }, ctx) {
  const { document, dom, host, window } = ctx;
  const start = host.now();
  const end = start + wait;
  let last = start;
  let wake = null;
  const stir = () => {
    last = host.now();
    if (wake) wake();
  };
  const pause = (ms) =>
    new Promise((done) => {
      const timer = host.setTimeout(done, ms);
      wake = () => {
        wake = null;
        host.clearTimeout(timer);
        done();
      };
    });
  const observer = new window.MutationObserver(stir);
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  let quiet = false;
  try {
    for (;;) {
      const now = host.now();
      if (now >= end) break;
      const loaded = dom.readyState(document) === "complete" || now - start >= complete;
      const due = last + (waiting(ctx) ? PATIENCE : SILENCE) - now;
      if (loaded && due <= 0) {
        quiet = true;
        break;
      }
      await pause(Math.min(end - now, loaded ? due : 50));
    }
  } finally {
    observer.disconnect();
  }
  return { __proto__: null, ready: dom.readyState(document), quiet, elapsed: host.now() - start, frames: frames(ctx), ...response(ctx) };
}

// frames gives the browsing contexts of the frames that are shown.
function frames(ctx) {
  const { document, dom, host } = ctx;
  const out = [];
  const all = dom.queryAll(document, "iframe, frame");
  for (let i = 0; i < all.length && out.length < 50; i++) {
    const box = dom.rect(all[i]);
    const id = host.frameId(all[i]);
    if (id && box.width >= 2 && box.height >= 2) out[out.length] = id;
  }
  return out;
}

// waiting says whether a page looks as if more were to come: scripts and hardly
// any text, or something that says so.
function waiting(ctx) {
  const { document, dom } = ctx;
  const body = dom.body(document);
  if (!body) return false;
  try {
    if (dom.query(document, '[aria-busy="true"],[role="progressbar"]') !== null) return true;
    if (dom.query(document, "script") === null) return false;
    return textOf(dom, body) < LITTLE;
  } catch {
    return false;
  }
}

// textOf counts the characters of text that is not of scripts, up to LITTLE.
function textOf(dom, body) {
  let n = 0;
  const all = dom.all(body, "*");
  for (let i = -1; i < all.length && i < 2000 && n < LITTLE; i++) {
    const el = i < 0 ? body : all[i];
    const tag = dom.tag(el);
    if (tag === "script" || tag === "style" || tag === "noscript" || tag === "template") continue;
    for (let kid = dom.first(el); kid !== null; kid = dom.next(kid)) if (dom.kind(kid) === 3) n += dom.data(kid).trim().length;
  }
  return n;
}

// response gives the HTTP status of the document and the number of redirects on
// its own origin, 0 where they are not told.
function response(ctx) {
  try {
    const { performance } = ctx.window;
    const entry = performance.getEntriesByType("navigation")[0];
    return { __proto__: null, status: entry.responseStatus ?? 0, redirects: entry.redirectCount ?? 0 };
  } catch {
    return { __proto__: null, status: 0, redirects: 0 };
  }
}
