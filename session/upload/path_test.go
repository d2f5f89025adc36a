package upload

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var roomy = Limits{MaxFile: 1 << 20, MaxTotal: 1 << 21, Chunk: 1000}

func rooted(folders ...string) Limits {
	l := roomy
	l.Roots = folders
	return l
}

// write makes a file and the folders above it.
func write(t testing.TB, path string, data string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func link(t testing.TB, to, path string) string {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// kind is the Kind of an error, 0 for none.
func kind(t testing.TB, err error) Kind {
	t.Helper()
	if err == nil {
		return 0
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("%v is a %T", err, err)
	}
	return e.Kind
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	good := write(t, in("good.txt"), "g")
	write(t, in("folder/x"), "")
	link(t, in("nowhere"), in("dangling"))
	link(t, in("loop"), in("loop"))
	link(t, in("folder"), in("folderlink"))
	for name, tc := range map[string]struct{ path, reason string }{
		"nothing":               {"", "not an absolute path"},
		"blank":                 {" ", "not an absolute path"},
		"relative":              {"good.txt", "not an absolute path"},
		"relative with a dot":   {"./good.txt", "not an absolute path"},
		"home":                  {"~/good.txt", "not an absolute path"},
		"variable":              {"$HOME/good.txt", "not an absolute path"},
		"file URL":              {"file://" + good, "not an absolute path"},
		"web URL":               {"http://x.invalid/a", "not an absolute path"},
		"share":                 {`\\server\share`, "not an absolute path"},
		"glob":                  {in("*.txt"), "no such file"},
		"missing":               {in("missing"), "no such file"},
		"NUL":                   {good + "\x00.png", "NUL"},
		"not UTF-8":             {in("\xff"), "UTF-8"},
		"folder":                {in("folder"), "a folder"},
		"link to a folder":      {in("folderlink"), "a folder"},
		"root folder":           {"/", "ends in a separator"},
		"separator at the end":  {good + "/", "ends in a separator"},
		"dot after a file":      {good + "/.", "not a directory"},
		"dots after a file":     {good + "/../good.txt", "not a directory"},
		"below a file":          {good + "/x", "not a directory"},
		"dangling link":         {in("dangling"), "no such file"},
		"link to itself":        {in("loop"), "too many levels of symbolic links"},
		"name beyond the limit": {in(strings.Repeat("x", 300)), "file name too long"},
		"path beyond the limit": {in(strings.Repeat("x/", 3000) + "y"), "file name too long"},
	} {
		_, err := Open([]string{good, tc.path}, roomy)
		if kind(t, err) != Invalid || !strings.Contains(err.Error(), tc.reason) || !strings.HasPrefix(err.Error(), "paths[1] ") {
			t.Errorf("%s: Open(%q) fails with %v, want %q", name, tc.path, err, tc.reason)
		}
		if err != nil && strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v tells the folder", name, err)
		}
	}
	if _, err := Open(nil, roomy); kind(t, err) != Invalid {
		t.Errorf("no paths: %v", err)
	}
	if _, err := Open(make([]string, maxFiles+1), roomy); kind(t, err) != TooLarge {
		t.Errorf("too many paths: %v", err)
	}
}

func TestOpenWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	path := write(t, filepath.Join(t.TempDir(), "a"), "a")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	_, err := Open([]string{path}, roomy)
	if kind(t, err) != Invalid || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Open = %v", err)
	}
}

// TestRoots: an allow-list holds against dots, links and look-alikes.
func TestRoots(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write(t, in("root/a.txt"), "a")
	write(t, in("root/sub/b.txt"), "b")
	write(t, in("root/..x"), "dots")
	write(t, in("rootling/c.txt"), "c")
	write(t, in("second/d.txt"), "d")
	write(t, in("secret.txt"), "s")
	link(t, in("root/sub/b.txt"), in("root/inside"))
	link(t, "sub/../a.txt", in("root/winding"))
	link(t, in("secret.txt"), in("root/escape"))
	link(t, "../secret.txt", in("root/sneak"))
	link(t, in("rootling"), in("root/side"))
	link(t, in("root"), in("alias"))
	link(t, in("root/a.txt"), in("fromoutside"))
	limits := rooted(in("alias"), in("second"), in("not-there"))
	for path, want := range map[string]Kind{
		"root/a.txt":                0,
		"root/sub/b.txt":            0,
		"root/sub/../a.txt":         0,
		"root/..x":                  0,
		"root/inside":               0,
		"root/winding":              0,
		"alias/a.txt":               0,
		"fromoutside":               0, // it is what the link leads to that counts
		"second/d.txt":              0,
		"rootling/c.txt":            Invalid,
		"root/../secret.txt":        Invalid,
		"root/sub/../../secret.txt": Invalid,
		"root/escape":               Invalid,
		"root/sneak":                Invalid,
		"root/side/c.txt":           Invalid,
		"root/side/../secret.txt":   Invalid,
		"secret.txt":                Invalid,
		"not-there/x":               Invalid,
		"root":                      Invalid,
		"root/missing":              Invalid,
	} {
		set, err := Open([]string{dir + "/" + path}, limits) // not Join, which would clean it
		if kind(t, err) != want {
			t.Errorf("%s: %v, want kind %d", path, err, want)
		}
		if err == nil {
			set.Close()
		}
	}
	// Whether something outside exists cannot be told from the answer.
	_, there := Open([]string{in("secret.txt")}, limits)
	_, missing := Open([]string{in("secret.tx")}, limits)
	if a, b := there.Error(), missing.Error(); strings.ReplaceAll(a, "secret.txt", "secret.tx") != b {
		t.Errorf("%q and %q differ", a, b)
	}
	if _, err := Open([]string{in("root/a.txt")}, rooted("/")); err != nil {
		t.Errorf("the root of all: %v", err)
	}
}

