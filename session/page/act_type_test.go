package page

import (
	"strings"
	"testing"
)

func TestTypeSendsWhatAKeyboardSends(t *testing.T) {
	both(t, `<input id=i value=x><script>log=[];for(const k of ["keydown","keypress","beforeinput","input","keyup","change"])i.addEventListener(k,e=>log.push(k+":"+(e.key??e.data??"")+(e.code?":"+e.code+":"+e.keyCode+":"+e.charCode:"")+":"+i.value))</script>`, func(t *testing.T, s *stage) {
		out := s.ok("#i", "type", args{"text": "a!"})
		s.is(`w.log.join(" ")`, `"keydown:a:KeyA:65:0:x keypress:a:KeyA:97:97:x beforeinput:a:x input:a:xa keyup:a:KeyA:65:0:xa keydown:!:Digit1:49:0:xa keypress:!:Digit1:33:33:xa beforeinput:!:xa input:!:xa! keyup:!:Digit1:49:0:xa!"`)
		if out.value() != "xa!" {
			t.Errorf("value_after = %s", out.value())
		}
	})
}

func TestTypeInto(t *testing.T) {
	cases := []struct {
		name, html, text, mode string
		want                   string // value of #i
		words                  string // said in the answer
		code                   string
	}{
		{"append", `<input id=i value=ab>`, "cd", "", "abcd", "", ""},
		{"replace", `<input id=i value=ab>`, "cd", "replace", "cd", "", ""},
		{"textarea with lines", `<textarea id=i>one</textarea>`, "\ntwo", "", "one\ntwo", "", ""},
		{"line breaks in one line", `<form onsubmit="sent=1;return false"><input id=i><button>Go</button></form>`, "a\nb", "", "ab", "1 of 3", ""},
		{"maxlength", `<input id=i maxlength=3>`, "abcdef", "", "abc", "3 of 6", ""},
		{"number", `<input id=i type=number value=5>`, "7.5", "", "57.5", "", ""},
		{"email", `<input id=i type=email value=a>`, "b@c.de", "", "ab@c.de", "", ""},
		{"password", `<input id=i type=password>`, "pw", "", "pw", "", ""},
		{"graphemes", `<input id=i>`, "e\u0301👩‍👩‍👧a", "", "e\u0301👩‍👩‍👧a", "", ""},
		{"readonly", `<input id=i value=KEEP readonly>`, "x", "", "KEEP", "", "element_not_interactable"},
		{"date", `<input id=i type=date>`, "2026", "", "", "fill", "unsupported_element"},
		{"refused on keydown", `<input id=i><script>i.onkeydown=e=>{if(e.key.length===1&&!/\d/.test(e.key))e.preventDefault()}</script>`, "1a2b", "", "12", "2 of 4", ""},
		{"refused on keypress", `<input id=i><script>i.onkeypress=e=>/\d/.test(e.key)</script>`, "1a2b", "", "12", "2 of 4", ""},
		{"refused on beforeinput", `<input id=i><script>i.addEventListener("beforeinput",e=>{if(/[a-z]/.test(e.data))e.preventDefault()})</script>`, "1a2b", "", "12", "2 of 4", ""},
		{"mask on keydown", `<input id=i><script>i.addEventListener("keydown",e=>{if(e.key.length!==1)return;e.preventDefault();if(/\d/.test(e.key)){let d=(i.value+e.key).replace(/\D/g,"").slice(0,4);i.value=d.length>2?d.slice(0,2)+"/"+d.slice(2):d}})</script>`, "0427", "", "04/27", "4 of 4", ""},
		{"mask on input", `<input id=i><script>i.addEventListener("input",()=>{const d=i.value.replace(/\D/g,"").slice(0,4);i.value=d.length>2?d.slice(0,2)+"/"+d.slice(2):d})</script>`, "0427", "", "04/27", "", ""},
		{"mask a moment later", `<input id=i><script>i.addEventListener("input",()=>Promise.resolve().then(()=>{const d=i.value.replace(/\D/g,"").slice(0,4);i.value=d.length>2?d.slice(0,2)+"/"+d.slice(2):d}))</script>`, "0427", "", "04/27", "", ""},
		{"nothing taken", `<input id=i maxlength=2 value=ab>`, "cd", "", "ab", "", "fill_rejected"},
		{"every prefix", `<input id=i><script>seen=[];i.oninput=()=>{seen.push(i.value);if(seen.join()==="a,ab,abc")i.value="all"}</script>`, "abc", "", "all", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			both(t, c.html, func(t *testing.T, s *stage) {
				a := args{"text": c.text}
				if c.mode != "" {
					a["mode"] = c.mode
				}
				out := s.fails("#i", "type", a, c.code)
				if got := s.oracle(`$("#i").value`); got != quoted(c.want) {
					t.Errorf("the field holds %s, want %s", got, quoted(c.want))
				}
				if !strings.Contains(out.text(), c.words) {
					t.Errorf("says %q, want %q", out.text(), c.words)
				}
			})
		})
	}
}

