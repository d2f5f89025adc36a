package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything is a registry with all tools of the catalog.
func everything(c Config) *registry {
	r := newRegistry(c)
	registerUnreachable(r)
	return r
}

func TestCatalogIsRegistered(t *testing.T) {
	var rows, tools []string
	for _, e := range catalog {
		rows = append(rows, e.name)
	}
	for _, tool := range everything(Config{}).tools {
		tools = append(tools, tool.entry.name)
	}
	if diff := cmp.Diff(rows, tools); diff != "" {
		t.Errorf("rows of the catalog and tools differ (-rows +tools):\n%s", diff)
	}
}

func TestCatalogReads(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z_]{2,31}$`)
	for _, tool := range everything(Config{}).tools {
		e := tool.entry
		if !name.MatchString(e.name) || e.title == "" || len(e.description) < 20 || !strings.HasSuffix(e.description, ".") {
			t.Errorf("%s: name, title or description is wanting", e.name)
		}
		for p, s := range tool.schema.Properties {
			if s.Description == "" || s.Type == "" {
				t.Errorf("%s.%s: no description or no single type", e.name, p)
			}
		}
	}
}

// TestSchemas holds every tool, as clients see it, against its golden file.
func TestSchemas(t *testing.T) {
	for _, tool := range everything(Config{}).tools {
		t.Run(tool.entry.name, func(t *testing.T) {
			got, err := json.MarshalIndent(tool.description(), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			file := filepath.Join("..", "testdata", "schemas", tool.entry.name+".json")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
	files, err := filepath.Glob("../testdata/schemas/*.json")
	if err != nil || len(files) != len(catalog) {
		t.Errorf("%d golden files for %d tools (%v)", len(files), len(catalog), err)
	}
}

// TestCost bounds what the list costs in every conversation, in tokens. Of a tool,
// hosts put name, description and input schema before the model; four bytes for a
// token are few for such JSON (two tokenizers gave 4.2 and 4.4). The whole list,
// with titles and annotations, is bounded by the smaller of these.
func TestCost(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config Config
		limit  int
	}{
		{"core", Config{Groups: []Group{Core}}, 3500},
		{"all", Config{EnableEvaluate: true}, 6000},
	} {
		var shown, whole int
		for _, tool := range everything(tt.config).listed() {
			d := tool.description()
			for _, part := range []any{d.Name, d.Description, d.InputSchema} {
				shown += size(t, part)
			}
			whole += size(t, d)
		}
		t.Logf("%s: %d bytes before the model, %d in all", tt.name, shown, whole)
		if tokens := shown / 4; tokens > tt.limit {
			t.Errorf("%s costs %d tokens, want at most %d", tt.name, tokens, tt.limit)
		}
		if tokens := whole * 10 / 42; tokens > tt.limit {
			t.Errorf("%s costs %d tokens with all its parts, want at most %d", tt.name, tokens, tt.limit)
		}
	}
}

func size(t *testing.T, v any) int {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return len(raw)
}

func TestListed(t *testing.T) {
	names := func(c Config) []string {
		var list []string
		for _, tool := range everything(c).listed() {
			list = append(list, tool.entry.name)
		}
		return list
	}
	if got := names(Config{}); len(got) != len(catalog)-1 || slices.Contains(got, "evaluate") {
		t.Errorf("by default %d of %d tools are listed: %q", len(got), len(catalog), got)
	}
	if got := names(Config{EnableEvaluate: true}); !slices.Contains(got, "evaluate") {
		t.Error("evaluate is enabled and not listed")
	}
	if diff := cmp.Diff([]string{"list_console_messages", "list_network_requests", "get_network_request"}, names(Config{Groups: []Group{Devtools}})); diff != "" {
		t.Errorf("devtools (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"browser_status", "list_tabs", "select_tab", "snapshot_page", "find_elements", "wait_for", "screenshot",
		"list_console_messages", "list_network_requests", "get_network_request",
	}, names(Config{ReadOnly: true, EnableEvaluate: true})); diff != "" {
		t.Errorf("read-only (-want +got):\n%s", diff)
	}
}

// What a read-only server lists says of itself that it changes nothing.
func TestReadOnlyIsTrue(t *testing.T) {
	for _, tool := range everything(Config{ReadOnly: true}).listed() {
		if !tool.notes.ReadOnlyHint || tool.schema.Properties["save_to"] != nil || tool.schema.Properties["submit"] != nil {
			t.Errorf("%s is listed although it changes something", tool.entry.name)
		}
	}
}

func TestAnnotations(t *testing.T) {
	for _, tool := range everything(Config{}).tools {
		a := tool.notes
		destructive := a.DestructiveHint == nil || *a.DestructiveHint
		if want := tool.entry.effect >= sets; !a.ReadOnlyHint && destructive != want {
			t.Errorf("%s: destructive is %v, want %v", tool.entry.name, destructive, want)
		}
	}
}

func TestSchemaBoundsFollowTheConfiguration(t *testing.T) {
	s := schemaOf[snapshotPage](Config{MaxElements: 7, MaxTextChars: 9, Budget: 200}.withDefaults())
	for name, want := range map[string]float64{"max_elements": 7, "max_text_chars": 9} {
		if got := *s.Properties[name].Maximum; got != want {
			t.Errorf("maximum of %s is %v, want %v", name, got, want)
		}
	}
	if got := string(s.Properties["budget"].Default); got != "200" {
		t.Errorf("default of budget is %s, want 200", got)
	}
	if _, err := s.Resolve(nil); err != nil {
		t.Error(err)
	}
}
