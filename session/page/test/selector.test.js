import assert from "node:assert/strict";
import test from "node:test";

import { escapeName } from "../js/selector.js";

test("escapeName", () => {
  for (const [text, want] of [
    ["a-b_1", "a-b_1"],
    ["1a", "\\31 a"],
    ["-1", "-\\31 "],
    ["-", "\\-"],
    ["--x", "--x"],
    ["a:b.c d", "a\\:b\\.c\\ d"],
    ["\u00fc", "\u00fc"],
    ["a\0b", "a\ufffdb"],
    ["a\nb\x7f", "a\\a b\\7f "],
  ]) assert.equal(escapeName(text), want, JSON.stringify(text));
});
