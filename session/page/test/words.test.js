import assert from "node:assert/strict";
import test from "node:test";

import { generated } from "../js/pseudo.js";
import { sensitive } from "../js/secret.js";
import { split } from "../js/value.js";

test("generated content", () => {
  const attribute = (key) => (key === "data-x" ? "X" : null);
  for (const [text, want] of [
    ['"a"', "a"],
    ['"a" "b"', "ab"],
    ['"say \\"hi\\""', 'say "hi"'],
    ["open-quote", "\u201c"],
    ['url("x)y.png") " after"', " after"],
    ['url("x.png") / "alt"', "alt"],
    ['"star" / ""', ""],
    ["counter(n) \". \"", ". "],
    ["attr(data-x)", "X"],
    ['attr(data-none, "fallback")', "fallback"],
    ['"a" / attr(data-x) "b"', "Xb"],
  ]) assert.equal(generated(text, attribute), want, text);
});

test("sensitive", () => {
  for (const text of ["one-time-code", "section-a shipping cc-number", "CC-CSC", "current-password", " new-password "]) assert.ok(sensitive(text), text);
  for (const text of [null, "", "email", "off", "ccx", "accept-cc"]) assert.ok(!sensitive(text), text);
  assert.ok(!sensitive("new-password", true) && sensitive("current-password", true));
});

test("split", () => {
  assert.deepEqual({ ...split("https://u:p@h.example:8/a/b?q#f") }, { origin: "https://h.example:8", path: "/a/b", rest: "?q#f" });
  assert.deepEqual({ ...split("http://h") }, { origin: "http://h", path: "/", rest: "" });
  assert.equal(split("mailto:a@b"), null);
});
