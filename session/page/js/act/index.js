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
import { scroll } from "./scroll.js";
import { select } from "./select.js";
import { settle } from "./settle.js";
import { type } from "./type.js";
import { stopWait, wait } from "./wait.js";

const on = (act) => (args, ctx) => act((ctx.acting ??= makePage(ctx)), args);

export const methods = {
  __proto__: null,
  click: on(click),
  drag: on(drag),
  fill: on(fill),
  focus: on(focus),
  hover: on(hover),
  key: on(key),
  locate: on(locate),
  scroll: on(scroll),
  select: on(select),
  settle: on(settle),
  stop_wait: on(stopWait),
  type: on(type),
  wait: on(wait),
};
