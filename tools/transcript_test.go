package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// TestTranscripts replays testdata/mcp/*.txtar. A transcript is a row of steps:
// a file called "in" with lines to send, then one called "out" with what must
// have come back when everything is quiet. Answers that run side by side have no
// order, so the lines of a step are sorted.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../testdata/mcp/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	official := loadOfficial(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { replay(t, official, file) })
		})
	}
}

func replay(t *testing.T, official official, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := parseArchive(string(raw))
	r := newRegistry(Config{}) // two tools, to keep the transcripts readable
	unreachable[listConsoleMessages](r, "list_console_messages")
	add(r, "get_network_request", hangs[getNetworkRequest])
	s := run(t, r)
	methods := map[string]string{}
	for i, step := range archive.files {
		if step.name != "in" {
			continue
		}
		note(methods, step.body)
		got := s.say(strings.Split(strings.TrimSuffix(step.body, "\n"), "\n")...)
		slices.Sort(got)
		for _, line := range got {
			official.check(t, methods, line)
		}
		if i+1 == len(archive.files) || archive.files[i+1].name != "out" {
			t.Fatalf("%s: step %d has no out", file, i)
		}
		want := archive.files[i+1].body
		text := strings.Join(append(got, ""), "\n")
		if *update {
			archive.files[i+1].body = text
		} else if diff := cmp.Diff(want, text); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", clip(step.body, 200), diff)
		}
	}
	_ = s.close()
	if *update {
		if err := os.WriteFile(file, []byte(archive.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hangs is a handler that waits until its call is cancelled.
func hangs[In any](ctx context.Context, _ Call, _ In) (Reply, error) {
	<-ctx.Done()
	return Reply{}, context.Cause(ctx)
}

// archive is a txtar file: a comment, then files.
type archive struct {
	comment string
	files   []archiveFile
}

type archiveFile struct{ name, body string }

func parseArchive(text string) *archive {
	var a archive
	for line := range strings.Lines(text) {
		name, isName := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
		switch name, isEnd := strings.CutSuffix(name, " --"); {
		case isName && isEnd:
			a.files = append(a.files, archiveFile{name: name})
		case len(a.files) == 0:
			a.comment += line
		default:
			a.files[len(a.files)-1].body += line
		}
	}
	return &a
}

func (a *archive) String() string {
	var b strings.Builder
	b.WriteString(a.comment)
	for _, f := range a.files {
		fmt.Fprintf(&b, "-- %s --\n%s", f.name, f.body)
	}
	return b.String()
}

// note remembers which method each id stands for.
func note(methods map[string]string, lines string) {
	for line := range strings.Lines(lines) {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method any             `json:"method"`
		}
		if json.Unmarshal([]byte(line), &req) == nil && req.ID != nil {
			methods[string(req.ID)] = fmt.Sprint(req.Method)
		}
	}
}

// official is the official schema of the newest version of the protocol. The
// older ones ask for no more of a server that has only tools.
type official struct {
	defs     map[string]*jsonschema.Schema
	resolved map[string]*jsonschema.Resolved
}

func loadOfficial(t *testing.T) official {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(testdata(t, "mcp-schema/2025-11-25.json"), &s); err != nil {
		t.Fatal(err)
	}
	return official{s.Defs, map[string]*jsonschema.Resolved{}}
}

// check validates one line of output, and the result by the method it answers.
func (o official) check(t *testing.T, methods map[string]string, line string) {
	t.Helper()
	var msg map[string]any
	if err := json.Unmarshal([]byte(line), &msg); err != nil {
		t.Fatalf("line is no JSON object: %v: %s", err, line)
	}
	switch id, hasID := msg["id"]; {
	case msg["method"] != nil:
		o.validate(t, "ServerNotification", msg)
	case msg["error"] != nil:
		if hasID && id == nil { // JSON-RPC asks for null, MCP for no id
			delete(msg, "id")
		}
		o.validate(t, "JSONRPCErrorResponse", msg)
	default:
		o.validate(t, "JSONRPCResultResponse", msg)
		raw, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		if def := resultDefs[methods[string(raw)]]; def != "" {
			o.validate(t, def, msg["result"])
		}
	}
}

var resultDefs = map[string]string{
	methodInitialize: "InitializeResult", methodListTools: "ListToolsResult", methodCallTool: "CallToolResult", methodPing: "EmptyResult",
}

func (o official) validate(t *testing.T, def string, value any) {
	t.Helper()
	if o.resolved[def] == nil {
		r, err := (&jsonschema.Schema{Ref: "#/$defs/" + def, Defs: o.defs}).CloneSchemas().Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		o.resolved[def] = r
	}
	if err := o.resolved[def].Validate(value); err != nil {
		t.Errorf("not a valid %s: %v", def, err)
	}
}
