package tools

import (
	"bytes"
	"context"
	"encoding/json"

	"firefox-rdp-mcp/session"
)

// noticed adds what whoever is answered next is to be told to the outcome of a
// call, be it a reply or a fault. A call that was cancelled takes no notice with
// it: its client does not look at the answer any more.
func (s *Server) noticed(ctx context.Context, reply Reply, err error) (Reply, error) {
	f := session.AsFault(err)
	if s.notice == nil || err != nil && f.Code == session.Cancelled {
		return reply, err
	}
	notice := s.notice(ctx)
	switch {
	case notice == "":
	case err != nil:
		told := *f
		told.Message += "; note: " + notice
		return reply, &told
	default:
		reply.Text = "Note: " + notice + "\n" + reply.Text
		reply.Structured = withNotice(reply.Structured, notice)
	}
	return reply, err
}

// withNotice adds a member to structured content, whatever its type.
func withNotice(content any, notice string) any {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false) // as in callResult
	members := map[string]json.RawMessage{}
	if encoder.Encode(content) != nil || json.Unmarshal(raw.Bytes(), &members) != nil {
		return content // impossible: a reply's content is an object
	}
	var own string
	if json.Unmarshal(members["notice"], &own) == nil && own != "" {
		notice = own + "; " + notice
	}
	members["notice"], _ = json.Marshal(notice) // a string always has its JSON
	return members
}
