package session_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

// walk is a bare TreeWalker that reads what a snapshot needs of each element,
// and makes no sense of it.
const walk = `(() => {
  const w = Services.wm.getCurrentInnerWindowWithId(%d);
  const sb = Cu.Sandbox([w], {sandboxPrototype: w, sameZoneAs: w, wantXrays: true});
  return Cu.evalInSandbox(%q, sb);
})()`

const walker = `(function () {
  const out = [], walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    if (n.nodeType === 3) { out.push(n.data); continue; }
    const style = getComputedStyle(n);
    out.push([n.localName, style.display, style.visibility, style.cursor, n.getAttribute("role"), n.getAttribute("aria-label"), n.getAttribute("aria-labelledby"),
      n.getAttribute("aria-hidden"), n.getAttribute("tabindex"), n.getAttribute("title"), n.id, n.href, n.value, n.type, n.disabled, n.checked]);
  }
  return JSON.stringify(out);
})`

// heart beats as long as it is wanted, and notes the longest time between two
// beats: for so long the page's main thread was busy with something else.
const heart = `<script>
  let worst = 0, last = 0, on = false;
  const c = new MessageChannel();
  c.port1.onmessage = () => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
    if (on) c.port2.postMessage(0);
  };
  function beat() { on = true; worst = 0; last = performance.now(); c.port2.postMessage(0); return ""; }
  function rest() { on = false; return worst; }
</script>`

// controls is a page of n controls as forms and lists have them, eight elements
// to three controls.
func controls(n int) string {
	var page strings.Builder
	page.WriteString(`<main><h1>Search</h1><form>`)
	for i := range n / 3 {
		fmt.Fprintf(&page, `<div class=row><label for=f%d>Field %d</label> <input id=f%d value="v%d"><a href="/item/%d">Item %d</a> <span>in stock, ships in %d days</span><button type=button>Buy %d</button></div>`, i, i, i, i, i, i, i%7, i)
	}
	return page.String() + `</form></main>` + heart
}

// prose is a page of n elements, a fifth of them controls.
func prose(n int) string {
	var page strings.Builder
	page.WriteString(`<main><h1>All of it</h1>`)
	for i := range n / 5 {
		fmt.Fprintf(&page, `<div><p>Paragraph %d with <b>some</b> <i>text</i>.</p><a href="/item/%d">Item %d</a></div>`, i, i, i)
		if i%50 == 49 {
			fmt.Fprintf(&page, `<h2>Part %d</h2>`, i/50)
		}
	}
	return page.String() + `</main>` + heart
}

// deep is n elements, each in the one before, made by script: a parser would
// stop at 512.
func deep(n int) string {
	return fmt.Sprintf(`<button>Top</button>%s<script>
  let at = document.body;
  for (let i = 0; i < %d; i++) { const e = document.createElement("div"); at.append(e); at = e; }
  at.innerHTML = "<button>Bottom</button>";
</script>`, heart, n)
}

// framed is a page of n frames with three controls each.
func framed(n int) string {
	return `<h1>Frames</h1>` + strings.Repeat(`<iframe srcdoc="<input aria-label=Name><a href=/x>Link</a><button>Go</button>"></iframe>`, n) + heart
}

// BenchmarkSnapshot: a whole snapshot beside a bare walk in the same realm (of
// the top document), how much comes out, and for how long the page stands still.
func BenchmarkSnapshot(b *testing.B) {
	for _, p := range []struct{ name, page string }{
		{"300controls", controls(300)},
		{"3000controls", controls(3000)},
		{"10000elements", prose(10_000)},
		{"100000elements", prose(100_000)},
		{"deep", deep(5000)},
		{"frames", framed(50)},
	} {
		b.Run(p.name, func(b *testing.B) {
			s := newStage(b, session.Config{Privileged: true}, map[string]string{"/": p.page})
			s.open("/")
			look := func() error { _, err := s.Snapshot(b.Context(), session.SnapshotArgs{}); return err }
			beside(b, look, bareWalk(b, s))
			got, err := s.Snapshot(b.Context(), session.SnapshotArgs{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(len(got.Text)), "bytes-out")
			b.ReportMetric(float64(got.Stats.Tokens), "tokens-out")
			b.ReportMetric(blocked(b, s, look), "ms/blocked")
		})
	}
}

// bareWalk gives the bare walk of the page that a stage shows.
func bareWalk(b *testing.B, s *stage) func() error {
	b.Helper()
	console, window := content(b, s.oracle)
	grip, err := s.oracle.Object(b.Context(), console, fmt.Sprintf(walk, window, walker))
	if err != nil {
		b.Fatal(err)
	}
	return func() error {
		_, err := s.oracle.Evaluate(b.Context(), console, "_self()", map[string]any{"selectedObjectActor": grip})
		return err
	}
}

// blocked gives for how long (ms) a page with a heart stands still at a stretch
// while something is done: the median of the longest times of several.
func blocked(b *testing.B, s *stage, do func() error) float64 {
	b.Helper()
	var worst []time.Duration
	for range 9 {
		s.page("w.beat()")
		if err := do(); err != nil {
			b.Fatal(err)
		}
		var ms float64
		if err := json.Unmarshal([]byte(s.page("w.rest()")), &ms); err != nil {
			b.Fatal(err)
		}
		worst = append(worst, time.Duration(ms*float64(time.Millisecond)))
	}
	return float64(median(worst).Milliseconds())
}
