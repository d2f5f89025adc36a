package session_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"firefox-rdp-mcp/session"
)

// What lists, tables and the like look like in a text, in both realms.
func TestTextOfForms(t *testing.T) {
	forms := []struct{ name, html, want string }{
		{"letters", `<ol type=a start=26><li>x<li>y</ol><ol type=A><li>x</ol>`, "z. x\naa. y\nA. x"},
		{"roman", `<ol type=i start=3><li>x<li>y</ol><ol type=I start=1999><li>x</ol>`, "iii. x\niv. y\nMCMXCIX. x"},
		{"a style", `<ol style="list-style-type:lower-roman"><li>x<li style="list-style-type:upper-alpha">y</ol><ul style="list-style:decimal-leading-zero"><li>x</ul><ol style="list-style-type:lower-greek"><li>x</ol>`, "i. x\nB. y\n01. x\nα. x"},
		{"bullets", `<ol style="list-style-type:square"><li>x</ol><ul style="list-style:none"><li>x</ul>`, "- x\n- x"},
		{"numbers that are not shown", `<ol style="list-style:none"><li>x<li>y</ol>`, "1. x\n2. y"},
		{"words", `<ul style="list-style-type:'→ '"><li>x</ul>`, "→ x"},
		{"what a style cannot write", `<ol type=i start=4000><li>x</ol><ol type=a start=0><li>x<li>y</ol>`, "4000. x\n0. x\na. y"},
		{"downwards", `<ol reversed><li>x<li style="display:none">NEVER<li>y<li>z</ol><ol reversed start=1><li>x<li>y</ol>`, "3. x\n2. y\n1. z\n1. x\n0. y"},
		{"values", `<ol start=-1><li>x<li value=7>y<li>z<li value=0>null</ol>`, "-1. x\n7. y\n8. z\n0. null"},
		{"nested", `<ol><li>x<ol type=a><li>deep<ul><li>deeper</ul><li>other</ol>after<li>y</ol>`, "1. x\n  a. deep\n    - deeper\n  b. other\n\n  after\n\n2. y"},
		{"columns", `<table><tr><th colspan=2>A<th>B<tr><td>1<td>2<td>3<tr><td colspan=3>all<tr><td rowspan=2>high<td>x<td>y<tr><td>z<td>w</table>`, "A |  | B\n--- | --- | ---\n1 | 2 | 3\nall\nhigh | x | y\n | z | w"},
		{"code", "<pre>\na\n  <b>b</b>\n\n\tc\n</pre>", "```\na\n  b\n\n\tc\n```"},
		{"terms", `<dl><dt>x<dt>y<dd>both<dd>again</dl>`, "x\n\ny\n\n  both\n  again"},
		{"ruby", `<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>へ</p>`, "東(とう)京(きょう)へ"},
		{"hidden", `<p>seen<span hidden>NEVER</span><span style="visibility:hidden">NEVER</span> too</p><details><summary>more</summary>NEVER1</details><p style="content-visibility:hidden">NEVER2</p><div style="content-visibility:hidden"><p>NEVER3</div>`, "seen too\n\nmore"},
	}
	pages := map[string]string{"/many": "<ol>" + strings.Repeat("<li>x", 3000) + "</ol>"}
	for _, form := range forms {
		pages["/"+strings.ReplaceAll(form.name, " ", "-")] = form.html
	}
	for name, privileged := range map[string]bool{"isolated": true, "page realm": false} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, session.Config{Privileged: privileged}, pages)
			for _, form := range forms {
				s.open("/" + strings.ReplaceAll(form.name, " ", "-"))
				got, err := s.Text(t.Context(), session.TextArgs{Whole: true})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(form.want, got.Text); diff != "" {
					t.Errorf("%s: -want +got:\n%s", form.name, diff)
				}
			}
			s.open("/many")
			if got, err := s.Text(t.Context(), session.TextArgs{Whole: true}); err != nil || !strings.HasSuffix(got.Text, "\n3000. x") {
				t.Errorf("a long list: %v", err)
			}
		})
	}
}
