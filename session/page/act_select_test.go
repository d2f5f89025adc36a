package page

import (
	"strings"
	"testing"
)

func values(v ...string) args { return args{"values": v} }

func TestSelectNative(t *testing.T) {
	both(t, `<select id=s aria-label=Plan><option value=a>Apple  pie<option value=b disabled>B<optgroup label=G disabled><option value=c>C</optgroup><option value=d>Dill</select>
		<select id=m multiple><option value=1>One<option value=2 selected>Two<option value=3>Three</select><fieldset disabled><select id=off><option>A<option>B</select></fieldset>
		<select id=stub onchange="this.selectedIndex=0"><option>A<option>B</select><script>log=[];for(const k of ["input","change"])document.addEventListener(k,e=>log.push(k+":"+e.target.id))</script>`, func(t *testing.T, s *stage) {
		if out := s.ok("#s", "select", values("Dill")); out.value() != "Dill" {
			t.Errorf("value_after = %s", out.value())
		}
		s.is(`[$("#s").value, w.log.join()]`, `["d","input:s,change:s"]`)
		if out := s.ok("#s", "select", values("d")); !out.Unchanged {
			t.Errorf("choosing again: %+v", out)
		}
		s.is(`w.log.length`, `2`)
		s.ok("#s", "select", values("apple pie"))
		out := s.fails("#s", "select", values("zzz"), "option_not_found")
		if !strings.Contains(out.Message, `"Dill"`) || !strings.Contains(string(out.Details), "Dill") {
			t.Errorf("a missing option: %s %s", out.Message, out.Details)
		}
		for _, v := range []string{"b", "C"} {
			s.fails("#s", "select", values(v), "element_not_interactable")
		}
		s.fails("#s", "select", values("a", "d"), "invalid_argument")
		s.is(`$("#s").value`, `"a"`)
		s.ok("#m", "select", values("One", "3"))
		s.is(`[...$("#m").selectedOptions].map(o=>o.value).join()`, `"1,3"`)
		s.ok("#m", "select", args{"values": []string{}})
		s.is(`$("#m").selectedOptions.length`, `0`)
		s.ok("#m option:nth-of-type(2)", "click", nil)
		s.is(`[...$("#m").selectedOptions].map(o=>o.value).join()`, `"2"`)
		s.fails("#off", "select", values("B"), "element_not_interactable")
		s.fails("#stub", "select", values("B"), "fill_rejected")
	})
}

func TestSelectSuggestions(t *testing.T) {
	both(t, `<input id=i list=l aria-label=City><datalist id=l><option value=Oslo><option value=BER label=Berlin></datalist><input id=plain>`, func(t *testing.T, s *stage) {
		s.ok("#i", "select", values("Berlin"))
		s.is(`$("#i").value`, `"BER"`)
		out := s.fails("#i", "select", values("Rome"), "option_not_found")
		if !strings.Contains(out.Message, "Oslo") {
			t.Errorf("says %q", out.Message)
		}
		s.fails("#plain", "select", values("x"), "unsupported_element")
	})
}

func TestSelectListbox(t *testing.T) {
	both(t, `<div id=l role=listbox aria-label=Tags aria-multiselectable=true><div role=option aria-selected=true>Red</div><div role=option aria-selected=false>Green</div><div role=option aria-disabled=true aria-selected=false>Blue</div><div role=option aria-selected=false>Grey</div></div>
		<script>l.onclick=e=>{const o=e.target.closest("[role=option]");if(o)o.setAttribute("aria-selected",o.getAttribute("aria-selected")!=="true")}</script>`, func(t *testing.T, s *stage) {
		if out := s.ok("#l", "select", values("Green", "grey")); out.value() != "Green, Grey" {
			t.Errorf("chosen: %s", out.value())
		}
		s.fails("#l", "select", values("Blue"), "element_not_interactable")
		s.fails("#l", "select", values("Pink"), "option_not_found")
	})
}

func TestSelectComboboxes(t *testing.T) {
	for _, id := range []string{"downshift", "radix", "button", "virtual", "async"} {
		t.Run(id, func(t *testing.T) {
			both(t, fixtureText("comboboxes.html"), func(t *testing.T, s *stage) {
				want := "Cherry"
				if id == "virtual" {
					want = "Item 170"
				}
				out := s.ok("#"+id, "select", values(want))
				if !strings.Contains(out.value(), want) {
					t.Errorf("value_after = %s, %q", out.value(), out.text())
				}
				s.is(`w.chosen["`+id+`"]`, quoted(want))
				out = s.fails("#"+id, "select", values("Nowhere"), "option_not_found")
				if id != "async" && !strings.Contains(out.Message, "Cherry") && !strings.Contains(out.Message, "Item") {
					t.Errorf("a missing option: %s", out.Message)
				}
				s.is(`w.chosen["`+id+`"]`, quoted(want))
			})
		})
	}
}

// The lists of libraries that do not have their options where they say, each after
// a real one: Ant Design, Tom Select, Shoelace and Material Web, Select2.
func TestSelectOddLists(t *testing.T) {
	both(t, fixtureText("comboboxes.html"), func(t *testing.T, s *stage) {
		for _, tt := range []struct{ field, id, in, want string }{
			{"#twice", "twice", "Date", "Date"},   // not among the options with roles
			{"#twice", "twice", "apple", "Apple"}, // among them
			{"#slow", "slow", "Cherry", "Cherry"}, // late, and covered for a moment
			{"#slotted", "slotted", "Cherry", "Cherry"},
		} {
			out := s.ok(tt.field, "select", values(tt.in))
			if out.value() != tt.want {
				t.Errorf("%s: value_after = %s, %q", tt.id, out.value(), out.text())
			}
			s.is(`w.chosen["`+tt.id+`"]`, quoted(tt.want))
		}
		out := s.fails("#twice", "select", values("Nowhere"), "option_not_found")
		if !strings.Contains(out.Message, `"Date"`) {
			t.Errorf("a missing option: %s", out.Message)
		}
		if out := s.ok("#chips", "select", values("Apple", "Banana")); out.value() != "Apple Banana" {
			t.Errorf("chips: value_after = %s, %q", out.value(), out.text())
		}
		s.is(`w.chosen.chips`, `"Apple,Banana"`)
	})
}

// What was typed to search for an option is no choice.
func TestSelectTypedIsNotChosen(t *testing.T) {
	both(t, `<input id=c role=combobox aria-expanded=false aria-autocomplete=list aria-label=Fruit aria-controls=l><div id=l role=listbox></div>
		<script>c.oninput=()=>{c.setAttribute("aria-expanded","true");l.innerHTML=c.value?"<div role=option>"+c.value+"</div>":""}</script>`, func(t *testing.T, s *stage) {
		s.fails("#c", "select", values("Kiwi"), "fill_rejected")
	})
}
