package session_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/session"
)

const article = `<!doctype html><html lang=en><title>Of lamps</title>
<header><a href=/>Home</a> <nav><a href=/a>News</a> <a href=/b>Sport</a></nav></header>
<main><article>
<h1>Of lamps</h1>
<p>Lamps give <b>light</b>, <a href="/light">mostly</a>.
They are
old.</p>
<div class="share-buttons"><a href=/s>Share</a> <a href=/t>Tweet</a></div>
<p style="display:none">NEVER</p>
<ul><li>Oil<ul><li>whale<li>olive</ul><li>Gas</ul>
<ol start=3><li>third<li><p>fourth</p><p>more of it</p></ol>
<blockquote><p>Let there be light.</p></blockquote>
<pre>if dark {
	lamp.On()
}</pre>
<table><caption>Prices</caption><tr><th>Kind<th>Price<tr><td>Oil<td>3<tr><td>Gas<td>5</table>
<dl><dt>Wick<dd>what burns</dl>
<p>Line one<br>line two <ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby></p>
<button>Buy now</button><input value="typed"><textarea>also typed</textarea>
</article><aside>Related: candles</aside></main>
<footer>Imprint</footer>`

const articleText = `# Of lamps

Lamps give light, mostly. They are old.

- Oil
  - whale
  - olive
- Gas
3. third
4. fourth

  more of it

> Let there be light.

` + "```" + `
if dark {
	lamp.On()
}
` + "```" + `

Prices

Kind | Price
--- | ---
Oil | 3
Gas | 5

Wick

  what burns

Line one
line two 漢字(かんじ)`

func TestText(t *testing.T) {
	long := strings.Repeat("This sentence is long enough to count, and it goes on. ", 12)
	for _, privileged := range []bool{true, false} {
		s := newStage(t, session.Config{Privileged: privileged}, map[string]string{
			"/":       article,
			"/plain":  `<div class=menu><a href=/1>One</a> <a href=/2>Two</a></div><div id=c><p>` + long + `</p><p>` + long + `</p></div><div class=sidebar><p><a href=/3>Other things that are here</a></p></div>`,
			"/shadow": `<main><h2>Outside</h2><x-a><p>slotted</p></x-a><script>document.querySelector("x-a").attachShadow({mode:"open"}).innerHTML="<p>before</p><slot></slot><p>after</p>"</script></main>`,
			"/frame":  `<p>Around</p><iframe src=/inner></iframe><p>Behind</p>`,
			"/inner":  `<p>In the frame</p>`,
			"/rtl":    `<!doctype html><html lang=ar dir=rtl><title>x</title><p>مرحبا ` + "‮" + `بالعالم</p>`,
			"/cells":  `<table><caption><a href=/l>Lamps</a></caption><tr><th>Kind<th>Price<tr><td><a href=/oil>Oil</a> lamp<ul><li>bright</ul><td>3</table>`,
			"/empty":  `<!doctype html><title>Nothing</title>`,
		})
		for _, tt := range []struct {
			name, path string
			args       session.TextArgs
			want, part string
		}{
			{"an article, its main part", "/", session.TextArgs{}, articleText, "article"},
			{"the densest part", "/plain", session.TextArgs{}, strings.TrimSpace(long) + "\n\n" + strings.TrimSpace(long), "densest"},
			{"all that a selector matches", "/", session.TextArgs{Selector: "h1, dt"}, "# Of lamps\n\nWick", "selector"},
			{"links", "/", session.TextArgs{Selector: "article > p:first-of-type", Links: true}, "Lamps give light, [mostly](" + "{{site}}/light). They are old.", "selector"},
			{"links in a table", "/cells", session.TextArgs{Links: true, Whole: true}, "[Lamps]({{site}}/l)\n\nKind | Price\n--- | ---\n[Oil]({{site}}/oil) lamp bright | 3", "whole"},
			{"nothing matches", "/", session.TextArgs{Selector: "#none"}, "", "selector"},
			{"cut at a sentence", "/plain", session.TextArgs{MaxChars: 120}, "This sentence is long enough to count, and it goes on. This sentence is long enough to count, and it goes on.…", "densest"},
			{"in shadow trees", "/shadow", session.TextArgs{}, "## Outside\n\nbefore\n\nslotted\n\nafter", "main"},
			{"right to left", "/rtl", session.TextArgs{}, "مرحبا بالعالم", "whole"},
			{"an empty page", "/empty", session.TextArgs{}, "", "whole"},
		} {
			s.open(tt.path)
			got, err := s.Text(t.Context(), tt.args)
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
				continue
			}
			if diff := cmp.Diff(strings.ReplaceAll(tt.want, "{{site}}", s.site.URL), got.Text); diff != "" || got.Part != tt.part {
				t.Errorf("%s, privileged %v: part %s, -want +got:\n%s", tt.name, privileged, got.Part, diff)
			}
			if tt.want == "" && len(got.Warnings) == 0 {
				t.Errorf("%s: an empty answer without a warning", tt.name)
			}
		}
		s.open("/")
		whole, err := s.Text(t.Context(), session.TextArgs{Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"News", "Related: candles", "Imprint", "Buy now"} {
			if !strings.Contains(whole.Text, want) {
				t.Errorf("the whole page lacks %q", want)
			}
		}
		if strings.Contains(whole.Text, "NEVER") || strings.Contains(whole.Text, "typed") {
			t.Errorf("the text has what nobody reads: %s", whole.Text)
		}
		if _, err := s.Text(t.Context(), session.TextArgs{Selector: "p["}); session.AsFault(err).Code != session.InvalidSelector {
			t.Errorf("a broken selector: %v", err)
		}
	}
}

func TestTextOfFrames(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":      `<p>Around</p><iframe src="{{other}}/inner"></iframe><p>Behind</p>`,
		"/inner": `<p>In the frame</p>`,
	})
	s.open("/")
	got, err := s.Text(t.Context(), session.TextArgs{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Around\n\nIn the frame\n\nBehind"; got.Text != want {
		t.Errorf("got %q, want %q", got.Text, want)
	}
}
