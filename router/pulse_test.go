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

// TestPulse asks a Firefox that answers, one that does not, and one whose root
// is busy with a request that it does not answer.
func TestPulse(t *testing.T) {
	tests := map[string]struct {
		deaf, busy bool
		patience   time.Duration // of the caller; 0: endless
		ends       bool          // the connection
		want       error
	}{
		"alive":                       {},
		"deaf":                        {deaf: true, ends: true, want: router.ErrTimeout},
		"deaf, and busy before":       {deaf: true, busy: true, ends: true, want: router.ErrTimeout},
		"deaf, but the caller leaves": {deaf: true, patience: time.Second, want: context.DeadlineExceeded},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := rdptest.New(t)
				f.OnRequest = func(p *rdptest.Peer, r rdptest.Request) bool {
					if r.Type == "getRoot" && !tt.deaf {
						_ = p.Send(rdptest.Packet{"from": "root"})
						return true
					}
					return tt.deaf
				}
				s := scripted(t, f, limits).listen()
				if tt.busy {
					go func() { _, _ = s.Do(t.Context(), router.Root, "listTabs", nil) }()
					synctest.Wait()
				}
				ctx := t.Context()
				if tt.patience > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.patience)
					defer cancel()
				}
				begun := time.Now()
				err := s.Pulse(ctx, 2*time.Second)
				if !errors.Is(err, tt.want) || time.Since(begun) > 2*time.Second {
					t.Errorf("Pulse gave %v after %v, want %v", err, time.Since(begun), tt.want)
				}
				synctest.Wait()
				select {
				case <-s.Done():
					if !tt.ends {
						t.Error("the connection has ended")
					}
				default:
					if tt.ends {
						t.Error("the connection goes on")
					}
				}
			})
		})
	}
}
