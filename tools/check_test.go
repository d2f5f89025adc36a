package tools

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// told is an arrival in words: "pass", "drop", or the code of the refusal with
// "+id" if it carries an id.
func told(a arrival) string {
	switch {
	case a.request != nil:
		return "pass"
	case a.dropped != "":
		return "drop"
	case a.refusal == nil:
		return "nothing"
	}
	code := map[int64]string{codeParse: "-32700", codeInvalidRequest: "-32600"}[a.refusal.code]
	if a.refusal.id != noID {
		code += "+id"
	}
	return code
}

func TestCheck(t *testing.T) {
	deep := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	tests := []struct{ name, line, want string }{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "pass"},
		{"request with params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}`, "pass"},
		{"carriage return", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", "pass"},
		{"blanks around", " \t{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}  ", "pass"},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "pass"},
		{"unknown members", `{"jsonrpc":"2.0","id":1,"method":"ping","more":[1]}`, "pass"},
		{"escaped version", `{"jsonrpc":"2\u002e0","id":1,"method":"ping"}`, "pass"},
		{"empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, "pass"},

		{"empty", "", "-32700"},
		{"blank", " \t\r", "-32700"},
		{"word", "hello", "-32700"},
		{"half", `{"jsonrpc":"2.0","id":2,"method":"ping"`, "-32700"},
		{"two values", `{"a":1}{"b":2}`, "-32700"},
		{"NaN", `{"a":NaN}`, "-32700"},
		{"raw NUL", "{\"a\":\x001}", "-32700"},
		{"byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "-32700"},
		{"bad UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xff\"}", "-32700"},
		{"surrogate as UTF-8", "{\"a\":\"\xed\xa0\x80\"}", "-32700"},
		{"deeper than the parser goes", deep(20_000), "-32700"},
		{"half a batch", "[1,", "-32700"},

		{"null", "null", "-32600"},
		{"number", "5", "-32600"},
		{"string", `"x"`, "-32600"},
		{"empty batch", "[]", "-32600"},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "-32600"},
		{"empty object", "{}", "-32600"},
		{"no method and no id", `{"jsonrpc":"2.0"}`, "-32600"},

		{"old version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "-32600+id"},
		{"version as number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, "-32600+id"},
		{"no version", `{"id":1,"method":"ping"}`, "-32600+id"},
		{"version in capitals", `{"JSONRPC":"2.0","id":1,"method":"ping"}`, "-32600+id"},
		{"method as number", `{"jsonrpc":"2.0","id":1,"method":7}`, "-32600+id"},
		{"method null", `{"jsonrpc":"2.0","id":"a","method":null}`, "-32600+id"},
		{"no method", `{"jsonrpc":"2.0","id":1}`, "-32600+id"},
		{"params as array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, "-32600+id"},
		{"params null", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, "-32600+id"},

		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "-32600"},
		{"id true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "-32600"},
		{"id array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "-32600"},
		{"id fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "-32600"},
		{"id with exponent", `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, "-32600"},
		{"id minus zero", `{"jsonrpc":"2.0","id":-0,"method":"ping"}`, "-32600"},
		{"id beyond 2^53", `{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}`, "-32600"},
		{"id beyond 2^64", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}`, "-32600"},
		{"id with a lone surrogate", `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, "-32600"},

		{"response", `{"jsonrpc":"2.0","id":1,"result":{}}`, "drop"},
		{"error response", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, "drop"},
		{"error response without id", `{"jsonrpc":"2.0","id":null,"error":"x"}`, "drop"},
		{"notification with bad params", `{"jsonrpc":"2.0","method":"notifications/x","params":[]}`, "drop"},
		{"notification with a bad method", `{"jsonrpc":"2.0","method":7}`, "drop"},
		{"notification without version", `{"method":"notifications/x"}`, "drop"},

		{"cancellation", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "pass"},
		{"cancellation of a fraction", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}`, "drop"},
		{"cancellation of null", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}`, "drop"},
		{"cancellation of nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, "drop"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := told(check([]byte(tt.line))); got != tt.want {
				t.Errorf("check(%q) = %s, want %s", clip(tt.line, 200), got, tt.want)
			}
		})
	}
}

func TestCheckCancellationNamesTheCall(t *testing.T) {
	for raw, want := range map[string]any{"5": int64(5), `"5"`: "5"} {
		a := check([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + raw + `}}`))
		if got := a.cancels.Raw(); got != want {
			t.Errorf("requestId %s names %v, want %v", raw, got, want)
		}
	}
}

// FuzzCheck holds check to its promises for any line: one outcome, no panic, a
// request with an id that comes back as it was.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"click","arguments":{"element":"e1"}}}`,
		`{"jsonrpc":"2.0","id":"é😀","method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","id":3,"id":4,"method":"ping"}`, "{\"a\":\"\xff\"}", `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a := check(line)
		outcomes := 0
		for _, is := range []bool{a.request != nil, a.refusal != nil, a.dropped != "", a.end != nil} {
			if is {
				outcomes++
			}
		}
		if outcomes != 1 {
			t.Fatalf("%d outcomes for %q: %+v", outcomes, line, a)
		}
		if a.refusal != nil {
			checkFrame(t, a.refusal.frame())
		}
		if a.request != nil && a.request.IsCall() {
			frame, err := frameOf(errorAnswer(a.request.ID, codeInternal, "x"))
			if err != nil {
				t.Fatal(err)
			}
			checkFrame(t, frame)
			if sent, back := idOf(t, line), idOf(t, frame); sent != back {
				t.Fatalf("id %v came back as %v", sent, back)
			}
		}
	})
}

// idOf gives the last member called id, which is the one that counts.
func idOf(t *testing.T, line []byte) (id any) {
	t.Helper()
	var all map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(line, &all), json.Unmarshal(all["id"], &id)); err != nil {
		t.Fatal(err)
	}
	return id
}

// checkFrame checks what every line of output must be.
func checkFrame(t *testing.T, frame []byte) {
	t.Helper()
	var msg struct {
		Version string         `json:"jsonrpc"`
		Error   *jsonrpc.Error `json:"error"`
	}
	body, ok := strings.CutSuffix(string(frame), "\n")
	if !ok || strings.ContainsAny(body, "\r\n") || !utf8.ValidString(body) {
		t.Fatalf("not one line: %q", frame)
	}
	if err := json.Unmarshal([]byte(body), &msg); err != nil || msg.Version != "2.0" || msg.Error == nil || msg.Error.Code == 0 || msg.Error.Message == "" {
		t.Fatalf("no error answer: %q (%v)", frame, err)
	}
}
