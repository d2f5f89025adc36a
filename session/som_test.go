package session_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// themes are the kinds of pages that models are made of.
var themes = map[string]string{
	"article": `<title>Of lamps</title><header><h2>The Daily</h2></header><main><article><h1>Of lamps</h1><p>Lamps give <b>light</b>, <a href=/light rel=help>mostly</a>.</p><p>They are old.</p><blockquote>Let there be light.</blockquote><img src=/l.png alt="A lamp"><img src=/d.png alt=""></article></main><aside>Related</aside><footer>© Daily</footer>`,
	"nav":     `<nav aria-label=Primary><ul><li><a href=/ aria-current=page>Home</a><li><a href=/docs target=_blank rel=noopener>Docs</a></ul></nav><nav aria-label=Crumbs><a href=/a>A</a></nav>`,
	"login":   `<form action=/login method=post aria-label="Sign in"><label>User <input name=u required autocomplete=username placeholder="you@example.com" type=email></label><label>Password <input type=password name=p value=sesame></label><label>Code <input autocomplete=one-time-code value=123456></label><label><input type=checkbox checked> Remember me</label><button class="btn btn-primary">Sign in</button><button type=reset disabled>Clear</button></form>`,
	"table":   `<main><table><caption>Prices</caption><thead><tr><th>Kind<th>Price</thead><tbody><tr><td>Oil<td>3<tr><td>Gas <a href=/gas>more</a><td>5</tbody></table><table role=presentation><tr><td>only layout</table></main>`,
	"product": `<title>Lamp</title><meta name=description content="A lamp"><meta property=og:title content="Lamp"><meta property=og:price content=10><meta name=twitter:card content=summary><link rel=canonical href=/lamp><link rel=stylesheet href=/s.css><script type=application/ld+json>{"@type":"Product","name":"Lamp\u202e","offers":{"price":10.50}}</script><script type=application/ld+json>{broken</script><main><h1>Lamp</h1><label>Colour <select name=c><option value=r>Red<option value=g selected>Green<option disabled>Blue</select></label><fieldset><legend>Size</legend><label><input type=radio name=s> Small</label><label><input type=radio name=s checked> Large</label></fieldset><button>Add to cart</button></main>`,
	"search":  `<search><form action=/find><input type=search aria-label=Query list=l><datalist id=l><option>one<option>two</datalist><button>Find</button></form></search><form role=search action=/other aria-label=Site><input aria-label=Other></form>`,
	"aria":    `<div role=tablist aria-label=Tabs><button role=tab aria-selected=true>One</button><button role=tab aria-selected=false>Two</button></div><div role=switch tabindex=0 aria-checked=true>Wifi</div><div role=slider tabindex=0 aria-valuenow=5 aria-label=Volume></div><div role=button tabindex=0 aria-pressed=mixed aria-disabled=true>Bold</div><div role=combobox tabindex=0 aria-expanded=false aria-label=City>Rome</div><div role=progressbar aria-valuenow=40 aria-label=Load></div><details><summary>More</summary><p>hidden</p></details><div onclick="1">Click me</div><div contenteditable aria-label=Note>typed</div>`,
	"dialog":  `<main><h1>Behind</h1></main><div role=dialog aria-label="Cookies"><p>We use cookies.</p><button>Accept</button></div><dialog open aria-label=Hello><p>Native</p><button>OK</button></dialog>`,
	"shadow":  `<main><x-open></x-open><x-closed></x-closed></main><script>for (const [n, mode] of [["open","open"],["closed","closed"]]) document.querySelector("x-"+n).attachShadow({mode}).innerHTML="<p>In "+n+"</p><button>"+n+"</button>"</script>`,
	"frames":  `<main><p>Around</p><iframe title=Inside srcdoc="<h2>Inner</h2><form action=/in><input aria-label=Deep></form>"></iframe><p>Behind</p></main>`,
}

// ids of fetched pages are made of the origin too, whose port is another each time.
var ids = regexp.MustCompile(`e_[0-9a-f]{12}`)

