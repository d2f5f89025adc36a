package faultbench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"syscall"
	"time"

	"firefox-rdp-mcp/internal/firefoxtest"
)

// harm lets faults happen at random until shortly before the end.
func (s *soak) harm(rng *rand.Rand) {
	restart := time.Now().Add(time.Until(s.end) / 2)
	for time.Until(s.end) > 8*time.Second && !s.t.Failed() {
		time.Sleep(time.Duration(300+rng.IntN(2500)) * time.Millisecond)
		p := s.proxies[rng.IntN(2)]
		switch n := rng.IntN(100); {
		case time.Now().After(restart):
			restart = s.end
			s.count("firefox restarted")
			s.restart()
		case n < 55:
			f := wireFaults[rng.IntN(7)]
			s.count(f.Name)
			p.Hit(f)
		case n < 62:
			f := wireFaults[7+rng.IntN(2)]
			s.count(f.Name)
			p.Hit(f)
		case n < 75:
			f := wireFaults[9+rng.IntN(3)]
			s.count(f.Name)
			p.Hit(f)
			time.Sleep(time.Second)
			p.Heal()
		case n < 90:
			s.count("page frozen")
			s.freeze(rng.IntN(4), time.Duration(1+rng.IntN(6))*time.Second)
		default:
			s.count("content process killed")
			s.kill(rng.IntN(4))
		}
	}
}

func (s *soak) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.harmed[what]++
}

// spoil notes that the pages of a process may not tell everything.
func (s *soak) spoil() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, page := range s.current {
		s.dirty[page] = true
	}
}

func (s *soak) freeze(tab int, d time.Duration) {
	s.spoil()
	ctx, cancel := context.WithTimeout(s.t.Context(), d+5*time.Second)
	defer cancel()
	c, err := firefoxtest.Dial(ctx, s.firefox.Port, true)
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = c.Page(ctx, tab, fmt.Sprintf("(() => { const end = Date.now() + %d; while (Date.now() < end); })()", d.Milliseconds()))
}

func (s *soak) kill(tab int) {
	s.spoil()
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Second)
	defer cancel()
	c, err := firefoxtest.Dial(ctx, s.firefox.Port, true)
	if err != nil {
		return
	}
	defer c.Close()
	frames, err := c.Frames(ctx, tab)
	if err == nil && len(frames) > 0 && frames[0].Pid > 0 && !strings.HasPrefix(frames[0].URL, "about:tabcrashed") {
		if own, err := c.Parent(ctx, "return Services.appinfo.processID"); err == nil && string(own) != strconv.Itoa(frames[0].Pid) {
			_ = syscall.Kill(frames[0].Pid, syscall.SIGKILL)
		}
	}
}

// restart kills Firefox under whatever is going on, and begins anew.
func (s *soak) restart() {
	s.spoil()
	s.firefox.Kill()
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.firefox.Run(s.t.Context()); err != nil {
		s.t.Error(err)
		return
	}
	s.fourTabs()
	for _, server := range s.servers {
		if took := server.recovers(fastEnough); took > 0 {
			s.count("recovered from it")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life++
}
