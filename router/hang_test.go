package router_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/router/rdptest"
)

// TestHungPageKeepsItsLaneOnly asks a page that does not even acknowledge. The
// connection ends for it only if somebody still waits when the reply is late, or
// if the request was none to a page.
func TestHungPageKeepsItsLaneOnly(t *testing.T) {
	inPage := func(ctx context.Context, s *stack, to router.ActorID) error {
		_, err := s.Evaluate(ctx, to, router.Evaluation{Text: "1", Target: "server1.conn0.target"})
		return err
	}
	tests := map[string]struct {
		ask     func(context.Context, *stack, router.ActorID) error
		patient bool // the caller waits for longer than the limit
		ends    bool
	}{
		"evaluation, caller leaves": {ask: inPage},
		"evaluation, caller waits":  {ask: inPage, patient: true, ends: true},
		"request, caller leaves": {ask: func(ctx context.Context, s *stack, to router.ActorID) error {
			_, err := s.DoInPage(ctx, to, "getTarget", nil)
			return err
		}},
		"not to a page": {ends: true, ask: func(ctx context.Context, s *stack, to router.ActorID) error {
			_, err := s.Do(ctx, to, "getTarget", nil)
			return err
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := rdptest.New(t)
				deaf := true
				var kept func()
				f.OnRequest = func(p *rdptest.Peer, r rdptest.Request) bool {
					if r.To != string(p.Console()) || !deaf {
						return false
					}
					kept = func() { p.Answer(r) }
					return true
				}
				s := scripted(t, f, limits).listen()
				console := f.Peer().Console()
				patience := limits.Reply / 2
				if tt.patient {
					patience = 2 * limits.Reply
				}
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				if err := tt.ask(ctx, s, console); err == nil {
					t.Error("answered")
				}
				time.Sleep(limits.Reply)
				_, err := s.Do(t.Context(), router.Root, "listTabs", nil)
				if ended := errors.Is(err, router.ErrTimeout); ended != tt.ends || !ended && err != nil {
					t.Fatalf("then the connection gave %v", err)
				}
				if tt.ends {
					return
				}
				// The page thaws: its late reply is taken for what it is.
				deaf = false
				kept()
				v, err := s.Evaluate(t.Context(), console, router.Evaluation{Text: "next"})
				if err != nil || v.Text != "next" {
					t.Errorf("once it thaws, the page gives %q, %v", v.Text, err)
				}
			})
		})
	}
}
