package page

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestInstallAndCall(t *testing.T) {
	s := serve(t)
	s.pages["/"] = "<!doctype html><html lang=de><title>Hallo \u00fc \U0001F600</title><form><input name=getAttribute><input name=parentNode></form><img name=body>"
	c := dial(t)
	for _, isolated := range []bool{true, false} {
		url := fmt.Sprintf("%s/?q=%v", s.url, isolated)
		v := open(t, c, url, isolated)
		before := v.oracle(`Object.getOwnPropertyNames(w).length + ":" + doc.documentElement.outerHTML`)
		answer := v.raw("probe", nil)
		for _, r := range answer {
			if r < ' ' || r > '~' {
				t.Errorf("isolated %v: the answer has %q in it", isolated, r)
			}
		}
		var got struct {
			URL, Title, Ready, Lang, ContentType string
			Visible                              bool
		}
		if err := Decode(answer, &got); err != nil {
			t.Fatal(err)
		}
		if got.URL != url || got.Title != "Hallo \u00fc \U0001F600" || got.Lang != "de" || got.ContentType != "text/html" || got.Ready != "complete" {
			t.Errorf("isolated %v: probe = %+v", isolated, got)
		}
		if code := v.code("no such method", nil); code != "internal" {
			t.Errorf("isolated %v: an unknown method gives %q", isolated, code)
		}
		if after := v.oracle(`Object.getOwnPropertyNames(w).length + ":" + doc.documentElement.outerHTML`); after != before {
			t.Errorf("isolated %v: the page has changed: %s, before %s", isolated, after, before)
		}
		v.call("dispose", nil, nil)
		if code := v.code("probe", nil); code != "target_replaced" {
			t.Errorf("isolated %v: a disposed agent gives %q", isolated, code)
		}
	}
}

func TestGuardRefusesOtherDocuments(t *testing.T) {
	s := serve(t)
	s.pages["/a"] = `<!doctype html><title>a</title>`
	s.pages["/b"] = `<!doctype html><title>b</title>`
	c := dial(t)
	old := open(t, c, s.url+"/a", true)
	old.call("probe", nil, nil)
	now := open(t, c, s.url+"/b", true) // the old document is in the back/forward cache now
	if answer := old.raw("probe", nil); !strings.Contains(answer, `"target_replaced"`) {
		t.Errorf("the agent of a cached document gives %s", answer)
	}
	raw, err := c.Evaluate(t.Context(), old.console, Install(old.frame.Win, true), nil)
	if err != nil || string(raw) != `"`+Stale+`"` {
		t.Errorf("installing into a cached document gives %s, %v", raw, err)
	}
	raw, err = c.Evaluate(t.Context(), now.console, Install(1<<40, true), nil)
	if err != nil || string(raw) != `"`+Stale+`"` {
		t.Errorf("installing into an unknown window gives %s, %v", raw, err)
	}
	if code := now.code("probe", nil); code != "" {
		t.Errorf("the agent of the shown document gives %q", code)
	}
}

// TestPageCannotFoolTheIsolatedAgent has the page replace what the agent uses.
func TestPageCannotFoolTheIsolatedAgent(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><title>true</title><script>
		seen = []; JSON.stringify = () => (seen.push("json"), "{}"); JSON.parse = () => ({});
		for (const k of ["call", "apply", "bind"]) Function.prototype[k] = function () { seen.push(k) };
		for (const k of ["map", "push", "join"]) Array.prototype[k] = function () { seen.push = k };
		Object.prototype.ok = false; Object.prototype.then = function () { seen.push("then") };
		Object.defineProperty(Document.prototype, "title", { get() { seen.push("title"); return "lie" } });
		Element.prototype.getAttribute = () => "lie"; Promise = null; Map = null; WeakRef = null; Reflect = null
	</script>`
	v := open(t, dial(t), s.url+"/", true)
	var got struct{ Title, Lang string }
	v.call("probe", nil, &got)
	if got.Title != "true" || got.Lang != "" {
		t.Errorf("probe = %+v", got)
	}
	if seen := v.oracle(`String(w.seen.length)`); seen != `"0"` {
		t.Errorf("the page has seen %s calls", seen)
	}
}

// TestPatchedRealm installs the agent into a realm whose JSON, arrays and
// functions are the page's own.
func TestPatchedRealm(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><title>"\ & ` + "\U0001F600" + `</title><script>
		JSON.stringify = () => "{}"; JSON.parse = () => ({ value: 1 });
		for (const k of ["map", "filter", "forEach", "push", "slice", "join", "find", "some", "indexOf", "concat"]) Array.prototype[k] = () => [];
		for (const k of ["call", "apply", "bind"]) Function.prototype[k] = () => 7;
		Object.prototype.get = () => "evil"; Object.prototype.value = "evil"; Object.prototype.ok = true; Object.prototype.error = { code: "fake" };
	</script>`
	v := open(t, dial(t), s.url+"/", false)
	var got struct{ Title string }
	v.call("probe", map[string]any{"a": []any{1.5, true, nil, "\u2028\u0001\\\"", map[string]any{}}}, &got)
	if got.Title != `"\ & `+"\U0001F600" {
		t.Errorf("title = %q", got.Title)
	}
}

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		`{"ok":true,"value":{"a":1}}`: "", `{"ok":true,"value":null}`: "",
		`{"ok":false,"error":{"code":"stale_element","message":"m","details":{"was":1}}}`: "stale_element: m",
		`{"ok":true,"error":{"code":"x","message":""}}`:                                   ErrEnvelope.Error(),
		`{"ok":false}`: ErrEnvelope.Error(), `{"value":1}`: ErrEnvelope.Error(), `null`: ErrEnvelope.Error(),
		`{"ok":false,"error":{"code":"Not A Code","message":""}}`: ErrEnvelope.Error(),
	} {
		got := ""
		if err := Decode(text, nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Decode(%s) = %q, want %q", text, got, want)
		}
	}
	if err := Decode(`[`, nil); err == nil {
		t.Error("Decode takes what is no JSON")
	}
}

// FuzzCall proves that an argument cannot leave its literal.
func FuzzCall(f *testing.F) {
	for _, s := range []string{"", `"`, `\`, "\u2028\u2029", "</script>", "\xff\xed\xa0\x80", `");alert(1);("`, "\n\r\x00", "`${1}`", "]]>", "<!--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, err := Call("m", map[string]string{"a": s})
		if err != nil {
			t.Fatal(err)
		}
		inner, ok := strings.CutPrefix(text, `_self("m",`)
		if !ok || !strings.HasSuffix(inner, ")") {
			t.Fatalf("Call = %s", text)
		}
		inner = strings.TrimSuffix(inner, ")")
		if strings.ContainsAny(inner, "\u2028\u2029\n\r<>&") {
			t.Errorf("Call(%q) leaves %s unescaped", s, inner)
		}
		var literal string
		if err := json.Unmarshal([]byte(inner), &literal); err != nil {
			t.Fatalf("Call(%q): not one literal: %s", s, inner)
		}
		var got map[string]string
		if err := json.Unmarshal([]byte(literal), &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); strings.ReplaceAll(got["a"], "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") {
			t.Errorf("Call(%q) carries %q", s, got["a"])
		}
	})
}
