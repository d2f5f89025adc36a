// The agent's methods that read a page for its own sake: name -> fn(args, ctx).

import { extract } from "./extract.js";
import { ripen } from "./ripen.js";
import { shot } from "./shot.js";
import { som } from "./som.js";
import { source } from "./source.js";

export const methods = { __proto__: null, extract, ripen, shot, som, source };
