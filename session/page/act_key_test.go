package page

import (
	"strings"
	"testing"
)

func (s *stage) press(selector, key string, modifiers ...string) acted {
	s.t.Helper()
	if selector == "" {
		return s.ask("key", args{"key": key, "modifiers": modifiers})
	}
	return s.ok(selector, "key", args{"key": key, "modifiers": modifiers})
}

func TestKeyCarriesItsNumbers(t *testing.T) {
	both(t, `<div id=d tabindex=0>x</div><script>log=[];for(const k of ["keydown","keypress","keyup"])d.addEventListener(k,e=>{log.push([k,e.key,e.code,e.keyCode,e.which,e.charCode,e.ctrlKey,e.shiftKey].join());e.preventDefault()})</script>`, func(t *testing.T, s *stage) {
		for _, c := range []struct{ key, want string }{
			{"ArrowRight", "keydown,ArrowRight,ArrowRight,39,39,0,false,false keyup,ArrowRight,ArrowRight,39,39,0,false,false"},
			{"Escape", "keydown,Escape,Escape,27,27,0,false,false keyup,Escape,Escape,27,27,0,false,false"},
			{"Space", "keydown, ,Space,32,32,0,false,false keyup, ,Space,32,32,0,false,false"},
			{"A", "keydown,A,KeyA,65,65,0,false,true keyup,A,KeyA,65,65,0,false,true"},
			{"ß", "keydown,ß,,0,0,0,false,false keyup,ß,,0,0,0,false,false"},
		} {
			s.oracle(`w.log.length=0`)
			s.press("#d", c.key)
			s.is(`w.log.join(" ")`, quoted(c.want))
		}
		s.oracle(`w.log.length=0`)
		s.press("#d", "k", "Control")
		s.is(`w.log.join(" ")`, `"keydown,Control,ControlLeft,17,17,0,true,false keydown,k,KeyK,75,75,0,true,false keyup,k,KeyK,75,75,0,true,false keyup,Control,ControlLeft,17,17,0,false,false"`)
		s.fails("#d", "key", args{"key": "F13x"}, "invalid_argument")
	})
}

func TestKeyEnter(t *testing.T) {
	both(t, `<form id=a onsubmit="log.push('a');return false"><input id=ai><button type=button onclick="log.push('plain')">P</button><button onclick="log.push('go')">Go</button></form>
		<form id=b onsubmit="log.push('b');return false"><input id=bi><button disabled>Go</button></form><form id=c onsubmit="log.push('c');return false"><input id=ci></form>
		<form id=d onsubmit="log.push('d');return false"><input id=di><input></form><form id=e onsubmit="log.push('e');return false"><input id=ei onkeydown="event.key=='Enter'&&event.preventDefault()"><button>Go</button></form>
		<form id=f onsubmit="log.push('f');return false"><textarea id=ta>x</textarea><button>Go</button></form><div id=ed contenteditable>x</div><button id=bt onclick="log.push('bt')">B</button><a id=l href="#l">L</a><div id=role role=button tabindex=0 onclick="log.push('role')">R</div><script>log=[]</script>`, func(t *testing.T, s *stage) {
		for _, c := range []struct{ id, log, words string }{
			{"ai", "go,a", `button "Go"`},
			{"bi", "", "disabled"},
			{"ci", "c", "submitted"},
			{"di", "", "several fields"},
			{"ei", "", ""},
			{"ta", "", "line break"},
			{"ed", "", "line break"},
			{"bt", "bt", `clicked button "B"`},
			{"l", "", `clicked link "L"`},
			{"role", "", ""},
		} {
			s.oracle(`w.log.length=0`)
			out := s.press("#"+c.id, "Enter")
			s.is(`w.log.join()`, quoted(c.log))
			if !strings.Contains(out.text(), c.words) || (c.words == "") != (len(out.Emulated)+len(out.Warnings) == 0) {
				t.Errorf("Enter on #%s says %q, want %q", c.id, out.text(), c.words)
			}
		}
		s.is(`[$("#ta").value, $("#ed").children.length]`, `["x\n",2]`)
		s.becomes(`doc.location.hash`, `"#l"`)
	})
}

