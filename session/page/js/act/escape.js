// Escape closes the topmost thing that the browser itself holds open.

// escape answers what it closed, if anything.
export function escape(page) {
  const { dom, document, native } = page;
  const popovers = dom.queryAll(document, "[popover]:popover-open");
  const open = dom.queryAll(document, "dialog[open]");
  for (let i = popovers.length - 1; i >= 0; i--) {
    if (native.get(popovers[i], "popover") === "manual" || behind(page, popovers[i], open)) continue;
    native.call(popovers[i], "hidePopover");
    return "closed the popover";
  }
  for (let i = open.length - 1; i >= 0; i--) {
    const modal = dom.matches(open[i], ":modal");
    const by = page.attr(open[i], "closedby").toLowerCase();
    if (by === "none" || (!modal && by !== "any" && by !== "closerequest")) continue;
    return close(page, open[i]);
  }
  return undefined;
}

// close asks the page first, by the cancel event.
function close(page, dialog) {
  const { native, dom, fire } = page;
  if (native.can(dialog, "requestClose")) native.call(dialog, "requestClose");
  else if (fire.plain(dialog, "cancel", { __proto__: null, bubbles: false, cancelable: true })) native.call(dialog, "close");
  return dom.has(dialog, "open") ? undefined : "closed the dialog";
}

// behind says whether a modal dialog that opened later lies over a popover.
function behind(page, popover, dialogs) {
  for (let i = 0; i < dialogs.length; i++) if (page.dom.matches(dialogs[i], ":modal") && !page.dom.contains(dialogs[i], popover)) return true;
  return false;
}
