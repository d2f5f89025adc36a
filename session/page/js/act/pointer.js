// What a mouse does, as events: moving, pressing, letting go.

const MASK = [1, 4, 2]; // buttons bit by button number

export function at(page, spot, more) {
  const { window } = page;
  return {
    __proto__: null,
    clientX: Math.round(spot.x),
    clientY: Math.round(spot.y),
    screenX: Math.round(spot.x + (window.mozInnerScreenX ?? 0)),
    screenY: Math.round(spot.y + (window.mozInnerScreenY ?? 0)),
    ...more,
  };
}

const asPointer = (init) => ({ __proto__: null, pointerId: 0, pointerType: "mouse", isPrimary: true, width: 1, height: 1, pressure: init.buttons ? 0.5 : 0, ...init, detail: 0 });

const line = (page, el) => {
  const out = [];
  for (let at = el; at; at = page.up(at)) out[out.length] = at;
  return out;
};

// move brings the pointer to a spot: it leaves what it was over, enters what is
// there, and moves.
export function move(page, spot, more) {
  const { fire, dom } = page;
  const target = spot.target;
  const init = at(page, spot, { button: 0, buttons: 0, ...more });
  const pointerMove = { ...asPointer(init), button: init.buttons ? 0 : -1 };
  const before = page.over?.deref();
  const old = before && dom.connected(before) ? before : null;
  if (old !== target) {
    const from = old ? line(page, old) : [];
    const to = line(page, target);
    const left = from.filter((el) => !to.includes(el));
    const entered = to.filter((el) => !from.includes(el)).reverse();
    const quiet = { __proto__: null, bubbles: false, cancelable: false, composed: false };
    if (old) fire.pointer(old, "pointerout", { ...asPointer(init), relatedTarget: target });
    for (let i = 0; i < left.length; i++) fire.pointer(left[i], "pointerleave", { ...asPointer(init), ...quiet, relatedTarget: target });
    fire.pointer(target, "pointerover", { ...asPointer(init), relatedTarget: old });
    for (let i = 0; i < entered.length; i++) fire.pointer(entered[i], "pointerenter", { ...asPointer(init), ...quiet, relatedTarget: old });
    fire.pointer(target, "pointermove", pointerMove);
    if (old) fire.mouse(old, "mouseout", { ...init, relatedTarget: target });
    for (let i = 0; i < left.length; i++) fire.mouse(left[i], "mouseleave", { ...init, ...quiet, relatedTarget: target });
    fire.mouse(target, "mouseover", { ...init, relatedTarget: old });
    for (let i = 0; i < entered.length; i++) fire.mouse(entered[i], "mouseenter", { ...init, ...quiet, relatedTarget: old });
  } else {
    fire.pointer(target, "pointermove", pointerMove);
  }
  fire.mouse(target, "mousemove", init);
  page.over = new WeakRef(target);
}

// press sends pointerdown and mousedown. It says whether mouse events follow
// (a prevented pointerdown silences them) and whether the focus may move.
export function press(page, spot, button, detail, more) {
  const init = at(page, spot, { button, buttons: MASK[button], ...more });
  const mouse = page.fire.pointer(spot.target, "pointerdown", asPointer(init));
  const focus = mouse && page.fire.mouse(spot.target, "mousedown", { ...init, detail });
  return { __proto__: null, mouse, focus };
}

export function release(page, spot, button, detail, mouse, more) {
  const init = at(page, spot, { button, buttons: 0, ...more });
  page.fire.pointer(spot.target, "pointerup", asPointer(init));
  if (mouse) page.fire.mouse(spot.target, "mouseup", { ...init, detail });
}

// clickEvent sends one click. The browser runs the activation behaviour of
// links, controls, labels and the like for it, exactly once.
export function clickEvent(page, spot, detail, more) {
  return page.fire.pointer(spot.target, "click", { ...asPointer(at(page, spot, { button: 0, buttons: 0, ...more })), pressure: 0, detail });
}

export const otherEvent = (page, type, spot, button, detail, more) => page.fire.pointer(spot.target, type, { ...asPointer(at(page, spot, { button, buttons: 0, ...more })), detail });
