package page

import (
	"strings"
	"testing"
)

// clipped is how lists are kept from the eye that are drawn once more without roles.
const clipped = `style="width:0;height:0;overflow:hidden"`

// What a page says elsewhere is no option, whatever words it is.
func TestSelectClicksNothingElse(t *testing.T) {
	const list = `<div id=ghost role=listbox ` + clipped + `><div role=option aria-selected=false>Keep</div></div>`
	const field = `<input id=c role=combobox aria-expanded=false aria-controls=ghost aria-label=Act onclick="this.setAttribute('aria-expanded',true)">`
	for name, html := range map[string]string{
		"the body":               field + `<a href="#gone">Delete</a>` + list,
		"around the field":       `<main>` + field + `<p>Delete</p>` + list + `</main>`,
		"was there before":       field + `<main><p>Delete</p>` + list + `</main>`,
		"a button in the popup":  field + `<div id=pop hidden><button>Delete</button>` + list + `</div><script>c.addEventListener("click",()=>pop.hidden=false)</script>`,
		"a link in an open list": strings.Replace(field, "false", "true", 1) + `<div><a href="#gone">Delete</a>` + list + `</div>`,
	} {
		t.Run(name, func(t *testing.T) {
			both(t, html+`<script>log=[];document.addEventListener("click",e=>e.target.id!="c"&&log.push(e.target.outerHTML))</script>`, func(t *testing.T, s *stage) {
				out := s.fails("#c", "select", values("Delete"), "option_not_found")
				if strings.Contains(out.Message, `there are`) && strings.Contains(strings.Split(out.Message, "there are")[1], "Delete") {
					t.Errorf("says %q", out.Message)
				}
				s.is(`w.log.join()`, `""`)
			})
		})
	}
}

// What stands for an option that is off is not clicked, also when the list was
// there before it opened, or was open when one came.
func TestSelectStandIns(t *testing.T) {
	both(t, `<style>.ghost{width:0;height:0;overflow:hidden}</style><div><button id=c role=combobox aria-expanded=false aria-controls=ghost aria-label=Act>Choose…</button></div>
		<div><div id=pop hidden><div id=ghost class=ghost role=listbox><div role=option aria-disabled=true>Keep</div><div role=option>Copy</div></div><div id=rows><div>Keep</div><div>Copy</div><div>Move</div></div></div></div>
		<script>const open=on=>{pop.hidden=!on;c.setAttribute("aria-expanded",on)};c.onclick=()=>open(pop.hidden);rows.onclick=e=>{c.textContent=e.target.textContent;open(false)};document.onkeydown=e=>e.key=="Escape"&&open(false)</script>`, func(t *testing.T, s *stage) {
		s.fails("#c", "select", values("Keep"), "element_not_interactable")
		for _, want := range []string{"Copy", "Move"} {
			if out := s.ok("#c", "select", values(want)); out.value() != want {
				t.Errorf("value_after = %s, %q", out.value(), out.text())
			}
		}
		s.ok("#c", "click", nil)
		if out := s.ok("#c", "select", values("Copy")); out.value() != "Copy" {
			t.Errorf("open from the start: value_after = %s, %q", out.value(), out.text())
		}
	})
}

// A word within a word of the field is no choice, neither when the keyboard is at
// the option nor when the page ignores a click on it.
func TestSelectWholeWords(t *testing.T) {
	both(t, `<button id=hl role=combobox aria-expanded=true aria-controls=l1 aria-activedescendant=m aria-label=Sex>Female</button><div id=l1 role=listbox><div role=option id=m aria-selected=true>Male</div><div role=option>Female</div></div>
		<button id=deaf role=combobox aria-expanded=true aria-controls=l2 aria-label=Sex>Female</button><div id=l2 role=listbox><div role=option aria-selected=false>Male</div></div>
		<script>clicks=[];l1.onclick=e=>{clicks.push(e.target.textContent);hl.textContent=e.target.textContent}</script>`, func(t *testing.T, s *stage) {
		if out := s.ok("#hl", "select", values("Male")); out.value() != "Male" {
			t.Errorf("value_after = %s, %q", out.value(), out.text())
		}
		s.is(`w.clicks.join()`, `"Male"`)
		s.fails("#deaf", "select", values("Male"), "fill_rejected")
	})
}

// A list is asked what it has taken of each option by itself, whatever it was
// asked for by.
func TestSelectListboxAnswers(t *testing.T) {
	both(t, `<div id=multi role=listbox aria-label=Tags aria-multiselectable=true><div role=option data-value=r aria-selected=true>Red</div><div role=option data-value=g aria-selected=false>Green</div><div role=option data-value=b aria-selected=false class=deaf>Blue</div></div>
		<div id=single role=listbox aria-label=Size><div role=option aria-selected=true>Large</div><div role=option aria-selected=false class=deaf>Small</div></div>
		<div id=mute role=listbox aria-label=Way><div role=option>North</div><div role=option>South</div></div>
		<script>clicks=0;multi.onclick=e=>{const o=e.target;clicks++;if(!o.matches(".deaf"))setTimeout(()=>o.setAttribute("aria-selected",o.getAttribute("aria-selected")!="true"))}</script>`, func(t *testing.T, s *stage) {
		if out := s.ok("#multi", "select", values("g", "Green")); out.value() != "Green" || len(out.Warnings) > 0 {
			t.Errorf("chosen: %s, %q", out.value(), out.text())
		}
		s.is(`[w.clicks, w.multi.querySelectorAll("[aria-selected=true]").length]`, `[2,1]`)
		s.fails("#multi", "select", values("Red", "b"), "fill_rejected")
		out := s.fails("#single", "select", values("Small"), "fill_rejected")
		if !strings.Contains(out.Message, `"Small"`) || !strings.Contains(string(out.Details), "Large") {
			t.Errorf("says %s %s", out.Message, out.Details)
		}
		if out := s.ok("#mute", "select", values("South")); len(out.Warnings) != 1 {
			t.Errorf("a list that tells nothing: %q", out.Warnings)
		}
	})
}

// The last option of a long list is found, also on a page with shadow trees.
func TestSelectLongList(t *testing.T) {
	both(t, `<div id=l role=listbox aria-label=Long style="height:100px;overflow:auto"></div>
		<script>for(let i=0;i<5200;i++){const o=document.createElement("div");o.setAttribute("role","option");o.setAttribute("aria-selected",false);o.textContent="Item "+i;l.append(o)}
		l.onclick=e=>{for(const o of l.querySelectorAll("[aria-selected=true]"))o.setAttribute("aria-selected",false);e.target.setAttribute("aria-selected",true)}</script>`, func(t *testing.T, s *stage) {
		if out := s.ok("#l", "select", values("Item 5199")); out.value() != "Item 5199" {
			t.Errorf("chosen: %s", out.value())
		}
		s.is(`w.document.body.append(Object.assign(w.document.createElement("p"),{id:"sh"})) ?? !!$("#sh").attachShadow({mode:"open"})`, `true`)
		if out := s.ok("#l", "select", values("Item 5198")); out.value() != "Item 5198" {
			t.Errorf("chosen: %s", out.value())
		}
	})
}
