package firefoxtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"strings"

	"github.com/coder/websocket"

	"firefox-rdp-mcp/supervisor/quickack"
)

// Client is a bare RDP client. It belongs to one goroutine.
type Client struct {
	ws       *websocket.Conn
	consoles map[int]string    // consoles of content processes by pid
	Skipped  []json.RawMessage // packets that nobody waited for, the last hundred
}

type packet struct {
	From     string          `json:"from"`
	Type     string          `json:"type"`
	Error    string          `json:"error"`
	Message  string          `json:"message"`
	ResultID string          `json:"resultID"`
	raw      json.RawMessage // the whole packet
}

// Dial connects to a debugger server on 127.0.0.1 and reads its greeting. quick
// says whether to acknowledge every read at once; without it each evaluation
// takes some 40 ms longer.
func Dial(ctx context.Context, port int, quick bool) (*Client, error) {
	transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		var d net.Dialer
		c, err := d.DialContext(ctx, network, addr)
		if err != nil || !quick {
			return c, err
		}
		return quickack.Wrap(c), nil
	}}
	ws, resp, err := websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/", port), &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		return nil, err
	}
	if resp.Body != nil {
		resp.Body.Close()
	}
	ws.SetReadLimit(1 << 28)
	c := &Client{ws: ws, consoles: map[int]string{}}
	if _, err := c.until(ctx, func(p packet) bool { return p.From == "root" }); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close drops the connection without ceremony.
func (c *Client) Close() { _ = c.ws.CloseNow() }

// until reads packets up to the first that fits.
func (c *Client) until(ctx context.Context, fits func(packet) bool) (packet, error) {
	for {
		_, msg, err := c.ws.Read(ctx)
		if err != nil {
			return packet{}, err
		}
		var p packet
		if err := json.Unmarshal(msg, &p); err != nil {
			return packet{}, err
		}
		p.raw = msg
		if fits(p) {
			return p, nil
		}
		if c.Skipped = append(c.Skipped, p.raw); len(c.Skipped) > 100 {
			c.Skipped = c.Skipped[1:]
		}
	}
}

// Ask sends one request and returns its reply as sent. args may be nil; its
// members are added to the packet.
func (c *Client) Ask(ctx context.Context, to, method string, args map[string]any) (json.RawMessage, error) {
	p := map[string]any{"to": to, "type": method}
	maps.Copy(p, args)
	msg, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	if err := c.ws.Write(ctx, websocket.MessageText, msg); err != nil {
		return nil, err
	}
	reply, err := c.until(ctx, func(p packet) bool { return p.From == to && (p.Type == "" || p.Error != "") })
	if err != nil {
		return nil, err
	}
	if reply.Error != "" {
		return nil, fmt.Errorf("%s: %s: %s", method, reply.Error, reply.Message)
	}
	return reply.raw, nil
}

