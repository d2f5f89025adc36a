package router

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// span is how much of a long string is asked for at once, in UTF-16 units. It
// is near the fastest, and far below the packets that Firefox drops.
const span = 1 << 20

const longString = "longString" // the type of its grip

// grip is a value as Firefox writes it: a plain JSON value, or an object whose
// type says what it stands for.
type grip struct {
	Type    string  `json:"type"` // empty for a plain value
	Actor   ActorID `json:"actor"`
	Length  int     `json:"length"`  // of a long string, in UTF-16 units
	Initial string  `json:"initial"` // the beginning of a long string

	text   string // of a plain string
	isText bool
}

// object returns the handle of an object that lives until it is released.
func (g grip) object() ActorID {
	if g.Type == "object" {
		return g.Actor
	}
	return ""
}

// parseGrip reads a value.
func parseGrip(raw json.RawMessage) (grip, error) {
	var g grip
	var err error
	switch {
	case len(raw) == 0:
		return grip{}, fmt.Errorf("%w: no value", ErrProtocol)
	case raw[0] == '"':
		g.isText = true
		err = json.Unmarshal(raw, &g.text)
	case raw[0] == '{':
		err = json.Unmarshal(raw, &g)
	}
	if err != nil {
		return grip{}, fmt.Errorf("%w: value of %d bytes: %w", ErrProtocol, len(raw), err)
	}
	if g.Type == longString && (g.Actor == "" || g.Length < 0) {
		return grip{}, fmt.Errorf("%w: long string without actor or length", ErrProtocol)
	}
	return g, nil
}

// fetch is a long string on its way. Its actor dies with the console.
type fetch struct {
	grip    grip
	console ActorID
	about   ActorID
}

// whole fetches a long string and releases it. A range may end inside a
// surrogate pair; Firefox then writes each half as an escape. The ranges are
// therefore joined as JSON, where the halves become one character again, and
// only then decoded.
func (c *Conn) whole(ctx context.Context, f fetch) (Value, error) {
	defer c.discard(ctx, f.grip.Actor)
	if f.grip.Length > c.limits.LongString {
		return Value{}, fmt.Errorf("%w: %d of at most %d UTF-16 units", ErrTooLong, f.grip.Length, c.limits.LongString)
	}
	literal := append(make([]byte, 0, f.grip.Length+2), '"')
	for start := 0; start < f.grip.Length; start += span {
		part, err := c.substring(ctx, f, start, min(start+span, f.grip.Length))
		if err != nil {
			return Value{}, err
		}
		literal = append(literal, part...)
	}
	literal = append(literal, '"')
	var text string
	if err := json.Unmarshal(literal, &text); err != nil {
		return Value{}, fmt.Errorf("%w: long string: %w", ErrProtocol, err)
	}
	if n := units(text); n != f.grip.Length {
		return Value{}, fmt.Errorf("%w: long string of %d UTF-16 units instead of %d", ErrProtocol, n, f.grip.Length)
	}
	return Value{Text: text, IsText: true, Raw: literal}, nil
}

// substring asks for the characters [start, end) of a long string, counted in
// UTF-16 units, and returns them as the inside of a JSON string.
func (c *Conn) substring(ctx context.Context, f fetch, start, end int) ([]byte, error) {
	x := exchange{to: f.grip.Actor, owner: f.console, about: f.about, method: "substring", kind: ask}
	p, err := c.exchange(ctx, x, struct {
		Start int `json:"start"`
		End   int `json:"end"`
	}{start, end})
	if err != nil {
		return nil, err
	}
	var literal json.RawMessage
	members(p.Raw, func(name, value []byte) {
		if string(name) == `"substring"` {
			literal = value
		}
	})
	part, err := inside(literal)
	if err != nil {
		return nil, fmt.Errorf("%w: substring: %w", ErrProtocol, err)
	}
	return part, nil
}

// inside strips the quotes of a JSON string.
func inside(literal json.RawMessage) ([]byte, error) {
	body, opened := bytes.CutPrefix(literal, []byte{'"'})
	body, closed := bytes.CutSuffix(body, []byte{'"'})
	if !opened || !closed {
		return nil, errors.New("not a string")
	}
	return body, nil
}

// units counts UTF-16 code units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
