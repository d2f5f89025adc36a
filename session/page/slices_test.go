package page

import (
	"fmt"
	"strings"
	"testing"
)

// turning shows in its first and its last line how many turns the page has had.
const turning = `<p id=first>turn 0</p>%s<p id=last>turn 0</p><script>
  let turns = 0;
  const c = new MessageChannel();
  c.port1.onmessage = () => {
    turns++;
    first.firstChild.data = last.firstChild.data = "turn " + turns;
    c.port2.postMessage(0);
  };
  c.port2.postMessage(0);
</script>`

func rows(n int) string {
	return strings.Repeat("<div><b>Some</b> <i>text</i> <a href=/x>Item</a></div>", n)
}

// TestLargePagesHaveTheirTurn: what is read last of a large page is from a later
// turn of the page than what is read first; a small page is read in one.
func TestLargePagesHaveTheirTurn(t *testing.T) {
	s, c := serve(t), dial(t)
	for i, row := range []struct {
		rows   int
		sliced bool
	}{{20, false}, {6000, true}} {
		path := fmt.Sprintf("/%d", i)
		s.pages[path] = "<!doctype html>" + fmt.Sprintf(turning, rows(row.rows))
		v := open(t, c, s.url+path, true)
		v.call("snapshot", nil, nil) // the first time compiles the script
		var got look
		v.call("snapshot", map[string]any{"maxElements": 20000, "maxText": 1 << 20}, &got)
		first, last := got.Nodes[0].N, got.Nodes[len(got.Nodes)-1].N
		if !strings.HasPrefix(first, "turn ") || !strings.HasPrefix(last, "turn ") {
			t.Fatalf("%d rows: begins with %q and ends with %q", row.rows, first, last)
		}
		if sliced := first != last; sliced != row.sliced {
			t.Errorf("%d rows: the first line says %q, the last %q", row.rows, first, last)
		}
	}
}

// TestNoHalves: a page that makes itself anew while it is read is read anew, so
// that no snapshot has lines of both states. The page knows that it is being
// read by its clock, which stands still meanwhile.
func TestNoHalves(t *testing.T) {
	s, c := serve(t), dial(t)
	s.pages["/"] = `<!doctype html><main></main><script>
  const fill = (state) => document.querySelector("main").innerHTML = ("<p>" + state + "</p>").repeat(9000);
  fill("old");
  let last = 0, on = false, anew = false;
  const c = new MessageChannel();
  c.port1.onmessage = () => {
    const now = performance.now();
    if (!anew && now - last > 15) { anew = true; fill("new"); }
    last = now;
    if (!anew) c.port2.postMessage(0);
  };
  function start() { last = performance.now(); c.port2.postMessage(0); return ""; }
</script>`
	v := open(t, c, s.url+"/", true)
	v.oracle("w.start()")
	var got look
	v.call("snapshot", map[string]any{"maxElements": 20000, "maxText": 1 << 20}, &got)
	if v.oracle("$('p').textContent") != `"new"` {
		t.Fatal("the page has not made itself anew: the test shows nothing")
	}
	counts := map[string]int{}
	for _, n := range got.Nodes {
		if n.K == "x" {
			counts[n.N]++
		}
	}
	if len(counts) != 1 || counts["new"] == 0 {
		t.Errorf("the snapshot has %v", counts)
	}
	if len(got.Hints) > 0 {
		t.Errorf("hints: %q", got.Hints)
	}
}

// TestRestlessPages: a page that never rests is read all the same, nothing of it
// twice, and the answer says so.
func TestRestlessPages(t *testing.T) {
	s, c := serve(t), dial(t)
	s.pages["/"] = "<!doctype html><ul id=list></ul>" + rows(6000) + `<script>
  const c = new MessageChannel();
  c.port1.onmessage = () => { list.append(document.createElement("li")); if (list.children.length > 50) list.replaceChildren(); c.port2.postMessage(0); };
  c.port2.postMessage(0);
</script>`
	v := open(t, c, s.url+"/", true)
	var got look
	v.call("snapshot", map[string]any{"maxElements": 10000, "maxText": 1 << 20}, &got)
	seen := map[int]bool{}
	for _, n := range got.Nodes {
		if n.K != "c" {
			continue
		}
		if seen[n.I] {
			t.Fatalf("node %d stands in the snapshot twice", n.I)
		}
		seen[n.I] = true
	}
	if len(seen) != 6000 {
		t.Errorf("%d of 6000 links are there", len(seen))
	}
	if hints := strings.Join(got.Hints, "; "); !strings.Contains(hints, "changed while it was read") {
		t.Errorf("hints: %q", hints)
	}
}
