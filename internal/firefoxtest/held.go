package firefoxtest

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// Held is what a Firefox holds that a user of its debugger server may leave
// behind. What the asking client itself holds is not in it.
type Held struct {
	Tabs        int            // in all windows
	Marked      int            // of these, tabs that the server has marked as its own
	Documents   int            // of web pages in memory, in tabs or not
	Detached    int            // of these, those that no tab shows or can go back to
	Agents      int            // sandboxes of the page agent
	Connections int            // to the debugger server
	Parent      map[string]int // actors in the parent process, by kind
	Content     map[string]int // the same, most of each kind in one content process
}

// actors gives, for a process, the connections to its debugger server and how many
// actors of each kind they hold, but for the connection with a prefix. Servers for
// tabs and for the browser itself come out of two loaders. Then it collects garbage.
const actors = `(() => {
	const out = { Connections: 0, Actors: {} };
	const count = (loader) => {
		const { DevToolsServer } = loader.require("devtools/server/devtools-server");
		for (const [name, conn] of Object.entries(DevToolsServer._connections ?? {})) {
			if (name.startsWith(%q)) continue;
			out.Connections++;
			for (const pool of conn._extraPools ?? []) for (const a of pool.poolChildren()) {
				const kind = a.typeName ?? a.constructor?.name ?? "?";
				out.Actors[kind] = (out.Actors[kind] ?? 0) + 1;
			}
		}
	};
	count(ChromeUtils.importESModule("resource://devtools/shared/loader/Loader.sys.mjs"));
	const api = ChromeUtils.importESModule("resource://devtools/shared/loader/DistinctSystemPrincipalLoader.sys.mjs", { global: "shared" });
	const us = {};
	count(api.useDistinctSystemPrincipalLoader(us));
	api.releaseDistinctSystemPrincipalLoader(us);
	for (let i = 0; i < 2; i++) { Cu.forceGC(); Cu.forceCC(); }
	return JSON.stringify(out);
})()`

// memory gives the documents of web pages and the page agents in all processes.
const memory = `new Promise(done => {
	const documents = new Set(), detached = new Set();
	let agents = 0;
	Cc["@mozilla.org/memory-reporter-manager;1"].getService(Ci.nsIMemoryReporterManager).getReports((process, path) => {
		const at = /window-objects\/top\((http.*?)\/(detached|active|cached)\/window\([^/]*/.exec(path);
		if (at) documents.add(process + " " + at[0]);
		if (at && at[2] === "detached") detached.add(process + " " + at[0]);
		if (/^js-main-runtime-realms\/.*, page agent$/.test(path)) agents++;
	}, null, () => done(JSON.stringify({ Documents: documents.size, Detached: detached.size, Agents: agents })), null, false);
})`

// strip is what there is of tabs and processes.
type strip struct {
	Tabs, Marked int
	Processes    int   // of pages and others, but for the parent process
	Web          []int // those of pages
}

func (c *Client) strip(ctx context.Context) (s strip, err error) {
	raw, err := c.Parent(ctx, tabs)
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	return s, err
}

// tabs gives the tabs of all windows, and the content processes.
const tabs = `const tabs = [...Services.wm.getEnumerator("navigator:browser")].flatMap(w => [...(w.gBrowser?.tabs ?? [])]);
	const all = ChromeUtils.getAllDOMProcesses().filter(p => p.childID);
	return { Tabs: tabs.length, Marked: tabs.filter(t => t.firefoxRdpMcp).length, Processes: all.length, Web: all.filter(p => /^web/.test(p.remoteType)).map(p => p.osPid) }`

// Held counts what Firefox holds, after it has collected its garbage.
func (c *Client) Held(ctx context.Context) (Held, error) {
	out := Held{Content: map[string]int{}}
	now, err := c.strip(ctx)
	if err != nil {
		return out, err
	}
	out.Tabs, out.Marked = now.Tabs, now.Marked
	for _, pid := range now.Web {
		_, actors, err := c.actors(ctx, pid)
		if err != nil {
			if then, again := c.strip(ctx); again == nil && !slices.Contains(then.Web, pid) {
				continue // it has ended meanwhile
			}
			return out, err
		}
		for kind, n := range actors {
			out.Content[kind] = max(out.Content[kind], n)
		}
	}
	if out.Connections, out.Parent, err = c.actors(ctx, 0); err != nil {
		return out, err
	}
	// A connection holds one descriptor for each process that pages have been in, and
	// one for the parent process; processes come and go.
	out.Parent["processDescriptor"] = max(0, out.Parent["processDescriptor"]-out.Connections*(1+now.Processes))
	return out, c.memory(ctx, &out)
}

// prefix is the part of an actor's name that tells its connection.
var prefix = regexp.MustCompile(`^server\d+\.conn\d+\.`)

// actors counts connections and actors in a process, 0 for the parent process.
func (c *Client) actors(ctx context.Context, pid int) (connections int, byKind map[string]int, err error) {
	console, err := c.Process(ctx, pid)
	if err != nil {
		return 0, nil, err
	}
	own := prefix.FindString(console)
	if own == "" {
		return 0, nil, fmt.Errorf("no connection in the name %q", console)
	}
	var got struct {
		Connections int
		Actors      map[string]int
	}
	err = c.text(ctx, console, fmt.Sprintf(actors, own), nil, &got)
	return got.Connections, got.Actors, err
}

func (c *Client) memory(ctx context.Context, into *Held) error {
	console, err := c.Process(ctx, 0)
	if err != nil {
		return err
	}
	return c.text(ctx, console, memory, map[string]any{"mapped": map[string]any{"await": true}}, into)
}

// text evaluates what gives a string of JSON, and decodes that.
func (c *Client) text(ctx context.Context, console, script string, opts map[string]any, into any) error {
	v, err := c.Evaluate(ctx, console, script, opts)
	if err != nil {
		return err
	}
	var text string
	if err := json.Unmarshal(v, &text); err != nil {
		return fmt.Errorf("%s: %w", v, err)
	}
	return json.Unmarshal([]byte(text), into)
}
