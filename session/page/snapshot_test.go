package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// node and look are what snapshot gives, as far as tests ask.
type node struct {
	I, D, B          int
	K, R, N, V, Y, T string
	Q, H             string
	S                []string
	A                map[string]any
}

type look struct {
	URL, Title, Lang, Ready string
	Nodes                   []node
	Controls, More, Focus   int
	Hints                   []string
}

// lines writes a snapshot as text, for comparing.
func (l look) lines() string {
	var b strings.Builder
	for _, n := range l.Nodes {
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", n.D), n.K)
		if n.R != "" {
			b.WriteString(" " + n.R)
		}
		if n.N != "" {
			fmt.Fprintf(&b, " %q", n.N)
		}
		for _, s := range n.S {
			b.WriteString(" " + s)
		}
		if n.V != "" {
			fmt.Fprintf(&b, " value=%q", n.V)
		}
		for _, key := range []string{"heading", "level", "count", "href", "options", "accept", "description"} {
			if v, ok := n.A[key]; ok {
				fmt.Fprintf(&b, " %s=%v", key, v)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (l look) find(name string) *node {
	for i := range l.Nodes {
		if l.Nodes[i].N == name {
			return &l.Nodes[i]
		}
	}
	return nil
}

func TestSnapshotLines(t *testing.T) {
	s, c := serve(t), dial(t)
	for i, row := range []struct{ name, html, want string }{
		{"landmarks, headings, lists", `<nav aria-label=Primary><a href=/jobs>Jobs</a></nav><main><h1>Remote   jobs</h1><ul><li><a href=/1><h3>Senior</h3></a> Acme. <b>Remote</b>.<li>plain</ul></main>`, `
g navigation "Primary"
  c link "Jobs" href=/jobs
g main
  g heading "Remote jobs" level=1
  g list count=2
    g listitem
      c link "Senior" heading=3 href=/1
      x "Acme. Remote."
    g listitem
      x "plain"
`},
		{"fields and their labels", `<label>Email <input value=a@b></label><label for=p>Phone</label><input id=p type=tel><fieldset><legend>Size</legend><label><input type=radio name=s checked>L</label></fieldset><select aria-label=Where><option>Here<option selected>There</select><textarea aria-label=T>x</textarea><input type=file accept=.pdf aria-label=F>`, `
c textbox "Email" value="a@b"
c textbox "Phone"
g group "Size"
  c radio "L" checked
c combobox "Where" value="There" options=Here|There
c textbox "T" multiline value="x"
c input file "F" empty accept=.pdf
`},
		{"secrets", `<input type=password value=s3cret aria-label=P><label>Code <input autocomplete=one-time-code value=123456> now</label><label>Card <input autocomplete="section-a cc-number" value=4111></label><input autocomplete=new-password value=hid aria-label=N><input role=combobox aria-autocomplete=list aria-expanded=false autocomplete=new-password value=Rome aria-label=City><button>Go <input type=password value=inner></button>`, `
c input password "P" filled
c textbox "Code now" filled
c textbox "Card" filled
c textbox "N" filled
c combobox "City" expanded=false haspopup=listbox value="Rome"
c button "Go"
  c input password filled
`},
		{"parts of a date, and what only catches the focus", `<div tabindex=0></div><span role=spinbutton contenteditable aria-label=Half aria-valuenow=1 tabindex=0>PM</span><span role=spinbutton contenteditable aria-label=Month aria-valuenow=3 aria-valuetext=March tabindex=0>03</span><div tabindex=0 style="height:20px"></div>`, `
c spinbutton "Half" value="PM"
c spinbutton "Month" value="March"
c clickable
`},
		{"a table", `<table><caption>Users</caption><tr><th>Name<th>Act<tr><td>Ann<td><button>Edit</button></table>`, `
g table "Users" count=2
  g row
    g columnheader "Name"
    g columnheader "Act"
  g row
    g cell
      x "Ann"
    g cell
      c button "Edit"
`},
		{"hidden file inputs and labels that stand for controls", `<div hidden><div><input type=file aria-label=Up></div></div><div aria-hidden=true><input type=file aria-label=No></div><input type=checkbox id=k hidden checked><label for=k>Agree</label><details><summary>More</summary><input type=file aria-label=In></details>`, `
c input file "Up" empty
c checkbox "Agree" checked
c summary "More" expanded=false
c input file "In" empty
`},
		{"clickable without a role", `<div style="cursor:pointer">Card</div><div onclick="1"><b>Attr</b></div><span id=l>Heard</span><div style="cursor:pointer"></div><div id=o><button>Own</button> text</div><script>l.addEventListener("click",()=>{});o.addEventListener("click",()=>{})</script>`, `
c clickable "Card"
c clickable "Attr"
c clickable "Heard"
c button "Own"
x "text"
`},
		{"a modal dialog", `<button>Under</button><dialog id=d><h2>Sure?</h2><button>Yes</button></dialog><script>d.showModal()</script>`, `
g dialog "Sure?" modal
  g heading "Sure?" level=2
  c button "Yes" focused
`},
		{"closed shadow trees and slots", `<x-a><b slot=s>Slotted</b><i>nowhere</i></x-a><script>customElements.define("x-a",class extends HTMLElement{constructor(){super();this.attachShadow({mode:"closed"}).innerHTML="<button>Sealed</button><slot name=s></slot>"}})</script>`, `
c button "Sealed"
x "Slotted"
`},
		{"SVG, image maps, contenteditable, tabindex", `<svg width=9 height=9><a href="#x"><title>Map</title><rect width=9 height=9 /></a></svg><img usemap="#m" alt=Plan src="data:,"><map name=m><area href="#e" alt=East></map><div contenteditable aria-label=Ed>some <b>text</b></div><div tabindex=0>Tab</div>`, `
c link "Map" href=#x
g image "Plan"
c link "East" href=#e
c textbox "Ed" value="some text"
c clickable "Tab"
`},
		{"text is told once", `<p>Total <b>12</b> <i>items</i></p><div>a<br>b</div><button aria-label=Close>X</button><a href=/c aria-label="Read more">Read more</a><p style="visibility:hidden">no<span style="visibility:visible">yes</span></p>`, `
x "Total 12 items"
x "a"
x "b"
c button "Close"
  x "X"
c link "Read more" href=/c
x "yes"
`},
		{"forms that shadow themselves", `<form><input name=parentNode aria-label=A><input name=getAttribute aria-label=B><input name=childNodes aria-label=C></form><img name=body alt=I src="data:,"><form name=documentElement></form>`, `
c textbox "A"
c textbox "B"
c textbox "C"
g image "I"
`},
		{"text behind a control is not the control's", `<p>Hello <span onclick="1">click me</span> bye, <a href=/1 aria-label=Label>shown</a> there</p>`, `
x "Hello"
c clickable "click me"
x "bye,"
c link "Label" href=/1
  x "shown"
x "there"
`},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := fmt.Sprintf("/%d", i)
			s.pages[path] = "<!doctype html><meta charset=utf-8><title>t</title>" + row.html
			v := open(t, c, s.url+path, true)
			var got look
			v.call("snapshot", map[string]any{"view": "full", "maxElements": 100, "maxText": 1000}, &got)
			if slices.ContainsFunc(got.Hints, func(h string) bool { return strings.Contains(h, "could not be read") }) {
				t.Errorf("hints %q", got.Hints)
			}
			if diff := cmp.Diff(strings.TrimPrefix(row.want, "\n"), got.lines()); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSelectors follows each selector of a snapshot back, as the page would.
func TestSelectors(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><button>a</button><div><button>b</button><p></p><button>c</button></div><button id="x:1 y">d</button><button id=twin>e</button><button id=twin>f</button>
		<div id=h><template shadowrootmode=open><p><button>g</button></p><button>h</button><div><template shadowrootmode=open><button id=in>i</button></template></div></template></div><i id=1><button>j</button></i><i id="-"><button>k</button></i><i id="-5"><button>l</button></i>`
	v := open(t, dial(t), s.url+"/", true)
	var got look
	v.call("snapshot", nil, &got)
	if got.Controls != 12 {
		t.Fatalf("%d controls in\n%s", got.Controls, got.lines())
	}
	for _, n := range got.Nodes {
		found := v.oracle(fmt.Sprintf(`%q.split(" >>> ").reduce((r, s) => { const e = (r.openOrClosedShadowRoot ?? r).querySelector(s); return e }, doc).textContent`, n.Q))
		if found != fmt.Sprintf("%q", n.N) {
			t.Errorf("%s leads to %s, not %q", n.Q, found, n.N)
		}
	}
}
