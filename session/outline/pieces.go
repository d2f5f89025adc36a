package outline

import (
	"unicode"
	"unicode/utf8"
)

// piece gives the size in bytes of the first piece of text, which is not empty. It follows the regular expression of the
// o200k vocabulary alternative by alternative; the comments name them.
func piece(text []byte) int {
	r, size := utf8.DecodeRune(text)
	kind := kindOf(r)
	if kind != newline && !isWordKind(kind, r) && kind != digit {
		if n := wordPiece(text[size:]); n > 0 { // [^\r\n\p{L}\p{N}]? and a word
			return size + n
		}
	}
	switch kind {
	case upper, lower, either:
		return wordPiece(text)
	case digit: // \p{N}{1,3}
		return run(text, 3, digit)
	case gap, newline:
		return blankPiece(text)
	}
	return otherPiece(text)
}

// isWordKind reports whether r is a letter. Marks are part of words but may also stand before one.
func isWordKind(kind runeKind, r rune) bool {
	return kind == upper || kind == lower || kind == either && !unicode.IsMark(r)
}

// wordPiece gives the size of a word at the beginning of text: capitals, then small letters, then an English ending. It
// is 0 if there is none.
func wordPiece(text []byte) int {
	size, lastEither := 0, 0
	for size < len(text) {
		r, n := utf8.DecodeRune(text[size:])
		k := kindOf(r)
		if k != upper && k != either {
			break
		}
		size += n
		if k == either {
			lastEither = size
		}
	}
	small := run(text[size:], len(text), lower|either)
	if small == 0 && lastEither > 0 {
		size = lastEither // letters without case end a word like small ones
	}
	if size += small; size > 0 {
		size += ending(text[size:])
	}
	return size
}

// ending gives the size of 's, 't, 're, 've, 'm, 'll or 'd at the beginning of text, whatever the case.
func ending(text []byte) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(text) > 2 {
		switch string([]byte{text[1] | 0x20, text[2] | 0x20}) {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// blankPiece gives the size of a piece of white space: up to the last line break in it; else all of it but the blank
// that goes with what follows.
func blankPiece(text []byte) int {
	size, last, breaks := 0, 0, 0
	for size < len(text) {
		r, n := utf8.DecodeRune(text[size:])
		k := kindOf(r)
		if k != gap && k != newline {
			break
		}
		if last = size; k == newline {
			breaks = size + n
		}
		size += n
	}
	switch {
	case breaks > 0: // \s*[\r\n]+
		return breaks
	case size == len(text) || last == 0: // \s+(?!\S) at the end, or \s+
		if size < len(text) && text[0] == ' ' {
			if n := otherPiece(text); n > 1 { //  ?[^\s\p{L}\p{N}]+
				return n
			}
		}
		return size
	}
	return last
}

// otherPiece gives the size of a blank and punctuation, with the line breaks and slashes right after it. It is the blank
// alone if no punctuation follows.
func otherPiece(text []byte) int {
	size := 0
	if text[0] == ' ' {
		size = 1
	}
	n := 0
	for size+n < len(text) {
		r, w := utf8.DecodeRune(text[size+n:])
		if k := kindOf(r); k != other && (k != either || !unicode.IsMark(r)) {
			break
		}
		n += w
	}
	if n == 0 {
		return size
	}
	size += n
	for size < len(text) && (text[size] == '\n' || text[size] == '\r' || text[size] == '/') {
		size++
	}
	return size
}

// run gives the size of the longest run of at most limit characters of the wanted kinds.
func run(text []byte, limit int, wanted runeKind) int {
	size := 0
	for ; size < len(text) && limit > 0; limit-- {
		r, n := utf8.DecodeRune(text[size:])
		if kindOf(r)&wanted == 0 {
			break
		}
		size += n
	}
	return size
}
