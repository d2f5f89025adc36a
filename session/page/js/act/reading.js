// What the actions take from the reading half of the agent, in one place.

import { difference, takeBaseline } from "../changes.js";
import { describe as fields } from "../describe.js";
import { secret } from "../secret.js";

export { difference, takeBaseline };
export const describe = (el, ctx) => fields(ctx, el);
export const isSecret = (el, ctx) => secret(ctx, el);