// Evaluate runs text on a console and returns the result as sent (a plain
// value or a grip; long strings are fetched whole). opts are further members
// of evaluateJSAsync.
func (c *Client) Evaluate(ctx context.Context, console, text string, opts map[string]any) (json.RawMessage, error) {
	args := map[string]any{"text": text}
	maps.Copy(args, opts)
	ack, err := c.Ask(ctx, console, "evaluateJSAsync", args)
	if err != nil {
		return nil, err
	}
	var id struct{ ResultID string }
	if err := json.Unmarshal(ack, &id); err != nil {
		return nil, err
	}
	p, err := c.until(ctx, func(p packet) bool { return p.Type == "evaluationResult" && p.ResultID == id.ResultID })
	if err != nil {
		return nil, err
	}
	var res struct {
		HasException          bool            `json:"hasException"`
		TopLevelAwaitRejected bool            `json:"topLevelAwaitRejected"`
		ExceptionMessage      json.RawMessage `json:"exceptionMessage"`
		Result                json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(p.raw, &res); err != nil {
		return nil, err
	}
	if res.HasException {
		return nil, fmt.Errorf("evaluation threw %s", res.ExceptionMessage)
	}
	if res.TopLevelAwaitRejected {
		return nil, errors.New("evaluation rejected")
	}
	return c.long(ctx, res.Result)
}

// long fetches a long string whole; anything else it returns as it is.
func (c *Client) long(ctx context.Context, v json.RawMessage) (json.RawMessage, error) {
	var grip struct {
		Type   string `json:"type"`
		Actor  string `json:"actor"`
		Length int    `json:"length"`
	}
	if json.Unmarshal(v, &grip) != nil || grip.Type != "longString" {
		return v, nil
	}
	raw, err := c.Ask(ctx, grip.Actor, "substring", map[string]any{"start": 0, "end": grip.Length})
	if err != nil {
		return nil, err
	}
	var sub struct{ Substring json.RawMessage }
	if err := json.Unmarshal(raw, &sub); err != nil {
		return nil, err
	}
	return sub.Substring, nil
}

// Object runs text on a console and returns the actor of the object (or
// function) that it gives, to be bound as _self by selectedObjectActor.
func (c *Client) Object(ctx context.Context, console, text string) (string, error) {
	raw, err := c.Evaluate(ctx, console, text, nil)
	if err != nil {
		return "", err
	}
	var grip struct{ Actor string }
	if err := json.Unmarshal(raw, &grip); err != nil || grip.Actor == "" {
		return "", fmt.Errorf("no object: %s", raw)
	}
	return grip.Actor, nil
}

// object runs a function body that returns something JSON can hold.
func (c *Client) object(ctx context.Context, console, body string) (json.RawMessage, error) {
	raw, err := c.Evaluate(ctx, console, `JSON.stringify((() => {`+body+`})()) ?? "null"`, nil)
	if err != nil {
		return nil, err
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("result %s: %w", raw, err)
	}
	return json.RawMessage(s), nil
}

// Process returns the console of a process; pid 0 is the parent process.
func (c *Client) Process(ctx context.Context, pid int) (string, error) {
	if console, ok := c.consoles[pid]; ok {
		return console, nil
	}
	raw, err := c.Ask(ctx, "root", "getProcess", map[string]any{"id": pid})
	if err != nil {
		return "", err
	}
	var d struct{ ProcessDescriptor struct{ Actor string } }
	if err := json.Unmarshal(raw, &d); err != nil {
		return "", err
	}
	raw, err = c.Ask(ctx, d.ProcessDescriptor.Actor, "getTarget", nil)
	if err != nil {
		return "", err
	}
	var t struct{ Process struct{ ConsoleActor string } }
	if err := json.Unmarshal(raw, &t); err != nil {
		return "", err
	}
	if t.Process.ConsoleActor == "" {
		return "", fmt.Errorf("no console in %s", raw)
	}
	c.consoles[pid] = t.Process.ConsoleActor
	return t.Process.ConsoleActor, nil
}

// Parent runs a function body in Firefox's parent process and returns what it
// returns as JSON.
func (c *Client) Parent(ctx context.Context, body string) (json.RawMessage, error) {
	console, err := c.Process(ctx, 0)
	if err != nil {
		return nil, err
	}
	return c.object(ctx, console, body)
}

// Frame is one document of a tab.
type Frame struct {
	ID  int    `json:"id"`  // browsing context
	Up  int    `json:"up"`  // parent's browsing context, 0 for the top
	Pid int    `json:"pid"` // of its process
	Win int64  `json:"win"` // inner window id
	URL string `json:"url"` // document URI
}

// Frames lists the documents of the tab at an index of the tab strip, the top
// one first.
func (c *Client) Frames(ctx context.Context, tab int) ([]Frame, error) {
	raw, err := c.Parent(ctx, fmt.Sprintf(`const w = Services.wm.getMostRecentWindow("navigator:browser"), t = w.gBrowser.tabs[%d]; if (!t) return [];
		const f = (x, up) => { const g = x.currentWindowGlobal; return [{id: x.id, up, pid: g?.osPid ?? 0, win: g?.innerWindowId ?? 0, url: g?.documentURI?.spec ?? ""}, ...x.children.flatMap(c => f(c, x.id))] };
		return f(t.linkedBrowser.browsingContext, 0)`, tab))
	if err != nil {
		return nil, err
	}
	var frames []Frame
	return frames, json.Unmarshal(raw, &frames)
}

// InFrame evaluates an expression about a document, from the privileged side
// of its process. In it win, doc, $ and $$ cannot be deceived by the page; w
// holds the page's own globals.
func (c *Client) InFrame(ctx context.Context, f Frame, expression string) (json.RawMessage, error) {
	console, err := c.Process(ctx, f.Pid)
	if err != nil {
		return nil, err
	}
	return c.object(ctx, console, fmt.Sprintf(`const win = Cu.getGlobalForObject(Services).BrowsingContext.get(%d).window, doc = win.document, w = win.wrappedJSObject,
		$ = s => doc.querySelector(s), $$ = s => [...doc.querySelectorAll(s)]; return (%s)`, f.ID, expression))
}

// Page evaluates an expression about the top document of a tab, as InFrame does.
func (c *Client) Page(ctx context.Context, tab int, expression string) (json.RawMessage, error) {
	frames, err := c.Frames(ctx, tab)
	if err != nil {
		return nil, err
	}
	if len(frames) == 0 {
		return nil, fmt.Errorf("no tab %d", tab)
	}
	return c.InFrame(ctx, frames[0], expression)
}

// Go loads an address in a tab and waits until its document is complete.
func (c *Client) Go(ctx context.Context, tab int, url string) error {
	_, err := c.Parent(ctx, fmt.Sprintf(`const w = Services.wm.getMostRecentWindow("navigator:browser");
		w.gBrowser.tabs[%d].linkedBrowser.loadURI(Services.io.newURI(%q), {triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal()})`, tab, url))
	if err != nil {
		return err
	}
	base, _, _ := strings.Cut(url, "#")
	for {
		frames, err := c.Frames(ctx, tab)
		if err != nil {
			return err
		}
		if len(frames) > 0 && frames[0].Pid != 0 && strings.HasPrefix(frames[0].URL, base) {
			state, err := c.InFrame(ctx, frames[0], `doc.readyState`)
			if err == nil && string(state) == `"complete"` {
				return nil
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// OpenTab opens an address in a new background tab, at the end of the strip.
func (c *Client) OpenTab(ctx context.Context, url string) error {
	_, err := c.Parent(ctx, fmt.Sprintf(`const w = Services.wm.getMostRecentWindow("navigator:browser"); w.gBrowser.addTrustedTab(%q, {inBackground: true})`, url))
	return err
}

// CloseTab closes the tab at an index of the tab strip.
func (c *Client) CloseTab(ctx context.Context, tab int) error {
	_, err := c.Parent(ctx, fmt.Sprintf(`const g = Services.wm.getMostRecentWindow("navigator:browser").gBrowser; g.removeTab(g.tabs[%d], {animate: false, skipPermitUnload: true})`, tab))
	return err
}
