// Lists that a page has made itself and that are there all the time: what is
// wanted is clicked, what is chosen beside it is clicked off, and the list is asked
// what it has taken.

import { fail } from "../fault.js";
import { choice, chosen, contains, labelOf, labelsOf, optionsIn, refuse, valuesOf } from "./choices.js";
import { clickOn } from "./click.js";
import { PAUSE, seek, until } from "./listbox.js";
import { missing } from "./option.js";
import { named } from "./target.js";

const ANSWER = 400; // ms for a list to show what it has taken

// fromListbox chooses in a list that is there.
export async function fromListbox(page, list, values, args) {
  const multiple = page.attr(list, "aria-multiselectable") === "true";
  if (!multiple && values.length !== 1) fail("invalid_argument", `${named(page, list)} takes exactly one value`);
  const picks = [];
  for (let i = 0; i < values.length; i++) {
    const found = await seek(page, () => list, (at) => choice(page, at, values[i]), args);
    if (!found) missing(values[i], labelsOf(page, list));
    refuse(page, found);
    if (present(page, list, picks).includes(found.option)) continue;
    picks[picks.length] = { __proto__: null, option: found.option, label: found.label, values: valuesOf(page, found.option) };
    if (!found.chosen) await clickOn(page, found.at);
    await page.turn(PAUSE);
  }
  if (multiple) await drop(page, list, picks);
  await until(page, () => refused(page, list, picks).length === 0, ANSWER);
  return report(page, list, picks);
}

// present are the options of the picks as they are now: a list may draw its options
// anew, and may use an element again for another one.
function present(page, list, picks) {
  const options = picks.length ? optionsIn(page, list) : [];
  const same = (pick) => options.includes(pick.option) && contains(labelOf(page, pick.option), pick.label);
  const like = (pick) => options.find((o) => labelOf(page, o) === pick.label && valuesOf(page, o) === pick.values);
  return picks.map((pick) => (same(pick) ? pick.option : like(pick))).filter((o) => o !== undefined);
}

// drop takes back what is chosen beside the picks.
async function drop(page, list, picks) {
  const options = optionsIn(page, list);
  for (let i = 0; i < options.length; i++) {
    const option = options[i];
    if (!chosen(page, option) || present(page, list, picks).includes(option)) continue;
    await clickOn(page, option);
    await page.turn(PAUSE);
  }
}

const tells = (page, option) => page.dom.has(option, "aria-selected") || page.dom.has(option, "aria-checked");

// refused are the options that were picked and of which the list says that they are
// not chosen. Some lists say it only of the one that is.
function refused(page, list, picks) {
  const roles = optionsIn(page, list).filter((o) => tells(page, o)).map((o) => page.role(o));
  return present(page, list, picks).filter((o) => roles.includes(page.role(o)) && !chosen(page, o));
}

// report tells what the list shows to be chosen.
function report(page, list, picks) {
  const options = optionsIn(page, list).filter((o) => chosen(page, o));
  const labels = options.map((o) => labelOf(page, o));
  const value = { __proto__: null, value_after: labels.length ? labels.join(", ") : undefined };
  const not = refused(page, list, picks);
  if (not.length) fail("fill_rejected", `the option ${JSON.stringify(labelOf(page, not[0]))} was clicked, and the list says that it is not chosen`, value);
  const picked = present(page, list, picks);
  if (labels.length === 0) value.warnings = ["the list does not tell which option is chosen"];
  else if (!options.every((o) => picked.includes(o))) value.warnings = [`chosen now: ${labels.map((l) => JSON.stringify(l)).join(", ")}`];
  return value;
}
