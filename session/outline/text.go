package outline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// ProseText is a text for reading.
type ProseText struct {
	Text  string // clean, without fence; ends without a line break
	Chars int    // code points
	Total int    // code points of the whole text
	Cut   bool   // it is not the whole
}

// RenderProse writes the blocks as plain text with the marks that people use in it: "# " before headings, "- " and "1. "
// before items, "> " before quotations, cells separated by " | ", code between lines of three backticks. maxChars bounds
// the code points; 0 means no bound. A text that is too long ends with a whole sentence or at least a whole word.
func RenderProse(p Prose, maxChars int) ProseText {
	w := proseWriter{}
	for i := range p.Blocks {
		w.block(&p.Blocks[i])
	}
	text := strings.Trim(w.b.String(), "\n")
	out := ProseText{Text: text, Total: utf8.RuneCountInString(text), Cut: p.More}
	if maxChars > 0 && out.Total > maxChars {
		out.Text, out.Cut = CutText(text, maxChars), true
	}
	out.Chars = utf8.RuneCountInString(out.Text)
	return out
}

// Fence puts a text between two lines that the page cannot have foreseen.
func Fence(text string) string {
	if text != "" {
		text += "\n"
	}
	return fence([]byte(text), "")
}

// ShownURL gives an address as it stands in a line of ours.
func ShownURL(u string) string { return string(appendURL(nil, u)) }

// proseWriter writes blocks one below the other.
type proseWriter struct {
	b    strings.Builder
	last Block
	any  bool
}

func (w *proseWriter) block(b *Block) {
	switch b.Kind {
	case Heading:
		w.lines(b, strings.Repeat("#", b.Level)+" ", Clean(b.Text, 10_000))
	case Paragraph:
		w.lines(b, "", cleanLines(b.Text))
	case Item:
		mark := "- "
		if b.Bare {
			mark = "  "
		} else if b.Marker != "" {
			mark = b.Marker + " "
		}
		w.lines(b, mark, cleanLines(b.Text))
	case Row:
		w.row(b)
	case Code:
		w.code(b)
	case Raw:
		w.b.WriteString(cleanCode(b.Text))
	}
}

// lines writes the lines of a block behind its margin, the first one behind its mark.
func (w *proseWriter) lines(b *Block, mark, text string) {
	if text == "" {
		return
	}
	w.gap(b)
	margin := w.margin(b)
	for line := range strings.SplitSeq(text, "\n") {
		w.b.WriteString(margin + mark + line + "\n")
		if b.Kind == Item {
			mark = strings.Repeat(" ", utf8.RuneCountInString(mark))
		} else {
			mark = ""
		}
	}
}

// gap leaves an empty line between blocks, but not between the items of a list or the rows of a table.
func (w *proseWriter) gap(b *Block) {
	together := w.any && w.last.Kind == b.Kind && (b.Kind == Item || b.Kind == Row && !b.Head)
	if w.any && !together {
		w.b.WriteByte('\n')
	}
	w.last, w.any = *b, true
}

// margin is what stands before every line of a block.
func (w *proseWriter) margin(b *Block) string {
	depth := b.Depth
	if b.Kind == Item {
		depth--
	}
	return strings.Repeat("> ", b.Quote) + strings.Repeat("  ", max(depth, 0))
}

func (w *proseWriter) row(b *Block) {
	cells := make([]string, len(b.Cells))
	empty := true
	for i, c := range b.Cells {
		cells[i] = Clean(c, 2000)
		empty = empty && cells[i] == ""
	}
	if empty {
		return
	}
	w.gap(b)
	margin := w.margin(b)
	w.b.WriteString(margin + strings.Join(cells, " | ") + "\n")
	if b.Head {
		w.b.WriteString(margin + strings.Repeat("--- | ", len(cells)-1) + "---\n")
	}
}

func (w *proseWriter) code(b *Block) {
	text := cleanCode(b.Text)
	if text == "" {
		return
	}
	w.gap(b)
	margin, marks := w.margin(b), "```"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	w.b.WriteString(margin + marks + "\n")
	for line := range strings.SplitSeq(text, "\n") {
		w.b.WriteString(margin + line + "\n")
	}
	w.b.WriteString(margin + marks + "\n")
}

// cleanLines cleans each line of a text; empty ones go.
func cleanLines(text string) string {
	if !strings.Contains(text, "\n") {
		return Clean(text, len(text)+1)
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = Clean(line, len(line)+1); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// CleanCode gives a text of several lines without what is invisible in it.
func CleanCode(text string) string { return cleanCode(text) }

// cleanCode takes what is invisible out of code and leaves white space as it is.
func cleanCode(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.TrimRight(strings.Map(func(r rune) rune {
		switch class := classify(r); {
		case r == '\n', r == '\t', class == plainRune, class == markRune, class == joinerRune:
			return r
		case r == '\r', r == 0x85, r == 0x2028, r == 0x2029:
			return '\n'
		case class == spaceRune:
			return ' '
		}
		return -1
	}, text), " \t\n")
}

// CutText shortens a text to at most limit code points, the last of which is "…": behind a sentence if one ends in the
// last third of what fits, else behind a word, else between two characters as a reader sees them.
func CutText(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	room, end := limit-1, 0 // code points, bytes
	sentence, gap, whole := 0, 0, 0
	state := -1
	for rest := text; room > 0; {
		var cluster string
		var bounds int
		cluster, rest, bounds, state = uniseg.StepString(rest, state)
		if room -= utf8.RuneCountInString(cluster); room < 0 {
			break
		}
		end += len(cluster)
		if !conjoined(cluster, rest) {
			whole = end
		}
		if bounds&uniseg.MaskSentence != 0 {
			sentence = end
		}
		if bounds&uniseg.MaskLine != uniseg.LineDontBreak || strings.HasPrefix(rest, " ") {
			gap = end
		}
	}
	at := whole
	switch {
	case 3*sentence > 2*end:
		at = sentence
	case 2*gap > end:
		at = gap
	}
	return strings.TrimRightFunc(text[:at], unicode.IsSpace) + string(ellipsis)
}

// conjoined reports whether the consonant at the end of before is written as one with that at the beginning of after
// (rule GB9c of Unicode 15.1): a sign between them kills its vowel.
func conjoined(before, after string) bool {
	const killers = "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d"
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, string(zwj)))
	next, _ := utf8.DecodeRuneInString(after)
	return strings.ContainsRune(killers, last) && unicode.IsLetter(next)
}
