package outline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds on what an agent may claim. They are far above what an honest one sends.
const (
	maxNodes  = 200_000
	maxStates = 12
	maxAttrs  = 12
	maxHints  = 10
	maxWord   = 40 // bytes of a role, state or key
	maxCount  = 10_000_000
)

// wireNode is a node as the agent writes it.
type wireNode struct {
	I int64             `json:"i"`
	D int               `json:"d"`
	K string            `json:"k"`
	R string            `json:"r"`
	N string            `json:"n"`
	S []string          `json:"s"`
	V string            `json:"v"`
	A map[string]scalar `json:"a"`
	T string            `json:"t"`
	Y string            `json:"y"`
	Q string            `json:"q"`
	H string            `json:"h"`
	B int64             `json:"b"`
	W *struct {
		Up   int    `json:"up"`
		Text string `json:"text"`
	} `json:"w"`
}

type wireSnapshot struct {
	URL      string     `json:"url"`
	Title    string     `json:"title"`
	Lang     string     `json:"lang"`
	Ready    string     `json:"ready"`
	Type     string     `json:"type"`
	Nodes    []wireNode `json:"nodes"`
	Controls int        `json:"controls"`
	More     int        `json:"more"`
	Hints    []string   `json:"hints"`
	Focus    int64      `json:"focus"`
}

// scalar is a JSON string, number or boolean, or a list of strings, as text. Anything else is "".
type scalar string

// UnmarshalJSON never fails: an attribute of an odd shape is an attribute without a value.
func (s *scalar) UnmarshalJSON(raw []byte) error {
	*s = ""
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) == 0 || raw[0] == '{' || bytes.Equal(raw, []byte("null")):
	case raw[0] == '"':
		var text string
		if json.Unmarshal(raw, &text) == nil {
			*s = scalar(text)
		}
	case raw[0] == '[':
		var list []string
		if json.Unmarshal(raw, &list) == nil {
			*s = scalar(strings.Join(list, "|"))
		}
	default: // number, true, false
		*s = scalar(raw)
	}
	return nil
}

// truth is true for JSON true and every number but 0.
type truth bool

// UnmarshalJSON never fails.
func (f *truth) UnmarshalJSON(raw []byte) error {
	text := string(bytes.TrimSpace(raw))
	n, err := strconv.ParseFloat(text, 64)
	*f = truth(text == "true" || err == nil && n != 0)
	return nil
}

// Decode reads the value that an agent's method "snapshot" gave. It returns an error if raw is not of that shape; what
// is merely odd in it (a role that is no word, an unknown kind) is dropped.
func Decode(raw []byte) (Snapshot, error) {
	var w wireSnapshot
	if err := json.Unmarshal(raw, &w); err != nil {
		return Snapshot{}, fmt.Errorf("decode snapshot: %w", err)
	}
	s := Snapshot{
		URL: w.URL, Title: w.Title, Lang: label(w.Lang), Ready: word(w.Ready), ContentType: contentType(w.Type), Focus: w.Focus,
		Nodes: nodes(w.Nodes), More: count(w.More),
	}
	listed := 0
	for i := range s.Nodes {
		n := &s.Nodes[i]
		n.Focused = n.Focused || s.Focus != 0 && n.ID == s.Focus
		if n.Kind == Control {
			listed++
		}
	}
	s.Controls = max(count(w.Controls), listed+s.More)
	for _, h := range w.Hints[:min(len(w.Hints), maxHints)] {
		if h = hint(h); h != "" {
			s.Hints = append(s.Hints, h)
		}
	}
	return s, nil
}

// nodes converts a list, leaving out what is of no known kind.
func nodes(list []wireNode) []Node {
	list = list[:min(len(list), maxNodes)]
	out := make([]Node, 0, len(list))
	for i := range list {
		if n, ok := list[i].node(); ok {
			out = append(out, n)
		}
	}
	return out
}

func isKind(c byte) bool {
	switch Kind(c) {
	case Control, Structure, Text, FrameNode, Unreachable:
		return true
	}
	return false
}

func (w *wireNode) node() (Node, bool) {
	if len(w.K) != 1 || !isKind(w.K[0]) {
		return Node{}, false
	}
	n := Node{
		ID: max(w.I, 0), Depth: max(w.D, 0), Kind: Kind(w.K[0]), Role: role(w.R), Name: w.N, Value: w.V,
		States: states(w.S), Attrs: attrs(w.A), Tag: label(w.T), Type: word(w.Y), Selector: w.Q, Path: w.H,
		Context: max(w.B, 0),
	}
	if w.W != nil {
		n.Row = Place{max(w.W.Up, 0), w.W.Text}
	}
	n.Focused = n.HasState("focused")
	return n, true
}

// role keeps one to three plain words.
func role(r string) string {
	if len(r) > maxWord || strings.Count(r, " ") > 2 {
		return "generic"
	}
	for w := range strings.SplitSeq(r, " ") {
		if word(w) == "" {
			return "generic"
		}
	}
	return r
}

// word gives w if it is a plain word (small letters, digits and inner hyphens, a letter first), else "".
func word(w string) string {
	if w = label(w); w != strings.ToLower(w) {
		return ""
	}
	return w
}

// label is word with capitals.
func label(w string) string {
	if w == "" || len(w) > maxWord || !isLetter(w[0]) || w[len(w)-1] == '-' {
		return ""
	}
	for i := 0; i < len(w); i++ {
		if c := w[i]; !isLetter(c) && !isDigit(c) && c != '-' {
			return ""
		}
	}
	return w
}

// states keeps those that are a word or word=word-or-number, each key once.
func states(list []string) []string {
	var out []string
	seen := func(key string) bool {
		return slices.ContainsFunc(out, func(s string) bool { k, _, _ := strings.Cut(s, "="); return k == key })
	}
	for _, s := range list {
		key, value, given := strings.Cut(s, "=")
		if len(out) == maxStates {
			break
		}
		if word(key) == "" || given && word(value) == "" && !digits(value) || seen(key) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// attrOrder is the order in which known keys are printed; others follow by name, description comes last.
var attrOrder = map[string]int{"heading": 1, "level": 2, "href": 3, "options": 4, "accept": 5, "origin": 6, "description": 99}

// ours are keys that only this package prints.
var ours = map[string]bool{"value": true, "like": true, "unreachable": true, "controls": true, "ref": true, "column": true}

// attrs keeps those whose key is a plain word and whose value is not empty, in the order to print.
func attrs(m map[string]scalar) []Attr {
	if len(m) == 0 {
		return nil
	}
	out := make([]Attr, 0, len(m))
	for k, v := range m {
		if !blank(string(v)) && word(k) != "" && !ours[k] {
			out = append(out, Attr{k, string(v), digits(string(v))})
		}
	}
	rank := func(a Attr) int { return cmp.Or(attrOrder[a.Key], 50) }
	slices.SortFunc(out, func(a, b Attr) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a.Key, b.Key)) })
	return out[:min(len(out), maxAttrs)]
}

// hint keeps the letters, digits and plain punctuation of a hint, which is the agent's own wording.
func hint(h string) string {
	h = strings.Map(func(r rune) rune {
		if r < 0x80 && (isLetter(byte(r)) || isDigit(byte(r)) || strings.ContainsRune(" ,.:;()'/-_", r)) {
			return r
		}
		return -1
	}, h[:min(len(h), 200)])
	return strings.TrimSpace(h)
}

func count(n int) int { return min(max(n, 0), maxCount) }

// digits reports whether s is a small natural number.
func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != "" && len(s) <= 9
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
