// Hints say in plain words what a reader of the lines could not know.

export function hints(reader) {
  const out = [];
  const say = (text) => (out[out.length] = text);
  const { view } = reader;
  if (view.dom.readyState(view.doc) === "loading") say("the page is still loading");
  if (reader.unseen) say("the element of scope is hidden");
  if (reader.modal) say("a modal dialog hides the rest of the page");
  if (reader.canvases > 0) say(reader.canvases === 1 ? "a canvas is drawn by script and cannot be read" : reader.canvases + " canvases are drawn by script and cannot be read");
  if (reader.maps > 0) say("an image map has links");
  if (consent(reader.nodes)) say("a consent banner is shown");
  if (reader.textCut) say("page text beyond the limit is left out");
  if (reader.errors > 0) say(reader.errors + " elements could not be read");
  if (reader.restless) say("the page changed while it was read: some of it may be from before, some from after");
  if (reader.tooLarge) say("the page is too large: reading stopped before its end");
  return out;
}

const AGREE = /^(accept|allow|agree|i agree|got it|akzeptieren|alle akzeptieren|tout accepter|accepter|aceptar|accetta)\b/i;
const COOKIES = /cookie|consent|einwilligung|privacy/i;

function consent(nodes) {
  let agree = false;
  let about = false;
  for (let i = 0; i < nodes.length; i++) {
    const n = nodes[i];
    if (!n.n || n.n.length > 200) continue;
    if (n.r === "button" && n.n.length < 40 && AGREE.test(n.n)) agree = true;
    if (n.k !== "g" && n.n.length < 200 && COOKIES.test(n.n)) about = true;
    else if ((n.r === "dialog" || n.r === "region") && COOKIES.test(n.n)) about = true;
  }
  return agree && about;
}
