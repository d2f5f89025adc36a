package page

import (
	"strings"
	"testing"
)

func TestFillTellsThePageInOrder(t *testing.T) {
	both(t, `<input id=i aria-label=Name value=old><textarea id=ta></textarea><script>log=[];for(const k of ["focus","beforeinput","input","change","blur","keydown"])for(const x of [i,ta])x.addEventListener(k,e=>log.push(k+(e.inputType?":"+e.inputType+":"+e.data:"")+":"+x.value))</script>`, func(t *testing.T, s *stage) {
		out := s.ok("#i", "fill", args{"value": "new"})
		s.is(`w.log.join(" ")`, `"focus:old beforeinput:insertReplacementText:new:old input:insertReplacementText:new:new change:new"`)
		if out.value() != "new" {
			t.Errorf("value_after = %s", out.value())
		}
		s.ok("#ta", "fill", args{"value": "a\r\nb"})
		s.is(`$("#ta").value`, `"a\nb"`)
		s.oracle(`w.log.length=0`)
		s.ok("#i", "fill", args{"value": ""})
		s.is(`[$("#i").value, w.log.slice(-3).join(" ")]`, `["","beforeinput:deleteContentBackward:null:new input:deleteContentBackward:null: change:"]`)
	})
}

func TestFillTypedControls(t *testing.T) {
	both(t, `<script>for(const k of ["date","time","month","week","datetime-local","number","range","color"])document.write('<input type='+k+' id='+k+' onchange="log.push(this.value)">')</script><script>log=[]</script>`, func(t *testing.T, s *stage) {
		good := []struct{ kind, value, kept string }{
			{"date", "2026-02-28", "2026-02-28"},
			{"time", "09:30", "09:30"},
			{"month", "2026-02", "2026-02"},
			{"week", "2026-W09", "2026-W09"},
			{"datetime-local", "2026-03-01T09:30", "2026-03-01T09:30"},
			{"number", "-3.5", "-3.5"},
			{"range", "70", "70"},
			{"color", "#FF8800", "#ff8800"},
		}
		for _, c := range good {
			out := s.ok("#"+c.kind, "fill", args{"value": c.value})
			s.is(`[$("#`+c.kind+`").value, w.log.pop()]`, `["`+c.kept+`","`+c.kept+`"]`)
			if out.value() != c.kept {
				t.Errorf("%s: value_after = %s", c.kind, out.value())
			}
		}
		for _, c := range []struct{ kind, value string }{
			{"date", "28.2.2026"},
			{"date", "2026-02-30"},
			{"time", "25:00"},
			{"month", "2026-13"},
			{"week", "2026-W60"},
			{"datetime-local", "2026-03-01"},
			{"number", "abc"},
			{"range", "150"},
			{"range", ""},
			{"color", "red"},
			{"color", "no colour at all"},
		} {
			before := s.oracle(`$("#` + c.kind + `").value`)
			s.fails("#"+c.kind, "fill", args{"value": c.value}, "invalid_argument")
			s.is(`$("#`+c.kind+`").value`, before)
		}
		// Firefox 140 sends one more change event of its own when a range loses the focus.
		s.is(`w.log.filter(x=>x!=="70").join()`, `""`)
	})
}

func TestFillChoosesAndSwitches(t *testing.T) {
	both(t, `<select id=s><option value=1>Apple<option value=2>Pear<option disabled>Fig</select><input type=checkbox id=c onchange="n++"><input type=radio name=r id=r1 value=yes checked><input type=radio name=r id=r2 value=no>
		<button id=sw role=switch aria-checked=false onclick="this.setAttribute('aria-checked',this.getAttribute('aria-checked')!='true')">Dark</button><input type=checkbox id=st aria-label=Stubborn onclick="return false"><script>n=0</script>`, func(t *testing.T, s *stage) {
		s.ok("#s", "fill", args{"value": "Pear"})
		s.fails("#s", "fill", args{"value": "Banana"}, "option_not_found")
		s.is(`$("#s").value`, `"2"`)
		s.ok("#c", "fill", args{"value": "true"})
		s.ok("#c", "fill", args{"value": "true"})
		s.is(`[$("#c").checked, w.n]`, `[true,1]`)
		s.ok("#c", "fill", args{"value": "off"})
		s.fails("#c", "fill", args{"value": "perhaps"}, "invalid_argument")
		s.ok("#r2", "fill", args{"value": "true"})
		s.fails("#r2", "fill", args{"value": "false"}, "invalid_argument")
		s.ok("#sw", "fill", args{"value": "true"})
		s.is(`[$("#c").checked, $("#r2").checked, $("#sw").getAttribute("aria-checked")]`, `[false,true,"true"]`)
		s.fails("#st", "fill", args{"value": "true"}, "fill_rejected")
	})
}

func TestFillRefuses(t *testing.T) {
	both(t, `<input id=ro value=KEEP readonly><input id=off value=A disabled><fieldset disabled><legend><input id=leg></legend><input id=in value=B></fieldset><input type=file id=f><button id=b>B</button>
		<input id=max maxlength=5 value=abc><input type=hidden id=h><div id=keys tabindex=0 role=textbox aria-label=Sheet>x</div>`, func(t *testing.T, s *stage) {
		for _, id := range []string{"ro", "off", "in"} {
			s.fails("#"+id, "fill", args{"value": "x"}, "element_not_interactable")
		}
		for _, id := range []string{"f", "b", "keys"} {
			s.fails("#"+id, "fill", args{"value": "x"}, "unsupported_element")
		}
		s.fails("#max", "fill", args{"value": "abcdef"}, "fill_rejected")
		s.ok("#leg", "fill", args{"value": "x"})
		s.is(`[$("#ro").value, $("#off").value, $("#in").value, $("#max").value, $("#leg").value, $("#keys").textContent]`, `["KEEP","A","B","abc","x","x"]`)
	})
}

