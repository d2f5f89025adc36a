package session

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWithoutCredentials(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.example/x?q=1":                           "https://a.example/x?q=1",
		"https://ada:pw@a.example/":                         "https://a.example/",
		"https://ada@a.example/":                            "https://a.example/",
		"https://a.example/?access_token=x&q=1&sig=y#z":     "https://a.example/?access_token=[hidden]&q=1&sig=[hidden]#z",
		"https://a.example/?api%5Fkey=x":                    "https://a.example/?api%5Fkey=[hidden]",
		"https://a.example/?token":                          "https://a.example/?token",
		"https://a.example/#id_token=x&state=1":             "https://a.example/#id_token=[hidden]&state=1",
		"https://a.example/?code=x":                         "https://a.example/?code=[hidden]",
		"https://a.example/?zipcode=x":                      "https://a.example/?zipcode=x",
		"https://a.example/@me?%zz=1":                       "https://a.example/@me?%zz=1",
		"wss://ada:p%40w@a.example:1/s?sid=1":               "wss://a.example:1/s?sid=[hidden]",
		"mailto:ada@a.example":                              "mailto:ada@a.example",
		"data:text/html,<a href='https://ada:pw@a.example'": "data:text/html,<a href='https://a.example'",
	} {
		if got := withoutCredentials(address); got != want {
			t.Errorf("withoutCredentials(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestShownHeader(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"Cookie", "a=b", hidden},
		{"set-cookie", "a=b; HttpOnly", hidden},
		{"Authorization", "Bearer x", hidden},
		{"Proxy-Authorization", "Basic x", hidden},
		{"X-Api-Key", "x", hidden},
		{"X-CSRF-Token", "x", hidden},
		{"Amz-Session", "x", hidden},
		{"Content-Type", "text/html", "text/html"},
		{"Location", "https://ada:pw@a.example/?code=x", "https://a.example/?code=[hidden]"},
		{"Referer", "/?password=x", "/?password=[hidden]"},
		{"Access-Control-Allow-Credentials", "true", "true"},
	} {
		if got := shownHeader(tt.name, tt.value); got != tt.want {
			t.Errorf("shownHeader(%q, %q) = %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
}

func TestShownBody(t *testing.T) {
	for text, want := range map[string]string{
		`{"access_token": "x\"y", "n": 1}`: `{"access_token": "[hidden]", "n": 1}`,
		`{"Password":"x"}`:                 `{"Password":"[hidden]"}`,
		`{"password":"cut of`:              `{"password":"[hidden]"`,
		`{"password_hint":"x"}`:            `{"password_hint":"x"}`,
		`see https://a:b@c.example`:        `see https://c.example`,
	} {
		if got := shownBody(text); got != want {
			t.Errorf("shownBody(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestPieceOf(t *testing.T) {
	for raw, want := range map[string]string{
		`"text"`: "text", `1.5`: "1.5", `true`: "true", `null`: "null",
		`{"type":"undefined"}`:                                         "undefined",
		`{"type":"-0"}`:                                                "-0",
		`{"type":"BigInt","text":"12"}`:                                "12n",
		`{"type":"symbol","name":"s"}`:                                 "Symbol(s)",
		`{"type":"object","class":"Object"}`:                           "Object",
		`{"type":"object","class":"Map","preview":{"kind":"MapLike"}}`: "Map",
		`{"type":"object","class":"Error","preview":{"kind":"Error","name":"TypeError","message":"bad"}}`:                                "TypeError: bad",
		`{"type":"object","class":"Error","preview":{"kind":"Error","name":"E","message":{"type":"longString","initial":"be"}}}`:         "E: be…",
		`{"type":"object","class":"Array","preview":{"kind":"ArrayLike","length":9,"items":["a",{"type":"undefined"}]}}`:                 `["a", undefined, …]`,
		`{"type":"object","class":"Array","preview":{"kind":"ArrayLike","length":3}}`:                                                    "Array(3)",
		`{"type":"object","class":"P","preview":{"kind":"Object","ownProperties":{"b":{"get":1},"a":{"value":"x"}}}}`:                    `P {a: "x", b: …}`,
		`{"type":"object","class":"HTMLDivElement","preview":{"kind":"DOMNode","nodeName":"div","attributes":{"id":"i","class":"a b"}}}`: `<div id="i" class="a b">`,
		`{"type":1}`: "[value]", `[1]`: "[1]",
	} {
		if got := pieceOf(json.RawMessage(raw)).text; got != want {
			t.Errorf("pieceOf(%s) = %q, want %q", raw, got, want)
		}
	}
	long := pieceOf(json.RawMessage(`{"type":"longString","initial":"` + strings.Repeat("x", 1000) + `","length":20000,"actor":"a"}`))
	if long.actor != "a" || long.length != 20000 || long.text != strings.Repeat("x", 1000)+"…" {
		t.Errorf("long string: %+v", long)
	}
}

// FuzzResources feeds what Firefox says of consoles and requests: no panic, and
// every text within its bounds.
func FuzzResources(f *testing.F) {
	for _, seed := range []string{
		`{"arguments":["a",{"type":"longString","actor":"x","initial":"y","length":-1}],"level":"warn","timeStamp":1e300}`,
		`{"pageError":{"errorMessage":"x","sourceName":{"type":"longString"},"lineNumber":1}}`,
		`{"actor":"n","resourceId":1,"url":"http://a:b@c/","method":"GET","resourceUpdates":{"status":"200","blockedReason":{},"totalTime":1}}`,
		`{}`, `[]`, `null`, `{"arguments":[[[{"type":"object","preview":{"ownProperties":{"a":{"value":{}}}}}]]]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, read := range []func(json.RawMessage) (ConsoleMessage, bool){consoleMessage, pageError} {
			if m, ok := read(raw); ok && len([]rune(m.Text)) > messageLimit {
				t.Errorf("a text of %d characters", len([]rune(m.Text)))
			}
		}
		var w networkForm
		if json.Unmarshal(raw, &w) == nil {
			r := w.request("n1")
			r.update(w.Updates)
			if len(r.URL) > urlBytes+4 || len(r.Method) > 100 {
				t.Errorf("too long: %+v", r)
			}
		}
	})
}
