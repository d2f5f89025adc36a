package session

import (
	"context"

	"firefox-rdp-mcp/router"
)

// Dialog is a question of a page that its user has not answered: alert,
// confirm, prompt or beforeunload. While it is open the page stands still.
type Dialog struct {
	Kind  string `json:"kind"`
	Text  string `json:"text"`  // untrusted
	Value string `json:"value"` // what a prompt offers
}

// openDialog returns the dialog that a tab's page shows, or nil.
func (s *Session) openDialog(ctx context.Context, conn *router.Conn, browserID int64) (*Dialog, error) {
	var found []Dialog
	if err := s.parent(ctx, conn, "dialogs", map[string]any{"browserId": browserID}, &found); err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[len(found)-1], nil
}

// openDialog returns the dialog of the turn's tab, or nil.
func (t *turn) openDialog(ctx context.Context) (*Dialog, error) {
	return t.Session.openDialog(ctx, t.conn, t.browserID)
}

// noticeDialog finds out which dialog a page's answer spoke of. Without
// privileges it cannot be read.
func (t *turn) noticeDialog(ctx context.Context, into **Dialog) error {
	d, err := t.openDialog(ctx)
	if err != nil && AsFault(err).Code != PrivilegedDisabled {
		return err
	}
	*into = d
	return nil
}

// Answered is a dialog that was answered, and where that led.
type Answered struct {
	Action

	Kind     string
	Text     string // untrusted
	Accepted bool
}

// AnswerDialog accepts or dismisses the dialog of a tab's page. It does not
// wait for the tab's turn, which the call that opened the dialog may hold.
func (s *Session) AnswerDialog(ctx context.Context, id TabID, accept bool, text *string) (*Answered, error) {
	conn, err := s.reach(ctx)
	if err != nil {
		return nil, err
	}
	v, err := ask(ctx, s, func(r reply[view]) message { return peek{id, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	dialog, err := s.openDialog(ctx, conn, v.browserID)
	if err != nil {
		return nil, err
	}
	var done struct {
		Dialog

		Answered bool
	}
	if dialog != nil {
		if err := s.parent(ctx, conn, "answer", map[string]any{"browserId": v.browserID, "accept": accept, "text": text}, &done); err != nil {
			return nil, err
		}
	}
	if !done.Answered {
		return nil, Faultf(NoDialog, "tab %s shows no dialog", v.ID)
	}
	out := &Answered{Kind: done.Kind, Text: done.Text, Accepted: accept}
	out.Tab = v.ID
	return out, s.afterDialog(ctx, out)
}

// afterDialog looks where the page is once it goes on.
func (s *Session) afterDialog(ctx context.Context, out *Answered) error {
	t, err := s.beginPage(ctx, out.Tab)
	if err != nil {
		if AsFault(err).Code == UnsupportedPage {
			return nil
		}
		return err
	}
	defer t.end()
	if out.Dialog, err = t.openDialog(ctx); err != nil || out.Dialog != nil {
		return err
	}
	_, err = t.aftermath(ctx, t.top, t.view, dialogPatience, &out.Action)
	return err
}

// peek asks for the view of a tab ("" for the selected one) without its turn.
type peek struct {
	id    TabID
	reply reply[view]
}

func (m peek) fail(err error) { m.reply.fail(err) }

func (m peek) apply(st *state) {
	id := m.id
	if id == "" {
		id = st.selected
	}
	t := st.tabs[id]
	if t == nil {
		m.reply.fail(st.noTab(id))
		return
	}
	m.reply.send(t.view(), nil)
}
