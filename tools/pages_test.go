package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

// A page that was opened but could not be read has a session all the same: without
// its name nobody could use or close it.
func TestOpenedButNotReadNamesItsSession(t *testing.T) {
	reply := handlers{}.opened(&session.Navigation{Tab: "t7", URL: "http://a/", Title: "A"})
	raw, err := json.Marshal(reply.Structured)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"session_id":"t7"`; !strings.Contains(string(raw), want) {
		t.Errorf("%s lacks %s", raw, want)
	}
	if want := "session t7"; !strings.Contains(reply.Text, want) {
		t.Errorf("%q lacks %q", reply.Text, want)
	}
}
