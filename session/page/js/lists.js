// Lists are walked by index everywhere: the iterator of arrays may be the page's.

const { iterator } = Symbol;

// sequence gives a list with an iterator of its own, for the browser's functions
// that take sequences.
export function sequence(list) {
  const next = (i) => () => ({ __proto__: null, done: i === list.length, value: list[i++] });
  return { __proto__: null, [iterator]: () => ({ __proto__: null, next: next(0) }) };
}

// joined gives a new list of both.
export function joined(a, b) {
  const out = [];
  for (let i = 0; i < a.length; i++) out[out.length] = a[i];
  for (let i = 0; i < b.length; i++) out[out.length] = b[i];
  return out;
}
