//go:build unix

package upload

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSpecialFiles: none of them is opened, and none makes us wait.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for path, reason := range map[string]string{
		pipe: "a pipe", link(t, pipe, dir+"/pipelink"): "a pipe", socket: "a socket", "/dev/null": "a device", "/dev/tty": "a device", "/dev/zero": "a device",
	} {
		start := time.Now()
		_, err := Open([]string{path}, roomy)
		if kind(t, err) != Invalid || !strings.Contains(err.Error(), reason) {
			t.Errorf("Open(%q) = %v, want %q", path, err, reason)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("Open(%q) took %v", path, took)
		}
	}
}

// TestPipeInTheFilesPlace: a pipe that slips in after the check blocks nobody.
func TestPipeInTheFilesPlace(t *testing.T) {
	for _, roots := range []bool{false, true} {
		dir := t.TempDir()
		path := write(t, filepath.Join(dir, "a"), "a")
		var folders []string
		if roots {
			folders = []string{dir}
		}
		c, e := check(path, folders)
		if e != nil {
			t.Fatal(e)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o644); err != nil {
			t.Fatal(err)
		}
		done := make(chan *Error)
		go func() { _, _, e := c.open(); done <- e }()
		select {
		case e := <-done:
			if e == nil || e.Kind != Changed {
				t.Errorf("open = %v", e)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("open waits for a writer")
		}
	}
}
