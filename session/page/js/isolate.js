((id, source) => {
  // Runs on the content process's console, with the browser's own rights, and
  // gives them up at once: the agent itself lives in a sandbox of the page's rights.
  const w = Services.wm.getCurrentInnerWindowWithId(id);
  const current = () => {
    try {
      // In the back/forward cache a window is still the current one of its own context.
      return !!w?.windowGlobalChild?.isCurrentGlobal && !w.browsingContext.isInBFCache && !!w.docShell;
    } catch {
      return false; // a dead wrapper, or one of a window that is put away
    }
  };
  if (!current()) return "STALE";
  const { setTimeout, clearTimeout } = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");
  const listeners = Services.els;
  const inspector = w.InspectorUtils;
  const clicks = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"];
  // The browser's own viewers, by the origin that no page can have.
  const viewers = { __proto__: null, "resource://pdf.js": "pdf", "resource://devtools": "json" };
  const timers = new Set();
  // attachShadow works on these only; the browser's own shadow trees (of
  // details, video, input) are none of the agent's business.
  const hosts = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));
  const takes = (e) => hosts.has(e.localName) || e.localName.includes("-");
  // What the agent has the document observe keeps its sandbox for as long as the
  // document lives. So when nobody can reach the agent any more, because it was
  // released or the connection to the debugger ended, the sandbox is taken apart.
  const dispose = () => {
    agent = null;
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    Cu.nukeSandbox(sandbox);
  };
  const unreachable = new FinalizationRegistry(dispose);
  const watched = (call) => {
    unreachable.register(call);
    return call;
  };
  const sandbox = Cu.Sandbox([w], { sandboxPrototype: w, sameZoneAs: w, wantXrays: true, sandboxName: "page agent" });
  // For nobody to call: the registry has to live as long as the sandbox.
  Cu.exportFunction(() => void unreachable, sandbox, { defineAs: "unreachable" });
  const host = Cu.cloneInto(
    {
      shadow: (e) => (takes(e) && e.openOrClosedShadowRoot) || null,
      // All of the document's at once, nested ones too: most pages have none, and
      // then nobody has to ask each element.
      shadows: () => {
        const roots = Cu.cloneInto([], sandbox);
        for (const root of w.document.getConnectedShadowRoots()) if (takes(root.host)) roots.push(root);
        return roots;
      },
      viewer: () => viewers[w.document.nodePrincipal.originNoSuffix] ?? "",
      frameId: (e) => e.browsingContext?.id ?? 0,
      clickable: (e) => listeners.getListenerInfoFor(e).some((l) => clicks.includes(l.type)),
      // Which generated boxes there are, 1 before, 2 after: asking the styles of
      // each element for them is what costs most in a name.
      generated: (e) => {
        const kids = inspector.getChildrenForNode(e, true, false);
        let found = 0;
        for (let i = 0; i < kids.length && i < 3; i++) if (kids[i].nodeName === "_moz_generated_content_before") found = 1;
        return kids.at(-1)?.nodeName === "_moz_generated_content_after" ? found | 2 : found;
      },
      setTimeout: (fn, ms) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          if (current()) fn();
        }, ms);
        timers.add(timer);
        return timer;
      },
      clearTimeout: (timer) => {
        timers.delete(timer);
        clearTimeout(timer);
      },
      modal: () => w.windowUtils.isInModalState(),
      now: () => Date.now(),
    },
    sandbox,
    { cloneFunctions: true },
  );
  let agent;
  try {
    agent = Cu.evalInSandbox('(() => {"use strict"; const agent = {};' + source + "\n;return agent.install})()", sandbox, "latest", "agent.js", 1)(w, host);
  } catch (e) {
    // A page that is being left has its scripts stopped: that throws nothing, and this
    // is what the browser makes of nothing.
    if (e?.result === 0x8007000e) return "STALE";
    throw e;
  }
  const gone = '{"ok":false,"error":{"code":"target_replaced","message":"the document is no longer shown"}}';
  const failed = (e) => {
    let message = "the page agent is gone";
    try {
      message = String(e?.message ?? e).slice(0, 200);
    } catch {
      // thrown by a sandbox that is dead by now
    }
    return JSON.stringify({ ok: false, error: { code: "page_script_failed", message } });
  };
  // Every answer tells whether a dialog of the page (alert, confirm, prompt) is open.
  const tell = (answer) => (w.windowUtils.isInModalState() ? answer.slice(0, -1) + ',"modal":true}' : answer);
  const later = async (promise) => {
    try {
      return tell(await promise);
    } catch (e) {
      return agent && current() ? failed(e) : gone;
    }
  };
  return watched((method, args) => {
    if (method === "dispose") {
      dispose();
      return '{"ok":true,"value":null}';
    }
    if (!agent || !current()) return gone;
    try {
      const answer = agent(method, args);
      return typeof answer === "string" ? tell(answer) : later(answer);
    } catch (e) {
      return current() ? failed(e) : gone;
    }
  });
})
