package outline

import "unicode/utf8"

// Tokens estimates how many tokens of the o200k vocabulary text has, on the high side.
func Tokens(text string) int { return estimate([]byte(text)) }

// lineTokens estimates a line with its indent, in steps, and its line break.
func lineTokens(line []byte, indent int) int {
	return estimate(line) + 1 + min(indent, 1)
}

func estimate(text []byte) int { return (runeCount(text) + 2) / 3 }

func runeCount(text []byte) int { return utf8.RuneCount(text) }
