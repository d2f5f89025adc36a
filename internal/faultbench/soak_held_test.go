package faultbench

import (
	"fmt"
	"testing"
	"time"

	fp "firefox-rdp-mcp/internal/faultproxy"
	"firefox-rdp-mcp/internal/firefoxtest"
)

// fresh gives each server another connection, on which it has only listed the tabs:
// what Firefox holds for it then can be compared, whatever was done on the
// connections before, and also when it is another Firefox by now.
func (s *soak) fresh() {
	s.t.Helper()
	for _, p := range s.proxies {
		p.Heal()
		p.Hit(fp.Cut)
	}
	for _, server := range s.servers {
		server.recovers(5 * time.Second)
	}
}

// leftBehind looks whether Firefox holds more than it did at first: connections that
// have ended, actors, pages and page agents, tabs of the servers' own.
// Some of it goes when Firefox finds the time.
func (s *soak) leftBehind(before firefoxtest.Held) {
	s.t.Helper()
	c := s.oracle()
	defer c.Close()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Second) {
		after, err := c.Held(s.t.Context())
		if err != nil {
			s.t.Fatal(err)
		}
		more := grown(before, after)
		if len(more) == 0 {
			s.t.Logf("Firefox holds %+v; at first %+v", after, before)
			return
		}
		if time.Now().After(end) {
			s.t.Errorf("Firefox holds more of %q: %+v; at first %+v", more, after, before)
			return
		}
	}
}

// grown names what there is more of. Pages that a tab can go back to stay in memory,
// some with the agent that clicked in them last, and Firefox makes some actors once,
// when they are first asked for.
func grown(before, after firefoxtest.Held) (more []string) {
	const few, visited = 2, 8
	check := func(what string, was, is int) {
		if is > was {
			more = append(more, fmt.Sprintf("%s (%d, at most %d)", what, is, was))
		}
	}
	check("tabs", before.Tabs, after.Tabs)
	check("marked tabs", 0, after.Marked)
	check("connections", before.Connections, after.Connections)
	check("documents", after.Tabs+visited, after.Documents)
	check("detached documents", before.Detached+few, after.Detached)
	check("page agents", after.Documents+few, after.Agents)
	for kind, n := range after.Parent {
		check(kind, before.Parent[kind]+few, n)
	}
	for kind, n := range after.Content {
		check(kind+" of content", before.Content[kind]+few, n)
	}
	return more
}

// What a soak would not see, it could not find.
func TestGrown(t *testing.T) {
	before := firefoxtest.Held{Tabs: 4, Documents: 4, Connections: 2, Parent: map[string]int{"root": 4}, Content: map[string]int{}}
	if more := grown(before, before); len(more) > 0 {
		t.Errorf("the same is more of %q", more)
	}
	for what, after := range map[string]firefoxtest.Held{
		"tabs":               {Tabs: 5},
		"marked tabs":        {Tabs: 4, Marked: 1},
		"connections":        {Connections: 3},
		"documents":          {Tabs: 4, Documents: 13},
		"detached documents": {Documents: 4, Detached: 3},
		"page agents":        {Documents: 2, Agents: 5},
		"obj":                {Parent: map[string]int{"obj": 3}},
		"obj of content":     {Content: map[string]int{"obj": 3}},
	} {
		if more := grown(before, after); len(more) != 1 {
			t.Errorf("%s: it has grown %q", what, more)
		}
	}
}