func TestTypeInBatches(t *testing.T) {
	both(t, `<form onsubmit="sent=i.value+changes;return false"><input id=i value=x onchange="changes++"></form><script>sent="";changes=0</script>`, func(t *testing.T, s *stage) {
		at := s.target("#i")
		s.at(at, "type", args{"text": []string{"a", "b"}, "first": true, "last": false})
		s.at(at, "type", args{"text": []string{"c"}, "first": false, "last": false})
		out := s.at(at, "type", args{"text": []string{"d"}, "first": false, "last": true, "submit": true})
		s.is(`[$("#i").value, w.sent]`, `["xabcd","xabcd1"]`)
		if out.Submitted == nil || !*out.Submitted || out.value() != "xabcd" {
			t.Errorf("the last batch: %+v", out)
		}
	})
}

func TestTypeFollowsTheFocusInRowsOfFields(t *testing.T) {
	both(t, `<form id=f><input maxlength=1><input maxlength=1><input maxlength=1></form><input id=i><input id=else><script>for(const x of f.elements)x.oninput=()=>x.nextElementSibling?.focus();i.oninput=()=>setTimeout(()=>document.getElementById("else").focus())</script>`, func(t *testing.T, s *stage) {
		out := s.ok("#f input", "type", args{"text": "123"})
		s.is(`[...$("#f").elements].map(x=>x.value).join()`, `"1,2,3"`)
		if !strings.Contains(out.text(), "2 times") {
			t.Errorf("says %q", out.text())
		}
	})
}

func TestTypeIntoEditables(t *testing.T) {
	both(t, `<div id=ed contenteditable role=textbox aria-label=Log><p>one</p><p>two</p></div><div id=pl contenteditable=plaintext-only>old</div><div id=keys tabindex=0 role=textbox aria-label=Sheet style="height:20px"></div>
		<script>model="";keys.addEventListener("keydown",e=>{if(e.key.length===1)model+=e.key})</script>`, func(t *testing.T, s *stage) {
		s.ok("#ed", "type", args{"text": " three"})
		s.is(`$("#ed").innerText.trim().split(/\s+/).join(" ")`, `"one two three"`)
		s.is(`$("#ed").children.length`, `2`)
		s.ok("#pl", "type", args{"text": "er"})
		s.is(`$("#pl").textContent`, `"older"`)
		out := s.ok("#keys", "type", args{"text": "abc"})
		s.is(`w.model`, `"abc"`)
		if !strings.Contains(out.text(), "only key events") {
			t.Errorf("says %q", out.text())
		}
	})
}

func TestFillEditables(t *testing.T) {
	cases := []struct{ name, html, value, want string }{
		{"plain", `<div id=ed contenteditable>old <b>bold</b></div>`, "<i>new</i>", "<i>new</i>"},
		{"lines", `<div id=ed contenteditable style="white-space:pre-wrap"></div>`, "one\ntwo\nthree", "one\ntwo\nthree"},
		{"empty", `<div id=ed contenteditable><p>a</p><p>b</p></div>`, "", ""},
		{"plaintext-only", `<div id=ed contenteditable=plaintext-only>old</div>`, "new", "new"},
		{"frozen part", `<div id=ed contenteditable><span contenteditable=false style="background:#ddd">@someone</span>&nbsp;hi</div>`, "all new", "all new"},
		{"list", `<ul id=ed contenteditable><li>a</li><li>b</li></ul>`, "new", "new"},
		{"owned by a model, by events", fixtureText("editor-model.html"), "hello there", "hello there"},
		{"owned by a model, by paste", fixtureText("editor-paste.html"), "hello there", "hello there"},
		{"owned by a model, a moment later", fixtureText("editor-later.html"), "hello\nthere", "hello\nthere"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			both(t, c.html, func(t *testing.T, s *stage) {
				s.ok("#ed", "fill", args{"value": c.value})
				s.settle()
				got := s.oracle(`$("#ed").innerText.replace(/\u00a0/g," ").split("\n").map(x=>x.trim()).filter(Boolean).join("\n")`)
				if got != quoted(c.want) {
					t.Errorf("the text is %s, want %s", got, quoted(c.want))
				}
				if model := s.oracle(`w.model === undefined ? null : w.model`); model != "null" && model != quoted(c.want) {
					t.Errorf("the model is %s, want %s", model, quoted(c.want))
				}
			})
		})
	}
}

func TestFillOfAnEditorThatTakesNothing(t *testing.T) {
	both(t, `<div id=ed contenteditable>fixed</div><script>new MutationObserver(()=>{if(ed.innerHTML!=="fixed")ed.innerHTML="fixed"}).observe(ed,{childList:true,subtree:true,characterData:true});for(const k of ["beforeinput","paste"])ed.addEventListener(k,e=>e.preventDefault())</script>`, func(t *testing.T, s *stage) {
		s.fails("#ed", "fill", args{"value": "new"}, "fill_rejected")
		s.is(`$("#ed").textContent`, `"fixed"`)
	})
}

func TestTypeIntoEditorsWithModels(t *testing.T) {
	for name, want := range map[string]string{"editor-model.html": "start xyz", "editor-later.html": "start xyz"} {
		t.Run(name, func(t *testing.T) {
			both(t, fixtureText(name), func(t *testing.T, s *stage) {
				s.ok("#ed", "type", args{"text": " xyz"})
				s.settle()
				s.is(`w.model`, quoted(want))
			})
		})
	}
}
