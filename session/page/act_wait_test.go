package page

import (
	"testing"
	"time"
)

func TestWaitForWhatIsThere(t *testing.T) {
	both(t, `<p>Total <b>12</b> <i>items</i></p><p id=gone hidden>Secret text</p><p style="visibility:hidden">Unseen</p><p style="text-transform:uppercase">shout</p><style>#made::before{content:"Made by " attr(data-who)} #q::after{content:"\201D end"}</style><p id=made data-who="styles"></p><p id=q>x</p>
		<div id=h>light</div><script>h.attachShadow({mode:"open"}).innerHTML="<p>deep <slot></slot> inside</p>"</script><input type=submit value="Send it"><input value="typed"><div>one</div><div>two</div><select><option>Shown<option>Unshown</select><details><summary>Sum</summary>folded</details><textarea>area</textarea><script>var x="scripted"</script>
		<button id=off disabled>Off</button><input type=checkbox id=on checked><p id="it's">x</p>`, func(t *testing.T, s *stage) {
		for text, want := range map[string]bool{
			"Total 12 items": true, "Total  12\nitems": true, "Secret text": false, "Unseen": false, "SHOUT": true, "shout": true, "Made by styles": true, "x\u201dend": true, "deep light inside": true, "Send it": true,
			"typed": false, "one two": true, "onetwo": false, "Shown": true, "Unshown": false, "Sum": true, "folded": false, "area": false, "scripted": false, "total 12": false,
		} {
			if out := s.ask("wait", args{"text": text, "timeout": 0}); out.Met != want || out.Code != "" {
				t.Errorf("text %q: %+v", text, out)
			}
			if out := s.ask("wait", args{"text": text, "state": "absent", "timeout": 0}); out.Met == want {
				t.Errorf("text %q absent: %+v", text, out)
			}
		}
		for selector, want := range map[string]bool{"#made": true, ".nope": false, `#it\'s`: true, "p:not(#h)": true} {
			if out := s.ask("wait", args{"selector": selector, "timeout": 0}); out.Met != want {
				t.Errorf("selector %q: %+v", selector, out)
			}
		}
		for _, bad := range []string{"p[", "##", "", `");pwned=1;("`} {
			if out := s.ask("wait", args{"selector": bad, "timeout": 1000}); out.Code != "invalid_selector" {
				t.Errorf("selector %q: %+v", bad, out)
			}
		}
		for _, c := range []struct {
			selector, state string
			want            bool
		}{
			{"#off", "disabled", true}, {"#off", "enabled", false}, {"#on", "checked", true}, {"#on", "unchecked", false}, {"#made", "visible", true}, {"#gone", "visible", false}, {"#gone", "hidden", true}, {"#gone", "present", true}, {"#gone", "absent", false},
		} {
			if out := s.on(c.selector, "wait", args{"selector": c.selector, "state": c.state, "timeout": 0}); out.Met != c.want {
				t.Errorf("%s %s: %+v", c.selector, c.state, out)
			}
		}
		if out := s.ask("wait", args{"url_contains": "127.0.0.1", "timeout": 0}); !out.Met {
			t.Errorf("url: %+v", out)
		}
	})
}

func TestWaitSeesWhatIsThereForAMoment(t *testing.T) {
	page := `<p id=p></p><div id=h></div><script>var r=h.attachShadow({mode:"open"});r.innerHTML="<p></p>";
		function flash(el,show,hide){setTimeout(()=>{show(el);setTimeout(()=>hide(el),50)},150)}</script><style>.on::before{content:"styled flash"}</style>`
	for _, c := range []struct{ name, flash, text string }{
		{"added text", `w.flash($("#p"),e=>e.append("brief message"),e=>e.textContent="")`, "brief message"},
		{"changed text", `$("#p").append("x"),w.flash($("#p"),e=>e.firstChild.data="brief message",e=>e.firstChild.data="x")`, "brief message"},
		{"unhidden", `$("#p").append("brief message"),$("#p").hidden=true,w.flash($("#p"),e=>e.hidden=false,e=>e.hidden=true)`, "brief message"},
		{"in a shadow tree", `w.flash(w.r.firstChild,e=>e.append("brief message"),e=>e.textContent="")`, "brief message"},
		{"made by a style", `w.flash($("#p"),e=>e.className="on",e=>e.className="")`, "styled flash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			alone(t, page, func(t *testing.T, s *stage) {
				finish := s.start("wait", args{"text": c.text, "timeout": 5000, "poll": 2000})
				time.Sleep(100 * time.Millisecond)
				s.oracle(c.flash)
				if out := finish(); !out.Met || out.Elapsed > 1500 {
					t.Errorf("%+v", out)
				}
			})
		})
	}
}

func TestWaitEnds(t *testing.T) {
	alone(t, `<p id=p>Loading</p><script>function push(){history.pushState({},"","/pushed")}</script>`, func(t *testing.T, s *stage) {
		if out := s.ask("wait", args{"text": "never", "timeout": 300}); out.Met || out.Elapsed < 290 || out.Elapsed > 1500 {
			t.Errorf("a wait in vain: %+v", out)
		}
		if out := s.ask("wait", args{"text": "never", "timeout": 30000, "until": time.Now().Add(200 * time.Millisecond).UnixMilli()}); out.Met || out.Elapsed > 1500 {
			t.Errorf("a wait with a deadline: %+v", out)
		}
		finish := s.start("wait", args{"text": "Loading", "state": "absent", "timeout": 8000, "poll": 2000})
		time.Sleep(100 * time.Millisecond)
		s.oracle(`$("#p").hidden=true`)
		if out := finish(); !out.Met || out.Elapsed > 1500 {
			t.Errorf("text that goes: %+v", out)
		}
		finish = s.start("wait", args{"url_contains": "#there", "timeout": 8000, "poll": 100})
		s.oracle(`win.location.hash="there"`)
		if out := finish(); !out.Met {
			t.Errorf("an address: %+v", out)
		}
		finish = s.start("wait", args{"url_contains": "pushed", "timeout": 8000, "poll": 100})
		s.oracle(`w.push()`)
		if out := finish(); !out.Met {
			t.Errorf("a pushed address: %+v", out)
		}
	})
}

func TestSettleEndsWhenThePageIsQuiet(t *testing.T) {
	both(t, `<button id=once onclick="setTimeout(()=>p.append('x'),20)">Once</button><button id=busy onclick="setInterval(()=>p.append('y'),10)">Busy</button><button id=dead>Dead</button><p id=p></p>`, func(t *testing.T, s *stage) {
		s.ok("#dead", "click", nil)
		if out := s.ask("settle", args{"wait": 2000}); !out.Quiet || out.Moved || out.Elapsed > 400 {
			t.Errorf("a page that does nothing: %+v", out)
		}
		s.ok("#once", "click", nil)
		if out := s.ask("settle", args{"wait": 2000}); !out.Quiet || !out.Moved || out.Elapsed > 500 {
			t.Errorf("a page that answers once: %+v", out)
		}
		s.is(`$("#p").textContent`, `"x"`)
		s.ok("#busy", "click", nil)
		if out := s.ask("settle", args{"wait": 300}); out.Quiet || out.Elapsed < 290 || out.Elapsed > 900 {
			t.Errorf("a page that never rests: %+v", out)
		}
	})
}
