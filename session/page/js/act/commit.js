// The change event of a field that was typed into. A browser sends it when the
// field loses the focus, which it still does, or when Enter is pressed in it,
// which a synthetic Enter is not to the browser.

// typed notes what a field held when typing in it began.
export function typed(page, el, before) {
  if (!page.changed.has(el)) page.changed.set(el, before);
}

// commit sends the change event that is due.
export function commit(page, el) {
  if (!page.changed.has(el)) return;
  const before = page.changed.get(el);
  page.changed.delete(el);
  if (page.dom.connected(el) && page.native.get(el, "value") !== before) page.fire.plain(el, "change");
}
