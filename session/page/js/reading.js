// The agent's reading methods: name -> fn(args, ctx).

import { href, value } from "./value.js";
import { description, name } from "./name.js";
import { level, states } from "./states.js";
import { probe } from "./probe.js";
import { role, roleWord } from "./role.js";
import { find } from "./read/find.js";
import { snapshot } from "./snapshot.js";
import { View } from "./view.js";

// describe_all serves tests: everything about each element that a selector finds,
// shadow trees included.
function describeAll({ selector }, ctx) {
  const view = new View(ctx);
  const { dom } = ctx;
  const out = [];
  const collect = (list) => {
    for (let i = 0; i < list.length; i++) {
      const root = view.shadow(list[i], view.of(list[i]));
      if (root) collect(dom.rootQueryAll(root, "*"));
      if (!dom.matches(list[i], selector)) continue;
      const el = list[i];
      out[out.length] = {
        __proto__: null,
        i: ctx.registry.known(el),
        t: dom.attr(el, "data-t"),
        role: role(view, el),
        word: roleWord(view, el),
        name: name(view, el).text,
        from: name(view, el).from,
        description: description(view, el),
        states: states(view, el),
        level: level(view, el, role(view, el)),
        value: value(view, el),
        href: href(view, el).full,
        hidden: view.hidden(el),
      };
    }
  };
  collect(dom.queryAll(ctx.document, "*"));
  return out;
}

export const methods = { __proto__: null, probe, snapshot, find, describe_all: describeAll };
