// The agent's reading methods: name -> fn(args, ctx).

import { probe } from "./probe.js";

export const methods = { __proto__: null, probe };
