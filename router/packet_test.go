package router

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name string
		raw  string
		want *Packet // without Raw; nil for an error
	}{
		{"reply", `{"tabs":[],"from":"root"}`, &Packet{From: "root"}},
		{"event", `{"from":"root","type":"tabListChanged"}`, &Packet{From: "root", Type: "tabListChanged"}},
		{"acknowledgement", `{"resultID":"1-0","from":"c"}`, &Packet{From: "c", ResultID: "1-0"}},
		{"error", `{"from":"a","error":"noSuchActor","message":"No such actor"}`, &Packet{From: "a", Error: "noSuchActor", Message: "No such actor"}},
		{"members of other kinds", `{"from":"a","type":{},"error":null,"message":7,"resultID":[]}`, &Packet{From: "a"}},
		{"members within members", `{"x":{"from":"b","type":"t"},"from":"a"}`, &Packet{From: "a"}},
		{"escapes", `{"from":"a","type":"\u0074"}`, &Packet{From: "a", Type: "t"}},
		{"space", " {\n\t\"from\" : \"a\" } ", &Packet{From: "a"}},
		{"sender of the empty name", `{"from":""}`, &Packet{}},
		{"no sender", `{"type":"x"}`, nil},
		{"sender in capitals", `{"FROM":"a"}`, nil},
		{"number as sender", `{"from":1}`, nil},
		{"null", `null`, nil},
		{"array", `[]`, nil},
		{"cut", `{"from":"a"`, nil},
		{"cut within a later member", `{"from":"a","x":{"y":[1,2}`, nil},
		{"more after the end", `{"from":"a"} {}`, nil},
		{"nothing", ``, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse([]byte(tt.raw))
			if tt.want == nil {
				if !errors.Is(err, ErrProtocol) {
					t.Errorf("Parse(%q) = %+v, %v; want ErrProtocol", tt.raw, got, err)
				}
				return
			}
			tt.want.Raw = json.RawMessage(tt.raw)
			if diff := cmp.Diff(*tt.want, got); diff != "" || err != nil {
				t.Errorf("Parse(%q): %v (-want +got):\n%s", tt.raw, err, diff)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	type args struct {
		Text string `json:"text,omitempty"`
		To   string `json:"to,omitempty"`
	}
	tests := []struct {
		args any
		want string // empty: an error
	}{
		{nil, `{"to":"a","type":"m"}`},
		{struct{}{}, `{"to":"a","type":"m"}`},
		{map[string]any{}, `{"to":"a","type":"m"}`},
		{args{Text: "<b>&}"}, `{"text":"<b>&}","to":"a","type":"m"}`},
		{args{To: "b"}, `{"to":"b","to":"a","type":"m"}`}, // the last one counts
		{json.RawMessage(`{"x":{}}`), `{"x":{},"to":"a","type":"m"}`},
		{json.RawMessage(`{}{`), ""},
		{[]int{}, ""},
		{"}", ""},
		{7, ""},
		{(*args)(nil), ""},
		{func() {}, ""},
	}
	for _, tt := range tests {
		got, err := encode("a", "m", tt.args)
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("encode(%v) = %s, %v; want %s", tt.args, got, err, tt.want)
		}
	}
}

func TestWords(t *testing.T) {
	long := strings.Repeat("é", 300)
	tests := []struct{ in, quoted, word string }{
		{"", `""`, ""},
		{"root", `"root"`, "root"},
		{"two words", `"two words"`, `"two words"`},
		{"\x1b[2J", `"\x1b[2J"`, `"\x1b[2J"`},
		{"a\xff", `"a\xff"`, `"a\xff"`},
		{"a=b", `"a=b"`, `"a=b"`},
		{strings.Repeat("x", 200), `"` + strings.Repeat("x", 200) + `"`, strings.Repeat("x", 200)},
		{strings.Repeat("x", 201), `"` + strings.Repeat("x", 199) + `\u2026"`, strings.Repeat("x", 199) + "…"},
		{long, `"` + strings.Repeat(`\u00e9`, 199) + `\u2026"`, `"` + strings.Repeat(`\u00e9`, 199) + `\u2026"`},
	}
	for _, tt := range tests {
		if got := quote(tt.in); got != tt.quoted {
			t.Errorf("quote(%q) = %s, want %s", tt.in, got, tt.quoted)
		}
		if got := word(tt.in); got != tt.word {
			t.Errorf("word(%q) = %s, want %s", tt.in, got, tt.word)
		}
	}
}

func TestParseGrip(t *testing.T) {
	tests := []struct {
		raw  string
		want grip
		err  bool
	}{
		{`"text"`, grip{text: "text", isText: true}, false},
		{`""`, grip{isText: true}, false},
		{`7`, grip{}, false},
		{`true`, grip{}, false},
		{`{"type":"undefined"}`, grip{Type: "undefined"}, false},
		{`{"type":"object","actor":"obj1","class":"Function"}`, grip{Type: "object", Actor: "obj1"}, false},
		{`{"type":"longString","actor":"l1","length":12000,"initial":"x"}`, grip{Type: longString, Actor: "l1", Length: 12000, Initial: "x"}, false},
		{`{"type":"longString","length":12000}`, grip{}, true},
		{`{"type":"longString","actor":"l1","length":-1}`, grip{}, true},
		{`{"type":"longString","actor":"l1","length":1e99}`, grip{}, true},
		{`{"type":7}`, grip{}, true},
		{`"cut`, grip{}, true},
		{``, grip{}, true},
	}
	for _, tt := range tests {
		got, err := parseGrip(json.RawMessage(tt.raw))
		if (err != nil) != tt.err || err != nil && !errors.Is(err, ErrProtocol) {
			t.Errorf("parseGrip(%s): %v", tt.raw, err)
		}
		if err == nil && got != tt.want {
			t.Errorf("parseGrip(%s) = %+v, want %+v", tt.raw, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"from":"root","applicationType":"browser","traits":{}}`,
		`{"type":"evaluationResult","resultID":"1-0","result":{"type":"longString","actor":"l","length":12000,"initial":"x"},"from":"c"}`,
		`{"from":"a","error":"noSuchActor","message":"\ud83d"}`,
		`{"type":"target-available-form","target":{"actor":"t","innerWindowId":1e9},"from":"w"}`,
		`{"type":"resources-available-array","array":[["document-event",[{"name":"dom-loading","newURI":null}]]],"from":"w"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := Parse(raw)
		if err != nil {
			if !errors.Is(err, ErrProtocol) {
				t.Errorf("Parse(%q) = %v, want ErrProtocol", raw, err)
			}
			return
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil || object["from"] == nil {
			t.Errorf("Parse(%q) takes what is no packet: %v", raw, err)
		}
		// Whatever else such a packet holds is decoded without a panic.
		_, _ = p.target()
		_, _ = p.resources()
		_, _ = p.documentEvent(1, p.Raw)
		if o, err := parseOutcome(p); err == nil {
			_ = o.stack()
		}
		if s := word(string(p.From)); strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }) {
			t.Errorf("word(%q) = %q", p.From, s)
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add("root", "listTabs", `"},"to":"b`)
	f.Add("\u2028", "\xff", "</script>")
	f.Fuzz(func(t *testing.T, to, method, text string) {
		frame, err := encode(ActorID(to), method, map[string]any{"text": text, "to": "x", "type": "y"})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ To, Type, Text string }
		if err := json.Unmarshal(frame, &got); err != nil {
			t.Fatalf("encode gives %q: %v", frame, err)
		}
		valid := func(s string) string { return strings.ToValidUTF8(s, "") }
		clean := func(s string) string { return strings.ReplaceAll(valid(s), "\ufffd", "") }
		if clean(got.To) != clean(to) || clean(got.Type) != clean(method) || clean(got.Text) != clean(text) {
			t.Errorf("encode(%q, %q, %q) = %q", to, method, text, frame)
		}
		if !utf8.Valid(frame) {
			t.Errorf("encode gives invalid UTF-8: %q", frame)
		}
	})
}

// FuzzGrip reads values, and joins strings that were cut anywhere.
func FuzzGrip(f *testing.F) {
	f.Add([]byte(`{"type":"longString","actor":"l1","length":12000,"initial":"x"}`), "a😀b", 2)
	f.Add([]byte(`"\ud83d"`), "😀😀", 1)
	f.Add([]byte(`{"type":"-0"}`), "\x00\"\\", 0)
	f.Fuzz(func(t *testing.T, raw []byte, text string, at int) {
		if g, err := parseGrip(raw); err == nil && g.Type == longString && (g.Actor == "" || g.Length < 0) {
			t.Errorf("parseGrip(%q) = %+v", raw, g)
		}
		code := utf16.Encode([]rune(text))
		if len(code) == 0 {
			return
		}
		at = min(max(at, 0), len(code))
		var joined []byte
		for _, part := range [][]uint16{code[:at], code[at:]} {
			body, err := inside(escaped(part))
			if err != nil {
				t.Fatal(err)
			}
			joined = append(joined, body...)
		}
		var got string
		if err := json.Unmarshal([]byte(`"`+string(joined)+`"`), &got); err != nil {
			t.Fatal(err)
		}
		if want := string(utf16.Decode(code)); got != want || units(got) != len(code) {
			t.Errorf("cut at %d: %q of %d units, want %q of %d", at, got, units(got), want, len(code))
		}
	})
}

// escaped writes every unit as an escape.
func escaped(code []uint16) json.RawMessage {
	var b strings.Builder
	for _, u := range code {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	return json.RawMessage(`"` + b.String() + `"`)
}

func BenchmarkParse(b *testing.B) {
	for name, raw := range map[string]string{
		"result": `{"type":"evaluationResult","resultID":"1796053928952.4-10","hasException":false,"input":"_self(\"snapshot\",{})","result":2,"startTime":1796053928952.4,"timestamp":1796053928953,"from":"server1.conn0.watcher2.process5//consoleActor3"}`,
		"1 MiB":  `{"substring":"` + strings.Repeat("x", 1<<20) + `","from":"server1.conn0.longstractor19"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := Parse([]byte(raw)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	args := arguments(Evaluation{Text: `_self("snapshot", {"view": "controls"})`, Self: "server1.conn0.obj19", Await: true})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := encode("server1.conn0.watcher2.process5//consoleActor3", "evaluateJSAsync", args); err != nil {
			b.Fatal(err)
		}
	}
}
