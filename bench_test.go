package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkStart: from the start of the process to the answer to initialize,
// and the memory of the idle process afterwards (Linux only).
func BenchmarkStart(b *testing.B) {
	var times []time.Duration
	var resident int
	for b.Loop() {
		begun := time.Now()
		p := start(b, []string{"FIREFOX_MCP_LOG_LEVEL=error"})
		p.write(b, initialize)
		p.line(b)
		times = append(times, time.Since(begun))
		resident = max(resident, residentKiB(p.Process.Pid))
		_ = p.Process.Kill()
		_ = p.Wait()
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms/initialize")
	b.ReportMetric(float64(resident)/1024, "MiB-idle")
	b.ReportMetric(0, "ns/op")
}

// residentKiB reads VmRSS of a process, 0 where there is no /proc.
func residentKiB(pid int) int {
	if runtime.GOOS != "linux" {
		return 0
	}
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(fields[0])
	return n
}
