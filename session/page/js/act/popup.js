// Links that open another tab. Firefox lets no scripted click open one, so the
// agent takes such a link out of Firefox's hands and says where it leads.

// newPlace answers {url, taken} when the click at the end of its way would open
// a new tab, else undefined. It must be the last listener of the event.
export function newPlace(page, event, how) {
  const { dom, native } = page;
  if (native.get(event, "defaultPrevented")) return undefined;
  const path = native.call(event, "composedPath");
  let link = null;
  for (let i = 0; i < path.length && !link; i++) if (isLink(page, path[i])) link = path[i];
  if (!link) return undefined;
  const url = address(page, link);
  if (!/^https?:/i.test(url)) return undefined;
  const apart = how.button === 1 || (how.button === 0 && (how.mods.ctrlKey || how.mods.metaKey || how.mods.shiftKey));
  if (!apart && (how.button !== 0 || dom.has(link, "download") || !elsewhere(page, link))) return undefined;
  if (how.popups !== "take") return { __proto__: null, url, taken: false };
  native.call(event, "preventDefault");
  return { __proto__: null, url, taken: true };
}

function isLink(page, node) {
  const { dom } = page;
  if (dom.kind(node) !== 1) return false;
  const tag = dom.tag(node);
  return (tag === "a" || tag === "area") && (dom.has(node, "href") || dom.attrNS(node, "http://www.w3.org/1999/xlink", "href") !== null);
}

function address(page, link) {
  const href = page.native.get(link, "href");
  if (typeof href === "string") return href;
  try {
    return new page.window.URL(href.baseVal, page.native.get(page.document, "baseURI")).href;
  } catch {
    return "";
  }
}

// elsewhere says whether a link's target is no frame that is already there.
function elsewhere(page, link) {
  const { dom, document, window } = page;
  const base = dom.query(document, "base[target]");
  const target = dom.has(link, "target") ? page.attr(link, "target") : base ? page.attr(base, "target") : "";
  if (!target || /^_(self|parent|top)$/i.test(target)) return false;
  if (/^_blank$/i.test(target)) return true;
  return !frameNamed(window.top, target, 0);
}

function frameNamed(window, name, depth) {
  try {
    if (window.name === name) return true;
  } catch {
    // another origin keeps its name to itself
  }
  for (let i = 0; depth < 5 && i < window.length; i++) if (frameNamed(window[i], name, depth + 1)) return true;
  return false;
}
