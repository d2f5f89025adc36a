package outline

import "unicode"

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

// maxMarks is how many combining marks may follow one base character; real text needs fewer.
const maxMarks = 6

type runeClass byte

const (
	plainRune runeClass = iota
	spaceRune
	markRune
	joinerRune
	invisibleRune
)

// classify says what is to happen to a character of page text.
func classify(r rune) runeClass {
	switch {
	case r > ' ' && r < 0x7f:
		return plainRune
	case r == ' ', r >= '\t' && r <= '\r', r == 0x85, r == 0x2028, r == 0x2029, unicode.Is(unicode.Zs, r):
		return spaceRune
	case r < ' ', r >= 0x7f && r < 0xa0:
		return invisibleRune
	case r == zwj, r == zwnj:
		return joinerRune
	case unicode.Is(hidden, r):
		return invisibleRune
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r):
		return markRune
	case unicode.Is(unicode.Cf, r):
		if unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
			return plainRune // the Arabic number signs: seen
		}
		return invisibleRune
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return invisibleRune // noncharacters
	}
	return plainRune
}

// hidden are characters that show nothing although their category is not one of the invisible ones, and the tags, with
// which text is smuggled past the eye.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // halfwidth Hangul filler
		{Lo: 0xfff0, Hi: 0xfffc, Stride: 1}, // unassigned, interlinear, object replacement
	},
	R32: []unicode.Range32{
		{Lo: 0xe0000, Hi: 0xe00ff, Stride: 1}, // tags
		{Lo: 0xe01f0, Hi: 0xe0fff, Stride: 1}, // default ignorable, unassigned
	},
}

// shaped are the scripts in which a joiner changes how the letters beside it look.
var shaped = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// isSelector reports whether r is a variation selector. One may follow a character, a row of them can carry a message.
func isSelector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// pictorial reports whether r can stand beside a joiner in an emoji.
func pictorial(r rune) bool {
	return unicode.Is(unicode.So, r) && r != unicode.ReplacementChar || r == 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0x1f000 && r <= 0x1faff ||
		r == 0x2640 || r == 0x2642
}