// TestReplacedBeforeOpen swaps things between the check and the opening.
func TestReplacedBeforeOpen(t *testing.T) {
	for name, tc := range map[string]struct {
		swap  func(dir string)
		roots bool
	}{
		"another file": {func(dir string) { write(t, dir+"/new", "other"); rename(t, dir+"/new", dir+"/root/a") }, false},
		"gone":         {func(dir string) { rename(t, dir+"/root/a", dir+"/b") }, false},
		"a link": {func(dir string) {
			rename(t, dir+"/root/a", dir+"/b")
			link(t, dir+"/b", dir+"/root/a") // even to the very same file
		}, false},
		"a folder": {func(dir string) { rename(t, dir+"/root/a", dir+"/b"); _ = os.Mkdir(dir+"/root/a", 0o755) }, false},
		"a folder above, out of the root": {func(dir string) {
			rename(t, dir+"/root", dir+"/out/root")
			_ = os.Mkdir(dir+"/root", 0o755)
			link(t, dir+"/out/root/a", dir+"/root/a")
		}, true},
	} {
		dir := t.TempDir()
		write(t, dir+"/root/a", "a")
		write(t, dir+"/out/x", "")
		var roots []string
		if tc.roots {
			roots = []string{dir + "/root"}
		}
		c, e := check(dir+"/root/a", roots)
		if e != nil {
			t.Fatal(e)
		}
		tc.swap(dir)
		f, _, e := c.open()
		if e == nil || e.Kind != Changed {
			t.Errorf("%s: open = %v", name, e)
		}
		if f != nil {
			_ = f.Close()
		}
	}
}

func rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func TestCheckRoots(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir+"/a", "")
	for _, tc := range []struct {
		folders []string
		ok      bool
	}{{nil, true}, {[]string{dir, "/"}, true}, {[]string{dir, "relative"}, false}, {[]string{file}, false}, {[]string{dir + "/no"}, false}, {[]string{""}, false}} {
		if err := CheckRoots(tc.folders); (err == nil) != tc.ok {
			t.Errorf("CheckRoots(%q) = %v", tc.folders, err)
		}
	}
}

// FuzzOpen holds that no path leads out of a root, tells a folder, or makes a
// name that is not one.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	root := dir + "/root"
	write(f, root+"/a.txt", "inside")
	write(f, root+"/sub/b", "inside")
	write(f, dir+"/rootling/c", "outside")
	write(f, dir+"/secret", "outside")
	link(f, dir+"/secret", root+"/escape")
	link(f, "..", root+"/sub/up")
	link(f, dir, root+"/out")
	for _, s := range []string{"/a.txt", "/sub/b", "/sub/up/a.txt", "/../secret", "/escape", "/out/secret", "/out/root/a.txt", "ling/c", "/./a.txt", "//a.txt", "/a.txt/", "/a.txt\x00", "/sub/up/../secret", "/\xff", "", "/out/../../etc/passwd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		set, err := Open([]string{root + s}, rooted(root))
		if err != nil {
			if kind(t, err); strings.Contains(err.Error(), dir) && !strings.Contains(filepath.Base(root+s), dir) {
				t.Errorf("%v tells the folder", err)
			}
			return
		}
		defer set.Close()
		got := set.Files[0]
		if strings.ContainsAny(got.Name, "/\x00") || got.Name == "" || got.Name == "." || got.Name == ".." {
			t.Errorf("%q has the name %q", s, got.Name)
		}
		if text := read(t, got); text != "inside" {
			t.Errorf("%q leads to %q", s, text)
		}
	})
}
