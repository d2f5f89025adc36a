// mainPart finds the part of the page that its text is in.

import { isNoise, linkShare } from "./noise.js";

const PARAGRAPHS = "p,pre,blockquote,td,dd,li";
const LIMIT = 5000;

// mainPart gives {el, part}: what the page itself calls its main part or its only
// article, else what holds most of the text, else everything.
export function mainPart(view, root) {
  const { dom, doc } = view;
  const shown = (selector) => {
    const found = dom.queryAll(doc, selector);
    const out = [];
    for (let i = 0; i < found.length && out.length < 50; i++) if (!view.hidden(found[i]) && dom.text(found[i]).length > 0) out[out.length] = found[i];
    return out;
  };
  const main = shown("main,[role=main]");
  const article = lone(view, shown("article,[role=article]"));
  if (main.length === 1) {
    if (article && dom.contains(main[0], article) && 2 * dom.text(article).length > dom.text(main[0]).length) return { el: article, part: "article" };
    return { el: main[0], part: "main" };
  }
  if (article && dom.text(article).length > 250) return { el: article, part: "article" };
  const best = densest(view, root);
  return best ? { el: best, part: "densest" } : { el: root, part: "whole" };
}

// lone gives the article that stands out: the only one, or one with more text
// than all others together.
function lone(view, articles) {
  const { dom } = view;
  let sum = 0;
  let best = null;
  let most = 0;
  for (let i = 0; i < articles.length; i++) {
    const size = dom.text(articles[i]).length;
    sum += size;
    if (size <= most) continue;
    most = size;
    best = articles[i];
  }
  return 2 * most > sum ? best : null;
}

// densest scores what holds paragraphs by their lengths and commas, less what of
// it is links, as reader views do. It gives null if nothing stands out.
function densest(view, root) {
  const { dom, doc } = view;
  const scores = new Map();
  const found = dom.queryAll(doc, PARAGRAPHS);
  let total = 0;
  for (let i = 0; i < found.length && i < LIMIT; i++) {
    const size = dom.text(found[i]).length;
    if (size < 25 || view.hidden(found[i])) continue;
    const points = 1 + (size > 300 ? 3 : size / 100) + commas(dom.text(found[i]));
    total += points;
    let share = 1;
    for (let up = view.parent(found[i]), n = 0; up !== null && up !== root && n < 3; up = view.parent(up), n++) {
      scores.set(up, (scores.get(up) ?? 0) + points * share);
      share = n === 0 ? 1 / 2 : share / 3;
    }
  }
  let best = null;
  let most = 0;
  for (const [el, score] of scores) {
    const worth = score * (1 - linkShare(view, el));
    if (worth <= most || dom.tag(el) === "body" || isNoise(view, el, view.of(el))) continue;
    most = worth;
    best = el;
  }
  if (!best || 3 * most < total) return null;
  return best;
}

function commas(text) {
  let n = 0;
  for (let i = 0; i < text.length && n < 10; i++) if (text[i] === "," || text[i] === "\u3001" || text[i] === "\u060c" || text[i] === "\uff0c") n++;
  return n;
}
