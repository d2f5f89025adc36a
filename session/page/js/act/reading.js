// What the actions take from the reading half of the agent, in one place.

import { difference, takeBaseline } from "../changes.js";
import { describe as fields } from "../describe.js";
import { rowWords } from "../rows.js";
import { secret } from "../secret.js";
import { View } from "../view.js";

export { difference, takeBaseline };
export const describe = (el, ctx) => fields(ctx, el);
export const rowOf = (el, up, ctx) => rowWords(new View(ctx), el, up);
export const isSecret = (el, ctx) => secret(ctx, el);
