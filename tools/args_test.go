package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"firefox-rdp-mcp/session"
)

// prepared says what becomes of arguments: "" when the handler would run, else
// the code and message of the refusal.
func prepared(t *testing.T, r *registry, tool, args string) string {
	t.Helper()
	for _, candidate := range r.tools {
		if candidate.entry.name != tool {
			continue
		}
		_, err := candidate.prepare(json.RawMessage(args))
		if err == nil {
			return ""
		}
		if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
			return fmt.Sprintf("%d: %s", wire.Code, wire.Message)
		}
		return session.AsFault(err).Error()
	}
	t.Fatalf("no tool %q", tool)
	return ""
}

func TestGoodArguments(t *testing.T) {
	r := everything(Config{})
	long := func(n int) string { return strings.Repeat("😀", n) }
	tests := map[string][]string{
		"browser_status": {``, `null`, `{}`, ` {} `},
		"select_tab":     {`{"index":0}`, `{"tab_id":"t3"}`, `{"session_id":"t3"}`, `{"index":3.0}`, `{"index":1e1}`},
		"snapshot_page":  {`{}`, `{"include_all_text":true,"max_elements":10,"max_text_chars":0}`, `{"view":"outline","scope":"#main","diff":true,"budget":100}`},
		"find_elements":  {`{"text":"x"}`, `{"role":"button","name":"Save","limit":1}`, `{"selector":"a[href]"}`},
		"click":          {`{"element":"e1"}`, `{"element_id":"f1e3"}`, `{"element":"e1","element_id":"e1"}`, `{"element":"e1","wait_after_ms":5000,"button":"right","count":2,"modifiers":["Shift"]}`, `{"element":"f1f2e3","session_id":"t1"}`},
		"hover":          {`{"element":"e1","respond_with":"som"}`, `{"element_id":"e1"}`},
		"fill":           {`{"element":"e1","value":""}`, `{"element":"e1","value":"` + long(100_000) + `"}`, `{"element":"e1","value":"x","submit":false}`},
		"fill_form":      {`{"fields":[{"element":"e1","value":"x"},{"element":"e2","value":""}],"submit":true}`},
		"select_option":  {`{"element":"e1","values":["a"]}`, `{"element":"e1","values":[]}`},
		"type_text":      {`{"element":"e1","text":"` + long(10_000) + `"}`, `{"element":"e1","text":"x","delay_ms":1000,"mode":"replace"}`},
		"press_key":      {`{"key":"Enter"}`, `{"key":"a","element":"e1"}`, `{"key":"a","modifiers":["Control"]}`, `{"key":"é","element":"e1"}`, `{"key":"👨‍👩‍👧","element":"e1"}`, `{"key":"Space","count":3}`},
		"scroll":         {`{"to":"top"}`, `{"dy":-500}`, `{"dx":1,"dy":1}`, `{"element":"e1"}`},
		"drag":           {`{"element":"e1","target":"e2"}`},
		"navigate": {
			`{"url":"https://example.com/"}`, `{"url":"HTTP://127.0.0.1:9/x?y#z","wait":"none"}`, `{"url":"http://[::1]:8080/"}`,
			`{"url":"https://münchen.example/ä b","wait":"complete","timeout_ms":0}`,
		},
		"navigate_history": {`{"direction":"back"}`, `{"direction":"reload","timeout_ms":120000}`},
		"wait_for":         {`{"text":"x","timeout_ms":0}`, `{"selector":"#x","state":"absent","poll_ms":50}`, `{"url_contains":"x","poll_ms":2000}`, `{"element":"e1"}`, `{"text_gone":"x"}`},
		"upload_files":     {`{"element":"e1","paths":["/tmp/a","/tmp/b c"]}`},
		"handle_dialog":    {`{"action":"accept","text":"x"}`, `{"action":"dismiss"}`},
		"open_page":        {`{"url":"https://example.com/"}`},
		"close_page":       {`{"session_id":"t1"}`, `{"tab_id":"t1"}`},
		"fetch_page":       {`{"url":"https://example.com/","javascript":false}`},
		"extract_text":     {`{}`, `{"url":"https://example.com/","max_chars":10}`, `{"tab_id":"t1"}`},
		"screenshot":       {`{}`, `{"element":"e1","format":"jpeg","quality":50}`, `{"save_to":"/tmp/x.png","full_page":true}`},
		"evaluate":         {`{"expression":"1","session_id":"t1"}`},

		"list_console_messages": {`{}`, `{"level":"error","limit":500}`},
		"list_network_requests": {`{}`, `{"status":"5xx"}`, `{"status":"failed"}`, `{"status":"404"}`},
		"get_network_request":   {`{"id":"n1","body":true}`},
	}
	for tool, calls := range tests {
		for _, args := range calls {
			if got := prepared(t, r, tool, args); got != "" {
				t.Errorf("%s %s: %s", tool, clip(args, 80), got)
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	r := everything(Config{})
	const invalid = "invalid_argument: "
	tests := []struct{ tool, args, want string }{
		{"browser_status", `[]`, "-32602: "},
		{"browser_status", `"x"`, "-32602: "},
		{"list_tabs", `{"x":1}`, invalid + `"x" is no argument of this tool; it takes none`},
		{"select_tab", `{}`, invalid + "give exactly one of tab_id, index"},
		{"select_tab", `{"tab_id":"x","index":0}`, invalid + "give exactly one of"},
		{"select_tab", `{"session_id":"x","index":0}`, invalid + "give exactly one of"},
		{"select_tab", `{"index":-1}`, invalid + "index must be at least 0"},
		{"select_tab", `{"index":0.5}`, invalid + "index must be an integer"},
		{"select_tab", `{"index":1e400}`, invalid + "index must be at most"},
		{"select_tab", `{"index":null}`, invalid + "index must be an integer"},
		{"select_tab", `{"tab_id":5}`, invalid + "tab_id must be a string"},
		{"select_tab", `{"tab_id":"` + strings.Repeat("x", 200) + `"}`, invalid + "tab_id must have at most 100 characters"},
		{"snapshot_page", `{"max_elements":-1}`, invalid + "max_elements must be at least 1"},
		{"snapshot_page", `{"max_elements":501}`, invalid + "max_elements must be at most 500"},
		{"snapshot_page", `{"max_elements":"5"}`, invalid + "max_elements must be an integer"},
		{"snapshot_page", `{"include_all_text":"yes"}`, invalid + "include_all_text must be a boolean"},
		{"snapshot_page", `{"view":"all"}`, invalid + "view must be one of controls, full, outline, text"},
		{"find_elements", `{}`, invalid + "give at least one of"},
		{"find_elements", `{"text":"` + strings.Repeat("x", 10_001) + `"}`, invalid + "text must have at most 10000 characters, not 10001"},
		{"click", `{}`, invalid + "element is required"},
		{"click", `{"element":5}`, invalid + "element must be a string"},
		{"click", `{"element_id":5}`, invalid + "element is required"},
		{"click", `{"element":"e1","element_id":"e2"}`, invalid + "element_id and element mean the same and differ"},
		{"click", `{"element":"Save button"}`, invalid + "element must be a reference from a snapshot"},
		{"click", `{"element":"e1","wait_after_ms":5001}`, invalid + "wait_after_ms must be at most 5000"},
		{"click", `{"element":"e1","modifiers":["Ctrl"]}`, invalid + "modifiers[0] must be one of Alt, Control, Meta, Shift"},
		{"click", `{"element":"e1","modifiers":"Shift"}`, invalid + "modifiers must be an array"},
		{"fill", `{"element":"e1"}`, invalid + "value is required"},
		{"fill", `{"element":"e1","value":null}`, invalid + "value must be a string"},
		{"fill", `{"element":"e1","value":"` + strings.Repeat("é", 100_001) + `"}`, invalid + "value must have at most 100000 characters, not 100001"},
		{"fill_form", `{"fields":[]}`, invalid + "fields must have at least 1 items"},
		{"fill_form", `{"fields":[{"element":"e1"}]}`, invalid + "fields[0].value is required"},
		{"fill_form", `{"fields":[{"element":"e1","value":"x"},{"element":"x","value":"x"}]}`, invalid + "fields[1].element must be a reference"},
		{"fill_form", `{"fields":[5]}`, invalid + "fields[0] must be an object"},
		{"type_text", `{"element":"e1","text":"x","delay_ms":1001}`, invalid + "delay_ms must be at most 1000"},
		{"press_key", `{"key":"a"}`, invalid + "key may be a single character only together with"},
		{"press_key", `{"key":"F5","element":"e1"}`, invalid + "key must be one of the named keys or a single character"},
		{"press_key", `{"key":"enter","element":"e1"}`, invalid + "key must be one of"},
		{"press_key", `{"key":"","element":"e1"}`, invalid + "key must be one of"},
		{"press_key", `{"key":"\n","element":"e1"}`, invalid + "key must be one of"},
		{"press_key", `{"key":"Enter","code":"Enter"}`, invalid + `"code" is no argument`},
		{"scroll", `{}`, invalid + "give exactly one of element, to, dx and dy"},
		{"scroll", `{"to":"top","dy":1}`, invalid + "give exactly one of"},
		{"drag", `{"element":"e1","target":"here"}`, invalid + "target must be a reference"},
		{"navigate", `{"url":"https://example.com/","wait":"idle"}`, invalid + "wait must be one of none, dom, complete"},
		{"navigate", `{"url":"https://example.com/","timeout_ms":-1}`, invalid + "timeout_ms must be at least 0"},
		{"wait_for", `{}`, invalid + "give exactly one of"},
		{"wait_for", `{"text":"x","selector":"y"}`, invalid + "give exactly one of"},
		{"wait_for", `{"state":"present"}`, invalid + "give exactly one of"},
		{"wait_for", `{"text":"x","poll_ms":49}`, invalid + "poll_ms must be at least 50"},
		{"wait_for", `{"element":"x"}`, invalid + "element must be a reference"},
		{"upload_files", `{"element":"e1"}`, invalid + "paths is required"},
		{"upload_files", `{"element":"e1","paths":[]}`, invalid + "paths must have at least 1 items"},
		{"upload_files", `{"element":"e1","paths":"/tmp/x"}`, invalid + "paths must be an array"},
		{"upload_files", `{"element":"e1","paths":["/tmp/x",5]}`, invalid + "paths[1] must be a string"},
		{"handle_dialog", `{"action":"dismiss","text":"x"}`, invalid + "text has no meaning"},
		{"close_page", `{}`, invalid + "session_id is required"},
		{"extract_text", `{"url":"https://example.com/","tab_id":"t1"}`, invalid + "url and a tab exclude each other"},
		{"screenshot", `{"full_page":true,"element":"e1"}`, invalid + "full_page and element exclude"},
		{"screenshot", `{"save_to":"x.png"}`, invalid + "save_to is not absolute"},
		{"list_network_requests", `{"status":"600"}`, invalid + "status must be a code"},
	}
	for _, address := range []string{
		"file:///etc/passwd", "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "data:text/html,x", "about:blank",
		"chrome://browser/content/", "resource://gre/", "view-source:https://example.com/", "ftp://example.com/", "moz-extension://x/",
		"example.com", "//example.com/", "/x", "", "https://", "https:///x", "https:example.com", "https://exa mple.com/", "http://[::1",
		"http://:80/", "http://a:0/", "http://a:65536/", "http://a:x/", "https://user@/", "http\t://example.com/", "https:\\\\example.com",
	} {
		args, err := json.Marshal(map[string]string{"url": address})
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, struct{ tool, args, want string }{"navigate", string(args), invalid + "url must "})
	}
	for _, path := range []string{"relative.txt", "./x", "~/x", "$HOME/x", "file:///etc/hosts", "", "/tmp/\u0000"} {
		args, err := json.Marshal(map[string]any{"element": "e1", "paths": []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, struct{ tool, args, want string }{"upload_files", string(args), "upload_file_invalid: paths[0] "})
	}
	for _, tt := range tests {
		got := prepared(t, r, tt.tool, tt.args)
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s: %q, want %q…", tt.tool, clip(tt.args, 80), got, tt.want)
		}
		if len(got) > 400 {
			t.Errorf("%s %s: a refusal of %d bytes", tt.tool, clip(tt.args, 80), len(got))
		}
	}
}

// Values that were refused are in no message.
func TestRefusalsDoNotRepeatValues(t *testing.T) {
	const secret = "S3CRET"
	r := everything(Config{EnableEvaluate: true})
	for _, tool := range r.tools {
		for name := range tool.schema.Properties {
			for _, value := range []string{`"` + secret + `"`, `["` + secret + `"]`, `{"a":"` + secret + `"}`, `"` + strings.Repeat(secret, 2000) + `"`} {
				args := fmt.Sprintf(`{"element":"e1",%q:%s}`, name, value)
				if got := prepared(t, r, tool.entry.name, args); strings.Contains(got, secret) {
					t.Errorf("%s.%s: the refusal repeats the value: %s", tool.entry.name, name, clip(got, 200))
				}
			}
		}
	}
}

func TestDecode(t *testing.T) {
	type want = click
	schema := schemaOf[click](Config{}.withDefaults())
	element := func(ref string) onElement { return onElement{Element: ref} }
	defaults := func(c click) click {
		c.WaitAfterMS, c.Button, c.Count = 250, "left", 1
		return c
	}
	named := element("e1")
	named.TabID, named.SessionID = "t1", "t1"
	tests := []struct {
		name, args string
		want       want
	}{
		{"defaults", `{"element":"e1"}`, defaults(click{onElement: element("e1")})},
		{"zero is not absent", `{"element":"e1","wait_after_ms":0}`, click{onElement: element("e1"), Button: "left", Count: 1}},
		{"other names", `{"element_id":"e1","session_id":"t1"}`, defaults(click{onElement: named, elementID: elementID{"e1"}})},
		{"whole numbers", `{"element":"e1","wait_after_ms":2.50e2,"count":1.0}`, defaults(click{onElement: element("e1")})},
		{"repeated members", `{"element":"e9","element":"e1"}`, defaults(click{onElement: element("e1")})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := decode[click](json.RawMessage(tt.args), schema)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("decode(%s) = %+v, want %+v", tt.args, got, tt.want)
			}
		})
	}
}