func TestKeyTab(t *testing.T) {
	both(t, `<input id=a><input disabled><input tabindex=-1><input type=hidden><span style="display:none"><input></span><span style="visibility:hidden"><input></span><div inert><input></div>
		<details><summary id=su>s</summary><input></details><input type=radio name=r id=r1><input type=radio name=r id=r2 checked><div id=h></div><a>no</a><a id=l href=#>yes</a><div id=ed contenteditable>e</div><button id=first tabindex=2>2</button><button id=zero tabindex=1>1</button><button id=last>z</button>
		<script>h.attachShadow({mode:"open"}).innerHTML="<button id=s1>1</button><slot></slot><button id=s2 tabindex=1>2</button>";h.innerHTML="<input id=li>";left=0;a.onblur=()=>left++</script>`, func(t *testing.T, s *stage) {
		s.ok("#a", "focus", nil)
		var order []string
		for range 12 {
			s.press("", "Tab")
			order = append(order, strings.Trim(s.oracle(`(doc.activeElement.shadowRoot?.activeElement ?? doc.activeElement).id`), `"`))
		}
		if got, want := strings.Join(order, " "), "su r2 s2 s1 li l ed last zero first a su"; got != want {
			t.Errorf("Tab goes %s, want %s", got, want)
		}
		s.press("", "Tab", "Shift")
		s.is(`[doc.activeElement.id, w.left]`, `["a",2]`)
	})
}

func TestKeyArrows(t *testing.T) {
	both(t, `<form><input type=radio name=r id=r1 checked><input type=radio name=r id=r2 disabled><input type=radio name=r id=r3></form><select id=s><option>A<option disabled>B<option>C</select>
		<input type=range id=rg min=0 max=10 step=2 value=4><input type=number id=nu value=5 step=5><input id=t value="one two"><textarea id=ta>ab
cd</textarea><div id=sl role=slider tabindex=0 style="height:20px">x</div><script>log=[];for(const k of ["input","change"])document.addEventListener(k,e=>log.push(k+":"+e.target.id))</script><div style="height:4000px">`, func(t *testing.T, s *stage) {
		s.press("#r1", "ArrowDown")
		s.is(`[doc.activeElement.id, $("#r3").checked, w.log.join()]`, `["r3",true,"input:r3,change:r3"]`)
		s.press("#s", "ArrowDown")
		s.is(`$("#s").value`, `"C"`)
		s.press("#rg", "ArrowRight")
		s.press("#rg", "ArrowUp")
		s.press("#rg", "ArrowLeft")
		s.is(`$("#rg").value`, `"6"`)
		s.press("#rg", "End")
		s.is(`$("#rg").value`, `"10"`)
		s.press("#nu", "ArrowUp")
		s.is(`$("#nu").value`, `"10"`)
		s.press("#t", "End")
		s.press("#t", "ArrowLeft")
		s.press("#t", "ArrowLeft", "Control")
		s.press("#t", "Home", "Shift")
		s.is(`[$("#t").selectionStart, $("#t").selectionEnd, $("#t").selectionDirection]`, `[0,4,"backward"]`)
		s.press("#t", "x")
		s.is(`$("#t").value`, `"xtwo"`)
		s.oracle(`$("#ta").setSelectionRange(1,1)`)
		s.press("#ta", "ArrowDown")
		s.is(`$("#ta").selectionStart`, `4`)
		s.is(`w.scrollY`, `0`)
		out := s.press("#sl", "ArrowDown")
		s.is(`w.scrollY > 0`, `true`)
		if !strings.Contains(out.text(), "scrolled") {
			t.Errorf("an arrow on a page says %q", out.text())
		}
		s.press("", "End")
		s.press("", "PageUp")
		s.is(`w.scrollY > 1000`, `true`)
	})
}

