package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"firefox-rdp-mcp/internal/firefoxtest"
	"firefox-rdp-mcp/session"
)

// beside times two ways of doing a thing in turn, so that whatever else the
// machine does hits both alike, and reports the medians and their ratio.
func beside(b *testing.B, ours, floor func() error) {
	b.Helper()
	var a, c []time.Duration
	once := func(list *[]time.Duration, do func() error) {
		start := time.Now()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		*list = append(*list, time.Since(start))
	}
	for range 5 { // first times are other times
		once(new([]time.Duration), ours)
		once(new([]time.Duration), floor)
	}
	for b.Loop() {
		once(&a, ours)
		once(&c, floor)
	}
	mine, bare := median(a), median(c)
	b.ReportMetric(float64(mine.Microseconds()), "µs/ours")
	b.ReportMetric(float64(bare.Microseconds()), "µs/floor")
	b.ReportMetric(float64(mine)/float64(bare), "ratio")
	b.ReportMetric(0, "ns/op") // of both together: says nothing
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// BenchmarkEvaluation: one trivial evaluation through session and actors beside
// a bare client that acknowledges at once, and the same bare client beside one
// that does not, which falls into the trap of Nagle against delayed ACK.
func BenchmarkEvaluation(b *testing.B) {
	s := newStage(b, session.Config{Privileged: true}, map[string]string{"/": "<p>x"})
	s.open("/")
	bare := func(quick bool) func() error {
		c, err := firefoxtest.Dial(b.Context(), firefox.Port, quick)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(c.Close)
		console, _ := content(b, c)
		return func() error { _, err := c.Evaluate(b.Context(), console, "1", nil); return err }
	}
	b.Run("stack", func(b *testing.B) {
		beside(b, func() error { return s.Probe(b.Context()) }, bare(true))
	})
	b.Run("trap", func(b *testing.B) { beside(b, bare(false), bare(true)) })
}

// content gives the console of the process that the first tab's page is in, and
// the page's inner window.
func content(b *testing.B, c *firefoxtest.Client) (console string, window int64) {
	b.Helper()
	frames, err := c.Frames(b.Context(), 0)
	if err != nil {
		b.Fatal(err)
	}
	console, err = c.Process(b.Context(), frames[0].Pid)
	if err != nil {
		b.Fatal(err)
	}
	return console, frames[0].Win
}

// BenchmarkClick: a click that is not watched beside three bare evaluations.
func BenchmarkClick(b *testing.B) {
	s := newStage(b, session.Config{Privileged: true}, map[string]string{"/": "<button>Press</button>"})
	s.open("/")
	ref := s.ref("Press")
	console, _ := content(b, s.oracle)
	beside(b, func() error {
		_, err := s.Click(b.Context(), session.ClickArgs{On: session.On{Element: ref}})
		return err
	}, func() error {
		for range 3 {
			if _, err := s.oracle.Evaluate(b.Context(), console, "1", nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// BenchmarkUpload: a whole upload, from path to verified input, beside raw
// evaluations that carry the same bytes.
func BenchmarkUpload(b *testing.B) {
	for _, mib := range []int{1, 25, 50} {
		b.Run(fmt.Sprintf("%dMiB", mib), func(b *testing.B) {
			s := newStage(b, session.Config{Privileged: true, Upload: session.UploadLimits{MaxFile: 64 << 20, MaxTotal: 64 << 20}}, map[string]string{"/": "<input type=file aria-label=File>"})
			s.open("/")
			path := filepath.Join(b.TempDir(), "data.bin")
			if err := os.WriteFile(path, make([]byte, mib<<20), 0o600); err != nil {
				b.Fatal(err)
			}
			ref := s.ref("File")
			console, _ := content(b, s.oracle)
			const chunk = 256 << 10
			carried := `"` + strings.Repeat("A", chunk*4/3) + `".length`
			var ours, raw []time.Duration
			for b.Loop() {
				start := time.Now()
				if _, err := s.Upload(b.Context(), session.UploadArgs{On: session.On{Element: ref}, Paths: []string{path}}); err != nil {
					b.Fatal(err)
				}
				ours = append(ours, time.Since(start))
				start = time.Now()
				for range mib << 20 / chunk {
					if _, err := s.oracle.Evaluate(b.Context(), console, carried, nil); err != nil {
						b.Fatal(err)
					}
				}
				raw = append(raw, time.Since(start))
			}
			mine, floor := median(ours).Seconds(), median(raw).Seconds()
			b.ReportMetric(float64(mib)/mine, "MiB/s-ours")
			b.ReportMetric(float64(mib)/floor, "MiB/s-raw")
			b.ReportMetric(floor/mine, "of-raw")
			b.ReportMetric(0, "ns/op")
		})
	}
}
