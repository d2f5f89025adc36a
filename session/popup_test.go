package session_test

import (
	"slices"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

// TestPopup: a link to a new tab is opened in Firefox's stead, once, in the
// background, and the selection stays where it was.
func TestPopup(t *testing.T) {
	for name, privileged := range map[string]bool{"opened": true, "owned up to": false} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, session.Config{Privileged: privileged}, map[string]string{"/": `<a href="/new" target=_blank>Report</a>`, "/new": `<title>Report</title><button>In report</button>`})
			s.open("/")
			before, selected, err := s.Tabs(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			a, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: s.ref("Report"), Watch: watch}})
			if err != nil {
				t.Fatal(err)
			}
			tabs, still, err := s.Tabs(t.Context())
			if err != nil || still != selected {
				t.Fatalf("selected %s, %v; want %s", still, err, selected)
			}
			if !privileged {
				if len(tabs) != len(before) || !slices.ContainsFunc(a.Result.Warnings, func(w string) bool { return strings.Contains(w, "popup") }) {
					t.Errorf("%d tabs, warnings %q; want none opened and a word about it", len(tabs)-len(before), a.Result.Warnings)
				}
				return
			}
			if len(a.Opened) != 1 || len(tabs) != len(before)+1 {
				t.Fatalf("opened %+v, %d more tabs; want one", a.Opened, len(tabs)-len(before))
			}
			if _, err := s.Select(t.Context(), a.Opened[0].ID, 0); err != nil {
				t.Fatal(err)
			}
			s.ref("In report")
			if _, err := s.oracle.Parent(t.Context(), `const w = Services.wm.getMostRecentWindow("navigator:browser"); for (const o of [...w.gBrowser.tabs].slice(1)) w.gBrowser.removeTab(o, {skipPermitUnload: true})`); err != nil {
				t.Fatal(err)
			}
		})
	}
}
