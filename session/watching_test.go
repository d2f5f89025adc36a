package session

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/router"
)

// What a tab is watched for is asked for once of each watcher, and again of the
// watcher of the next connection.
func TestWatching(t *testing.T) {
	st := &state{tabs: map[TabID]*tab{"t1": {Tab: Tab{ID: "t1"}}}}
	ask := func(m watching) []string {
		m.id, m.reply = "t1", make(reply[[]string], 1)
		m.apply(st)
		a := <-m.reply
		slices.Sort(a.value)
		return a.value
	}
	for _, step := range []struct {
		name string
		m    watching
		want []string
	}{
		{"nothing yet", watching{watcher: "w1"}, nil},
		{"wanted", watching{watcher: "w1", kinds: []string{consoleMessages, pageErrors}}, []string{consoleMessages, pageErrors}},
		{"done", watching{watcher: "w1", kinds: []string{consoleMessages, pageErrors}, done: true}, nil},
		{"wanted again", watching{watcher: "w1", kinds: []string{consoleMessages}}, nil},
		{"another kind", watching{watcher: "w1", kinds: []string{networkEvents}}, []string{networkEvents}},
		{"the next connection", watching{watcher: "w2"}, []string{consoleMessages, pageErrors}},
		{"done there", watching{watcher: "w2", kinds: []string{consoleMessages, pageErrors}, done: true}, nil},
		{"and again", watching{watcher: "w2"}, nil},
	} {
		if diff := cmp.Diff(step.want, ask(step.m), cmp.Transformer("some", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

// News for which there is no tab, or of another document, is nobody's.
func TestResourcesOfNobody(t *testing.T) {
	one := &tab{Tab: Tab{ID: "t1"}, watcher: "w1", frames: map[router.ActorID]*document{}}
	st := &state{Session: &Session{}, tabs: map[TabID]*tab{"t1": one}}
	for _, n := range []router.Resource{
		{From: "w2", Kind: networkEvents, Change: "available", Raw: []byte(`{"resourceId":1}`)},
		{From: "d1", Kind: consoleMessages, Change: "available", Raw: []byte(`{"level":"log","arguments":["x"]}`)},
		{From: "w1", Kind: networkEvents, Change: "updated", Raw: []byte(`{"resourceId":1,"resourceUpdates":{"status":"200"}}`)},
		{From: "w1", Kind: networkEvents, Change: "available", Raw: []byte(`[`)},
		{From: "w1", Kind: "thread-state", Change: "available", Raw: []byte(`{}`)},
	} {
		st.resource(n)
	}
	if len(one.dev.messages)+len(one.dev.requests) != 0 {
		t.Errorf("kept: %+v", one.dev)
	}
	for i := range 2 * maxRequests {
		st.resource(router.Resource{From: "w1", Kind: networkEvents, Change: "available", Raw: []byte(`{"resourceId":1,"url":"http://a/"}`)})
		if i == 0 && one.dev.requests[0].ID != "n1" {
			t.Errorf("the first is called %s", one.dev.requests[0].ID)
		}
	}
	if len(one.dev.requests) != maxRequests || one.dev.lostRequests != maxRequests {
		t.Errorf("%d kept, %d lost", len(one.dev.requests), one.dev.lostRequests)
	}
}
