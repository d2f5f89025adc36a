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
