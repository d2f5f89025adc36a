// The bundle's entry. The expression around the bundle (isolate.js, page.go)
// provides the object `agent` to put the front door on. A plain assignment,
// because a bundler's own way to export can be tripped by a page that has
// poisoned Object.prototype.

import { install } from "./agent.js";

/* global agent */
agent.install = install;
