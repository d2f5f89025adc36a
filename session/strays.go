package session

import (
	"context"
	"log/slog"
	"slices"
	"time"
)

// stray is a tab of ours that may be open though nobody knows it: the answer to its
// opening was lost.
type stray struct {
	mark  string    // that it alone bears
	until time.Time // from when on Firefox does not open it any more
}

// strayed reports one.
type strayed struct{ stray }

func (strayed) fail(error) {}

func (m strayed) apply(st *state) {
	st.leases.strays = append(st.leases.strays, m.stray)
	st.alert()
}

// straySettled tells that a stray has been closed, or cannot be opened any more.
type straySettled struct {
	mark  string
	reply reply[struct{}]
}

func (m straySettled) fail(err error) { m.reply.fail(err) }

func (m straySettled) apply(st *state) {
	kept := st.leases.strays[:0]
	for _, s := range st.leases.strays {
		if s.mark != m.mark {
			kept = append(kept, s)
		}
	}
	st.leases.strays = kept
	m.reply.send(struct{}{}, nil)
}

// letGo takes the mark from tabs that are their users' now.
func (k Keeper) letGo(ctx context.Context, tabs []int64) {
	conn, err := k.reach(ctx)
	if err == nil {
		var what []string
		err = k.parentAnyTime(ctx, conn, "close", map[string]any{"browserIds": tabs, "mark": k.mark, "keep": true}, &what)
	}
	if err != nil {
		k.log.LogAttrs(ctx, slog.LevelDebug, "tabs not let go yet", slog.String("cause", string(AsFault(err).Code)))
		return
	}
	k.tell(ctx, letGone{tabs})
}

// letGone tells which tabs bear our mark no more.
type letGone struct{ tabs []int64 }

func (letGone) fail(error) {}

func (m letGone) apply(st *state) {
	st.leases.left = slices.DeleteFunc(st.leases.left, func(first int64) bool { return slices.Contains(m.tabs, first) })
}

// abandoned tells that nobody has a use for a tab of ours which could not be closed.
type abandoned struct{ id TabID }

func (abandoned) fail(error) {}

func (m abandoned) apply(st *state) {
	if t := st.tabs[m.id]; t != nil && t.lease != nil {
		t.lease.abandoned = true
		st.alert()
	}
}

// alert has the keeper look at once.
func (st *state) alert() {
	select {
	case st.due <- struct{}{}:
	default:
	}
}

// closeStrays closes tabs that nobody knows. Until Firefox cannot open one any more
// it is looked for again.
func (k Keeper) closeStrays(ctx context.Context, strays []stray) {
	conn, err := k.connect(ctx)
	for _, s := range strays {
		begun := time.Now()
		var what []string
		if err == nil {
			err = k.parentAnyTime(ctx, conn, "close", map[string]any{"mark": s.mark}, &what)
		}
		if err != nil {
			k.log.LogAttrs(ctx, slog.LevelDebug, "stray tabs not looked for", slog.String("cause", string(AsFault(err).Code)))
			return
		}
		if len(what) > 0 || begun.After(s.until) {
			k.log.LogAttrs(ctx, slog.LevelDebug, "stray tab settled", slog.Int("closed", len(what)))
			_, _ = ask(ctx, k.Session, func(r reply[struct{}]) message { return straySettled{s.mark, r} })
		}
	}
}