func TestFillOfAFieldThatItsFrameworkOwns(t *testing.T) {
	both(t, fixture(t, "owned.html"), func(t *testing.T, s *stage) {
		s.ok("#name", "fill", args{"value": "bob"})
		s.becomes(`w.states.name`, `"bob"`)
		out := s.ok("#upper", "fill", args{"value": "straße"})
		if out.value() != "STRASSE" || !strings.Contains(out.text(), "changed the value") {
			t.Errorf("a field that rewrites: %s, %q", out.value(), out.text())
		}
		s.fails("#digits", "fill", args{"value": "abc"}, "fill_rejected")
		s.is(`[$("#digits").value, w.states.digits]`, `["",""]`)
		s.ok("#digits", "fill", args{"value": "123"})
		s.becomes(`w.states.digits`, `"123"`)
		s.ok("#lazy", "fill", args{"value": "Oslo"})
		s.is(`w.states.lazy`, `"Oslo"`)
	})
}

func TestFillThatThePageUndoesLater(t *testing.T) {
	both(t, `<input id=i aria-label=Stuck value=old><input id=p type=password><script>setInterval(()=>{if(i.value!=="old")i.value="old";if(p.value)p.value=""},15)</script>`, func(t *testing.T, s *stage) {
		s.ok("#i", "fill", args{"value": "new"})
		if out := s.settle(); !out.Rejected || out.value() != "old" {
			t.Errorf("settle after an undone fill: %+v", out)
		}
		s.ok("#p", "fill", args{"value": "hunter2"})
		if out := s.settle(); !out.Rejected || out.value() != "empty" {
			t.Errorf("settle after an undone secret: %+v", out)
		}
	})
}

func TestFillNeverTellsASecret(t *testing.T) {
	const secret = "hunter2hunter2"
	both(t, `<input id=p type=password><input id=o autocomplete=one-time-code><input id=r type=password oninput="this.value='sesame'"><input id=x type=password oninput="this.value=''"><input id=m type=password maxlength=3 aria-label=Pin>`, func(t *testing.T, s *stage) {
		for _, id := range []string{"p", "o", "r", "x", "m"} {
			for _, method := range []string{"fill", "type"} {
				a := s.target("#" + id)
				a["value"], a["text"] = secret, secret
				if answer := s.raw(method, a) + s.raw("settle", args{"wait": 100}); strings.Contains(answer, secret) || strings.Contains(answer, "sesame") {
					t.Errorf("%s #%s tells: %s", method, id, answer)
				}
			}
		}
		s.oracle(`$("#p").value = ""`)
		if out := s.ok("#p", "fill", args{"value": secret}); !out.Secret || out.value() != "filled" {
			t.Errorf("filling a password: %+v", out)
		}
		s.fails("#x", "fill", args{"value": secret}, "fill_rejected")
	})
}

func TestFillAndSubmit(t *testing.T) {
	both(t, `<form id=a onsubmit="log.push('a:'+event.submitter.id+':'+new FormData(this).get('q'));return false"><input id=ai name=q><input type=button value=No onclick="log.push('no')"><input type=submit name=submit id=go value=Go onclick="log.push('go')"></form>
		<form id=b onsubmit="log.push('b:'+new FormData(this).get('q'));return false"></form><input id=bi name=q form=b><input id=none>
		<form id=c onsubmit="log.push('c');return false"><input id=ci><input required id=req aria-label=Mail><button>Go</button></form><form id=d onsubmit="log.push('d');return false"><input id=di><button disabled>Go</button></form>
		<form id=e onsubmit="log.push('e');return false"><div id=ei contenteditable>x</div></form><script>log=[]</script>`, func(t *testing.T, s *stage) {
		for _, c := range []struct {
			id, log string
			sent    bool
			words   string
		}{
			{"ai", "go,a:go:v w", true, `button "Go"`},
			{"bi", "b:v w", true, "submitted the form"},
			{"ei", "e", true, "submitted the form"},
			{"none", "", false, "no form"},
			{"ci", "", false, `"Mail"`},
			{"di", "", false, "disabled"},
		} {
			s.oracle(`w.log.length=0`)
			out := s.ok("#"+c.id, "fill", args{"value": "v w", "submit": true})
			s.is(`w.log.join()`, `"`+c.log+`"`)
			if out.Submitted == nil || *out.Submitted != c.sent || !strings.Contains(out.text(), c.words) {
				t.Errorf("#%s: submitted %v, %q", c.id, out.Submitted, out.text())
			}
		}
		s.ok("#ai", "fill", args{"value": "a\nb"})
		s.is(`[$("#ai").value, w.log.length]`, `["ab",0]`)
	})
}

func TestFillOfAVeryLongText(t *testing.T) {
	alone(t, `<textarea id=i></textarea>`, func(t *testing.T, s *stage) {
		text := strings.Repeat("x€😀", 30000) + strings.Repeat("y", 10000)
		s.ok("#i", "fill", args{"value": text})
		s.is(`[$("#i").value.length, $("#i").value.slice(-10004,-9998)]`, `[130000,"x€😀yy"]`)
	})
}

func TestFillFindsTheFieldInside(t *testing.T) {
	both(t, `<label id=l for=i>Name</label><input id=i><div id=w role=combobox><span><input id=in></span></div>`, func(t *testing.T, s *stage) {
		s.ok("#l", "fill", args{"value": "one"})
		s.ok("#w", "fill", args{"value": "two"})
		s.is(`[$("#i").value, $("#in").value]`, `["one","two"]`)
	})
}
