package session

import (
	"context"

	"firefox-rdp-mcp/router"
)

// recognize looks for tabs of ours in a list that does not have them under the
// names by which they are known: that is so after a tab was put to sleep and the
// connection was replaced. It fills in which they are by the marks that they bear.
func (s *Session) recognize(ctx context.Context, conn *router.Conn, pid int, forms []tabForm) error {
	strange, err := ask(ctx, s, func(r reply[[]int]) message { return strangers{pid, forms, r} })
	if err != nil || len(strange) == 0 {
		return fromConnection(err)
	}
	actors := make([]router.ActorID, len(strange))
	for i, at := range strange {
		actors[i] = forms[at].Actor
	}
	first := make([]int64, len(strange))
	if err := s.parent(ctx, conn, "marked", map[string]any{"tabs": actors, "mark": s.mark}, &first); err != nil {
		return err
	}
	for i, at := range strange[:min(len(strange), len(first))] {
		forms[at].first = first[i]
	}
	return nil
}

// strangers asks which tabs of a list are not known, if there are tabs of ours that
// the list does not seem to have.
type strangers struct {
	pid   int // of the parent process
	forms []tabForm
	reply reply[[]int]
}

func (m strangers) fail(err error) { m.reply.fail(err) }

func (m strangers) apply(st *state) {
	found := map[TabID]bool{}
	var strange []int
	for i, form := range m.forms {
		if t := st.find(form); t != nil {
			found[t.ID] = true
		} else {
			strange = append(strange, i)
		}
	}
	for _, t := range st.tabs {
		if t.lease != nil && !found[t.ID] && m.pid == st.browser.pid {
			m.reply.send(strange, nil)
			return
		}
	}
	m.reply.send(nil, nil)
}
