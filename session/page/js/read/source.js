// source gives what Firefox shows in a viewer of its own as it came: plain text,
// JSON, XML, pictures, PDF. The viewers' buttons are no part of it.

import { collapse, cut } from "../text.js";

const LIMIT = 1 << 20; // UTF-16 units
const PAGES = 300; // of a PDF

// It gives {kind}: html for everything that is a page, else text, json, xml, image
// or pdf, with {text, more} or {src, width, height}.
export function source(args, ctx) {
  const { document, dom } = ctx;
  const type = typeOf(ctx);
  const whole = (kind, text) => ({ __proto__: null, kind, type, text: text.length > LIMIT ? text.substring(0, LIMIT) : text, more: text.length > LIMIT });
  if (type === "application/pdf") return pdf(ctx, whole);
  if (type === "application/json" || type.endsWith("+json")) return whole("json", json(ctx));
  if (type === "text/html" || type === "application/xhtml+xml" || type === "image/svg+xml") return { __proto__: null, kind: "html", type };
  if (type.startsWith("image/")) return image(ctx, type);
  if (type.startsWith("video/") || type.startsWith("audio/")) return { __proto__: null, kind: "media", type };
  if (type.endsWith("/xml") || type.endsWith("+xml")) return whole("xml", new ctx.window.XMLSerializer().serializeToString(document));
  if (type.startsWith("text/")) return whole("text", dom.text(dom.query(document, "pre") ?? dom.documentElement(document)) ?? "");
  return { __proto__: null, kind: "html", type };
}

function image(ctx, type) {
  const el = ctx.dom.query(ctx.document, "img");
  const { getterOf } = ctx.builtins;
  return {
    __proto__: null, kind: "image", type,
    width: el ? getterOf(el, "naturalWidth")(el) : 0,
    height: el ? getterOf(el, "naturalHeight")(el) : 0,
  };
}

// json: the viewer keeps what came in a text node of its own.
function json(ctx) {
  const { document, dom, window } = ctx;
  const kept = ctx.host.viewer() === "json" ? keptIn(bare(window)) : undefined;
  if (kept !== undefined) return kept;
  const pre = dom.query(document, "pre, #json, #content");
  return pre ? dom.text(pre) : "";
}

function keptIn(viewer) {
  try {
    const kept = viewer.JSONView.json;
    if (typeof kept === "string") return kept;
    if (typeof kept.data === "string") return kept.data;
    if (typeof kept.textContent === "string") return kept.textContent;
  } catch {
    // a viewer that has changed
  }
  return undefined;
}

// bare gives an object of a viewer without its Xray wrapper; what a promise of the
// viewer resolves to comes behind one again. Never of a page: its getters would run.
const bare = (object) => object?.wrappedJSObject ?? object;

// typeOf gives the media type of what the document shows.
export const typeOf = (ctx) => ctx.dom.contentType(ctx.document) ?? "";

// pdf reads the text of all pages through the viewer: what is not in view has no
// text in the document.
async function pdf(ctx, whole) {
  const app = ctx.host.viewer() === "pdf" ? bare(ctx.window).PDFViewerApplication : undefined;
  if (!app) return { __proto__: null, kind: "pdf", type: "application/pdf", text: "", more: false, pages: 0 };
  await app.initializedPromise;
  for (let i = 0; i < 60 && !app.pdfDocument; i++) await new Promise((done) => ctx.host.setTimeout(done, 50));
  const doc = app.pdfDocument;
  if (!doc) return { __proto__: null, kind: "pdf", type: "application/pdf", text: "", more: false, pages: 0 };
  let text = "";
  const pages = doc.numPages;
  for (let n = 1; n <= pages && n <= PAGES && text.length < LIMIT; n++) {
    const page = bare(await doc.getPage(n));
    const content = bare(await page.getTextContent());
    const { items } = content;
    let out = "";
    for (let i = 0; i < items.length; i++) out += ("" + (items[i].str ?? "")) + (items[i].hasEOL ? "\n" : "");
    text += (text ? "\n\n" : "") + out;
  }
  const got = whole("pdf", text);
  got.pages = pages;
  got.more = got.more || pages > PAGES;
  got.title = cut(collapse(ctx.dom.title(ctx.document) ?? ""), 300);
  return got;
}
