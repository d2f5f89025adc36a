// probe says where the document stands, without reading the page.

export function probe(args, ctx) {
  const { document, dom, window } = ctx;
  const root = dom.documentElement(document);
  return {
    __proto__: null,
    url: window.location.href,
    documentURI: dom.documentURI(document),
    title: dom.title(document),
    ready: dom.readyState(document),
    lang: (root && dom.attr(root, "lang")) || "",
    contentType: dom.contentType(document),
    visible: dom.visibility(document) === "visible",
  };
}
