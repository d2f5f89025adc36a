// Tables: which hold data, and the texts of their cells.

import { plainText } from "../name.js";
import { role } from "../role.js";

const ROWS = 5000;
const CELL = 2000; // characters of a cell

// isData tells a table of data from one that only arranges the page: it is said
// to be one, has headings or a caption, or is a grid of short texts.
export function isData(view, table) {
  const { dom } = view;
  const r = role(view, table);
  if (r !== "table" && r !== "grid" && r !== "treegrid") return false;
  if (dom.one(table, "table") !== null || dom.one(table, "h1,h2,h3,h4,h5,h6,article,section,pre") !== null) return false;
  if (dom.one(table, "th,caption,thead") !== null) return true;
  const rows = dom.all(table, "tr");
  if (rows.length < 2) return false;
  const found = dom.all(table, "td");
  if (found.length < 2 * rows.length) return false;
  for (let i = 0; i < found.length && i < 50; i++) if (dom.text(found[i]).length > 200) return false;
  return true;
}

const SPAN = 100; // columns or rows of one cell
const WIDE = 200; // columns of a row: the reader of the answer takes no more

// span gives how many columns or rows a cell takes.
function span(dom, cell, attr) {
  const n = parseInt(dom.attr(cell, attr) ?? "", 10);
  return n > 1 ? Math.min(n, SPAN) : 1;
}

// cells gives the rows of a table as they are shown: {texts, head, caption}. textOf
// tells the text of a cell, in at most so many characters.
export function cells(view, table, textOf = (cell, limit) => plainText(view, cell, limit)) {
  const { dom } = view;
  const out = [];
  const caption = dom.one(table, "caption");
  if (caption && !view.hidden(caption)) {
    const text = textOf(caption, CELL);
    if (text) out[out.length] = { texts: [text], head: false, caption: true };
  }
  const rows = dom.all(table, "tr");
  const held = []; // by column: rows that a cell above still takes
  for (let i = 0; i < rows.length && i < ROWS; i++) {
    const row = view.hidden(rows[i]) ? null : rowOf(view, rows[i], held, textOf);
    if (row) out[out.length] = row;
  }
  return out;
}

// rowOf gives one row, null if nothing is in it, and notes in held what its cells
// take of the rows below.
function rowOf(view, tr, held, textOf) {
  const { dom } = view;
  const row = { texts: [], head: true, caption: false };
  let column = 0;
  let some = false;
  for (let cell = dom.firstElement(tr); cell !== null; cell = dom.nextElement(cell)) {
    const tag = dom.tag(cell);
    if ((tag !== "td" && tag !== "th") || view.hidden(cell)) continue;
    for (; held[column] > 0; column++) held[column]--;
    if (column >= WIDE) break;
    if (tag === "td") row.head = false;
    const text = textOf(cell, CELL);
    some = some || text !== "";
    while (row.texts.length < column) row.texts[row.texts.length] = ""; // so that all of a column stand below one another
    row.texts[column] = text;
    const high = span(dom, cell, "rowspan");
    for (let end = Math.min(column + span(dom, cell, "colspan"), WIDE); column < end; column++) held[column] = high - 1;
  }
  for (; column < held.length; column++) if (held[column] > 0) held[column]--;
  return some ? row : null;
}
