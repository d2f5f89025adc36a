package session_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"firefox-rdp-mcp/session"
)

// said gives what a page itself marks as its text, seen from Firefox's own side.
const said = `(() => {
	const out = [];
	const walk = (root) => {
		for (const e of root.querySelectorAll("*")) {
			if (e.hasAttribute("data-said") && !e.parentElement?.closest("[data-said]")) out.push(e.innerText);
			if (e.localName.includes("-") && e.openOrClosedShadowRoot) walk(e.openOrClosedShadowRoot);
		}
	};
	walk(doc);
	return out.join("\n");
})()`

// TestReading reads pages of many kinds: all that a page marks as its text is to
// be told, and next to nothing else. The marks (data-said) are no sign to the agent.
func TestReading(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "reading", "*.html"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	pages := map[string]string{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		pages["/"+filepath.Base(f)] = string(raw)
	}
	s := newStage(t, session.Config{Privileged: true}, pages)
	var precision, recall float64
	for _, f := range files {
		s.open("/" + filepath.Base(f))
		got, err := s.Text(t.Context(), session.TextArgs{})
		if err != nil {
			t.Fatal(err)
		}
		var truth string
		if err := json.Unmarshal([]byte(s.page(said)), &truth); err != nil {
			t.Fatal(err)
		}
		told, marked := wordsOf(got.Text), wordsOf(truth)
		p, r := shared(told, marked)/size(told), shared(told, marked)/size(marked)
		precision, recall = precision+p/float64(len(files)), recall+r/float64(len(files))
		if p < 0.85 || r < 0.93 {
			t.Errorf("%s: precision %.2f, recall %.2f of words\nlost: %v\ntoo many: %v", filepath.Base(f), p, r, minus(marked, told), minus(told, marked))
		}
		golden(t, strings.TrimSuffix(f, ".html")+".txt", "part: "+got.Part+"\n\n"+got.Text+"\n")
	}
	t.Logf("precision %.3f, recall %.3f of words", precision, recall)
	if precision < 0.97 || recall < 0.98 {
		t.Errorf("precision %.3f, recall %.3f of words, both have been higher", precision, recall)
	}
}

var word = regexp.MustCompile(`[\p{L}\p{N}]+`)

// wordsOf counts words; of Chinese, characters.
func wordsOf(text string) map[string]int {
	out := map[string]int{}
	for _, w := range word.FindAllString(strings.ToLower(text), -1) {
		if !strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			out[w]++
			continue
		}
		for _, r := range w {
			out[string(r)]++
		}
	}
	return out
}

func size(words map[string]int) float64 {
	n := 0
	for _, k := range words {
		n += k
	}
	return max(float64(n), 1)
}

func shared(a, b map[string]int) float64 {
	n := 0
	for w, k := range a {
		n += min(k, b[w])
	}
	return float64(n)
}

func minus(a, b map[string]int) []string {
	var out []string
	for w, k := range a {
		if k > b[w] {
			out = append(out, w)
		}
	}
	return out
}
