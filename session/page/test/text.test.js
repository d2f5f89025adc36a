import assert from "node:assert/strict";
import test from "node:test";

import { blank, collapse, count, cut } from "../js/text.js";
import { words } from "../js/words.js";

test("collapse", () => {
  for (const [text, want] of [
    ["", ""],
    ["  ", ""],
    ["a", "a"],
    [" a\n\t b \f", "a b"],
    ["\u00a0a\u00a0 b", "\u00a0a\u00a0 b"],
  ]) assert.equal(collapse(text), want, JSON.stringify(text));
});

test("blank: a no-break space is something", () => {
  assert.ok(blank(" \t\n\r\f"));
  assert.ok(!blank("\u00a0"));
});

test("cut counts code points and never halves a pair", () => {
  assert.equal(cut("abc", 3), "abc");
  assert.equal(cut("abcd", 3), "ab\u2026");
  assert.equal(cut("\u{1f600}\u{1f600}\u{1f600}", 3), "\u{1f600}\u{1f600}\u{1f600}");
  assert.equal(cut("\u{1f600}\u{1f600}\u{1f600}x", 3), "\u{1f600}\u{1f600}\u2026");
  assert.equal(count("a\u{1f600}\ud83d"), 3);
});

test("words", () => assert.deepEqual(words(" a \n b\tc "), ["a", "b", "c"]));
