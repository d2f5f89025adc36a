package session

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// RequestArgs name a request.
type RequestArgs struct {
	Tab  TabID
	ID   string
	Body bool // with the body of the response
}

// Header is a header as it may be told: what could be a credential is hidden.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Exchange is one request with what Firefox still knows of it. The body of the
// request is never asked for.
type Exchange struct {
	NetworkRequest

	Request  []Header
	Response []Header
	Body     string // clean, lines kept; "" if there is none, or not to be shown
	BodyNote string // why there is none, or what has been left out
	Gone     bool   // Firefox has let go of the details, as it does when the page is left
	Tab      TabID
}

// Bounds of what is told of one request.
const (
	maxHeaders      = 60
	headerLimit     = 500    // code points of a value
	bodyLimit       = 20_000 // code points of a body
	requestPatience = 5 * time.Second
)

// findRequest asks for one request of a tab.
type findRequest struct {
	id    TabID
	name  string
	reply reply[NetworkRequest]
}

func (m findRequest) fail(err error) { m.reply.fail(err) }

func (m findRequest) apply(st *state) {
	for _, t := range st.tabs {
		for _, r := range t.dev.requests {
			switch {
			case r.ID != m.name:
			case t.ID != m.id:
				m.reply.fail(Faultf(InvalidArgument, "id: request %s belongs to tab %s, this call is for tab %s; pass tab_id", r.ID, t.ID, m.id))
				return
			default:
				m.reply.send(r, nil)
				return
			}
		}
	}
	m.reply.fail(Faultf(InvalidArgument, "id: there is no request %q; list_network_requests gives those that are kept", outline.Clean(m.name, 40)))
}

// Request tells of one request: headers, and the body of the response if asked.
func (s *Session) Request(ctx context.Context, a RequestArgs) (*Exchange, error) {
	t, _, err := s.beginWatched(ctx, a.Tab, networkEvents)
	if err != nil {
		return nil, err
	}
	defer t.end()
	r, err := ask(ctx, s, func(r reply[NetworkRequest]) message { return findRequest{t.ID, a.ID, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	out := &Exchange{NetworkRequest: r, Tab: t.ID}
	wait, cancel := context.WithTimeout(ctx, requestPatience)
	defer cancel()
	for _, step := range []func(context.Context, *Exchange) error{t.headers, t.body} {
		err := step(wait, out)
		if _, refused := errors.AsType[*router.ActorError](err); refused {
			out.Gone = true
			return out, nil
		}
		if err != nil {
			return nil, fromConnection(err)
		}
		if !a.Body {
			break
		}
	}
	return out, nil
}

func (t *turn) headers(ctx context.Context, out *Exchange) error {
	for _, side := range []struct {
		method string
		into   *[]Header
	}{{"getRequestHeaders", &out.Request}, {"getResponseHeaders", &out.Response}} {
		p, err := t.conn.DoInPage(ctx, out.actor, side.method, nil)
		if err != nil {
			return err
		}
		var w struct {
			Headers []struct {
				Name  string          `json:"name"`
				Value json.RawMessage `json:"value"`
			} `json:"headers"`
		}
		if err := p.Decode(&w); err != nil {
			return err
		}
		for _, h := range w.Headers[:min(len(w.Headers), maxHeaders)] {
			*side.into = append(*side.into, Header{outline.Clean(h.Name, 80), outline.Clean(shownHeader(h.Name, pieceOf(h.Value).text), headerLimit)})
		}
	}
	return nil
}

// body reads the body of the response, as far as it is text.
func (t *turn) body(ctx context.Context, out *Exchange) error {
	p, err := t.conn.DoInPage(ctx, out.actor, "getResponseContent", nil)
	if err != nil {
		return err
	}
	var w struct {
		Content struct {
			Text     json.RawMessage `json:"text"`
			Encoding string          `json:"encoding"`
		} `json:"content"`
		Discarded bool `json:"contentDiscarded"`
	}
	if err := p.Decode(&w); err != nil {
		return err
	}
	switch {
	case w.Discarded:
		out.BodyNote = "Firefox has not kept the body"
		return nil
	case w.Content.Encoding == "base64":
		out.BodyNote = "the body is not text"
		return nil
	case !out.Done:
		out.BodyNote = "the response is still coming"
	}
	return t.bodyText(ctx, out, w.Content.Text)
}

// bodyText takes the text, or fetches as much of a long one as is shown.
func (t *turn) bodyText(ctx context.Context, out *Exchange, raw json.RawMessage) error {
	var g struct {
		Type    string         `json:"type"`
		Actor   router.ActorID `json:"actor"`
		Length  int            `json:"length"`
		Initial string         `json:"initial"`
	}
	text, cut := "", false
	switch {
	case len(raw) > 0 && raw[0] == '"':
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil //nolint:nilerr // a string that is none: no body
		}
	case json.Unmarshal(raw, &g) == nil && g.Type == "longString":
		p, err := t.conn.DoInPage(ctx, g.Actor, "substring", map[string]any{"start": 0, "end": min(g.Length, 2*bodyLimit)})
		if err != nil {
			return err
		}
		_ = t.conn.Release(context.WithoutCancel(ctx), g.Actor)
		text, _ = substring(p, nil)
		cut = g.Length > 2*bodyLimit
	}
	out.Body = outline.CleanText(shownBody(text), bodyLimit)
	if cut || strings.HasSuffix(out.Body, "…") && !strings.HasSuffix(text, "…") {
		out.BodyNote = "only the beginning of the body"
	}
	if out.Body == "" && out.BodyNote == "" {
		out.BodyNote = "no body"
	}
	return nil
}
