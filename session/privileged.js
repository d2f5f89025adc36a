((name, json) => {
  // The only code that runs in Firefox's parent process. It is constant text;
  // values come as JSON. Underscore names are internals of Firefox, so every
  // look at them is guarded.
  const args = JSON.parse(json);
  // Has the call that wanted this been reported as failed by now? until is in
  // milliseconds since 1970.
  const late = () => args.until !== undefined && Date.now() > args.until;
  const browserOf = (id) => (id ? BrowsingContext.getCurrentTopByBrowserId(id)?.embedderElement : null) ?? null;
  // The debugger server's own object for a tab, by the actor's name. A tab that
  // is not loaded has no other name that lasts from one look to the next.
  const descriptorOf = (actor) => {
    const { useDistinctSystemPrincipalLoader, releaseDistinctSystemPrincipalLoader } = ChromeUtils.importESModule(
      "resource://devtools/shared/loader/DistinctSystemPrincipalLoader.sys.mjs",
      { global: "shared" },
    );
    const user = {};
    try {
      const { DevToolsServer } = useDistinctSystemPrincipalLoader(user).require("resource://devtools/server/devtools-server.js");
      return Object.values(DevToolsServer._connections ?? {}).map((connection) => connection.getActor(actor)).find(Boolean) ?? null;
    } finally {
      releaseDistinctSystemPrincipalLoader(user);
    }
  };
  const windowOf = (browser) => browser.ownerGlobal ?? browser.documentGlobal;
  const tabOf = (browser) => (browser ? windowOf(browser)?.gBrowser?.getTabForBrowser(browser) : null) ?? null;
  // A mark is all of a tab's own one, or the beginning that those of a server share.
  const isOurs = (tab, mark) => !!mark && !!tab?.firefoxRdpMcp?.mark.startsWith(mark);
  // The window in which the user is: not a private one, and one that has tabs.
  const usersWindow = () => {
    const { PrivateBrowsingUtils } = ChromeUtils.importESModule("resource://gre/modules/PrivateBrowsingUtils.sys.mjs");
    const fit = (win) => win?.gBrowser && win.toolbar?.visible !== false && !PrivateBrowsingUtils.isWindowPrivate(win);
    const recent = Services.wm.getMostRecentWindow("navigator:browser");
    return fit(recent) ? recent : [...Services.wm.getEnumerator("navigator:browser")].find(fit) ?? recent;
  };
  // Give a tab that has no browser yet its own, and go on when the history of the
  // tab is back in it: a load before that may be undone.
  const atHome = (browser, then) => {
    const { gBrowser } = windowOf(browser);
    const tab = gBrowser.getTabForBrowser(browser);
    tab.addEventListener("SSTabRestoring", then, { once: true });
    gBrowser._insertBrowser?.(tab);
  };
  // The kind of process that a page will live in, "" if that cannot be told, as in
  // Firefox 140, which moves an empty page to a process of its own anyway.
  const processOf = (url, win) => {
    try {
      return ChromeUtils.predictRemoteTypeForURI(url, { window: win }) || "";
    } catch {
      return "";
    }
  };
  // What is worth telling of an answer of the network.
  const told = (channel) => {
    const maybe = (read) => {
      try {
        return read();
      } catch {
        return undefined; // it has none
      }
    };
    channel.QueryInterface(Ci.nsIHttpChannel);
    return {
      status: channel.responseStatus,
      type: String(maybe(() => channel.contentType) ?? "").slice(0, 100),
      name: String(maybe(() => channel.contentDispositionFilename) ?? "").slice(0, 200),
      bytes: maybe(() => channel.contentLength) ?? -1,
    };
  };
  // The type as which a document can be shown, "" if it cannot. What the browser
  // would download instead (a feed, a table, an attachment of any kind) is shown as
  // text, and never as a page: a site that does not want a file to be one may have
  // it from a stranger, and its scripts would have the site's rights. What the server
  // does not name is for the browser to find out.
  const shownAs = (type, attached) => {
    if (!attached) {
      if (!type || /^application\/(x-unknown-content-type|pdf)$|^multipart\/x-mixed-replace$/.test(type)) return type;
      if (Cc["@mozilla.org/webnavigation-info;1"].getService(Ci.nsIWebNavigationInfo).isTypeSupported(type)) return type;
    }
    if (/^application\/pdf$|^image\/(?!svg)|^audio\/|^video\//.test(type)) return attached ? type : "";
    return /^text\/|[/+](json|xml|yaml)$|-yaml$|^message\//.test(type) ? "text/plain" : "";
  };
  const isAttached = (channel) => {
    try {
      return channel.contentDisposition === Ci.nsIChannel.DISPOSITION_ATTACHMENT;
    } catch {
      return false; // there is none
    }
  };
  // Redirects, and the question for a password that the browser knows, are not it yet.
  const final = (status) => (status < 300 || status >= 400) && status !== 401 && status !== 407;
  // Show a document instead of downloading it, or else nothing.
  const showOnly = (channel) => {
    const attached = isAttached(channel);
    const type = shownAs(channel.contentType, attached);
    if (type === "" && (attached || channel.contentType)) return channel.cancel(Cr.NS_BINDING_ABORTED);
    if (type !== channel.contentType) {
      channel.contentType = type;
      channel.contentCharset ||= "utf-8"; // that of JSON and XML, and of nearly all text
    }
    if (attached) channel.setResponseHeader("Content-Disposition", "", false);
  };
  // Look after what a tab of ours asks of the network, until it is its user's, or
  // while its user is not looking at it. No question for a name and password is
  // asked: it would bring the tab to the front. Pages of hosts that are not allowed
  // are not asked for, nor files saved for a tab that is only read in (its own
  // process sees to that too, but forgets it when it becomes another); how such a
  // tab is shown a file must not come into the cache of the user's tabs. What was
  // answered last is kept for who loads a page.
  const guard = (tab, mark, { hosts, reading }) => {
    const topics = ["http-on-modify-request", "http-on-examine-response", "http-on-examine-cached-response", "http-on-examine-merged-response"];
    const allowed = (host) => !hosts?.length || hosts.some((one) => host === one || (one.startsWith("*") && host.endsWith(one.slice(1))));
    const watch = (channel, topic) => {
      if (!isOurs(tab, mark) || !tab.isConnected) {
        topics.forEach((one) => Services.obs.removeObserver(watch, one));
        return;
      }
      channel.QueryInterface(Ci.nsIChannel);
      const { loadInfo } = channel;
      if (loadInfo?.browsingContext?.top?.browserId !== tab.linkedBrowser.browserId) return;
      const asks = topic === topics[0];
      const answer = asks ? null : told(channel);
      const { TYPE_DOCUMENT, TYPE_SUBDOCUMENT } = Ci.nsIContentPolicy;
      const kind = loadInfo.externalContentPolicyType;
      if (reading && (kind === TYPE_DOCUMENT || kind === TYPE_SUBDOCUMENT)) {
        if (asks) channel.loadFlags |= Ci.nsIRequest.INHIBIT_CACHING;
        else if (final(answer.status)) showOnly(channel);
      }
      if (kind === TYPE_DOCUMENT) tab.firefoxRdpMcp.heard = answer;
      if (!asks || (tab.selected && !reading)) return;
      channel.QueryInterface(Ci.nsIHttpChannelInternal).blockAuthPrompt = true;
      if (kind === TYPE_DOCUMENT && !allowed(channel.URI.host)) {
        tab.firefoxRdpMcp.heard = { blocked: channel.URI.host };
        channel.cancel(Cr.NS_BINDING_ABORTED);
      }
    };
    topics.forEach((one) => Services.obs.addObserver(watch, one));
  };
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
  const tell = ({ about }) => ({
    kind: kindOf(about),
    text: String(about.text ?? "").slice(0, 1000),
    value: kindOf(about) === "prompt" ? String(about.value ?? "").slice(0, 1000) : "",
  });
  const snippets = {
    // What questions does a tab's page ask?
    dialogs({ browserId }) {
      const browser = browserOf(browserId);
      if (!browser) return [];
      return open(browser).map(tell);
    },
    // Answer the newest of them, and tell which that was.
    answer({ browserId, accept, text }) {
      const browser = browserOf(browserId);
      const dialog = browser && open(browser).at(-1);
      if (!dialog) return { answered: false };
      const told = tell(dialog);
      const field = dialog.win.document.getElementById("loginTextbox");
      if (accept && text !== null && field) field.value = text;
      if (accept) dialog.frame.acceptDialog();
      else dialog.frame.cancelDialog();
      return { answered: true, ...told };
    },
    // Load an address in a tab whose page hangs or that is not loaded. The address
    // has been parsed and found http or https before it comes here; look again all
    // the same. again is for a tab that is not loaded: what the browser remembers
    // of it, or else the address. (Its own reload of such a tab may end in an
    // empty page.)
    load({ browserId, tab, url, again }) {
      const browser = browserOf(browserId) ?? descriptorOf(tab)?._browser;
      if (!browser) return { loaded: false };
      const fit = (uri) => uri.schemeIs("http") || uri.schemeIs("https");
      let uri = browser.currentURI;
      if (!again || !fit(uri)) uri = url && Services.io.newURI(url);
      if (!uri || !fit(uri)) return { loaded: false, empty: true };
      const load = () => late() || browser.loadURI(uri, { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
      if (browser.isConnected) load();
      else atHome(browser, load);
      return { loaded: true };
    },
    // Let the debugger forget the watcher of a tab that was put to sleep and woken:
    // it watches a browser that is no more, and a tab is given no other.
    unwatch({ tab }) {
      const descriptor = descriptorOf(tab);
      const old = descriptor?.watcher;
      if (old) {
        descriptor.watcher = null;
        old.destroy();
      }
      return { dropped: !!descriptor };
    },
    // Is a tab loading, and what has the network answered last, if it is ours?
    busy({ browserId, once }) {
      const browser = browserOf(browserId);
      const ours = tabOf(browser)?.firefoxRdpMcp;
      const heard = ours?.heard ?? {};
      if (once && ours) ours.heard = null;
      return { busy: !!browser?.webProgress?.isLoadingDocument, heard };
    },
    // Open an address beside a tab, or in a window of the user's, in the
    // background and in the container of that tab or the default one: as its page
    // would (cookies and all) when the page asked for it, else as if its user had
    // typed it. A tab that is to be ours gets our mark and a guard, and is made in a
    // process that the page at the address towards can use too: starting another
    // for it is what takes longest in opening a page.
    open({ browserId, url, byPage, mark, towards, ...rules }) {
      const uri = Services.io.newURI(url);
      const browser = browserOf(browserId);
      const win = browser ? windowOf(browser) : usersWindow();
      if (!win?.gBrowser || !(uri.schemeIs("http") || uri.schemeIs("https") || url === "about:blank")) return { browserId: 0 };
      const system = Services.scriptSecurityManager.getSystemPrincipal();
      const options = { inBackground: true, triggeringPrincipal: byPage && browser ? browser.contentPrincipal : system };
      const opener = browser && win.gBrowser.getTabForBrowser(browser);
      if (opener) options.userContextId = Number(opener.getAttribute("usercontextid") ?? 0);
      const process = towards && processOf(towards, win);
      if (process) options.preferredRemoteType = process;
      const tab = win.gBrowser.addTab(url, options);
      const { browserId: first } = tab.linkedBrowser;
      if (mark) {
        tab.firefoxRdpMcp = { mark, first };
        guard(tab, mark, rules);
      }
      return { browserId: first };
    },
    // Which tabs bear our mark? The answer to each is the id it was opened with, or
    // 0: a tab that was put to sleep since has another one, or none.
    marked({ tabs, mark }) {
      return tabs.map((actor) => {
        const tab = tabOf(descriptorOf(actor)?._browser);
        return isOurs(tab, mark) ? tab.firefoxRdpMcp.first : 0;
      });
    },
    // Close tabs that bear our mark, all of them when none is named by the id it was
    // opened with: but not one that its user has gone to, nor the last of its window.
    // A tab that was moved to another window has lost the mark, and is its user's.
    // This is never too late: a tab of ours that nobody uses any more is to go.
    // force is for a tab that Firefox itself brought to the front, with a question;
    // keep for those that have become their user's: they only lose the mark.
    close({ browserIds, mark, force, keep }) {
      const all = [...Services.wm.getEnumerator("navigator:browser")].flatMap((win) => [...(win.gBrowser?.tabs ?? [])]);
      const ours = all.filter((tab) => isOurs(tab, mark));
      const named = browserIds?.map((id) => ours.find((tab) => tab.firefoxRdpMcp.first === id) ?? tabOf(browserOf(id)));
      return (named ?? ours).map((tab) => {
        if (!tab || tab.closing) return "gone";
        const { gBrowser } = windowOf(tab);
        if (keep || !isOurs(tab, mark) || (tab.selected && !force) || gBrowser.tabs.length < 2) {
          delete tab.firefoxRdpMcp;
          return "released";
        }
        gBrowser.removeTab(tab, { skipPermitUnload: true, animate: false });
        return "closed";
      });
    },
  };
  return JSON.stringify(late() ? { late: true } : snippets[name](args));
})
