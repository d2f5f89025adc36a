package faultbench

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
)

func TestPageInAnEndlessLoop(t *testing.T) {
	b := newBench(t)
	_, other := b.twoTabs("/loop")
	if err := b.oracle().OpenTab(t.Context(), b.site.other("/never-used")); err != nil {
		t.Fatal(err)
	}
	never := b.do("list_tabs", nil).Tabs[2].TabID
	b.do("snapshot_page", map[string]any{"tab_id": other})
	refs := b.do("snapshot_page", nil)
	r := b.try("click", map[string]any{"element": refs.ref(t, "Hang")})
	b.code(r, "page_unresponsive")
	if r.Took > deadline+4*time.Second {
		t.Errorf("the call took %v", r.Took)
	}
	b.others(other)
	press := make(chan result, 1)
	go func() { press <- b.try("click", map[string]any{"element": refs.ref(t, "Press")}) }()
	b.others(other)
	b.others(never) // Firefox asks every process, and waits a second for the one that hangs
	b.code(<-press, "page_unresponsive")
	n := b.do("navigate", map[string]any{"url": b.site.URL + "/?freed"})
	t.Logf("freed by navigate in %v", n.Took)
	if hits := b.number(0, "w.hits"); hits != 0 {
		t.Errorf("%d hits on the fresh page", hits)
	}
	b.works(0, nil)
	b.others(other)
}

// freeze keeps the page of the first tab busy, and returns a function that waits
// until it has thawed.
func (b *bench) freeze(d time.Duration) (thawed func()) {
	b.t.Helper()
	begun := time.Now()
	c := b.oracle()
	over := make(chan error, 1)
	go func() {
		_, err := c.Page(b.t.Context(), 0, fmt.Sprintf("(() => { const end = Date.now() + %d; while (Date.now() < end); })()", d.Milliseconds()))
		over <- err
	}()
	time.Sleep(time.Second) // the loop runs
	return func() {
		b.t.Helper()
		if err := <-over; err != nil || time.Since(begun) < d-100*time.Millisecond { // the page's clock is coarser than ours
			b.t.Fatalf("the page was frozen for %v: %v", time.Since(begun), err)
		}
	}
}

// actsPage notes every event that an action could cause.
const actsPage = `<!doctype html><title>Acts</title>
<script>
var acts = [];
for (const kind of ["pointerdown", "mousedown", "click", "keydown", "keyup", "beforeinput", "input", "change", "focusin", "dragstart", "drop"])
  addEventListener(kind, (e) => acts.push(kind), true);
</script>
<button draggable=true>Press</button><label>Name <input></label><label>File <input type=file></label>
<label>Kind <select><option>one<option>two</select></label><button ondragover="event.preventDefault()">Bin</button>`

// lateCall is a call that will come to a frozen page.
type lateCall struct {
	tool    string
	element string // its name in the page
	args    map[string]any
	env     string // of its server
	refs    result
}

// with returns the arguments, with references for names.
func (c lateCall) with(t *testing.T) map[string]any {
	args := maps.Clone(c.args)
	if args == nil {
		args = map[string]any{}
	}
	if c.element != "" {
		args["element"] = c.refs.ref(t, c.element)
	}
	if to, ok := args["target"].(string); ok {
		args["target"] = c.refs.ref(t, to)
	}
	return args
}

