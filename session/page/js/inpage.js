((install) => {
  // Runs in the page's own realm, where there is no better guard than asking
  // whether the window still shows the document that the agent was made for.
  const shown = document;
  let agent = install(window);
  const gone = '{"ok":false,"error":{"code":"target_replaced","message":"the document is no longer shown"}}';
  return (method, args) => {
    if (method === "dispose") {
      agent = null;
      return '{"ok":true,"value":null}';
    }
    try {
      if (!agent || window.document !== shown) return gone;
    } catch {
      return gone; // the window shows another origin
    }
    return agent(method, args);
  };
})
