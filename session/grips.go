package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"firefox-rdp-mcp/router"
)

// piece is one value as the console shows it, in words.
type piece struct {
	text   string
	actor  router.ActorID // of a long string, of which text is the beginning
	length int            // of that, in UTF-16 units
}

// Bounds of what is told of values.
const (
	maxPieces   = 20   // arguments, items, members
	maxFew      = 6    // of a value in another
	pieceLimit  = 2000 // bytes of one text; what is cut here is cut again for show
	deepestGrip = 2
)

// pieceOf reads a value as Firefox writes it: a plain JSON value or a grip.
func pieceOf(raw json.RawMessage) piece { return grippedAt(raw, 0) }

// gripForm is what is read of a grip.
type gripForm struct {
	Type    string          `json:"type"`
	Actor   router.ActorID  `json:"actor"`
	Class   string          `json:"class"`
	Initial string          `json:"initial"`
	Length  int             `json:"length"`
	Text    string          `json:"text"` // of a BigInt
	Name    json.RawMessage `json:"name"` // of a symbol or function
	Preview struct {
		Kind       string                     `json:"kind"`
		Name       json.RawMessage            `json:"name"`
		Message    json.RawMessage            `json:"message"`
		Length     int                        `json:"length"`
		Items      []json.RawMessage          `json:"items"`
		Own        map[string]json.RawMessage `json:"ownProperties"`
		NodeName   string                     `json:"nodeName"`
		Attributes map[string]json.RawMessage `json:"attributes"`
		URL        json.RawMessage            `json:"url"`
		Wrapped    json.RawMessage            `json:"wrappedValue"`
	} `json:"preview"`
}

func grippedAt(raw json.RawMessage, depth int) piece {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return piece{text: "null"}
	case raw[0] == '"':
		var text string
		_ = json.Unmarshal(raw, &text) // Firefox's packet has been parsed once
		if depth > 0 {
			return piece{text: strconv.Quote(clip(text, pieceLimit/8))}
		}
		return piece{text: clip(text, 4*pieceLimit)}
	case raw[0] != '{':
		return piece{text: clip(string(raw), 40)}
	}
	var g gripForm
	if json.Unmarshal(raw, &g) != nil {
		return piece{text: "[value]"}
	}
	if g.Type == "longString" {
		if depth > 0 {
			return piece{text: strconv.Quote(clip(g.Initial, pieceLimit/8))}
		}
		return piece{text: clip(g.Initial, 4*pieceLimit) + "…", actor: g.Actor, length: g.Length}
	}
	return piece{text: clip(g.words(depth), pieceLimit)}
}

// words tells of a value that is no plain one.
func (g *gripForm) words(depth int) string {
	p := &g.Preview
	switch {
	case g.Type == "BigInt":
		return g.Text + "n"
	case g.Type == "symbol":
		return "Symbol(" + plainOf(g.Name) + ")"
	case g.Type != "object":
		return g.Type // undefined, NaN, Infinity, -0, null
	case p.Kind == "Error":
		return strings.TrimSuffix(cmp.Or(plainOf(p.Name), g.Class)+": "+plainOf(p.Message), ": ")
	case g.Class == "Function":
		return "function " + plainOf(g.Name)
	case p.NodeName != "":
		return g.node()
	case len(p.URL) > 0:
		return g.Class + " " + withoutCredentials(plainOf(p.URL))
	case depth >= deepestGrip:
		return g.Class
	case p.Kind == "ArrayLike":
		return g.list(depth)
	case p.Own != nil:
		return g.members(depth)
	}
	return g.Class
}

func plainOf(raw json.RawMessage) string {
	if len(raw) == 0 || raw[0] != '"' && raw[0] != '{' {
		return ""
	}
	return grippedAt(raw, 0).text
}

func (g *gripForm) node() string {
	var b strings.Builder
	b.WriteString("<" + clip(g.Preview.NodeName, 60))
	for _, key := range []string{"id", "class"} {
		if v := plainOf(g.Preview.Attributes[key]); v != "" {
			b.WriteString(" " + key + "=" + strconv.Quote(clip(v, 60)))
		}
	}
	return b.String() + ">"
}

func few(depth int) int {
	if depth > 0 {
		return maxFew
	}
	return maxPieces
}

func (g *gripForm) list(depth int) string {
	if len(g.Preview.Items) == 0 && g.Preview.Length > 0 { // of a value in another Firefox tells no more
		return fmt.Sprintf("%s(%d)", g.Class, g.Preview.Length)
	}
	var texts []string
	for _, item := range g.Preview.Items[:min(len(g.Preview.Items), few(depth))] {
		texts = append(texts, grippedAt(item, depth+1).text)
	}
	if g.Preview.Length > len(texts) {
		texts = append(texts, "…")
	}
	if g.Class != "Array" {
		return g.Class + " [" + strings.Join(texts, ", ") + "]"
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (g *gripForm) members(depth int) string {
	keys := make([]string, 0, len(g.Preview.Own))
	for key := range g.Preview.Own {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var texts []string
	for _, key := range keys[:min(len(keys), few(depth))] {
		var own struct {
			Value json.RawMessage `json:"value"`
		}
		text := "…" // a getter
		if json.Unmarshal(g.Preview.Own[key], &own) == nil && len(own.Value) > 0 {
			text = grippedAt(own.Value, depth+1).text
		}
		texts = append(texts, clip(key, 60)+": "+text)
	}
	if len(keys) > len(texts) {
		texts = append(texts, "…")
	}
	name := ""
	if g.Class != "Object" {
		name = g.Class + " "
	}
	return name + "{" + strings.Join(texts, ", ") + "}"
}

// clip cuts a text to about so many bytes, between characters.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
