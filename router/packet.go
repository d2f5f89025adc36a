package router

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// ActorID names an object inside Firefox, for the life of one connection.
type ActorID string

// Root is the one actor that every connection knows.
const Root ActorID = "root"

// Packet is one message of Firefox's. The named members are those that decide
// where it belongs; Raw is the whole packet.
type Packet struct {
	From     ActorID
	Type     string // of an event; replies have none
	Error    string // of an error packet
	Message  string // of an error packet, untrusted
	ResultID string // of an acknowledgement and of a result
	Raw      json.RawMessage
}

// Decode unmarshals the whole packet.
func (p Packet) Decode(v any) error {
	if err := json.Unmarshal(p.Raw, v); err != nil {
		return fmt.Errorf("%w: packet from %s: %w", ErrProtocol, quote(string(p.From)), err)
	}
	return nil
}

// event reports whether the packet was sent unasked.
func (p Packet) event() bool { return p.Type != "" && p.Error == "" }

// Parse reads one packet: a JSON object whose member "from" is a string. The
// packet keeps raw. Every error wraps ErrProtocol and quotes nothing of the
// packet.
func Parse(raw []byte) (Packet, error) {
	p, sender := Packet{Raw: raw}, false
	object := members(raw, func(name, value []byte) {
		switch string(name) {
		case `"from"`:
			p.From, sender = ActorID(text(value)), value[0] == '"'
		case `"type"`:
			p.Type = text(value)
		case `"error"`:
			p.Error = text(value)
		case `"message"`:
			p.Message = text(value)
		case `"resultID"`:
			p.ResultID = text(value)
		}
	})
	switch {
	case !object:
		return Packet{}, fmt.Errorf("%w: message of %d bytes is no JSON object", ErrProtocol, len(raw))
	case !sender:
		return Packet{}, fmt.Errorf("%w: packet of %d bytes without a sender", ErrProtocol, len(raw))
	}
	return p, nil
}

// text returns a JSON string, or nothing: some actors use the same member names
// for other things.
func text(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if plain := raw[1 : len(raw)-1]; !bytes.ContainsRune(plain, '\\') {
		return string(plain)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// encode makes a frame. args is nil or something that marshals to a JSON
// object; to and type come last so that no member of args can stand for them
// (Firefox takes the last of two equal names).
func encode(to ActorID, method string, args any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // scripts are full of < and &; nothing here is HTML
	if args == nil {
		args = struct{}{}
	}
	if err := enc.Encode(args); err != nil {
		return nil, fmt.Errorf("encode %s: %w", method, err)
	}
	frame := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	body, object := bytes.CutSuffix(frame, []byte("}"))
	if !object {
		return nil, fmt.Errorf("encode %s: arguments are no object", method)
	}
	tail, err := json.Marshal(struct {
		To   ActorID `json:"to"`
		Type string  `json:"type"`
	}{to, method})
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", method, err)
	}
	if len(body) > 1 {
		tail[0] = ','
	} else {
		body = body[:0]
	}
	return append(body, tail...), nil
}

// below reports whether an actor lies under a forwarding prefix.
func below(actor ActorID, prefix string) bool {
	rest, ok := strings.CutPrefix(string(actor), prefix)
	return ok && prefix != "" && (rest == "" || rest[0] == '/' || strings.HasSuffix(prefix, "/"))
}

// quote makes foreign text fit for a line of ours: at most 200 runes, ASCII,
// in quotes.
func quote(s string) string { return strconv.QuoteToASCII(cut(s)) }

// word is quote without the quotes for what needs none, as almost every actor
// and type does.
func word(s string) string {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=' {
			return quote(s)
		}
	}
	return cut(s)
}

// cut shortens a text to 200 runes, the last of them an ellipsis.
func cut(s string) string {
	const most = 200
	n, last := 0, 0
	for i := range s {
		if n++; n == most {
			last = i
		}
		if n > most {
			return s[:last] + "…"
		}
	}
	return s
}
