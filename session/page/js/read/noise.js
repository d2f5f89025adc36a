// What stands around the text of a page and is not part of it, by its role and by
// the words in which pages call it.

import { role } from "../role.js";
import { set } from "../sets.js";

const ROLES = set("navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist button tooltip");

// By their names these are hardly ever the text.
const UNLIKELY = set(`ad adbox adslot ads adsense advert advertisement advertising agegate banner breadcrumb breadcrumbs combx comment comments
  commentlist community consent cookie cookies crumb crumbs disqus editsection extra footer gdpr header legends masthead menu nav navbar
  navigation navbox newsletter outbrain pager pagination paging popup popular promo promos promoted recirc recirculation recommendation
  recommendations recommended related remark replies rss share sharebar sharedaddy sharing shoutbox sidebar signup skip skiplink skyscraper
  social sponsor sponsored subscribe subscription supplemental taboola teaser teasers toolbar trending`);
// Unless they call themselves one of these too.
const LIKELY = set("article body column content main entry story text post");

const GOOD = set("article body content entry hentry main page post text blog story");
const BAD = set(`ad ads hidden hid banner combx comment comments com contact footer gdpr masthead media meta outbrain promo related scroll share
  shoutbox sidebar skyscraper sponsor shopping tags widget`);

// isNoise says whether an element is none of the text by its role.
export function isNoise(view, el) {
  return ROLES[role(view, el)] === true;
}

// called gives {unlikely, weight, names} of the words in an element's class and id.
export function called(dom, el) {
  const names = dom.attr(el, "class") ?? "";
  const kinds = count(names);
  const id = count(dom.attr(el, "id"), 2);
  return {
    __proto__: null,
    unlikely: (kinds.unlikely || id.unlikely) && !kinds.likely && !id.likely,
    weight: kinds.weight + id.weight,
    names,
  };
}

const NOTHING = { __proto__: null, unlikely: false, likely: false, weight: 0 };
const LONGEST = 400;

// count looks at the words of a name. One of more than so many words is the slug of
// a heading, which may be about anything.
function count(text, most = 100) {
  if (!text || text.length > LONGEST) return NOTHING;
  let unlikely = false;
  let likely = false;
  let good = false;
  let bad = false;
  let n = 0;
  let word = "";
  const take = () => {
    n++;
    unlikely = unlikely || UNLIKELY[word] === true;
    likely = likely || LIKELY[word] === true;
    good = good || GOOD[word] === true;
    bad = bad || BAD[word] === true;
    word = "";
  };
  // A word ends at whatever is no letter, and at a capital behind a small one.
  let small = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    const capital = c >= "A" && c <= "Z";
    if (!capital && !(c >= "a" && c <= "z")) {
      if (word) take();
      small = false;
      continue;
    }
    if (capital && small && word) take();
    word += capital ? c.toLowerCase() : c;
    small = !capital;
  }
  if (word) take();
  if (n > most) return NOTHING;
  return { __proto__: null, unlikely, likely, weight: (good ? 25 : 0) - (bad ? 25 : 0) };
}