func TestKeyEditing(t *testing.T) {
	both(t, `<input id=i value=abcd><div id=ed contenteditable><p>one two</p></div><script>log=[];i.addEventListener("beforeinput",e=>log.push(e.inputType))</script>`, func(t *testing.T, s *stage) {
		s.press("#i", "End")
		s.press("#i", "Backspace")
		s.press("#i", "Home")
		s.press("#i", "Delete")
		s.is(`[$("#i").value, w.log.join()]`, `["bc","deleteContentBackward,deleteContentForward"]`)
		s.press("#i", "a", "Control")
		s.press("#i", "Z")
		s.is(`$("#i").value`, `"Z"`)
		out := s.ok("#i", "key", args{"key": "y", "count": 3})
		if out.value() != "Zyyy" || len(out.Emulated) != 1 {
			t.Errorf("three presses: %+v", out)
		}
		s.ok("#ed", "focus", nil)
		s.press("#ed", "End", "Control")
		s.press("#ed", "Backspace", "Control")
		s.is(`$("#ed").textContent.trim()`, `"one"`)
	})
}

func TestKeyEscapeAndSpace(t *testing.T) {
	both(t, `<button id=b onclick="n++">B</button><input type=checkbox id=c><dialog id=d><button>in</button></dialog><div id=p popover>p</div><dialog id=k oncancel="event.preventDefault()">keep</dialog><div id=own>own</div>
		<script>n=0;esc=0;addEventListener("keydown",e=>{if(e.key==="Escape")esc++})</script><div style="height:4000px">`, func(t *testing.T, s *stage) {
		s.press("#b", "Space")
		s.press("#c", "Space")
		s.is(`[w.n, $("#c").checked]`, `[1,true]`)
		s.oracle(`$("#d").showModal()`)
		if out := s.press("", "Escape"); !strings.Contains(out.text(), "closed the dialog") {
			t.Errorf("Escape says %q", out.text())
		}
		s.oracle(`$("#p").showPopover()`)
		s.press("", "Escape")
		s.is(`[$("#d").open, $("#p").matches(":popover-open"), w.esc]`, `[false,false,2]`)
		s.oracle(`$("#k").showModal()`)
		if out := s.press("", "Escape"); strings.Contains(out.text(), "closed") {
			t.Errorf("Escape says %q of a dialog that stays", out.text())
		}
		s.is(`$("#k").open`, `true`)
		s.oracle(`$("#k").close()`)
		s.oracle(`doc.activeElement.blur()`)
		s.press("", "Space")
		s.is(`w.scrollY > 100`, `true`)
	})
}

func TestScroll(t *testing.T) {
	both(t, `<div id=box style="height:100px;overflow:auto"><div style="height:1000px">x<b id=in>in</b></div></div><div style="height:5000px"></div><button id=far>Far</button>`, func(t *testing.T, s *stage) {
		if out := s.ask("scroll", args{"to": "bottom"}); !out.Scroll.AtEnd || out.Scroll.Y < 1000 {
			t.Errorf("to the bottom: %+v", out)
		}
		if out := s.ask("scroll", args{"to": "top"}); out.Scroll.Y != 0 {
			t.Errorf("to the top: %+v", out)
		}
		if out := s.ask("scroll", args{"dy": 300}); out.Scroll.Y != 300 || out.Scroll.AtEnd {
			t.Errorf("by 300: %+v", out)
		}
		if out := s.ok("#in", "scroll", args{"dy": 50}); out.Scroll.Y != 50 {
			t.Errorf("in a box: %+v", out)
		}
		s.is(`$("#box").scrollTop`, `50`)
		s.ok("#far", "scroll", nil)
		s.is(`$("#far").getBoundingClientRect().top < win.innerHeight`, `true`)
	})
}
