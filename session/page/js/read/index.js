// The agent's methods that read a page for its own sake: name -> fn(args, ctx).

import { extract } from "./extract.js";

export const methods = { __proto__: null, extract };
