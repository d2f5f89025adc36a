// Values and addresses.

import { rangeValue } from "./embedded.js";
import { ownText } from "./name.js";
import { editingHost, role, svgHref } from "./role.js";
import { secret } from "./secret.js";
import { set } from "./sets.js";
import { collapse } from "./text.js";

const RANGES = set("slider spinbutton scrollbar progressbar meter");
const SILENT = set("password file checkbox radio button submit reset image hidden");
const CLIP = 4000;

// value gives what a control holds, "" for nothing, for secrets, and for what has
// no value to show.
export function value(view, el) {
  const it = view.of(el);
  const r = role(view, el);
  if (secret(view.ctx, el)) return "";
  const { dom } = view;
  if (RANGES[r]) return rangeValue(view, el, it);
  if (it.html && it.tag === "input") return SILENT[dom.inputType(el)] ? "" : shorten(dom.inputValue(el));
  if (it.html && it.tag === "textarea") return shorten(dom.areaValue(el));
  if (r === "combobox" || r === "listbox") return ownText(view, el, it, r);
  if (r === "textbox" || r === "searchbox" || (it.html && editingHost(view, el))) return ownText(view, el, it, r);
  return "";
}

function shorten(text) {
  return collapse(text.length > CLIP ? text.substring(0, CLIP) : text);
}

// resolved gives the URL of a link, "" if it has none.
function resolved(view, el, it) {
  if (it.html && it.tag === "a") return view.dom.anchorHref(el);
  if (it.html && it.tag === "area") return view.dom.areaHref(el);
  if (!it.svg || it.tag !== "a") return "";
  const text = svgHref(view, el);
  if (text === null) return "";
  try {
    return new view.ctx.window.URL(text, view.dom.base(el)).href;
  } catch {
    return text;
  }
}

// href gives {full, short}: what a line prints, and origin and path alone, which
// belong to the fingerprint.
export function href(view, el) {
  const it = view.of(el);
  const url = resolved(view, el, it);
  if (!url) return { full: "", short: "" };
  const parts = split(url);
  if (!parts) {
    const scheme = url.substring(0, url.indexOf(":") + 1).toLowerCase();
    if (scheme === "javascript:") return { full: "javascript:", short: "javascript:" };
    const text = url.length > 100 ? url.substring(0, 100) + "\u2026" : url;
    return { full: text, short: scheme === "data:" ? "data:" : url.substring(0, 200) };
  }
  return { full: printed(view, parts), short: parts.origin + parts.path };
}

// printed gives the address as a line has it: on the page's own path as its search
// or fragment, on its own origin as a path.
function printed(view, { origin, path, rest }) {
  const own = view.own ?? (view.own = split(view.ctx.window.location.href) ?? NOWHERE);
  if (origin !== own.origin) return origin + path + rest;
  if (path !== own.path || rest === "") return path + rest;
  const hash = rest.indexOf("#");
  return hash >= 0 && rest.substring(0, hash) === search(own.rest) ? rest.substring(hash) : rest[0] === "?" ? rest : path + rest;
}

function search(rest) {
  const hash = rest.indexOf("#");
  return hash < 0 ? rest : rest.substring(0, hash);
}

const NOWHERE = { origin: "", path: "", rest: "" };

// split takes an absolute URL with an authority apart, without user name and
// password; null for other schemes.
export function split(url) {
  const colon = url.indexOf("://");
  if (colon < 0 || colon > 12) return null;
  let end = colon + 3;
  let at = -1;
  for (; end < url.length && url[end] !== "/" && url[end] !== "?" && url[end] !== "#"; end++) if (url[end] === "@") at = end;
  const host = url.substring(at >= 0 ? at + 1 : colon + 3, end);
  let stop = end;
  while (stop < url.length && url[stop] !== "?" && url[stop] !== "#") stop++;
  return { origin: url.substring(0, colon + 3) + host, path: url.substring(end, stop) || "/", rest: url.substring(stop) };
}
