// mainPart finds the part of the page that its text is in: as reader views do, by
// what holds the paragraphs, helped by what the page itself calls its main part.

import { clean } from "./clean.js";
import { measure } from "./measure.js";

const SHORTEST = 25; // characters of a paragraph that counts
const HEADS = { __proto__: null, h1: true, h2: true, h3: true, h4: true, h5: true, h6: true, th: true };
const RIVALS = 5; // of which three that come close make a common ancestor the main part

// mainPart gives {roots, part, drops, core, corePart, around}: elements to be read in
// this order, what they are (main, article, densest, whole), and a function that says
// of an element in them whether it is to be left out; what the page itself calls its
// main part, if it does, and a function that says the same of what by its name or
// role is none of the text. null if the page says nothing at all.
export function mainPart(view, root, strict) {
  const noise = new Set();
  const page = measure(view, root, strict, noise);
  if (page === null || page.size === 0) return null;
  const scope = onlyMain(page);
  const found = candidates(scope);
  let best = found.length === 0 ? scope : common(found, scope);
  if (best !== scope) best = widen(climb(best, scope));
  const roots = best === scope ? [scope] : siblings(best);
  const named = best.role === "main" || best.role === "article";
  const part = named ? best.role : best === page || best.tag === "body" ? "whole" : "densest";
  const core = named ? best : scope;
  const title = head(view, page, roots);
  if (title !== null) roots.unshift(title);
  const dropped = new Set();
  noise.forEach((el) => dropped.add(el));
  clean(roots, dropped);
  const els = [];
  for (let i = 0; i < roots.length; i++) els[i] = roots[i].el;
  return {
    __proto__: null,
    roots: els,
    part,
    drops: (el) => dropped.has(el),
    core: core.el,
    corePart: core === page ? "whole" : core.role,
    around: (el) => noise.has(el),
  };
}

// onlyMain gives what the page calls its main part, if it does so once and the part
// holds much of the text, else the page.
function onlyMain(page) {
  let main = null;
  let n = 0;
  each(page, (box) => {
    if (box.role !== "main") return;
    main = box;
    n++;
  });
  return n === 1 && main.size - main.links > 0.3 * (page.size - page.links) ? main : page;
}

// candidates scores what holds paragraphs, and gives the best, the best first.
function candidates(scope) {
  const scored = [];
  const known = new Set();
  each(scope, (box) => {
    if (box.own < SHORTEST) return;
    const points = 1 + box.ownCommas + 1 + Math.min(Math.floor(box.own / 100), 3);
    // What has nothing but this text is a paragraph of what is around it.
    let at = box.kids.length > 0 || box.breaks > 1 ? box : box.up;
    for (let level = 0; at !== null && at.up !== null && at !== scope && level < 5; at = at.up, level++) {
      if (!known.has(at)) {
        known.add(at);
        scored[scored.length] = at;
        at.score = start(at);
      }
      at.score += level === 0 ? points : level === 1 ? points / 2 : points / (3 * level);
    }
  });
  const best = [];
  for (let n = 0; n < scored.length; n++) {
    const box = scored[n];
    box.score *= 1 - linkShare(box);
    if (box.tag === "body" || box.tag === "html") continue;
    let i = best.length;
    while (i > 0 && best[i - 1].score < box.score) i--;
    for (let k = Math.min(best.length, RIVALS - 1); k > i; k--) best[k] = best[k - 1];
    if (i < RIVALS) best[i] = box;
  }
  return best;
}

function start(box) {
  const { tag } = box;
  const of = tag === "div" ? 5 : tag === "pre" || tag === "td" || tag === "blockquote" ? 3 : HEADS[tag] ? -5 : tag === "ol" || tag === "ul" || tag === "dl" || tag === "li" || tag === "form" || tag === "address" ? -3 : 0;
  return of + (box.called === null ? 0 : box.called.weight);
}

export function linkShare(box) {
  return box.size === 0 ? 0 : box.links / box.size;
}

