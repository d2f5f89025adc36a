((name, json) => {
  // The only code that runs in Firefox's parent process. It is constant text;
  // values come as JSON. Underscore names are internals of Firefox, so every
  // look at them is guarded.
  const args = JSON.parse(json);
  const browserOf = (id) => BrowsingContext.getCurrentTopByBrowserId(id)?.embedderElement ?? null;
  const windowOf = (browser) => browser.ownerGlobal ?? browser.documentGlobal;
  const boxes = (browser) => {
    const box = windowOf(browser)?.gBrowser?.getTabDialogBox?.(browser);
    return box ? [box.getContentDialogManager?.(), box.getTabDialogManager?.()] : [];
  };
  const open = (browser) =>
    boxes(browser).flatMap((manager) => manager?._dialogs ?? []).flatMap((dialog) => {
      const win = dialog._frame?.contentWindow;
      const frame = win?.document?.getElementById("commonDialog");
      const about = win?.Dialog?.args;
      return frame && about ? [{ win, frame, about }] : [];
    });
  const kindOf = (about) => {
    if (about.inPermitUnload) return "beforeunload";
    const kind = String(about.promptType ?? "");
    return kind.startsWith("alert") ? "alert" : kind.startsWith("confirm") ? "confirm" : kind.startsWith("prompt") ? "prompt" : kind || "dialog";
  };
  const snippets = {
    // What questions does a tab's page ask?
    dialogs({ browserId }) {
      const browser = browserOf(browserId);
      if (!browser) return [];
      return open(browser).map(({ about }) => ({
        kind: kindOf(about),
        text: String(about.text ?? "").slice(0, 1000),
        value: kindOf(about) === "prompt" ? String(about.value ?? "").slice(0, 1000) : "",
      }));
    },
    // Answer the newest of them.
    answer({ browserId, accept, text }) {
      const browser = browserOf(browserId);
      const dialog = browser && open(browser).at(-1);
      if (!dialog) return { answered: false };
      const field = dialog.win.document.getElementById("loginTextbox");
      if (accept && text !== null && field) field.value = text;
      if (accept) dialog.frame.acceptDialog();
      else dialog.frame.cancelDialog();
      return { answered: true, kind: kindOf(dialog.about) };
    },
    // Load an address in a tab whose page hangs. The address has been parsed
    // and found http or https before it comes here; look again all the same.
    load({ browserId, url }) {
      const uri = Services.io.newURI(url);
      const browser = browserOf(browserId);
      if (!browser || !(uri.schemeIs("http") || uri.schemeIs("https"))) return { loaded: false };
      browser.loadURI(uri, { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
      return { loaded: true };
    },
    // Open an address beside a tab, in the background and in its container: as
    // its page would (cookies and all) when the page asked for it, else as if
    // its user had typed it.
    open({ browserId, url, byPage }) {
      const uri = Services.io.newURI(url);
      const browser = browserOf(browserId);
      const win = browser ? windowOf(browser) : Services.wm.getMostRecentWindow("navigator:browser");
      if (!win?.gBrowser || !(uri.schemeIs("http") || uri.schemeIs("https") || url === "about:blank")) return { browserId: 0 };
      const system = Services.scriptSecurityManager.getSystemPrincipal();
      const options = { inBackground: true, triggeringPrincipal: byPage && browser ? browser.contentPrincipal : system };
      const opener = browser && win.gBrowser.getTabForBrowser(browser);
      if (opener) options.userContextId = Number(opener.getAttribute("usercontextid") ?? 0);
      return { browserId: win.gBrowser.addTab(url, options).linkedBrowser.browserId };
    },
    // Close a tab that this server opened, unless its user has gone to it or it
    // is the window's last.
    close({ browserId, force }) {
      const browser = browserOf(browserId);
      const win = browser && windowOf(browser);
      const tab = win?.gBrowser?.getTabForBrowser(browser);
      if (!tab) return { closed: false, why: "gone" };
      if (tab.selected && !force) return { closed: false, why: "selected" };
      if (win.gBrowser.tabs.length < 2) return { closed: false, why: "last" };
      win.gBrowser.removeTab(tab, { skipPermitUnload: true, animate: false });
      return { closed: true };
    },
  };
  return JSON.stringify(snippets[name](args));
})
