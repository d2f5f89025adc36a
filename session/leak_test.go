package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/session"
)

// actorsOf gives, for a Firefox process, how many actors of each kind its debugger
// server holds for the connection that was made last. Servers for tabs and for the
// browser itself come out of two loaders.
const actorsOf = `(() => {
	const actors = {};
	const count = (loader) => {
		const { DevToolsServer } = loader.require("devtools/server/devtools-server");
		const last = Math.max(0, ...Object.keys(DevToolsServer._connections ?? {}).map(name => +/conn(\d+)/.exec(name)[1]));
		for (const [name, conn] of Object.entries(DevToolsServer._connections ?? {}))
			if (name.includes("conn" + last + ".") && last === %d)
				for (const pool of conn._extraPools ?? []) for (const a of pool.poolChildren()) {
					const kind = a.typeName ?? a.constructor?.name ?? "?";
					actors[kind] = (actors[kind] ?? 0) + 1;
				}
	};
	count(ChromeUtils.importESModule("resource://devtools/shared/loader/Loader.sys.mjs"));
	const api = ChromeUtils.importESModule("resource://devtools/shared/loader/DistinctSystemPrincipalLoader.sys.mjs", { global: "shared" });
	const us = {};
	count(api.useDistinctSystemPrincipalLoader(us));
	api.releaseDistinctSystemPrincipalLoader(us);
	for (let i = 0; i < 2; i++) { Cu.forceGC(); Cu.forceCC(); }
	return JSON.stringify(actors);
})()`

// documentsOf gives the documents of web pages that are in memory, in tabs or not.
const documentsOf = `new Promise(done => {
	const found = new Set();
	Cc["@mozilla.org/memory-reporter-manager;1"].getService(Ci.nsIMemoryReporterManager).getReports((process, path) => {
		const at = /window-objects\/top\((http.*?)\/(?:detached|active|cached)\/window\([^/]*/.exec(path);
		if (at) found.add(process + " " + at[0]);
	}, null, () => done(String(found.size)), null, false);
})`

// ledger is what a session and its Firefox hold.
type ledger struct {
	Tabs, Documents string
	Parent          map[string]int // actors in the parent process by kind
	Content         map[string]int // the same, most of each kind in one content process
	Goroutines      int
}

func (s *stage) ledger(conn int) ledger {
	s.t.Helper()
	ctx := s.t.Context()
	fatal := func(err error) {
		s.t.Helper()
		if err != nil {
			s.t.Fatal(err)
		}
	}
	count := func(console string) map[string]int {
		s.t.Helper()
		v, err := s.oracle.Evaluate(ctx, console, fmt.Sprintf(actorsOf, conn), nil)
		fatal(err)
		var text string
		var actors map[string]int
		fatal(json.Unmarshal(v, &text))
		fatal(json.Unmarshal([]byte(text), &actors))
		return actors
	}
	out := ledger{Tabs: s.browser(countTabs), Content: map[string]int{}}
	parent, err := s.oracle.Process(ctx, 0)
	fatal(err)
	out.Parent = count(parent)
	raw, err := s.oracle.Parent(ctx, `const all = ChromeUtils.getAllDOMProcesses().filter(p => p.childID);
		return { Total: all.length, Web: all.filter(p => /^web/.test(p.remoteType)).map(p => p.osPid) }`)
	fatal(err)
	var processes struct {
		Total int
		Web   []int
	}
	fatal(json.Unmarshal(raw, &processes))
	for _, pid := range processes.Web {
		console, err := s.oracle.Process(ctx, pid)
		fatal(err)
		for kind, n := range count(console) {
			out.Content[kind] = max(out.Content[kind], n)
		}
	}
	// One descriptor is held for each process that pages have been in; processes come and go.
	out.Parent["processDescriptor"] = max(0, out.Parent["processDescriptor"]-1-processes.Total)
	v, err := s.oracle.Evaluate(ctx, parent, documentsOf, map[string]any{"mapped": map[string]any{"await": true}})
	fatal(err)
	out.Documents = string(v)
	out.Goroutines = goroutines()
	return out
}

// goroutines counts those that are not the web server's, whose connections Firefox
// keeps as it likes.
func goroutines() int {
	buf := make([]byte, 1<<20)
	n := 0
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if !strings.Contains(g, "net/http.") {
			n++
		}
	}
	return n
}

