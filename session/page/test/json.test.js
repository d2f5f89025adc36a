import assert from "node:assert/strict";
import test from "node:test";

import { makeJSON, parse } from "../js/json.js";

const VALUES = [
  null,
  true,
  -1.5e-7,
  "",
  "plain",
  'q"\\\n\u0001\u2028</script>',
  "\u00fc\u{1f600}",
  "\\ud83d stays text",
  [],
  [1, [2, { a: "b" }]],
  { a: undefined, "k\u00fc": [null, false] },
];

for (const isolated of [true, false]) {
  const json = makeJSON(isolated);
  test(`written and read again, isolated ${isolated}`, () => {
    for (const value of VALUES) {
      const text = json.stringify(value);
      assert.match(text, /^[ -~]*$/);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    }
  });
  test(`lone surrogates become U+FFFD, isolated ${isolated}`, () => {
    assert.equal(JSON.parse(json.stringify("a\ud83d\ud83db\ude00\\ud83d\\\ud83d")), "a\ufffd\ufffdb\ufffd\\ud83d\\\ufffd");
    assert.equal(JSON.parse(json.stringify("\ud83d\ud83d\ude00")), "\ufffd\u{1f600}");
  });
}

test("parse reads what encoding/json writes", () => {
  for (const value of VALUES) {
    const text = JSON.stringify(value).replace(/</g, "\\u003c").replace(/\u2028/g, "\\u2028");
    assert.deepEqual(JSON.parse(JSON.stringify(parse(text))), JSON.parse(text));
  }
  assert.deepEqual(JSON.stringify(parse(' { "a" : [ 1 , 2 ] } ')), '{"a":[1,2]}');
});

test("parse refuses the rest", () => {
  for (const text of ["", "{", "[1,]", "[1 2]", '"a', "tru", "1 2", '{"a"}', "nul", "--1", "undefined"]) assert.throws(() => parse(text), SyntaxError, text);
});

test("what is no plain value is not written", () => {
  const json = makeJSON(false);
  assert.equal(json.stringify([NaN, Infinity, undefined, () => 1]), "[null,null,null,null]");
});
