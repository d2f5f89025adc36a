// The order of what was found: exact before prefix before part, what can be seen
// and used before what cannot, and then as on the page.

const EXACTLY = 3000; // hits of which each is put in its place on the page

// ranked gives the best hits of a finder, each with its spot among the lines.
export function ranked(finder) {
  const { hits, limit, places, nodes } = finder;
  const spot = (h) => {
    if (h.spot !== null) return;
    if (h.el === null) h.spot = { at: h.at, depth: nodes[h.at].d, own: true };
    else {
      h.spot = places.spot(h.el);
      h.spot.own = false;
    }
  };
  // Shadow trees come last in the list; a few hits are worth the look where they are.
  const placed = hits.length <= EXACTLY;
  for (let i = 0; i < hits.length; i++) {
    if (placed) spot(hits[i]);
    hits[i].order = i;
  }
  sort(hits, (a, b) => a.how - b.how || a.off - b.off || (placed ? a.spot.at - b.spot.at : 0) || a.order - b.order);
  const out = [];
  for (let i = 0; i < hits.length && i < limit; i++) {
    spot(hits[i]);
    out[i] = hits[i];
  }
  return out;
}

// sort merges in plain syntax: a page's own Array.prototype.sort need not.
function sort(list, compare) {
  let from = list;
  let to = [];
  for (let width = 1; width < list.length; width *= 2) {
    for (let i = 0; i < from.length; i += 2 * width) {
      const middle = i + width < from.length ? i + width : from.length;
      const end = i + 2 * width < from.length ? i + 2 * width : from.length;
      let a = i;
      let b = middle;
      for (let k = i; k < end; k++) to[k] = a < middle && (b >= end || compare(from[a], from[b]) <= 0) ? from[a++] : from[b++];
    }
    const done = from;
    from = to;
    to = done === list ? [] : done;
  }
  for (let i = 0; from !== list && i < from.length; i++) list[i] = from[i];
}