// lastConnection is the number of the newest connection to Firefox.
func (s *stage) lastConnection() int {
	s.t.Helper()
	var n int
	_, err := fmt.Sscan(s.browser(`(() => {
		const api = ChromeUtils.importESModule("resource://devtools/shared/loader/DistinctSystemPrincipalLoader.sys.mjs", { global: "shared" });
		const us = {};
		const { DevToolsServer } = api.useDistinctSystemPrincipalLoader(us).require("devtools/server/devtools-server");
		api.releaseDistinctSystemPrincipalLoader(us);
		return String(Math.max(...Object.keys(DevToolsServer._connections).map(name => +/conn(\d+)/.exec(name)[1])));
	})()`), &n)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// Two hundred pages, opened or fetched and closed, leave nothing behind: no tab, no
// document, no actor in any process of Firefox, no goroutine.
func TestNothingLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":      `<title>Page</title><p>Some words.</p><button>Go</button><iframe src="{{other}}/inner"></iframe>`,
		"/inner": `<p>Inside</p><button>In</button>`,
	})
	s.open("/inner")
	conn := s.lastConnection()
	s.cycles(4)
	before := s.ledger(conn)
	if before.Parent["root"] == 0 || before.Content["consoleActor"] == 0 || before.Documents == `"0"` {
		t.Fatalf("the ledger does not see what is there: %+v", before)
	}
	start := time.Now()
	const cycles = 200
	s.cycles(cycles)
	t.Logf("%d pages in %v; %+v", cycles, time.Since(start), before)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(500 * time.Millisecond) {
		after := s.ledger(conn)
		grown := after.beyond(before)
		if len(grown) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after %d pages there are more of %v; -before +after:\n%s", cycles, grown, cmp.Diff(before, after))
		}
	}
}

// beyond names what there is more of than there was. A few more are no leak of
// pages that came by the hundred: Firefox makes actors of many kinds once, when
// they are first asked for.
func (l ledger) beyond(before ledger) (grown []string) {
	const few = 5
	more := func(what string, few, was, is int) {
		if is > was+few {
			grown = append(grown, fmt.Sprintf("%s (%d, before %d)", what, is, was))
		}
	}
	number := func(s string) int { n, _ := strconv.Atoi(strings.Trim(s, `"`)); return n }
	more("tabs", 0, number(before.Tabs), number(l.Tabs))
	more("documents", few, number(before.Documents), number(l.Documents))
	more("goroutines", few, before.Goroutines, l.Goroutines)
	for kind, n := range l.Parent {
		more(kind, few, before.Parent[kind], n)
	}
	for kind, n := range l.Content {
		more(kind+" of content", few, before.Content[kind], n)
	}
	return grown
}

// cycles uses pages that are gone afterwards, four at a time, each lane in its way.
func (s *stage) cycles(n int) {
	s.t.Helper()
	const lanes = 4
	done := make(chan error)
	for lane := range lanes {
		go func() {
			var err error
			for i := lane; i < n && err == nil; i += lanes {
				if err = s.cycle(s.t.Context(), lane, fmt.Sprintf("%s/?%d", s.site.URL, i)); err != nil {
					err = fmt.Errorf("page %d: %w", i, err)
				}
			}
			done <- err
		}()
	}
	for range lanes {
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	}
}

func (s *stage) cycle(ctx context.Context, way int, address string) error {
	switch way {
	case 2:
		_, err := s.Fetch(ctx, session.FetchArgs{URL: address})
		return err
	case 3:
		_, err := s.Text(ctx, session.TextArgs{URL: address})
		return err
	}
	n, err := s.OpenPage(ctx, session.OpenArgs{URL: address, Wait: "dom"})
	if err != nil {
		return err
	}
	switch way {
	case 0:
		if _, err := s.Navigate(ctx, session.NavigateArgs{Tab: n.Tab, URL: s.site.URL + "/inner", Wait: "dom"}); err != nil {
			return err
		}
	case 1:
		if _, err := s.SOM(ctx, session.SOMArgs{Tab: n.Tab}); err != nil {
			return err
		}
	}
	_, err = s.ClosePage(ctx, n.Tab)
	return err
}
