// What stands around the text of a page and is not part of it.

import { role } from "../role.js";
import { set } from "../sets.js";

const ROLES = set("navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist button status log alert tooltip");
const BOXES = set("div section ul ol aside p span form table");

// The words by which pages call what is not their text.
const NAMES = /(^|[-_\s])(nav(bar|igation)?|menu|side-?bar|footer|masthead|breadcrumbs?|cookies?|consent|gdpr|social|share|sharing|related|recommend(ed|ations)?|promo|advert(isement)?s?|ads?|sponsor(ed)?|newsletter|subscribe|pagination|pager|comments?|disqus|popup|skip-?links?|toolbar|edit-?section)([-_\s]|$)/i;

// isNoise says whether to leave an element out when only the main part of a page
// is wanted.
export function isNoise(view, el, it) {
  const r = role(view, el);
  if (ROLES[r]) return r !== "status" && r !== "alert" && r !== "log" ? true : false;
  if (!it.html || !BOXES[it.tag]) return false;
  const { dom } = view;
  const names = (dom.attr(el, "class") ?? "") + " " + (dom.attr(el, "id") ?? "");
  if (names.length < 3 || names.length > 400 || !NAMES.test(names)) return false;
  return linkShare(view, el) > 0.3 || dom.text(el).length < 300;
}

// linkShare gives the part of an element's text that is in links.
export function linkShare(view, el) {
  const { dom } = view;
  const all = dom.text(el).length;
  if (all === 0) return 0;
  const links = dom.all(el, "a[href]");
  let sum = 0;
  for (let i = 0; i < links.length && i < 1000; i++) sum += dom.text(links[i]).length;
  return sum / all;
}
