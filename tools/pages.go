package tools

import (
	"context"
	"fmt"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/session/outline"
)

// openedResult is open_page in structured content: the page's model with the
// session that it is in.
type openedResult struct {
	SessionID string `json:"session_id"`
	outline.SOM
}

func (h handlers) openPage(ctx context.Context, _ Call, in openPage) (Reply, error) {
	n, err := h.s.OpenPage(ctx, session.OpenArgs{URL: in.URL, Wait: in.Wait})
	if err != nil {
		return Reply{}, err
	}
	reply := h.opened(n)
	if n.Dialog != nil || in.Wait == "none" {
		return reply, nil
	}
	som, err := h.s.SOM(ctx, session.SOMArgs{Tab: n.Tab, Budget: in.Budget})
	if err != nil {
		reply.Text += "\nReading it failed: " + oneLine(session.AsFault(err).Message)
		return reply, nil
	}
	_ = som.Text() // for its sizes
	out := openedResult{SessionID: string(n.Tab), SOM: *som}
	return Reply{Text: outline.JSON(out), Structured: out}, nil
}

// opened is the answer about a page that was opened but has not been read.
func (h handlers) opened(n *session.Navigation) Reply {
	reply := h.arrived("Opened session", n)
	if out, ok := reply.Structured.(navigationResult); ok {
		out.SessionID = out.TabID
		reply.Structured = out
	}
	return reply
}

// closedResult is close_page in structured content.
type closedResult struct {
	SessionID string `json:"session_id"`
	Closed    bool   `json:"closed"`
	Released  bool   `json:"released,omitempty"` // its user was looking at it, and has it now
}

func (h handlers) closePage(ctx context.Context, _ Call, in closePage) (Reply, error) {
	released, err := h.s.ClosePage(ctx, in.tab())
	if err != nil {
		return Reply{}, err
	}
	out := closedResult{SessionID: string(in.tab()), Closed: !released, Released: released}
	text := fmt.Sprintf("Closed %s.", out.SessionID)
	if released {
		text = fmt.Sprintf("Session %s is over, but its tab was left open: its user is looking at it.", out.SessionID)
	}
	return Reply{Text: text, Structured: out}, nil
}

func (h handlers) fetchPage(ctx context.Context, _ Call, in fetchPage) (Reply, error) {
	var som *outline.SOM
	var err error
	if in.Cursor != "" {
		som, err = h.s.ReadOn(ctx, in.Cursor, in.Budget)
	} else {
		som, err = h.s.Fetch(ctx, session.FetchArgs{URL: in.URL, Selector: in.Selector, Budget: in.Budget, Script: in.JavaScript})
	}
	if err != nil {
		return Reply{}, err
	}
	return Reply{Text: som.Text(), Structured: som}, nil
}

// modelled adds the page's semantic object model to an answer.
func (h handlers) modelled(ctx context.Context, reply Reply, p page) (Reply, error) {
	som, err := h.s.SOM(ctx, session.SOMArgs{Tab: p.tab()})
	if err != nil {
		reply.Text += "\nReading the page afterwards failed: " + oneLine(session.AsFault(err).Message)
		return reply, nil
	}
	reply.Text += "\n" + som.Text()
	reply.Structured = struct {
		Result any          `json:"result"`
		SOM    *outline.SOM `json:"som"`
	}{reply.Structured, som}
	return reply, nil
}

// session is the tab that a call named by session_id, "" for none.
func (p page) session() string { return p.SessionID }

// aboutSession says of a tab that there is none in the words of the caller who
// called it a session.
func aboutSession(in any, err error) error {
	named, ok := in.(interface{ session() string })
	if err == nil || !ok || named.session() == "" {
		return err
	}
	f := session.AsFault(err)
	if f.Code != session.TabNotFound {
		return err
	}
	return &session.Fault{Code: session.SessionNotFound, Message: f.Message, Err: err}
}