// TestNothingActsLate acts in every way in a page that is frozen for longer than
// the calls wait: when it thaws, nothing of it must happen. Each call comes from
// a server of its own, since one server takes turns.
func TestNothingActsLate(t *testing.T) {
	b := newBench(t)
	b.site.shows(actsPage)
	file := filepath.Join(t.TempDir(), "late.txt")
	if err := os.WriteFile(file, []byte("late"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.do("navigate", map[string]any{"url": b.site.URL + "/"})
	late := b.site.URL + "/late"
	calls := []lateCall{
		{tool: "click", element: "Press"},
		{tool: "hover", element: "Press"},
		{tool: "fill", element: "Name", args: map[string]any{"value": "late"}},
		{tool: "type_text", element: "Name", args: map[string]any{"text": "late"}},
		{tool: "press_key", element: "Name", args: map[string]any{"key": "a"}},
		{tool: "select_option", element: "Kind", args: map[string]any{"values": []string{"two"}}},
		{tool: "upload_files", element: "File", args: map[string]any{"paths": []string{file}}},
		{tool: "drag", element: "Press", args: map[string]any{"target": "Bin"}},
		{tool: "evaluate", args: map[string]any{"expression": "acts.push('evaluated')", "timeout_ms": 4000}, env: "FIREFOX_MCP_ENABLE_EVALUATE=all"},
		{tool: "navigate", args: map[string]any{"url": late}, env: "FIREFOX_MCP_PRIVILEGED=false"}, // else it frees the page
	}
	servers := make([]*server, len(calls))
	for i := range calls {
		c := &calls[i]
		s := startServer(t, b.firefox.Port, cmp.Or(c.env, "FIREFOX_MCP_LOG_LEVEL=warn"))
		servers[i] = s
		s.settles()
		c.refs = s.do("snapshot_page", nil)
	}
	frozen := deadline + 5*time.Second
	thawed := b.freeze(frozen)
	answers := make([]result, len(calls))
	var under sync.WaitGroup
	for i, c := range calls {
		under.Go(func() { answers[i] = servers[i].try(c.tool, c.with(t)) })
	}
	under.Wait()
	thawed()
	for i, r := range answers {
		b.code(r, "page_unresponsive")
		if r.Took >= frozen-time.Second {
			t.Errorf("%s was answered after %v, when the page had thawed", calls[i].tool, r.Took)
		}
	}
	time.Sleep(time.Second)
	if acts := b.look(0, "[...w.acts].join()"); acts != `""` {
		t.Errorf("these happened late: %s", acts)
	}
	if n := b.site.count("/late"); n != 0 {
		t.Errorf("the page was left late, %d times", n)
	}
	b.site.shows("")
	b.do("navigate", map[string]any{"url": b.site.URL + "/?thawed"})
	b.works(0, nil)
}

// TestThawedTabIsFollowed uses a tab of a connection for the first time while its
// page is frozen. Afterwards its loads must be known of: also one that gives no
// page, which nothing but Firefox's news of the load tells.
func TestThawedTabIsFollowed(t *testing.T) {
	b := newBench(t)
	for i, first := range []struct {
		tool, code string
		args       map[string]any
	}{
		{"snapshot_page", "page_unresponsive", nil},
		{"navigate", "", map[string]any{"url": b.site.URL + "/?freed"}},
	} {
		t.Run(first.tool, func(t *testing.T) {
			b := b.in(t)
			b.do("navigate", map[string]any{"url": b.site.URL + "/?before"})
			b.proxy.Hit(fp.Cut) // the next connection has not used the tab
			b.recovers(fastEnough)
			thawed := b.freeze(deadline + 3*time.Second)
			b.code(b.try(first.tool, first.args), first.code)
			thawed()
			b.works(0, nil)
			empty := fmt.Sprintf("/empty?%d", i)
			r := b.try("navigate", map[string]any{"url": b.site.URL + empty, "timeout_ms": 9000})
			b.code(r, "navigation_failed")
			if n := b.site.count(empty); r.Took > 4*time.Second || n != 1 {
				t.Errorf("after %v and %d requests: %s", r.Took, n, r.Message)
			}
		})
	}
}

func TestPageThatAsksForEver(t *testing.T) {
	b := newBench(t)
	_, other := b.twoTabs("/dialogs")
	r := b.do("click", map[string]any{"element": b.do("snapshot_page", nil).ref(t, "Ask")})
	if r.Dialog == nil {
		t.Fatalf("no dialog in %s", r.Text)
	}
	for range 3 {
		b.others(other)
		b.do("handle_dialog", map[string]any{"action": "accept"})
	}
	n := b.do("navigate", map[string]any{"url": b.site.URL + "/?freed"})
	t.Logf("left by navigate in %v", n.Took)
	b.works(0, nil)
}
