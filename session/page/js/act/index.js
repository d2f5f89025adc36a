// The acting methods: name -> fn(args, ctx). Each is written for the page that
// page.js makes of the context, once per document.

import { click } from "./click.js";
import { drag } from "./drag.js";
import { fill } from "./fill.js";
import { focus } from "./focus.js";
import { hover } from "./hover.js";
import { key } from "./key.js";
import { locate } from "./locate.js";
import { makePage } from "./page.js";
import { takeBaseline } from "./reading.js";
import { scroll } from "./scroll.js";
import { select } from "./select.js";
import { settle } from "./settle.js";
import { type } from "./type.js";
import { stopWait, wait } from "./wait.js";

const on = (act) => (args, ctx) => act((ctx.acting ??= makePage(ctx)), args);

// after is on for what changes the page: how it was before is noted first, which
// takes its time on a large page. Everything else is checked after that, and in
// one task with the action.
const after = (act) => async (args, ctx) => {
  if (args.baseline) await takeBaseline(ctx);
  return on(act)(args, ctx);
};

export const methods = {
  __proto__: null,
  click: after(click),
  drag: after(drag),
  fill: after(fill),
  focus: after(focus),
  hover: after(hover),
  key: after(key),
  locate: on(locate),
  scroll: after(scroll),
  select: after(select),
  settle: on(settle),
  stop_wait: on(stopWait),
  type: after(type),
  wait: on(wait),
};
