package outline

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths at which page text is cut, in code points. A mark stands for what was cut off.
const (
	nameLimit    = 200
	valueLimit   = 200
	optionsLimit = 300
	textLimit    = 300
	excerptLimit = 120 // text in the view controls
	urlLimit     = 500
	maxBytes     = 1024 // read for each code point that may be written
	ellipsis     = "…"
)

// cleaner copies page text without what could hide or break something: white space of every kind becomes one space,
// control, format, bidi and other invisible characters go. Joiners stay where they shape what is seen.
type cleaner struct {
	dst     []byte
	quote   bool // escape as inside a JSON string
	left    int  // code points that may still be written
	keep    int  // length of dst that leaves room for the mark of a cut
	prev    rune // last one written, 0 at the start
	pending bool // a space is due before the next one
	marks   int  // combining marks since the last base
}

// put takes the next character of the text and the one after it. It returns false once the text has been cut.
func (c *cleaner) put(r, next rune) bool {
	switch class := classify(r); {
	case class == spaceRune:
		c.pending = c.prev != 0
		return true
	case class == invisibleRune || class == joinerRune && !c.joins(r, next):
		return true
	case class == markRune:
		if c.marks++; c.marks > maxMarks || c.prev == 0 && isSelector(r) || isSelector(r) && isSelector(c.prev) {
			return true
		}
	default:
		c.marks = 0
	}
	if c.pending && c.left > 0 {
		c.write(' ')
		c.pending = false
	}
	if c.left <= 0 {
		return false
	}
	c.write(r)
	return true
}

func (c *cleaner) write(r rune) {
	if c.left == 1 {
		c.keep = len(c.dst)
	}
	if c.quote && (r == '"' || r == '\\') {
		c.dst = append(c.dst, '\\')
	}
	c.dst = utf8.AppendRune(c.dst, r)
	c.prev = r
	c.left--
}

// joins reports whether the joiner r is part of what is seen: between the parts of an emoji, or beside letters of a
// script that shapes them by it.
func (c *cleaner) joins(r, next rune) bool {
	if class := classify(next); c.pending || c.prev == 0 || class != plainRune && class != markRune {
		return false // what follows is not written, so that nothing is joined
	}
	if unicode.In(c.prev, shaped...) && unicode.In(next, shaped...) {
		return true
	}
	return r == zwj && pictorial(c.prev) && pictorial(next)
}

// appendClean appends s, cleaned and cut to limit code points with the mark of the cut, to dst. The limit is at least 1. With quote it is escaped for a JSON string.
func appendClean(dst []byte, s string, limit int, quote bool) []byte {
	if plain(s, limit) && (!quote || !strings.ContainsAny(s, `"\`)) {
		return append(dst, s...)
	}
	c := cleaner{dst: dst, quote: quote, left: limit}
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		var next rune
		if i < len(s) && (r == zwj || r == zwnj) {
			next, _ = utf8.DecodeRuneInString(s[i:])
		}
		if !c.put(r, next) {
			return appendCut(c.dst[:c.keep])
		}
		if i/maxBytes > limit && c.left > 0 {
			return appendCut(c.dst) // megabytes of nothing to be seen
		}
	}
	return c.dst
}

// appendCut marks that text was cut off here. A joiner has nothing to join any more.
func appendCut(dst []byte) []byte {
	dst = bytes.TrimSuffix(bytes.TrimSuffix(dst, []byte(string(zwj))), []byte(string(zwnj)))
	return append(dst, ellipsis...)
}

// appendQuoted appends s as a JSON string.
func appendQuoted(dst []byte, s string, limit int) []byte {
	dst = append(dst, '"')
	dst = appendClean(dst, s, limit, true)
	return append(dst, '"')
}

// Clean gives s as it may be shown: white space collapsed, invisible characters gone, cut to limit code points with "…".
func Clean(s string, limit int) string {
	if plain(s, limit) {
		return s
	}
	return string(appendClean(make([]byte, 0, min(len(s), 4*limit+4)), s, limit, false))
}

// Quote gives s as a JSON string that is safe in a line: cleaned and cut as by Clean.
func Quote(s string, limit int) string { return string(appendQuoted(nil, s, limit)) }

// blank reports whether nothing of s would be seen.
func blank(s string) bool {
	for i, r := range s {
		if class := classify(r); class == plainRune || class == markRune && !isSelector(r) {
			return false
		}
		if i > 4096 {
			return true // whoever hides a word behind so much nothing has none to say
		}
	}
	return true
}

// plain reports whether Clean would not change s. It may say no wrongly.
func plain(s string, limit int) bool {
	if len(s) > limit || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' || s[i] == ' ' && s[i-1] == ' ' {
			return false
		}
	}
	return true
}

// appendURL appends an address for a line of its own: what is not printable ASCII, and what could end or start
// something, is percent-encoded; user names and passwords are taken out.
func appendURL(dst []byte, u string) []byte {
	const hex = "0123456789ABCDEF"
	u = withoutUser(u)
	for i := 0; i < len(u); i++ {
		if i == urlLimit {
			return append(dst, ellipsis...)
		}
		switch c := u[i]; {
		case c <= ' ' || c > '~' || c == '"' || c == '<' || c == '>' || c == '`' || c == '\\':
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// withoutUser removes the user part of an address with an authority.
func withoutUser(u string) string {
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return u
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
		return scheme + "://" + rest[at+1:]
	}
	return u
}
