// The rules of page code: no way to run text as code, no way to write markup, no
// globals but what the language has. window and document come as parameters.

const language = Object.fromEntries(
  ["Array", "Date", "Infinity", "Map", "Math", "NaN", "Number", "Object", "Promise", "Reflect", "RegExp", "Set", "Function", "String", "SyntaxError", "JSON", "Symbol", "Uint8Array", "Uint32Array", "DataView", "WeakMap", "WeakRef", "WeakSet", "parseFloat", "parseInt", "globalThis", "undefined"].map((name) => [name, "readonly"]),
);

const rules = {
  "constructor-super": "error",
  "for-direction": "error",
  "no-const-assign": "error",
  "no-dupe-args": "error",
  "no-dupe-class-members": "error",
  "no-dupe-else-if": "error",
  "no-dupe-keys": "error",
  "no-duplicate-case": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-script-url": "off", // compared, never made
  "no-restricted-globals": ["error", "window", "document", "globalThis", "self", "top", "eval", "Function"],
  "no-restricted-properties": [
    "error",
    { property: "innerHTML" },
    { property: "outerHTML" },
    { property: "insertAdjacentHTML" },
    { property: "write", object: "document" },
    { property: "writeln", object: "document" },
    { property: "setHTMLUnsafe" },
    { property: "createContextualFragment" },
    { property: "execScript" },
    { property: "Function" },
    { property: "eval" },
  ],
  "no-self-assign": "error",
  "no-self-compare": "off", // how NaN is told without a built-in
  "no-this-before-super": "error",
  "no-undef": "error",
  "no-unreachable": "error",
  "no-unused-vars": ["error", { args: "none", caughtErrors: "none" }],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-var": "error",
  "prefer-const": "error",
};

// A page may have put an endless iterator on Array.prototype.
const lists = {
  "no-restricted-syntax": [
    "error",
    { selector: "ForOfStatement", message: "walk lists by index" },
    { selector: "ArrayPattern", message: "take members by index" },
    { selector: "NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length>0]", message: "add members one by one" },
    { selector: ":matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement", message: "spread uses the iterator" },
  ],
};

export default [
  { files: ["js/**/*.js"], ignores: ["js/isolate.js", "js/inpage.js"], languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: language }, rules: { ...rules, ...lists } },
  {
    // It reads interfaces of the realm by name, and Function.prototype.toString.
    files: ["js/upload/web.js"],
    rules: { "no-restricted-globals": ["error", "window", "document", "self", "top", "eval"] },
  },
  {
    // The two expressions around the agent run where there are other globals.
    files: ["js/isolate.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "script", globals: { ...language, Services: "readonly", Cu: "readonly", ChromeUtils: "readonly" } },
    rules,
  },
  {
    files: ["js/inpage.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "script", globals: { ...language, window: "readonly", document: "readonly" } },
    rules: { ...rules, "no-restricted-globals": ["error", "globalThis", "self", "top", "eval", "Function"] },
  },
  { files: ["test/**/*.js"], languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: language }, rules },
];
