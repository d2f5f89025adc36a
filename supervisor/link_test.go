package supervisor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"firefox-rdp-mcp/router"
)

// rig is a link whose dials and connections are played by the test.
type rig struct {
	kick  chan struct{}
	dials []time.Duration // when each dial began, since the start
	story []string        // the news, with the time of each
	start time.Time
	open  int // sockets

	dial func(n int) error                          // outcome of the n-th dial, counted from one
	live func(ctx context.Context, epoch int) error // life of a connection
	heed func(r *rig, n router.News)                // called for every piece of news, on the session's side
}

// unused is a socket that is only closed.
type unused struct {
	socket
	closed func()
}

func (u *unused) CloseNow() error {
	if u.closed != nil {
		u.closed()
	}
	return nil
}

// run serves the link for a while.
func (r *rig) run(t *testing.T, span time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), span, errBroken)
	defer cancel()
	r.start = time.Now()
	news := make(chan router.News)
	if r.kick == nil {
		r.kick = make(chan struct{}, 1)
	}
	link := &Link{
		kick: r.kick, news: news, log: logger(t),
		dial: func(_ context.Context, enter func(Stage) error) (socket, router.Packet, error) {
			r.dials = append(r.dials, time.Since(r.start))
			for _, s := range []Stage{StageConnect, StageUpgrade, StageGreeting} {
				if err := enter(s); err != nil {
					return nil, router.Packet{}, err
				}
			}
			if err := r.dial(len(r.dials)); err != nil {
				return nil, router.Packet{}, err
			}
			r.open++
			return &unused{closed: func() { r.open-- }}, router.Packet{From: router.Root}, nil
		},
		connect: func(epoch int, _ socket) (actor, *router.Conn) {
			return task{"connection", func(ctx context.Context) error { return r.live(ctx, epoch) }}, nil
		},
	}
	ended := make(chan error)
	go func() { ended <- link.Serve(ctx) }()
	for {
		select {
		case n := <-news:
			r.tell(n)
			if r.heed != nil {
				r.heed(r, n)
			}
		case err := <-ended:
			if r.open != 0 {
				t.Errorf("%d sockets were left open", r.open)
			}
			return err
		}
	}
}

// tell writes the story.
func (r *rig) tell(n router.News) {
	var s string
	switch n := n.(type) {
	case router.Connecting:
		if n.Stage != string(StageGreeting) {
			return
		}
		s = fmt.Sprintf("dial %d", n.Attempt)
	case router.Up:
		s = "up"
	case router.Down:
		s = fmt.Sprintf("down %d (%v), next %d in %v", n.Epoch, n.Cause, n.Attempt, n.Retry)
	default:
		s = fmt.Sprintf("%T", n)
	}
	r.story = append(r.story, s)
}

func (r *rig) push() {
	select {
	case r.kick <- struct{}{}:
	default:
	}
}

func refused(int) error { return errBroken }

func TestLinkDialsOnlyWhenKicked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig{dial: refused}
		if err := r.run(t, time.Hour); !errors.Is(err, errBroken) {
			t.Errorf("link ended with %v, want the cause of its context", err)
		}
		if len(r.dials) != 0 {
			t.Errorf("dialled %d times without a kick", len(r.dials))
		}
	})
}

func TestLinkBacksOff(t *testing.T) {
	ms := time.Millisecond
	tests := map[string]struct {
		kicks []time.Duration // beside the first
		fail  func(int) error
		span  time.Duration
		want  []time.Duration // times of the dials
	}{
		"doubling up to a second": {
			nil, refused, 5 * time.Second,
			[]time.Duration{0, 50 * ms, 150 * ms, 350 * ms, 750 * ms, 1550 * ms, 2550 * ms, 3550 * ms, 4550 * ms},
		},
		"kicked awake": {
			[]time.Duration{1600 * ms},
			refused, 3 * time.Second,
			[]time.Duration{0, 50 * ms, 150 * ms, 350 * ms, 750 * ms, 1550 * ms, 1600 * ms, 2600 * ms},
		},
		"a dialog in front of the user": {
			[]time.Duration{10 * time.Second},
			func(int) error { return &DialError{Kind: KindPrompt} }, 3 * time.Minute,
			[]time.Duration{0, 10 * time.Second, 70 * time.Second, 130 * time.Second},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rig{dial: tt.fail, kick: make(chan struct{}, 1)}
				r.push()
				for _, at := range tt.kicks {
					time.AfterFunc(at, r.push)
				}
				r.run(t, tt.span)
				if !slices.Equal(r.dials, tt.want) {
					t.Errorf("dialled at %v, want %v", r.dials, tt.want)
				}
			})
		})
	}
}

func TestLinkSlowsDownWhenNobodyAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig{dial: refused, kick: make(chan struct{}, 1)}
		r.push()
		r.run(t, 10*time.Minute)
		n := len(r.dials)
		if gap := r.dials[n-1] - r.dials[n-2]; gap != idleDelay {
			t.Errorf("waits %v between dials after ten minutes, want %v", gap, idleDelay)
		}
	})
}

func TestLinkTellsEachConnectionInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig{
			kick: make(chan struct{}, 1),
			dial: func(n int) error {
				if n == 1 || n == 4 {
					return errBroken
				}
				return nil
			},
			live: func(ctx context.Context, epoch int) error {
				life := time.NewTimer([]time.Duration{0, 10 * time.Second, 10 * time.Millisecond, time.Hour}[epoch])
				defer life.Stop()
				select {
				case <-life.C:
					return errors.New("gone")
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			},
		}
		r.push()
		r.run(t, time.Minute)
		want := []string{
			"dial 1", "down 0 (broken), next 2 in 50ms",
			"dial 2", "up", "down 1 (gone), next 1 in 0s", // it had lived long: start afresh, at once
			"dial 1", "up", "down 2 (gone), next 2 in 50ms", // it had not
			"dial 2", "down 0 (broken), next 3 in 100ms",
			"dial 3", "up",
		}
		if !slices.Equal(r.story, want) {
			t.Errorf("told\n%q, want\n%q", r.story, want)
		}
	})
}

func TestLinkCountsAKickForTheDialItWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig{kick: make(chan struct{}, 1)}
		r.dial = func(int) error {
			r.push() // a second call comes while the first one's dial is under way
			time.Sleep(time.Second)
			return errBroken
		}
		r.push()
		r.run(t, 1020*time.Millisecond)
		if len(r.dials) != 1 {
			t.Errorf("dialled at %v, want once: the second kick asked for the dial under way", r.dials)
		}
	})
}

func TestLinkDialsForAKickAfterTheNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig{dial: refused, kick: make(chan struct{}, 1)}
		r.heed = func(r *rig, n router.News) {
			if _, ok := n.(router.Down); ok && len(r.dials) < 4 {
				r.push() // a call that comes right behind the bad news
			}
		}
		r.push()
		r.run(t, 2*time.Millisecond)
		if want := []time.Duration{0, 0, 0, 0}; !slices.Equal(r.dials, want) {
			t.Errorf("dialled at %v, want %v", r.dials, want)
		}
	})
}

func TestLinkKeepsCountingEpochsWhenRestarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		news, kick := make(chan router.News), make(chan struct{}, 1)
		var epochs []int
		link := &Link{
			kick: kick, news: news, log: logger(t),
			dial: func(context.Context, func(Stage) error) (socket, router.Packet, error) {
				return &unused{}, router.Packet{}, nil
			},
			connect: func(epoch int, _ socket) (actor, *router.Conn) {
				epochs = append(epochs, epoch)
				return task{"connection", func(context.Context) error { panic("oh") }}, nil
			},
		}
		g := group{name: "g", log: logger(t), members: func() []actor {
			return []actor{link, task{"session", func(ctx context.Context) error {
				for {
					select {
					case <-news:
					case <-ctx.Done():
						return context.Cause(ctx)
					}
				}
			}}}
		}}
		for range 3 {
			kick <- struct{}{}
			if _, ok := errors.AsType[*PanicError](g.Serve(t.Context())); !ok {
				t.Error("the panic is not the cause")
			}
		}
		if !slices.Equal(epochs, []int{1, 2, 3}) {
			t.Errorf("epochs %v, want 1 2 3", epochs)
		}
	})
}

func TestDelay(t *testing.T) {
	tests := []struct {
		failures int
		quiet    time.Duration
		kind     Kind
		want     time.Duration
	}{
		{0, 0, "", 0},
		{0, time.Hour, KindPrompt, 0},
		{1, 0, KindRefused, firstDelay},
		{6, 0, KindRefused, busyDelay},
		{6, time.Hour, KindRefused, 1600 * time.Millisecond},
		{1 << 30, 0, KindRefused, busyDelay},
		{1 << 30, time.Hour, KindRefused, idleDelay},
		{1, 0, KindPrompt, promptDelay},
	}
	for _, tt := range tests {
		if got := delay(tt.failures, tt.quiet, tt.kind); got != tt.want {
			t.Errorf("delay(%d, %v, %q) = %v, want %v", tt.failures, tt.quiet, tt.kind, got, tt.want)
		}
	}
}
