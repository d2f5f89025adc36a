package outline

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRenderProse(t *testing.T) {
	for _, tt := range []struct {
		name   string
		blocks string
		want   string
	}{
		{"headings and paragraphs", `[{"k":"h","l":1,"t":"Title"},{"k":"p","t":"One.\nTwo."},{"k":"h","l":3,"t":"Sub"}]`, "# Title\n\nOne.\nTwo.\n\n### Sub"},
		{
			"lists", `[{"k":"i","d":1,"t":"a"},{"k":"i","d":2,"m":"3.","t":"b"},{"k":"p","d":2,"t":"more of b"},{"k":"i","d":1,"t":"c\nd"}]`,
			"- a\n  3. b\n\n    more of b\n\n- c\n  d",
		},
		{"markers", `[{"k":"i","d":1,"m":"viii.","t":"a\nb"},{"k":"i","d":1,"m":"β.","t":"c\nd"},{"k":"i","d":1,"m":"-1.","t":"e"},{"k":"i","d":1,"m":"\u202e\n","t":"f"}]`, "viii. a\n      b\nβ. c\n   d\n-1. e\n- f"},
		{"definitions", `[{"k":"p","t":"Term"},{"k":"i","d":1,"n":-1,"t":"what it is"}]`, "Term\n\n  what it is"},
		{"quotation", `[{"k":"p","q":1,"t":"said"},{"k":"i","q":2,"d":1,"t":"deep"}]`, "> said\n\n> > - deep"},
		{"table", `[{"k":"r","h":1,"c":["A","B"]},{"k":"r","c":["1","2"]},{"k":"r","c":["","3"]},{"k":"r","c":["",""]}]`, "A | B\n--- | ---\n1 | 2\n | 3"},
		{"code", `[{"k":"c","t":"if x {\n\ty()\n}  \n"},{"k":"c","t":"a` + "```" + `b"}]`, "```\nif x {\n\ty()\n}\n```\n\n````\na```b\n````"},
		{"what must not be seen", `[{"k":"p","t":"a\u001b[2Jb\u202ec\u0007\u2028d"},{"k":"c","t":"x\u0000y\u202ez\u2028w"},{"k":"p","t":"\u200b"}]`, "a[2Jbc d\n\n```\nxyz\nw\n```"},
		{"odd kinds are dropped", `[{"k":"","t":"a"},{"k":"zz","t":"a"},{"k":"?","t":"a"},{"k":"p","t":"b"}]`, "b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := DecodeProse([]byte(`{"blocks":` + tt.blocks + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := RenderProse(p, 0).Text; got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestCutText(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"fits", "One two.", 8, "One two."},
		{"behind a sentence", "One two three. Four five six. Seven eight.", 35, "One two three. Four five six.…"},
		{"behind a word", "Onewordonly and another that is long enough", 20, "Onewordonly and…"},
		{"abbreviations and numbers do not end one", "It costs 3.50 euros each today and more tomorrow", 14, "It costs 3.50…"},
		{"no gap anywhere", strings.Repeat("x", 50), 10, strings.Repeat("x", 9) + "…"},
		{"Chinese, behind a sentence", "我们在这里。他们在那里。你们不知道在哪里", 14, "我们在这里。他们在那里。…"},
		{"Japanese without a sentence", strings.Repeat("日本", 20), 8, "日本日本日本日…"},
		{"Arabic, behind a word", "مرحبا بالعالم الجميل", 15, "مرحبا بالعالم…"},
		{"a family is one character", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 12, "👩‍👩‍👧👩‍👩‍👧…"},
		{"Thai, which has no spaces", strings.Repeat("กำลังอ่านหนังสืออยู่ที่นี่", 3), 12, "กำลังอ่านห…"},
		{"Thai, behind a phrase", "ฉันอ่านหนังสือ แล้วเขานอนหลับ", 20, "ฉันอ่านหนังสือ…"},
		{"marks stay with their letters", strings.Repeat("e\u0301\u0323", 5), 9, "e\u0301\u0323e\u0301\u0323…"},
		{"syllables of Devanagari", strings.Repeat("क्षि", 5), 7, "क्षि…"},
		{"a flag is one character", "🇩🇪🇫🇷🇮🇹🇪🇸", 6, "🇩🇪🇫🇷…"},
		{"a skin tone and a keycap", "👍🏽1️⃣👍🏽1️⃣", 8, "👍🏽1️⃣👍🏽…"},
		{"Hangul jamo", strings.Repeat("\u1112\u1161\u11ab", 4), 8, "\u1112\u1161\u11ab\u1112\u1161\u11ab…"},
		{"Hebrew, behind a sentence", "שלום עולם. מה שלומך היום? טוב מאוד", 32, "שלום עולם. מה שלומך היום?…"},
		{"one", "abc", 1, "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := CutText(tt.text, tt.limit)
			if got != tt.want {
				t.Errorf("CutText(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
			}
			if n := utf8.RuneCountInString(got); n > tt.limit {
				t.Errorf("%d code points, limit %d", n, tt.limit)
			}
		})
	}
}

func FuzzRenderProse(f *testing.F) {
	f.Add([]byte(`{"blocks":[{"k":"h","l":9,"t":"\u0000"},{"k":"r","c":["a","b"],"h":true},{"k":"i","d":-1,"n":5,"t":"x"}],"more":1}`), 5)
	f.Fuzz(func(t *testing.T, raw []byte, limit int) {
		p, err := DecodeProse(raw)
		if err != nil {
			return
		}
		got := RenderProse(p, limit)
		if limit > 0 && got.Chars > limit {
			t.Errorf("%d code points, limit %d", got.Chars, limit)
		}
		if strings.ContainsFunc(got.Text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }) {
			t.Errorf("control characters in %q", got.Text)
		}
	})
}
