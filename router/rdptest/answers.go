package rdptest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
)

// Answer answers a request as Firefox would. Hooks call it for requests that
// they only watched.
func (p *Peer) Answer(r Request) {
	if answer, known := p.roles()[role(r)]; known && (p.alive(r.To) || role(r) == "release") {
		answer(r)
		return
	}
	if p.alive(r.To) {
		_ = p.Send(Packet{
			"error": "unrecognizedPacketType", "from": r.To,
			"message": fmt.Sprintf("Actor %s does not recognize the packet type '%s'", r.To, r.Type),
		})
		return
	}
	_ = p.Send(Packet{"from": r.To, "error": "noSuchActor", "message": "No such actor for ID: " + r.To})
}

// roles are the methods of every kind of actor.
func (p *Peer) roles() map[string]func(Request) {
	empty := func(r Request) { _ = p.Send(Packet{"from": r.To}) }
	silent := func(Request) {}
	return map[string]func(Request){
		"root.listTabs":               p.listTabs,
		"root.getProcess":             p.getProcess,
		"tabDescriptor.getWatcher":    p.getWatcher,
		"tabDescriptor.getTarget":     p.getTarget,
		"processDescriptor.getTarget": p.getTarget,
		"watcher.watchTargets":        p.watchTargets,
		"watcher.watchResources":      p.watchResources,
		"watcher.unwatchTargets":      silent,
		"watcher.unwatchResources":    silent,
		"watcher.clearResources":      silent,
		"windowGlobalTarget.focus":    empty,
		"windowGlobalTarget.navigateTo": func(r Request) {
			var in struct{ URL string }
			_ = json.Unmarshal(r.Raw, &in)
			empty(r)
			p.Navigate(p.tabOf(r.To), in.URL)
		},
		"consoleActor.evaluateJSAsync": p.evaluate,
		"console.evaluateJSAsync":      p.evaluate,
		"longstractor.substring":       p.substring,
		"release":                      p.release,
	}
}

// role names the kind of an actor and a method: server1.conn0.watcher2.process5//consoleActor3
// and evaluateJSAsync give consoleActor.evaluateJSAsync.
func role(r Request) string {
	if r.Type == "release" {
		return r.Type
	}
	name := r.To[strings.LastIndexAny(r.To, "./")+1:]
	return strings.TrimRight(name, "0123456789") + "." + r.Type
}

// alive reports whether there is such an actor.
func (p *Peer) alive(actor string) (alive bool) {
	p.with(func(st *state) {
		kind := strings.TrimRight(actor[strings.LastIndexAny(actor, "./")+1:], "0123456789")
		switch {
		case actor == "":
		case actor == "root":
			alive = true
		case strings.HasPrefix(actor, p.prefix+"processDescriptor"), strings.HasPrefix(actor, p.prefix+"content-process"):
			alive = true
		case kind == "longstractor":
			alive = st.strings[actor] != nil
		case kind == "obj":
			alive = st.objects[actor]
		default:
			for i, t := range st.tabs {
				alive = alive || !t.closed && (actor == p.descriptor(i) || actor == t.watcher || actor == t.target || actor == t.console)
			}
		}
	})
	return alive
}

func (p *Peer) evaluate(r Request) {
	var in struct {
		Text   string
		Self   string `json:"selectedObjectActor"`
		Mapped struct{ Await bool }
	}
	_ = json.Unmarshal(r.Raw, &in)
	id := p.Acknowledge(r)
	res := p.firefox.Evaluate(Evaluation{Console: r.To, Text: in.Text, Self: in.Self, Await: in.Mapped.Await})
	if !res.Never {
		_ = p.Finish(r, id, res)
	}
}

// value makes a long string of a string that is long enough for one.
func (p *Peer) value(console string, v any) any {
	s, ok := v.(string)
	units := utf16.Encode([]rune(s))
	if !ok || len(units) < 10_000 {
		return v
	}
	var actor string
	p.with(func(st *state) {
		st.ids++
		actor = fmt.Sprintf("%slongstractor%d", console[:strings.LastIndexAny(console, "./")+1], st.ids)
		st.strings[actor] = units
	})
	return Packet{"type": "longString", "actor": actor, "length": len(units), "initial": literal(units[:1000])}
}

// Object returns a grip for a new object, for use as Result.Value.
func (p *Peer) Object(console string) Packet {
	return Packet{"type": "object", "actor": p.object(console), "class": "Function"}
}

func (p *Peer) object(console string) (actor string) {
	p.with(func(st *state) {
		st.ids++
		actor = fmt.Sprintf("%sobj%d", console[:strings.LastIndexAny(console, "./")+1], st.ids)
		st.objects[actor] = true
	})
	return actor
}

func (p *Peer) substring(r Request) {
	var in struct{ Start, End int }
	_ = json.Unmarshal(r.Raw, &in)
	var part json.RawMessage
	p.with(func(st *state) {
		units := st.strings[r.To]
		end := min(max(in.End, 0), len(units))
		part = literal(units[min(max(in.Start, 0), end):end])
	})
	_ = p.Send(Packet{"substring": part, "from": r.To})
}

func (p *Peer) release(r Request) {
	known := false
	p.with(func(st *state) {
		known = st.strings[r.To] != nil || st.objects[r.To]
		delete(st.strings, r.To)
		delete(st.objects, r.To)
	})
	if !known {
		_ = p.Send(Packet{"from": r.To, "error": "noSuchActor", "message": "No such actor for ID: " + r.To})
		return
	}
	_ = p.Send(Packet{"from": r.To})
}

// Held counts the long strings and objects that were given out and not released.
func (p *Peer) Held() (n int) {
	p.with(func(st *state) { n = len(st.strings) + len(st.objects) })
	return n
}

// literal writes a JSON string as Firefox does: lone surrogates as escapes.
func literal(units []uint16) json.RawMessage {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			if whole := utf16.DecodeRune(r, rune(units[i+1])); whole != '\uFFFD' {
				b.WriteRune(whole)
				i++
				continue
			}
		}
		switch {
		case utf16.IsSurrogate(r), r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == '"', r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return json.RawMessage(b.String())
}
