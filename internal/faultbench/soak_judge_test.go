package faultbench

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"firefox-rdp-mcp/internal/firefoxtest"
)

// figures are what should be the same before and after.
type figures struct {
	rss   []int // of the servers, in KiB
	files []int // open in them
}

func (s *soak) measure() figures {
	var f figures
	for _, server := range s.servers {
		f.rss = append(f.rss, residentOf(server.cmd.Process.Pid))
		f.files = append(f.files, filesOf(server.cmd.Process.Pid))
	}
	return f
}

func residentOf(pid int) int {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	kb, _ := strconv.Atoi(strings.Fields(rest + " 0")[0])
	return kb
}

func filesOf(pid int) int {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(entries)
}

// judge looks at the end whether all is as it should be.
func (s *soak) judge(before, warm figures, held firefoxtest.Held) {
	s.fresh()
	time.Sleep(2 * time.Second) // beacons arrive, connections close
	after := s.measure()
	s.effects()
	for i := range s.servers {
		if after.files[i] > before.files[i]+2 {
			s.t.Errorf("server %d has %d files open, had %d", i, after.files[i], before.files[i])
		}
		if after.rss[i] > warm.rss[i]+40<<10 {
			s.t.Errorf("server %d holds %d KiB, after a quarter %d", i, after.rss[i], warm.rss[i])
		}
	}
	s.leftBehind(held)
	idle := s.idlers()
	s.mu.Lock()
	defer s.mu.Unlock()
	total := 0
	for _, n := range s.calls {
		total += n
	}
	s.t.Logf("%d calls on %d pages; before %+v, after a quarter %+v, at the end %+v, goroutines of a fresh server %d", total, s.pages, before, warm, after, idle)
	for _, table := range []map[string]int{s.calls, s.harmed} {
		for _, k := range slices.Sorted(maps.Keys(table)) {
			s.t.Logf("%6d %s", table[k], k)
		}
	}
}

// idlers compares the goroutines of the servers with those of a fresh one, and ends
// them.
func (s *soak) idlers() (fresh int) {
	other := startServer(s.t, s.proxies[0].Port)
	other.recovers(5 * time.Second)
	fresh = other.goroutines()
	for i, server := range s.servers {
		if n := server.goroutines(); n > fresh+3 {
			s.t.Errorf("server %d has %d goroutines, a fresh one %d:\n%s", i, n, fresh, tail(server.stderr.String(), 400))
		}
	}
	return fresh
}

// effects compares what the pages told with what was booked.
func (s *soak) effects() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site.mu.Lock()
	defer s.site.mu.Unlock()
	sure, maybe, happened := 0, 0, 0
	for uri, n := range s.site.hits {
		if !strings.HasPrefix(uri, "/told?") {
			continue
		}
		happened += n
		if most := s.sure[uri] + s.maybe[uri]; n > most {
			s.t.Errorf("%s happened %d times, asked for %d times (wrong element or twice)", uri, n, most)
		}
	}
	for uri, n := range s.sure {
		sure += n
		var page int
		_, _ = fmt.Sscanf(uri, "/told?p=%d&", &page)
		if s.site.hits[uri] < n && !s.dirty[page] {
			s.t.Errorf("%s was reported %d times and happened %d times", uri, n, s.site.hits[uri])
		}
	}
	for _, n := range s.maybe {
		maybe += n
	}
	s.t.Logf("effects: %d reported, %d possible, %d happened", sure, maybe, happened)
}

// goroutines ends the program with SIGQUIT and counts them in its dump.
func (s *server) goroutines() int {
	s.t.Helper()
	old := len(s.stderr.String())
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	_ = s.cmd.Wait()
	s.answers.check(s.t)
	dump := s.stderr.String()[old:]
	n := 0
	for line := range strings.Lines(dump) {
		if strings.HasPrefix(line, "goroutine ") && strings.Contains(line, "[") {
			n++
		}
	}
	if n == 0 {
		s.t.Errorf("no goroutines in %q", dump)
	}
	return n
}
