package rdptest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/coder/websocket"

	"firefox-rdp-mcp/router"
)

// Packet is a packet to be sent.
type Packet map[string]any

// Request is a packet that came in.
type Request struct {
	To   string
	Type string
	Raw  json.RawMessage
}

// Peer is the browser's end of one connection. Its methods may be called from
// any goroutine, one call at a time for those that change what the browser
// shows (Navigate, CloseTab).
type Peer struct {
	firefox *Firefox
	ws      *websocket.Conn
	prefix  string
	state   chan *state // a lock of capacity one
}

// state is what the browser knows on one connection.
type state struct {
	ids     int
	results int
	tabs    []tab
	strings map[string][]uint16 // long strings by actor
	objects map[string]bool     // that were given out
}

// tab is a tab as one connection sees it.
type tab struct {
	Tab
	closed  bool
	watcher string // once asked for
	frames  bool   // frame targets are watched
	events  bool   // document events are watched
	target  string // of the current document, once announced
	console string
	window  int64 // inner window id of the current document
	process int   // the number in its actors' names
}

func newPeer(f *Firefox, ws *websocket.Conn, n int) *Peer {
	p := &Peer{firefox: f, ws: ws, prefix: fmt.Sprintf("server1.conn%d.", n), state: make(chan *state, 1)}
	st := &state{strings: map[string][]uint16{}, objects: map[string]bool{}}
	for i, t := range f.Tabs {
		if t.PID == 0 {
			t.PID = 4000
		}
		st.tabs = append(st.tabs, tab{Tab: t, process: 5 + i, window: int64(5+i)<<31 + 1})
	}
	p.state <- st
	return p
}

// serve answers requests in order until the connection ends.
func (p *Peer) serve(ctx context.Context) {
	for {
		kind, msg, err := p.ws.Read(ctx)
		if err != nil {
			return
		}
		var head struct{ To, Type string }
		if kind != websocket.MessageText || json.Unmarshal(msg, &head) != nil {
			continue // Firefox does not answer this either
		}
		r := Request{To: head.To, Type: head.Type, Raw: msg}
		if !p.firefox.OnRequest(p, r) {
			p.Answer(r)
		}
	}
}

// with gives f the state, alone.
func (p *Peer) with(f func(*state)) {
	st := <-p.state
	defer func() { p.state <- st }()
	f(st)
}

// Prefix begins the names of this connection's actors.
func (p *Peer) Prefix() string { return p.prefix }

// Console is an actor that evaluates scripts from the start: the console of a
// content process.
func (p *Peer) Console() router.ActorID {
	return router.ActorID(p.prefix + "content-process4000/console2")
}

// Send sends a packet.
func (p *Peer) Send(packet any) error {
	msg, err := json.Marshal(packet)
	if err != nil {
		return err
	}
	return p.Write(websocket.MessageText, msg)
}

// Write sends a message as it is.
func (p *Peer) Write(kind websocket.MessageType, msg []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return p.ws.Write(ctx, kind, msg)
}

// Close ends the connection with a close frame. It waits some seconds for a
// peer that does not answer it.
func (p *Peer) Close(code websocket.StatusCode, reason string) { _ = p.ws.Close(code, reason) }

// Vanish ends the connection without a word, as a killed Firefox does.
func (p *Peer) Vanish() { _ = p.ws.CloseNow() }

// Garbage sends a text message that is not JSON.
func (p *Peer) Garbage() error { return p.Write(websocket.MessageText, []byte(`{"from":"root",`)) }

// Binary sends a binary message.
func (p *Peer) Binary() error { return p.Write(websocket.MessageBinary, []byte{1, 2, 3}) }

// Oversize sends a well-formed packet of more than n bytes.
func (p *Peer) Oversize(n int) error {
	return p.Send(Packet{"from": "root", "type": "big", "filler": strings.Repeat("x", n)})
}

// Acknowledge answers an evaluateJSAsync with a result id, which it returns.
func (p *Peer) Acknowledge(r Request) string {
	var id string
	p.with(func(st *state) {
		id = fmt.Sprintf("1796058214960.%d-%d", st.results, st.results)
		st.results++
	})
	_ = p.Send(Packet{"resultID": id, "from": r.To})
	return id
}

// Finish sends the result of an acknowledged evaluation.
func (p *Peer) Finish(r Request, id string, res Result) error {
	var in struct{ Text string }
	_ = json.Unmarshal(r.Raw, &in)
	out := Packet{
		"type": "evaluationResult", "resultID": id, "hasException": res.Exception != "", "input": in.Text,
		"startTime": 1796058214960.449, "timestamp": 1796058214962.124, "from": r.To,
	}
	switch {
	case res.Rejected:
		out["topLevelAwaitRejected"] = true
	case res.Exception != "":
		out["exception"] = Packet{"type": "object", "actor": p.object(r.To), "class": "Error"}
		out["exceptionMessage"] = res.Exception
		out["exceptionStack"] = []Packet{{"filename": "debugger eval code", "sourceId": nil, "lineNumber": 1, "columnNumber": 7, "functionName": nil}}
		out["result"] = Packet{"type": "undefined"}
	default:
		out["result"] = p.value(r.To, res.Value)
	}
	return p.Send(out)
}
