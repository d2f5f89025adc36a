// JSON in and out. The answer is pure ASCII: it travels several times faster so,
// and no cut through a surrogate pair can spoil it. Lone surrogates become
// U+FFFD. Behind Xrays the engine does the work; in the page's realm JSON may be
// the page's own, so there a writer and a parser of plain syntax take its place.

const HEX = "0123456789abcdef";

const four = (code) => HEX[(code >> 12) & 15] + HEX[(code >> 8) & 15] + HEX[(code >> 4) & 15] + HEX[code & 15];

const isLead = (code) => code >= 0xd800 && code < 0xdc00;
const isTrail = (code) => code >= 0xdc00 && code < 0xe000;

// One code unit as it stands in the output.
function unit(text, i, codeAt) {
  const code = codeAt(text, i);
  if (code < 0xd800 || code > 0xdfff) return "\\u" + four(code);
  if (isLead(code) && i + 1 < text.length && isTrail(codeAt(text, i + 1))) return "\\u" + four(code);
  if (isTrail(code) && i > 0 && isLead(codeAt(text, i - 1))) return "\\u" + four(code);
  return "\\ufffd";
}

function quote(text, codeAt) {
  let out = '"';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c >= " " && c <= "~" && c !== '"' && c !== "\\") continue;
    if (i > from) for (let k = from; k < i; k++) out += text[k];
    out += c === '"' || c === "\\" ? "\\" + c : unit(text, i, codeAt);
    from = i + 1;
  }
  if (from === 0) return out + text + '"';
  for (let k = from; k < text.length; k++) out += text[k];
  return out + '"';
}

// write takes what the agent makes: strings, numbers, booleans, null, arrays
// and plain objects. A member that is undefined is left out.
export function write(value, codeAt) {
  if (typeof value === "string") return quote(value, codeAt);
  if (typeof value === "number") return value === value && value !== Infinity && value !== -Infinity ? "" + value : "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (value === null || typeof value !== "object") return "null";
  let out = "";
  if (value.isList === true || isArray(value)) {
    for (let i = 0; i < value.length; i++) out += (i ? "," : "") + write(value[i], codeAt);
    return "[" + out + "]";
  }
  for (const key in value) {
    if (!owns(value, key) || value[key] === undefined) continue;
    out += (out ? "," : "") + quote(key, codeAt) + ":" + write(value[key], codeAt);
  }
  return "{" + out + "}";
}

const LONE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;
const { isArray } = Array;
const owns = Object.hasOwn;

export function makeJSON(isolated) {
  const { charCodeAt } = String.prototype;
  const { apply } = Reflect;
  const codeAt = (text, i) => apply(charCodeAt, text, [i]);
  if (!isolated) return { stringify: (value) => write(value, codeAt), parse };
  const { stringify, parse: native } = JSON;
  return {
    // The engine escapes lone surrogates itself, as \udXXX: those are turned into
    // U+FFFD, unless the backslash is itself escaped.
    stringify: (value) => {
      const text = stringify(value);
      return (text.includes("\\ud") ? text.replace(LONE, "$1\\ufffd") : text).replace(/[^ -~]/g, (c) => "\\u" + four(c.charCodeAt(0)));
    },
    parse: native,
  };
}

const ESCAPES = { __proto__: null, b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", "/": "/" };

// parse reads what encoding/json wrote; anything else throws.
export function parse(text) {
  let i = 0;
  const { fromCharCode } = String;
  const bad = () => {
    throw new SyntaxError("malformed arguments");
  };
  const space = () => {
    while (text[i] === " " || text[i] === "\n" || text[i] === "\t" || text[i] === "\r") i++;
  };
  const string = () => {
    let out = "";
    for (i++; ; i++) {
      const c = text[i];
      if (c === undefined) bad();
      if (c === '"') return (i++, out);
      if (c !== "\\") out += c;
      else if (text[++i] === "u") {
        out += fromCharCode(+("0x" + text[i + 1] + text[i + 2] + text[i + 3] + text[i + 4]));
        i += 4;
      } else out += ESCAPES[text[i]] ?? bad();
    }
  };
  const word = (w, value) => {
    for (let k = 0; k < w.length; k++) if (text[i++] !== w[k]) bad();
    return value;
  };
  const number = () => {
    let out = "";
    while (text[i] !== undefined && ((text[i] >= "0" && text[i] <= "9") || text[i] === "-" || text[i] === "+" || text[i] === "." || text[i] === "e" || text[i] === "E")) out += text[i++];
    const n = +out;
    return out === "" || n !== n ? bad() : n;
  };
  const items = (close, one) => {
    i++;
    space();
    if (text[i] === close) return void i++;
    for (;;) {
      one();
      space();
      if (text[i] === close) return void i++;
      if (text[i++] !== ",") bad();
      space();
    }
  };
  const any = () => {
    space();
    const c = text[i];
    if (c === '"') return string();
    if (c === "t") return word("true", true);
    if (c === "f") return word("false", false);
    if (c === "n") return word("null", null);
    if (c === "[") {
      const list = [];
      items("]", () => (list[list.length] = any()));
      return list;
    }
    if (c !== "{") return number();
    const object = { __proto__: null };
    items("}", () => {
      const key = string();
      space();
      if (text[i++] !== ":") bad();
      object[key] = any();
    });
    return object;
  };
  const value = any();
  space();
  return i === text.length ? value : bad();
}
