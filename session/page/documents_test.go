package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/internal/firefoxtest"
)

func (v *visit) look(args map[string]any) look {
	v.t.Helper()
	var l look
	v.call("snapshot", args, &l)
	return l
}

// TestOddDocuments reads what are no ordinary pages.
func TestOddDocuments(t *testing.T) {
	s, c := serve(t), dial(t)
	for i, row := range []struct{ name, kind, text, want string }{
		{"XHTML", "application/xhtml+xml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><p><button>Strict</button><input aria-label="Field"/></p></body></html>`, "c button \"Strict\"\nc textbox \"Field\"\n"},
		{"SVG", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><a href="#x"><title>Go</title><rect width="9" height="9"/></a><text y="20">Words</text></svg>`, "c link \"Go\" href=#x\nx \"Words\"\n"},
		{"no body", "", `<p>x</p><script>document.body.remove()</script>`, ""},
		{"nothing at all", "", `<p>x</p><script>document.documentElement.remove()</script>`, ""},
		{"a frameset", "", `<!doctype html><frameset cols="50%,50%"><frame src=/in title=L><frame src=/in></frameset>`, "f iframe \"L\"\nf iframe\n"},
		{"plain text", "text/plain", "just words", "x \"just words\"\n"},
		{"XML", "text/xml", "<a><button>no button</button></a>", "x \"no button\"\n"},
	} {
		path := fmt.Sprintf("/%d", i)
		s.pages[path], s.types[path], s.pages["/in"] = row.text, row.kind, "<button>in</button>"
		for _, isolated := range []bool{true, false} {
			v := open(t, c, fmt.Sprintf("%s%s?%v", s.url, path, isolated), isolated) // another address: loads are told apart by it
			v.call("probe", nil, nil)
			got := v.look(map[string]any{"view": "full"})
			if got := got.lines(); row.name != "XML" && got != row.want || row.name == "XML" && !strings.Contains(got, "no button") {
				t.Errorf("%s, isolated %v: got\n%swant\n%s", row.name, isolated, got, row.want)
			}
			v.call("dispose", nil, nil)
		}
	}
}

// TestFrames gives frames their browsing contexts, by which their own agents
// are found.
func TestFrames(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><iframe src=/in title=One></iframe><iframe src=/in width=0 height=0></iframe><div hidden><iframe src=/in></iframe></div><object data=/in type=text/html width=9 height=9></object>`
	s.pages["/in"] = `<button>Inside</button>`
	c := dial(t)
	v := open(t, c, s.url+"/", true)
	frames, err := c.Frames(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	got := v.look(nil)
	if len(got.Nodes) != 2 || got.Nodes[0].K != "f" || got.Nodes[0].N != "One" || got.Nodes[1].T != "object" {
		t.Fatalf("got\n%s", got.lines())
	}
	for _, n := range got.Nodes {
		at := slices.IndexFunc(frames, func(f firefoxtest.Frame) bool { return f.ID == n.B })
		if at < 1 {
			t.Errorf("frame %d is none of %v", n.B, frames)
		}
	}
	inner := install(t, c, 1, true)
	if got := inner.look(nil).lines(); got != "c button \"Inside\"\n" {
		t.Errorf("in the frame:\n%s", got)
	}
}

// TestSecretsStay looks for secrets in everything the agent says, before and
// after the page shows them.
func TestSecretsStay(t *testing.T) {
	s, c := serve(t), dial(t)
	s.pages["/"] = `<!doctype html><input type=password id=a value=canary-1><label>Code <input id=b autocomplete="one-time-code" value=canary-2></label><button>Pay with <input id=c autocomplete=cc-number value=canary-3 aria-label=x></button>
		<div role=group aria-labelledby=a></div><select autocomplete=cc-exp-month aria-describedby=b><option>1<option selected>canary-4</select><p aria-label=t title=t>t</p><x-p></x-p><textarea autocomplete=new-password>canary-5</textarea>
		<script>customElements.define("x-p",class extends HTMLElement{constructor(){super();this.attachShadow({mode:"open"}).innerHTML="<input type=password value=canary-6>"}})
		function show(){for(const e of document.querySelectorAll("input")){e.type="text";e.removeAttribute("autocomplete")}document.querySelector("x-p").shadowRoot.firstChild.type="text"}
		function late(){const e=document.createElement("input");e.type="password";e.value="canary-7";document.body.append(e);e.type="text"}</script>`
	for _, isolated := range []bool{true, false} {
		v := open(t, c, s.url+"/?"+fmt.Sprint(isolated), isolated)
		check := func(when string) {
			t.Helper()
			for _, method := range []string{"snapshot", "describe_all"} {
				answer := v.raw(method, map[string]any{"view": "full", "selector": "*"})
				for i := range 8 {
					// The label of a chosen option is not a value of its own: it is among the options.
					if canary := fmt.Sprintf("canary-%d", i); i != 4 && strings.Contains(answer, canary) {
						t.Errorf("isolated %v, %s: %s tells %s", isolated, when, method, canary)
					}
				}
			}
		}
		check("at first")
		v.oracle(`w.show()`)
		check("when shown")
		v.oracle(`w.late()`)
		check("when made and shown at once")
	}
}

func TestScopeAndLimits(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><div id=a><button>A</button></div><div id=b hidden><button>B</button></div><p>` + strings.Repeat("word ", 500) + `</p><p>late</p>` + strings.Repeat("<button>x</button>", 50)
	v := open(t, dial(t), s.url+"/", true)
	if got := v.look(map[string]any{"scope": "#a"}); got.lines() != "c button \"A\"\n" {
		t.Errorf("scope: %s", got.lines())
	}
	whole := v.look(map[string]any{"maxElements": 10, "maxText": 100, "view": "full"})
	if whole.Controls != 51 || whole.More != 41 {
		t.Errorf("controls %d, more %d", whole.Controls, whole.More)
	}
	text := 0
	for _, n := range whole.Nodes {
		if n.K == "x" {
			text += len([]rune(n.N))
		}
	}
	if text > 100 {
		t.Errorf("%d characters of text", text)
	}
	if got := v.look(map[string]any{"scope": whole.find("A").I}); got.lines() != "c button \"A\"\n" {
		t.Errorf("scope by number: %s", got.lines())
	}
	if got := v.look(map[string]any{"scope": "#b"}); len(got.Nodes) != 0 || !slices.Contains(got.Hints, "the element of scope is hidden") {
		t.Errorf("hidden scope: %v", got)
	}
	for scope, want := range map[any]string{"#none": "element_not_found", "##": "invalid_selector", 9999: "stale_element"} {
		if got := v.code("snapshot", map[string]any{"scope": scope}); got != want {
			t.Errorf("scope %v gives %q, want %q", scope, got, want)
		}
	}
}

// TestNumbersStay keeps a node's number over snapshots and never gives it again.
func TestNumbersStay(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><button>A</button><button id=b>B</button>`
	v := open(t, dial(t), s.url+"/", true)
	first := v.look(nil)
	v.oracle(`(doc.querySelector("button").before(doc.createElement("button")), $("#b").remove(), Cu.forceGC(), 1)`)
	second := v.look(nil)
	if first.find("A").I != second.find("A").I || second.Nodes[0].I == first.find("B").I {
		t.Errorf("numbers %+v, then %+v", first.Nodes, second.Nodes)
	}
}

// TestLengths has names and texts of megabytes.
func TestLengths(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><button id=b></button><button id=c></button><p id=p></p><textarea id=t aria-label=T></textarea><select aria-label=S><option id=o></select><script>
		b.setAttribute("aria-label","name ".repeat(2e6));c.textContent=" ".repeat(3e6)+"x".repeat(5e6);p.textContent="word ".repeat(2e6);t.value="v ".repeat(3e6);o.textContent="o".repeat(1e6)</script>`
	v := open(t, dial(t), s.url+"/", true)
	if answer := v.raw("snapshot", map[string]any{"maxText": 5000}); len(answer) > 20000 {
		t.Errorf("the answer has %d bytes", len(answer))
	}
}

// TestDeepTree is as deep as Firefox itself can load in reasonable time.
func TestDeepTree(t *testing.T) {
	s := serve(t)
	s.pages["/"] = `<!doctype html><div id=o></div><button>After</button><script>{let d=document.createElement("button");d.textContent="Bottom";
		for(let i=0;i<6000;i++){const n=document.createElement("div");n.append(d);d=n}const a=document.createElement("a");a.href="/q";a.append(d);o.append(a)}</script>`
	v := open(t, dial(t), s.url+"/", true)
	got := v.look(nil)
	if got.Controls != 3 || got.find("Bottom") == nil || got.find("After") == nil {
		t.Errorf("got\n%s", got.lines())
	}
}

// TestHostileRealm reads a page that has turned its own realm against readers.
func TestHostileRealm(t *testing.T) {
	s, c := serve(t), dial(t)
	for i, row := range []struct{ name, script string }{
		{"well-known names", `var CSS={},name="shop",status="open",escape=null,find=1,stop=2,origin="x",event=null,length=9,path=[],label="l",role="r",value="v",result=[]`},
		{"JSON", `JSON.stringify=()=>"{}";JSON.parse=()=>({})`},
		{"arrays", `for(const k of ["map","filter","forEach","push","slice","join","find","some","every","indexOf","concat","reduce","includes"])Array.prototype[k]=()=>[]`},
		{"functions", `for(const k of ["call","apply","bind"])Function.prototype[k]=()=>7`},
		{"descriptors", `Object.prototype.get=()=>"evil";Object.prototype.set=()=>{};Object.prototype.value="evil";Object.prototype.ok=true;Object.prototype.error={code:"fake"};Object.prototype.n="evil";Object.prototype.view=1`},
		{"own members", `for(const k of ["value","type","localName","parentNode","firstChild","childNodes"])Object.defineProperty(document.querySelector("input"),k,{get(){throw 1}})`},
		{"document getters", `for(const k of ["body","title","readyState","activeElement","documentElement","URL"])try{Object.defineProperty(document,k,{get(){throw new Error("trap")}})}catch{}`},
		{"endless iterators", `const endless=function*(){for(;;)yield 1};Array.prototype[Symbol.iterator]=endless;String.prototype[Symbol.iterator]=endless;Map.prototype[Symbol.iterator]=endless;Set.prototype[Symbol.iterator]=endless`},
		{"toJSON", `for(const c of [Object,Array,String,Number,Boolean])c.prototype.toJSON=()=>"evil"`},
		{"setters", `for(const k of ["el","tag","html","css","display","shown","inline","role","name","hidden","view","dom","nodes","stack","said","depth","text","i","k","r","n"])Object.defineProperty(Object.prototype,k,{get(){return "evil"},set(){throw 1},configurable:true})`},
		{"proxies", `Object.setPrototypeOf(document.querySelector("input"),new Proxy(HTMLInputElement.prototype,{get(){throw 1},has(){throw 1},ownKeys(){throw 1},getPrototypeOf(){throw 1}}))`},
		{"timers", `window.setTimeout=()=>0;window.requestAnimationFrame=()=>0;window.Promise=function(){}`},
	} {
		path := fmt.Sprintf("/%d", i)
		s.pages[path] = `<!doctype html><meta charset=utf-8><title>t</title><button>Right</button><input aria-label=Field value=ok><script>` + row.script + `</script>`
		for _, isolated := range []bool{true, false} {
			v := open(t, c, fmt.Sprintf("%s%s?%v", s.url, path, isolated), isolated) // another address: loads are told apart by it
			if diff := cmp.Diff("c button \"Right\"\nc textbox \"Field\" value=\"ok\"\n", v.look(nil).lines()); diff != "" {
				t.Errorf("%s, isolated %v (-want +got):\n%s", row.name, isolated, diff)
			}
			v.call("dispose", nil, nil)
		}
	}
}

// A page that looks like one of the browser's own viewers is a page: nothing of
// what only a viewer has is asked of it.
func TestNoViewer(t *testing.T) {
	both(t, `<div id=viewerContainer>Hello</div><script>asked=[];for(const k of ["PDFViewerApplication","JSONView"])Object.defineProperty(window,k,{get(){asked.push(k);return {pdfDocument:{numPages:0},json:"lies"}}})</script>`, func(t *testing.T, s *stage) {
		var seen struct{ Type, ContentType, Kind string }
		for _, method := range []string{"snapshot", "extract", "source"} {
			s.call(method, args{}, &seen)
		}
		if seen.Type != "text/html" || seen.ContentType != "text/html" || seen.Kind != "html" {
			t.Errorf("taken for %+v", seen)
		}
		s.is(`w.asked.join()`, `""`)
	})
}

// A row is no wider than its reader takes, whatever its cells say that they span.
func TestWideTable(t *testing.T) {
	row := "<tr>" + strings.Repeat("<td colspan=100 rowspan=2>x", 30)
	alone(t, "<table><caption>Wide</caption>"+strings.Repeat(row, 30)+"<tr><td>last</table>", func(t *testing.T, s *stage) {
		var read struct{ Blocks []struct{ C []string } }
		s.call("extract", args{"whole": true}, &read)
		rows := 0
		for _, b := range read.Blocks {
			if len(b.C) > 200 {
				t.Fatalf("a row of %d cells", len(b.C))
			}
			if len(b.C) > 0 {
				rows++
			}
		}
		if rows < 15 {
			t.Errorf("%d rows", rows)
		}
	})
}
