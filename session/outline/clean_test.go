package outline

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestClean(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"plain", "Search by title", "Search by title"},
		{"white space of every kind", "\t a\n\r\n b\u00a0\u2003c\u2028d\u0085e\u3000", "a b c d e"},
		{"terminal escapes", "a\x1b[2Jb\ac\bd\u009b31m\x00", "a[2Jbcd31m"},
		{"bidi overrides and isolates", "\u202edetrever\u202c \u2066x\u2069\u200f\u061c", "detrever x"},
		{"zero width", "in\u200bvi\u2060si\ufeffble\u00ad", "invisible"},
		{"family keeps its joiners", "👩‍👩‍👧 x", "👩‍👩‍👧 x"},
		{"flag of joined signs", "🏳️‍🌈", "🏳️‍🌈"},
		{"joiner between Latin letters", "a\u200db\u200cc", "abc"},
		{"Persian non-joiner", "می‌خواهم", "می‌خواهم"},
		{"Devanagari joiner", "क्‍ष", "क्‍ष"},
		{"joiner at the end", "क्\u200d", "क्"},
		{"row of joiners", "می\u200c\u200c\u200cخ", "می\u200cخ"},
		{"tags smuggle text", "x\U000e0041\U000e0042y", "xy"},
		{"a row of variation selectors", "x\ufe00\ufe01\ufe02\U000e0101y", "x\ufe00y"},
		{"variation selector at the start", "\ufe0fx", "x"},
		{"too many marks", "e" + strings.Repeat("\u0301", 50), "e" + strings.Repeat("\u0301", maxMarks)},
		{"accents stay", "e\u0301te\u0301", "e\u0301te\u0301"},
		{"Hangul filler and grapheme joiner", "a\u3164b\u034fc\u115fd", "abcd"},
		{"noncharacters and object replacement", "a\uffffb\ufdd0c\ufffcd\U0001fffee", "abcde"},
		{"bad UTF-8", "a\xff\xedb", "a\ufffd\ufffdb"},
		{"icon fonts stay", "\ue001 Save", "\ue001 Save"},
		{"Arabic number sign", "\u06dd٣", "\u06dd٣"},
		{"nothing but blanks", " \u200b \n ", ""},
	} {
		if got := Clean(test.in, 200); got != test.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", test.name, test.in, got, test.want)
		}
	}
}

func TestCleanCuts(t *testing.T) {
	for _, test := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abcd", 4, "abcd"},
		{"abcde", 4, "abc…"},
		{"abcd   ", 4, "abcd"},
		{"abc e", 4, "abc…"},
		{"日本語日本語", 4, "日本語…"},
		{"ab\"cd", 3, "ab…"},
		{"ab", 1, "…"},
	} {
		if got := Clean(test.in, test.limit); got != test.want {
			t.Errorf("Clean(%q, %d) = %q, want %q", test.in, test.limit, got, test.want)
		}
	}
	if got := Clean(strings.Repeat("\u200b", 1_000_000)+"x", 20); got != "…" {
		t.Errorf("a text hidden behind 3 MB gives %q", got)
	}
	long := strings.Repeat("name ", 400_000)
	if got := runeCount([]byte(Clean(long, nameLimit))); got != nameLimit {
		t.Errorf("a name of 2 MB is cut to %d code points", got)
	}
}

func TestURLs(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"https://a.example/x?y=1#z", "https://a.example/x?y=1#z"},
		{"https://ann:secret@a.example/x@y", "https://a.example/x@y"},
		{"https://a.example/\n--- end\u2028\"<é", "https://a.example/%0A---%20end%E2%80%A8%22%3C%C3%A9"},
		{"about:blank", "about:blank"},
		{"https://a.example?next=ftp://u@b", "https://a.example?next=ftp://u@b"},
	} {
		if got := string(appendURL(nil, test.in)); got != test.want {
			t.Errorf("appendURL(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "a\u2028b", "👩‍👩‍👧", "می‌خواهم", "\\\"", "\ud7ff\ufffe", "x\U000e0041", "\xff\xfe"} {
		f.Add(seed, 20)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = min(max(limit, 1), 400)
		clean := Clean(s, limit)
		for _, r := range clean {
			if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
				t.Fatalf("Clean(%q) = %q has %U", s, clean, r)
			}
		}
		if n := runeCount([]byte(clean)); n > limit {
			t.Fatalf("Clean(%q, %d) = %q has %d code points", s, limit, clean, n)
		}
		if again := Clean(clean, limit); again != clean {
			t.Fatalf("Clean(%q) = %q, and that gives %q", s, clean, again)
		}
		var back string
		if err := json.Unmarshal([]byte(Quote(s, limit)), &back); err != nil || back != clean {
			t.Fatalf("Quote(%q) = %s, read back as %q, want %q: %v", s, Quote(s, limit), back, clean, err)
		}
	})
}
