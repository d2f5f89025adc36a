package outline

import "strings"

// CleanText gives a text of many lines as it may be shown: white space stays, invisible characters go, and what is beyond
// limit code points is cut off with "…".
func CleanText(text string, limit int) string {
	return CutText(cleanCode(text), limit)
}

// Quotation puts "> " before each line of a text, so that none of them can be taken for a line of ours.
func Quotation(text string) string {
	if text == "" {
		return ""
	}
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}
