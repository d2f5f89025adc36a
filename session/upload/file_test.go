package upload

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// openOne opens one file and closes it after the test.
func openOne(t testing.TB, path string, limits Limits) *File {
	t.Helper()
	set, err := Open([]string{path}, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Close)
	return set.Files[0]
}

// read reads a file to its end and checks the bookkeeping of the chunks.
func read(t testing.TB, f *File) string {
	t.Helper()
	var out []byte
	for i := 0; ; i++ {
		c, err := f.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := base64.StdEncoding.DecodeString(c.Data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data...)
		if c.Index != i || c.End != int64(len(out)) || len(data) == 0 || len(data) > f.chunk {
			t.Fatalf("chunk %d is %d ending at %d with %d bytes, after %d in all", i, c.Index, c.End, len(data), len(out))
		}
	}
	sum := sha256.Sum256(out)
	if got := f.Digest(); got != hex.EncodeToString(sum[:]) {
		t.Errorf("digest %s of %d bytes", got, len(out))
	}
	if _, err := f.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v", err)
	}
	return string(out)
}

func TestChunks(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 1001, 1999, 2000, 2001, 10_007} {
		data := strings.Repeat("0123456789a", n)[:n]
		path := write(t, filepath.Join(t.TempDir(), "f"), data)
		f := openOne(t, path, roomy)
		if got := read(t, f); got != data || f.Size != int64(n) {
			t.Errorf("%d bytes read as %d of %d", n, len(got), f.Size)
		}
	}
}

func TestFacts(t *testing.T) {
	dir := t.TempDir()
	stored := write(t, filepath.Join(dir, "7f3a9c"), "%PDF-1.4")
	when := time.UnixMilli(1700000000123)
	if err := os.Chtimes(stored, when, when); err != nil {
		t.Fatal(err)
	}
	f := openOne(t, link(t, stored, filepath.Join(dir, "cv.pdf")), roomy)
	if f.Name != "cv.pdf" || f.Type != "application/pdf" || f.Size != 8 || !f.Modified.Equal(when) {
		t.Errorf("facts: %q %q %d %v", f.Name, f.Type, f.Size, f.Modified)
	}
}

func TestLimits(t *testing.T) {
	dir := t.TempDir()
	sized := func(name string, n int) string { return write(t, filepath.Join(dir, name), strings.Repeat("x", n)) }
	a, b, c, d := sized("a", 1000), sized("b", 1001), sized("c", 500), sized("d", 501)
	limits := Limits{MaxFile: 1000, MaxTotal: 1500, Chunk: 10}
	for _, tc := range []struct {
		paths []string
		want  Kind
	}{{[]string{a}, 0}, {[]string{b}, TooLarge}, {[]string{a, c}, 0}, {[]string{a, d}, TooLarge}, {[]string{c, c, c}, 0}, {[]string{c, c, d}, TooLarge}, {[]string{c, b}, TooLarge}} {
		set, err := Open(tc.paths, limits)
		if kind(t, err) != tc.want {
			t.Errorf("Open(%q) = %v, want kind %d", tc.paths, err, tc.want)
		}
		if err == nil {
			set.Close()
		} else if strings.Contains(err.Error(), dir) {
			t.Errorf("%v tells the folder", err)
		}
	}
}

// TestChangedWhileRead changes a file after its first chunk.
func TestChangedWhileRead(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"cut":          func(p string) error { return os.Truncate(p, 1500) },
		"emptied":      func(p string) error { return os.Truncate(p, 0) },
		"longer":       func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte("x"), 2501), 0o644) },
		"written anew": func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte("y"), 2500), 0o644) },
		"cut and regrown": func(p string) error {
			return errors.Join(os.Truncate(p, 0), os.WriteFile(p, bytes.Repeat([]byte("z"), 2500), 0o644))
		},
	} {
		path := write(t, filepath.Join(t.TempDir(), "secret-name"), strings.Repeat("x", 2500))
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		f := openOne(t, path, roomy)
		if _, err := f.Next(); err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		var err error
		for err == nil {
			_, err = f.Next()
		}
		if errors.Is(err, io.EOF) || kind(t, err) != Changed || strings.Contains(err.Error(), filepath.Dir(path)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What happens to the name afterwards does not matter: the file is open.
	path := write(t, filepath.Join(t.TempDir(), "a"), "abc")
	f := openOne(t, path, roomy)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := read(t, f); got != "abc" {
		t.Errorf("a removed file reads %q", got)
	}
}

// TestFilesOfUnknownSize: /proc claims that its files are empty.
func TestFilesOfUnknownSize(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc")
	}
	f := openOne(t, "/proc/self/environ", roomy)
	if _, err := f.Next(); kind(t, err) != Changed {
		t.Errorf("Next = %v", err)
	}
}

// TestNothingStaysOpen counts descriptors.
func TestNothingStaysOpen(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc")
		}
		return len(entries)
	}
	dir := t.TempDir()
	good := write(t, filepath.Join(dir, "a"), "a")
	before := count()
	for range 10 {
		for _, paths := range [][]string{{good, good, dir}, {good, dir + "/no"}, {good, "x"}} {
			if _, err := Open(paths, rooted(dir)); err == nil {
				t.Fatal("no error")
			}
		}
		set, err := Open([]string{good, good}, rooted(dir))
		if err != nil {
			t.Fatal(err)
		}
		read(t, set.Files[0])
		set.Close()
		set.Close()
	}
	if after := count(); after != before {
		t.Errorf("%d descriptors, before %d", after, before)
	}
}

func TestTypes(t *testing.T) {
	zip := "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00"
	for name, tc := range map[string]struct{ data, want string }{
		"a.txt": {"%PDF-1.4", "text/plain"}, "A.PDF": {"", "application/pdf"}, "cv.docx": {zip, byExtension["docx"]},
		"a.tar.gz": {"", "application/gzip"}, "r\u00e9sum\u00e9.pdf": {"x", "application/pdf"},
		"plain": {"hello", "text/plain"}, "empty": {"", anything}, "cv": {"%PDF-1.4\n", "application/pdf"},
		"picture.unknown": {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"}, "archive": {zip + strings.Repeat("\x00", 30), "application/zip"},
		"noise": {"\x00\x01\x02\xff\xfe\x00\x01", anything}, "..hidden": {"text", "text/plain"}, "dot.": {"text", "text/plain"}, "a.key": {"text", "text/plain"},
	} {
		f := openOne(t, write(t, filepath.Join(t.TempDir(), name), tc.data), roomy)
		if f.Type != tc.want {
			t.Errorf("%q with %q is %q, want %q", name, tc.data, f.Type, tc.want)
		}
		if got := read(t, f); got != tc.data {
			t.Errorf("%q: sniffing moved the reader: %q", name, got)
		}
	}
	for extension, kind := range byExtension {
		if extension != strings.ToLower(extension) || kind != strings.ToLower(kind) || strings.ContainsAny(kind, "; ") || strings.Count(kind, "/") != 1 {
			t.Errorf("the table has %q for %q", kind, extension)
		}
	}
}

func BenchmarkChunk(b *testing.B) {
	const size = 256 << 10
	path := filepath.Join(b.TempDir(), "f")
	if err := os.WriteFile(path, make([]byte, 16<<20), 0o644); err != nil {
		b.Fatal(err)
	}
	limits := Limits{MaxFile: 1 << 30, MaxTotal: 1 << 30, Chunk: size}
	f := openOne(b, path, limits)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Next(); errors.Is(err, io.EOF) {
			f = openOne(b, path, limits)
		} else if err != nil {
			b.Fatal(err)
		}
	}
}
