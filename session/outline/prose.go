package outline

import (
	"encoding/json"
	"fmt"
)

// Block is one block of what a person reads on a page. Texts are the page's words as the agent sent them.
type Block struct {
	Kind    BlockKind
	Text    string   // lines of a paragraph or of code are separated by \n
	Cells   []string // of a row
	Head    bool     // of a row: all its cells are headings
	Level   int      // of a heading, 1 to 6
	Depth   int      // in lists
	Quote   int      // in quotations
	Marker  string   // of an item: "3." or "iv.", "" for a bullet
	Bare    bool     // of an item: not even a bullet
	Context int64    // browsing context of a frame
}

// BlockKind says what a block is.
type BlockKind byte

// The kinds, as the agent abbreviates them.
const (
	Heading   BlockKind = 'h'
	Paragraph BlockKind = 'p'
	Item      BlockKind = 'i'
	Code      BlockKind = 'c'
	Row       BlockKind = 'r'
	FrameGap  BlockKind = 'f' // the place of a frame
	Raw       BlockKind = 's' // a whole source, as it came
)

// Prose is what a person reads on a page, in reading order.
type Prose struct {
	URL, Title, Lang string
	Ready            string
	ContentType      string
	Part             string // which part of the page was taken: main, article, densest, whole or selector
	Matched          int    // elements that the selector matched
	Blocks           []Block
	More             bool // the agent stopped at its limit
}

// Bounds on what an agent may claim.
const (
	maxBlocks = 400_000
	maxCells  = 200
	maxDepth  = 12

	markerLimit = 20 // code points
)

type wireProse struct {
	URL         string      `json:"url"`
	Title       string      `json:"title"`
	Lang        string      `json:"lang"`
	Ready       string      `json:"ready"`
	ContentType string      `json:"contentType"`
	Part        string      `json:"part"`
	Matched     int         `json:"matched"`
	Blocks      []wireBlock `json:"blocks"`
	More        truth       `json:"more"`
}

type wireBlock struct {
	K string   `json:"k"`
	T string   `json:"t"`
	C []string `json:"c"`
	H truth    `json:"h"`
	L int      `json:"l"`
	D int      `json:"d"`
	Q int      `json:"q"`
	M string   `json:"m"`
	N int      `json:"n"`
	B int64    `json:"b"`
}

// DecodeProse reads the value that an agent's method "extract" gave. It returns an error if raw is not of that shape.
func DecodeProse(raw []byte) (Prose, error) {
	var w wireProse
	if err := json.Unmarshal(raw, &w); err != nil {
		return Prose{}, fmt.Errorf("decode prose: %w", err)
	}
	p := Prose{
		URL: w.URL, Title: w.Title, Lang: label(w.Lang), Ready: word(w.Ready), ContentType: contentType(w.ContentType),
		Part: word(w.Part), Matched: count(w.Matched), More: bool(w.More),
	}
	for _, b := range w.Blocks[:min(len(w.Blocks), maxBlocks)] {
		if len(b.K) != 1 {
			continue
		}
		p.Blocks = append(p.Blocks, Block{
			Kind: BlockKind(b.K[0]), Text: b.T, Cells: b.C[:min(len(b.C), maxCells)], Head: bool(b.H), Level: min(max(b.L, 1), 6),
			Depth: min(max(b.D, 0), maxDepth), Quote: min(max(b.Q, 0), maxDepth), Marker: Clean(b.M, markerLimit), Bare: b.N < 0, Context: b.B,
		})
	}
	return p, nil
}

// contentType keeps a media type without parameters, "" for what is none.
func contentType(s string) string {
	if len(s) > 100 {
		return ""
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isLetter(c) && !isDigit(c) && c != '/' && c != '-' && c != '+' && c != '.' {
			return ""
		}
	}
	return s
}

// MergeProse puts the texts of frames in their places. The caller's function is asked once for each browsing context;
// frames that it knows nothing of leave no trace.
func MergeProse(root Prose, frame func(context int64) (Prose, bool)) Prose {
	seen := map[int64]bool{}
	root.Blocks = mergeBlocks(nil, root.Blocks, frame, seen, 0)
	return root
}

func mergeBlocks(dst, blocks []Block, frame func(int64) (Prose, bool), seen map[int64]bool, nesting int) []Block {
	for _, b := range blocks {
		if b.Kind != FrameGap {
			dst = append(dst, b)
			continue
		}
		if nesting == maxNesting || b.Context == 0 || seen[b.Context] {
			continue
		}
		seen[b.Context] = true
		if p, ok := frame(b.Context); ok {
			dst = mergeBlocks(dst, p.Blocks, frame, seen, nesting+1)
		}
	}
	return dst
}
