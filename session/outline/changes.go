package outline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Changes are the nodes in which two looks at a page differ, each list in document order.
type Changes struct {
	Added   []Node
	Changed []Node // as they are now
	Removed []Node // as they were
	More    int    // changes that the agent left out because of its limit
}

// DecodeChanges reads the changes that an agent's method "settle" gave for a document; frame is the key of the frame
// that it is in, "" for the top document. It is as strict as Decode.
func DecodeChanges(raw []byte, frame string) (Changes, error) {
	var w struct {
		Added   []wireNode `json:"added"`
		Changed []wireNode `json:"changed"`
		Removed []wireNode `json:"removed"`
		More    int        `json:"more"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return Changes{}, fmt.Errorf("decode changes: %w", err)
	}
	c := Changes{nodes(w.Added), nodes(w.Changed), nodes(w.Removed), count(w.More)}
	c.each(func(n *Node) { n.Frame = frame })
	return c, nil
}

// Add appends the changes of another document.
func (c *Changes) Add(other Changes) {
	c.Added = append(c.Added, other.Added...)
	c.Changed = append(c.Changed, other.Changed...)
	c.Removed = append(c.Removed, other.Removed...)
	c.More = count(c.More + other.More)
}

// Assign gives every control its reference. ref may answer "" for a removed one that never had any.
func (c *Changes) Assign(ref func(n *Node) string) {
	c.each(func(n *Node) {
		if n.Kind == Control {
			n.Ref = ref(n)
		}
	})
}

// Empty reports whether nothing has changed.
func (c *Changes) Empty() bool {
	return len(c.Added)+len(c.Changed)+len(c.Removed)+c.More == 0
}

func (c *Changes) each(do func(n *Node)) {
	for _, list := range [][]Node{c.Added, c.Changed, c.Removed} {
		for i := range list {
			do(&list[i])
		}
	}
}

// ChangeOptions bound the rendering of changes. Zero values give the defaults.
type ChangeOptions struct {
	Lines  int           // 40
	Budget int           // tokens of the lines, 800
	Within time.Duration // how long was waited; named when nothing changed
	Nonce  string        // fence of the block; random if empty
}

const (
	defaultChangeLines  = 40
	defaultChangeBudget = 800
	tokensPerLine       = 25 // of a usual line, for what is kept back
)

// ChangeResult is a rendered list of changes.
type ChangeResult struct {
	Text    string // never empty
	Added   []Element
	Changed []Element
	Removed []Element
	Omitted int // changes that Text does not show
	Tokens  int
}

// RenderChanges writes what an action has changed:
//
//	Changes: 2 new, 1 changed, 1 gone
//	--- page content 7f3a9c (untrusted) ---
//	+ dialog "Delete?"
//	+ [e9] button "Cancel"
//	~ [e2] checkbox "Select all" checked
//	- [e3] button "Undo"
//	--- end 7f3a9c ---
//
// or one line that says that nothing has.
func RenderChanges(c Changes, o ChangeOptions) ChangeResult {
	if c.Empty() {
		text := "No visible change.\n"
		if o.Within > 0 {
			text = "No visible change within " + strconv.FormatInt(o.Within.Milliseconds(), 10) + " ms.\n"
		}
		return ChangeResult{Text: text, Tokens: Tokens(text)}
	}
	l := newChangeList(&c, o)
	body, res := l.render()
	res.Omitted += c.More
	if res.Omitted > 0 {
		body = append(strconv.AppendInt(append(body, '('), int64(res.Omitted), 10), " more changes)\n"...)
	}
	head := "Changes: " + c.summary() + "\n"
	res.Text = head + fence(body, o.Nonce)
	res.Tokens = Tokens(res.Text)
	return res
}

// summary counts the changes in words.
func (c *Changes) summary() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{len(c.Added), "new"}, {len(c.Changed), "changed"}, {len(c.Removed), "gone"}, {c.More, "more"}} {
		if p.n > 0 {
			parts = append(parts, strconv.Itoa(p.n)+" "+p.word)
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// changeList prints changes one line each, without indent: what was between them is not there to be indented under.
type changeList struct {
	lists  [3][]Node // added, changed, removed
	lines  int       // left
	tokens int       // left
	dst    []byte
	last   span // the line before, to leave out repetitions
}

var changeSigns = [3]string{"+ ", "~ ", "- "}

func newChangeList(c *Changes, o ChangeOptions) *changeList {
	return &changeList{
		lists:  [3][]Node{c.Added, c.Changed, c.Removed},
		lines:  cmp.Or(max(o.Lines, 0), defaultChangeLines),
		tokens: withoutMargin(cmp.Or(max(o.Budget, 0), defaultChangeBudget)),
	}
}

// render prints what fits. Each list may use what is left but for a few lines of each list after it.
func (l *changeList) render() ([]byte, ChangeResult) {
	var res ChangeResult
	elements := [3]*[]Element{&res.Added, &res.Changed, &res.Removed}
	for k, list := range l.lists {
		kept := 0
		for _, later := range l.lists[k+1:] {
			kept += min(len(later), 5)
		}
		for i := range list {
			switch n := &list[i]; {
			case !l.print(changeSigns[k], n, kept):
				res.Omitted++
			case n.Kind == Control:
				*elements[k] = append(*elements[k], elementOf(n, 0, ""))
			}
		}
	}
	return l.dst, res
}

// print adds the line of one change, unless it says nothing or repeats the line before. It returns false if the line
// does not fit; kept lines are for others.
func (l *changeList) print(sign string, n *Node, kept int) bool {
	from := len(l.dst)
	dst := append(appendChange(append(l.dst, sign...), n), '\n')
	text := dst[from:]
	if len(text) == len(sign)+1 || n.Kind != Control && bytes.Equal(dst[l.last.from:l.last.to], text) {
		return true
	}
	tokens := countTokens(text)
	if l.lines <= kept || tokens > l.tokens-kept*tokensPerLine && from > 0 {
		return false
	}
	l.lines--
	l.tokens -= tokens
	l.last = span{from, len(dst), tokens}
	l.dst = dst
	return true
}

// appendChange appends the line of one changed node, nothing if it is a mere wrapper.
func appendChange(dst []byte, n *Node) []byte {
	switch {
	case blank(n.Name) && (n.Kind == Text || n.Kind == Structure && n.Role == "heading"):
		return dst
	case n.Kind == Text:
		return appendClean(append(dst, "> "...), n.Name, excerptLimit, false)
	case n.Kind == FrameNode:
		frame := *n
		frame.merged = true // what is in it is not part of this, which is no news
		return appendFrame(dst, &frame)
	case n.Kind == Unreachable:
		return appendUnreachable(dst, n)
	case n.Kind == Structure && n.Role == "heading":
		dst = append(append(dst, "######"[:levelOf(n.Attr("level"))]...), ' ')
		return appendClean(dst, n.Name, nameLimit, false)
	case n.Kind == Structure && (isPlain(n.Role) && n.Role != "row" || blank(n.Name) && blank(n.Value) && !stands(n.Role)):
		return dst
	}
	return appendNode(dst, n, 0)
}
