package outline

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// number gives references as the session does, in document order.
func number(s *Snapshot) {
	next := map[string]int{}
	s.Assign(func(n *Node) string {
		next[n.Frame]++
		return fmt.Sprintf("%se%d", n.Frame, next[n.Frame])
	})
}

// page reads a snapshot of testdata/pages with references; frames in it are by number of browsing context.
func page(t testing.TB, name string) Snapshot {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "pages", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Top    json.RawMessage           `json:"top"`
		Frames map[int64]json.RawMessage `json:"frames"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	top, err := Decode(file.Top)
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	s := Merge(top, func(context int64) (Frame, bool) {
		keys++
		f := Frame{Key: fmt.Sprintf("f%d", keys)}
		raw, ok := file.Frames[context]
		if !ok {
			f.Fault = "did not answer in time"
			return f, true
		}
		inner, err := Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		f.Snapshot = &inner
		return f, true
	})
	number(&s)
	return s
}

// golden compares got with the file, or rewrites the file under -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestRenderGolden(t *testing.T) {
	pages, err := filepath.Glob("testdata/pages/*.json")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, p := range pages {
		name := filepath.Base(p[:len(p)-len(".json")])
		for _, view := range []View{ViewControls, ViewFull, ViewOutline, ViewText} {
			t.Run(name+"/"+string(view), func(t *testing.T) {
				r := Render(page(t, name), Options{View: view, Snapshot: "s4", Tab: "t2", Generation: 7, Nonce: "7f3a9c"})
				golden(t, name+"."+string(view)+".txt", r.Text)
			})
		}
	}
}