// FuzzConform holds our check of arguments against a general validator of JSON
// Schema, for every tool: what one accepts, the other does.
func FuzzConform(f *testing.F) {
	r := everything(Config{EnableEvaluate: true})
	for i := range r.tools {
		for _, seed := range []string{
			`{}`, `{"element":"e1"}`, `{"element":"e1","value":"x","submit":1}`, `{"index":1.5}`, `{"index":-0}`, `{"fields":[{"element":"e1","value":null}]}`,
			`{"paths":["/x"],"element":"e1"}`, `{"wait_after_ms":250,"modifiers":["Alt"],"element":"e1"}`, `{"url":"x","wait":"dom","timeout_ms":120001}`,
			`{"values":[],"element":"e1","zzz":[]}`, `{"max_elements":501,"view":"full"}`,
		} {
			f.Add(i, seed)
		}
	}
	f.Fuzz(func(t *testing.T, i int, args string) {
		if i < 0 || i >= len(r.tools) || len(args) > maxString { // strings without a bound are bounded by us alone
			t.Skip()
		}
		tool := r.tools[i]
		var general map[string]any
		var ours map[string]any
		dec := json.NewDecoder(strings.NewReader(args))
		dec.UseNumber()
		if json.Unmarshal([]byte(args), &general) != nil || dec.Decode(&ours) != nil || general == nil || outOfRange(general) {
			t.Skip()
		}
		resolved, err := tool.schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		if err != nil {
			t.Fatal(err)
		}
		want := resolved.Validate(general) == nil
		_, err = conform(ours, tool.schema, "")
		if got := err == nil; got != want {
			t.Errorf("%s %s: accepted is %v, want %v (%v)", tool.entry.name, args, got, want, err)
		}
		if want && resolved.ApplyDefaults(&general) == nil {
			if diff := cmp.Diff(roundTrip(t, general), roundTrip(t, ours)); diff != "" {
				t.Errorf("%s %s: with defaults (-want +got):\n%s", tool.entry.name, args, diff)
			}
		}
	})
}

// outOfRange reports whether there is an integer that we refuse for its size
// although the schema has no bound: scroll has such arguments.
func outOfRange(args map[string]any) bool {
	for _, v := range args {
		if f, ok := v.(float64); ok && (f > maxID || f < -maxID) {
			return true
		}
	}
	return false
}

func roundTrip(t *testing.T, v any) (back any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err := errors.Join(err, json.Unmarshal(raw, &back)); err != nil {
		t.Fatal(err)
	}
	return back
}
