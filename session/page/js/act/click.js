// A click: what a mouse sends when it presses a button over an element.

import { fail } from "../fault.js";
import { control, isOn } from "./control.js";
import { flags } from "./events.js";
import { focusByPress } from "./focus.js";
import { during, origin, throughout } from "./listen.js";
import { where } from "./page.js";
import { at, clickEvent, move, otherEvent, press, release } from "./pointer.js";
import { newPlace } from "./popup.js";
import { boxes, reach, spotOf } from "./reach.js";
import { pickOption } from "./option.js";
import { begin, named, resolve, usable } from "./target.js";

const BUTTONS = { __proto__: null, left: 0, middle: 1, right: 2 };

// A press and the release are apart by a breath of the page, in one task: what
// it does about the press is done when the click comes, and nothing of the
// document can go away in between.
export async function click(page, args) {
  begin(page, args);
  const { el, relocated } = resolve(page, args);
  usable(page, el);
  if (page.dom.tag(el) === "option") return where(page, pickOption(page, el));
  const how = { __proto__: null, button: BUTTONS[args.button ?? "left"] ?? 0, count: args.count ?? 1, mods: flags(args.modifiers), popups: args.popups ?? "take" };
  const done = await clickOn(page, el, how);
  return where(page, { __proto__: null, relocated: relocated || undefined, ...done });
}

// clickOn clicks an element, or the label that stands for it, and says what
// could be seen of it at once: {checked?, warnings?, popup?}.
export async function clickOn(page, el, how = { __proto__: null, button: 0, count: 1, mods: {}, popups: "take" }) {
  const kind = control(page, el);
  if (kind === "file") fail("unsupported_element", "a file input opens a window of the system, which only its user can operate; use upload_files");
  const warnings = [];
  const aim = aimAt(page, el);
  if (aim.blind) warnings.push("it is not drawn where a pointer could reach it; the click was sent to it all the same");
  const popup = await strike(page, el, aim, how, warnings);
  const checked = page.dom.connected(el) ? isOn(page, el) : undefined;
  if (kind === "select" && how.button === 0) warnings.push("a scripted click does not open the list of a select; use select_option");
  return { __proto__: null, checked, popup, warnings: warnings.length ? warnings : undefined };
}

// activate is the click that the keyboard makes: the click event alone, without
// a pointer.
export function activate(page, el) {
  const warnings = [];
  const how = { __proto__: null, button: 0, count: 1, mods: flags(), popups: "take" };
  const { listeners, told } = watched(page, how, warnings);
  const rect = page.dom.rect(el);
  during(page, listeners, () => clickEvent(page, { __proto__: null, target: el, x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 }, 0));
  const popup = told();
  return { __proto__: null, checked: page.dom.connected(el) ? isOn(page, el) : undefined, popup, warnings: warnings.length ? warnings : undefined };
}

// aimAt finds where to press: on the element, or on a label of a check box or
// radio button that is not drawn or lies under its own decoration.
function aimAt(page, el) {
  const { native, dom } = page;
  const type = page.type(el);
  if (type !== "checkbox" && type !== "radio") return reach(page, el);
  const drawn = boxes(page, el).length > 0 && dom.style(el).visibility === "visible";
  const spot = drawn ? spotOf(page, el) : null;
  if (spot) return spot;
  const labels = native.get(el, "labels") ?? [];
  for (let i = 0; i < labels.length; i++) {
    const other = boxes(page, labels[i]).length ? spotOf(page, labels[i]) : null;
    if (other) return other;
  }
  return reach(page, el);
}

// strike sends the whole sequence and returns where a new tab was asked for.
async function strike(page, el, aim, how, warnings) {
  const { dom } = page;
  const { button, count, mods } = how;
  const { listeners, told } = watched(page, how, warnings);
  await throughout(page, listeners, async () => {
    move(page, aim, mods);
    await page.breath();
    if (!dom.connected(aim.target)) aim = again(page, el);
    for (let n = 1; n <= count; n++) {
      const pressed = press(page, aim, button, n, mods);
      if (pressed.focus && n === 1) focusByPress(page, aim.target);
      if (button === 2) otherEvent(page, "contextmenu", aim, button, n, mods);
      await page.breath();
      if (!dom.connected(aim.target)) {
        warnings.push("the page took the element away while it was pressed, so that the press was sent and the click was not");
        return;
      }
      release(page, aim, button, n, pressed.mouse, mods);
      if (button !== 0) otherEvent(page, "auxclick", aim, button, n, mods);
      else {
        clickEvent(page, aim, n, mods);
        if (n === 2) page.fire.mouse(aim.target, "dblclick", { __proto__: null, ...at(page, aim), detail: 2, ...mods });
      }
      await page.breath();
      if (!dom.connected(aim.target)) return;
    }
  });
  return told();
}

// watched are our own listeners while a click runs: for links to new tabs, for
// file choosers, for forms that the browser finds not valid. told says
// afterwards where a new tab was asked for.
function watched(page, how, warnings) {
  const { native } = page;
  let popup;
  let refused = null;
  const place = (e) => void (popup ??= newPlace(page, e, how));
  const chooser = (e) => {
    // A file chooser is a window of the system: nobody here could close it.
    if (page.type(origin(page, e)) !== "file") return;
    native.call(e, "preventDefault");
    warnings.push("the page asked for a file chooser, which was not opened; use upload_files");
  };
  const blocked = () => warnings.push("popup_blocked: Firefox kept the page from opening a new window, as it does for scripted clicks");
  const listeners = [
    ["invalid", (e) => void (refused ??= origin(page, e)), true],
    ["click", chooser, true],
    ["click", place, false],
    ["auxclick", place, false],
    ["DOMPopupBlocked", blocked, true],
  ];
  const told = () => {
    if (refused) warnings.push(`the form was not sent: ${named(page, refused)}: ${native.get(refused, "validationMessage") || "not valid"}`);
    return popup;
  };
  return { __proto__: null, listeners, told };
}

// again looks once more for where to press after the page has answered the
// hover by drawing the element anew.
function again(page, el) {
  if (!page.dom.connected(el)) fail("stale_element", "the page replaced the element when the pointer came over it; nothing was clicked; take a new snapshot");
  return reach(page, el);
}