func TestSOMGolden(t *testing.T) {
	pages := map[string]string{}
	for name, html := range themes {
		pages["/"+name] = "<!doctype html><html lang=en>" + html
	}
	s := newStage(t, session.Config{Privileged: true, Budget: 100_000}, pages)
	for name := range themes {
		t.Run(name, func(t *testing.T) {
			som, err := s.Fetch(t.Context(), session.FetchArgs{URL: s.site.URL + "/" + name, Script: true})
			if err != nil {
				t.Fatal(err)
			}
			som.Meta.HTMLBytes = 0 // of another port, another length
			raw, err := json.MarshalIndent(som, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			got := ids.ReplaceAllStringFunc(strings.ReplaceAll(string(raw), s.site.URL, "http://site"), func(string) string { n++; return fmt.Sprintf("e_%d", n) }) + "\n"
			for _, secret := range []string{"sesame", "123456"} {
				if strings.Contains(got, secret) {
					t.Errorf("a secret in\n%s", got)
				}
			}
			golden(t, filepath.Join("..", "testdata", "som", name+".json"), got)
		})
	}
}

// told has a page tell its top window what was clicked in it, and do nothing else.
const told = `<script>addEventListener("click", (e) => {
	const [el] = e.composedPath();
	e.preventDefault();
	const label = el.labels?.[0];
	const words = label ? [...label.childNodes].map((n) => n.data).join("") : el.textContent;
	top.postMessage(el.getAttribute("aria-label") || words.trim(), "*");
}, true)</script>`

// The id of each element in a model leads to that very element, in shadow trees and
// frames too, and is the same for another server and another load.
func TestModelElementsAreThose(t *testing.T) {
	const listen = `<style>div { min-height: 1em }</style><script>var said = []; onmessage = (e) => said.push(e.data)</script>`
	pages := map[string]string{"/inner": told + `<button>Inmost</button><a href=/x>Away</a>`}
	for name, html := range themes {
		pages["/"+name] = "<!doctype html><html lang=en>" + listen + told + strings.ReplaceAll(html, "<h2>Inner</h2>", strings.ReplaceAll(told, `"`, "&quot;")+"<iframe title=Far src={{other}}/inner></iframe>")
	}
	s := newStage(t, session.Config{Privileged: true}, pages)
	for name := range themes {
		t.Run(name, func(t *testing.T) {
			n, err := s.OpenPage(t.Context(), session.OpenArgs{URL: s.site.URL + "/" + name, Wait: "complete"})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _, _ = s.ClosePage(context.WithoutCancel(t.Context()), n.Tab) }()
			clicked := s.clickAll(t, n.Tab)
			if want := map[string]int{"frames": 3, "shadow": 1, "article": 1}[name]; clicked < want {
				t.Errorf("%d elements, want %d", clicked, want)
			}
		})
	}
	t.Run("again", func(t *testing.T) {
		other := connect(t, session.Config{Privileged: true, Host: "127.0.0.1", Port: firefox.Port})
		for name := range themes {
			args := session.FetchArgs{URL: s.site.URL + "/" + name, Script: true}
			one, err := s.Fetch(t.Context(), args)
			if err != nil {
				t.Fatal(err)
			}
			two, err := other.Fetch(t.Context(), args)
			if err != nil {
				t.Fatal(err)
			}
			if one.Text() != two.Text() {
				t.Errorf("%s differs for another server:\n%s\n%s", name, one.Text(), two.Text())
			}
		}
	})
}

// clickAll clicks all elements of the model of the second tab's page and looks that
// the page says the same of each. It tells how many there are.
func (s *stage) clickAll(t *testing.T, tab session.TabID) int {
	t.Helper()
	som, err := s.SOM(t.Context(), session.SOMArgs{Tab: tab})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range som.Regions {
		for _, e := range r.Elements {
			if e.ID == "" || len(e.Actions) == 0 {
				continue
			}
			if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Tab: tab, Element: session.Ref(e.ID)}}); err != nil {
				t.Errorf("%s %q: %v", e.ID, e.Text+e.Label, err)
				continue
			}
			n++
			said, err := s.oracle.Page(t.Context(), 1, fmt.Sprintf(`w.said.length >= %d && w.said.join("|")`, n))
			for end := time.Now().Add(10 * time.Second); err == nil && string(said) == "false" && time.Now().Before(end); {
				said, err = s.oracle.Page(t.Context(), 1, fmt.Sprintf(`w.said.length >= %d && w.said.join("|")`, n))
			}
			var list string
			if err != nil || json.Unmarshal(said, &list) != nil {
				t.Fatalf("%s: the page says %s, %v", e.ID, said, err)
			}
			want := e.Text + e.Label
			if want == "closed" { // its page sees of a closed tree what it is in
				want = ""
			}
			if all := strings.Split(list, "|"); len(all) != n || all[n-1] != want {
				t.Errorf("%s %q: the page says %q", e.ID, e.Text+e.Label, all)
			}
		}
	}
	return n
}

// Ten pages used at the same time do not get into each other.
func TestPagesSideBySide(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/": `<label>Name <input id=n></label><button onclick="o.textContent=location.search+' '+n.value">Set</button><p id=o></p>`,
	})
	t.Cleanup(func() { s.Leave(context.Background()) })
	const lanes = 10
	done := make(chan error)
	for i := range lanes {
		go func() { done <- s.lane(t.Context(), i) }()
	}
	for range lanes {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// lane opens a page, types into it and reads back what came of it.
func (s *stage) lane(ctx context.Context, i int) error {
	n, err := s.OpenPage(ctx, session.OpenArgs{URL: fmt.Sprintf("%s/?%d", s.site.URL, i), Wait: "dom"})
	if err != nil {
		return fmt.Errorf("open %d: %w", i, err)
	}
	for round := range 3 {
		som, err := s.SOM(ctx, session.SOMArgs{Tab: n.Tab})
		if err != nil {
			return fmt.Errorf("read %d: %w", i, err)
		}
		on := func(role string) session.On {
			for _, e := range som.Regions[0].Elements {
				if e.Role == role {
					return session.On{Tab: n.Tab, Element: session.Ref(e.ID), Watch: 50 * time.Millisecond}
				}
			}
			return session.On{Tab: n.Tab}
		}
		value := fmt.Sprintf("lane %d round %d", i, round)
		if _, err := s.Fill(ctx, session.FillArgs{On: on("text_input"), Value: value}); err != nil {
			return fmt.Errorf("fill %d: %w", i, err)
		}
		if _, err := s.Click(ctx, session.ClickArgs{On: on("button")}); err != nil {
			return fmt.Errorf("click %d: %w", i, err)
		}
		text, err := s.Text(ctx, session.TextArgs{Tab: n.Tab, Selector: "#o"})
		if err != nil || text.Text != fmt.Sprintf("?%d %s", i, value) {
			return fmt.Errorf("lane %d reads %+v, %w", i, text, err)
		}
	}
	_, err = s.ClosePage(ctx, n.Tab)
	return err
}