// common gives the best candidate, or what it has in common with three others that
// are nearly as good.
function common(found, scope) {
  const near = [];
  for (let i = 1; i < found.length; i++) if (found[i].score >= 0.75 * found[0].score) near[near.length] = found[i];
  if (near.length < 3) return found[0];
  for (let at = found[0].up; at !== null && at !== scope && at.tag !== "body"; at = at.up) {
    let n = 0;
    for (let i = 0; i < near.length; i++) if (within(near[i], at)) n++;
    if (n >= 3) return at;
  }
  return found[0];
}

export function within(box, above) {
  for (let at = box; at !== null; at = at.up) if (at === above) return true;
  return false;
}

// climb goes up as long as there is more of the same above.
function climb(box, scope) {
  let best = box;
  let last = box.score;
  const least = last / 3;
  for (let at = box.up; at !== null && at !== scope && at.tag !== "body"; at = at.up) {
    if (at.score === 0) continue;
    if (at.score < least) break;
    if (at.score > last) {
      best = at;
      break;
    }
    last = at.score;
  }
  best = gather(best, scope);
  while (best.up !== null && best.up !== scope && best.up.tag !== "body" && best.up.up !== null && best.up.kids.length === 1 && best.up.own === 0) best = best.up;
  return best;
}

// gather goes up to what holds the parts of a text that is cut into sections: where
// much of the same is beside it, and few links.
function gather(box, scope) {
  let best = box;
  for (let at = box.up, n = 0; at !== null && at !== scope && at.tag !== "body" && n < 6; at = at.up, n++) {
    const more = at.prose - best.prose;
    if (more < best.prose / 4) continue;
    if (at.links - best.links > 0.15 * (at.size - best.size)) break;
    best = at;
  }
  return best;
}

// widen goes up to what the page calls its article, if that stands alone, or its
// main part.
function widen(box) {
  let article = null;
  let main = null;
  for (let at = box; at !== null; at = at.up) {
    if (at.role === "article") article = at;
    if (at.role === "main") main = at;
  }
  if (article === null) return main ?? box;
  if (main !== null && 2 * article.size < main.size) return main;
  let others = 0;
  for (let i = 0; article.up !== null && i < article.up.kids.length; i++) {
    const kid = article.up.kids[i];
    if (kid !== article && kid.role === "article") others += kid.size;
  }
  return others >= article.size ? (main ?? article.up) : article;
}

// siblings adds to the best candidate what stands beside it and is text too.
function siblings(best) {
  const { up } = best;
  if (up === null || best.role === "article" || best.role === "main") return [best];
  const out = [];
  const enough = Math.max(10, 0.2 * best.score);
  const alike = best.called === null ? "" : best.called.names;
  for (let i = 0; i < up.kids.length; i++) {
    const box = up.kids[i];
    const like = alike !== "" && box.called.names === alike && box.score >= best.score / 4;
    if (box === best || like || box.score >= enough || paragraph(box)) out[out.length] = box;
  }
  return out;
}

function paragraph(box) {
  if (box.size === 0 || !(box.tag === "p" || (box.tag === "div" && box.paragraphs === 1 && box.heads === 0 && box.items === 0))) return false;
  return box.size > 80 ? linkShare(box) < 0.25 : box.links === 0 && box.size > SHORTEST;
}

// head finds the title of the page where it stands outside of the roots, with the
// header that it is in. It gives a box, or null.
function head(view, page, roots) {
  for (let i = 0; i < roots.length; i++) if (roots[i].titles > 0) return null;
  const title = view.dom.title(view.doc) ?? "";
  let best = null;
  let n = 0;
  each(page, (box) => {
    if (box.tag !== "h1" || box.size < 4 || box.links > 0) return;
    n++;
    if (best === null || (!titled(view, best, title) && titled(view, box, title))) best = box;
  });
  if (best === null || (n > 1 && !titled(view, best, title))) return null;
  for (let at = best.up; at !== null && at.size < 800; at = at.up) if (at.tag === "header" || at.tag === "hgroup") best = at;
  return best;
}

const titled = (view, box, title) => title.indexOf(view.dom.text(box.el).trim()) >= 0;

// each calls a function for a box and all below, without recursion.
export function each(box, fn) {
  const stack = [box];
  while (stack.length > 0) {
    const at = stack[stack.length - 1];
    stack.length--;
    fn(at);
    for (let i = at.kids.length - 1; i >= 0; i--) stack[stack.length] = at.kids[i];
  }
}
