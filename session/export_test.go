package session

import "context"

// Probe is the smallest call of a page's agent there is, with the turn and all
// that a tool's call needs around it. For benchmarks.
func (s *Session) Probe(ctx context.Context) error {
	t, err := s.beginPage(ctx, "")
	if err != nil {
		return err
	}
	defer t.end()
	_, err = t.probe(ctx, t.top)
	return err
}

// Sent is how many packets have been sent on the present connection.
func (s *Session) Sent(ctx context.Context) (int, error) {
	conn, err := s.connect(ctx)
	if err != nil {
		return 0, err
	}
	return conn.Stats().PacketsOut, nil
}
