package upload

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCreate(t *testing.T) {
	inside, outside := t.TempDir(), t.TempDir()
	there := filepath.Join(inside, "there")
	if err := os.WriteFile(there, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": filepath.Join(inside, "new-by-link"), "out": outside} {
		if err := os.Symlink(to, filepath.Join(inside, link)); err != nil {
			t.Fatal(err)
		}
	}
	roots := []string{inside}
	for _, tt := range []struct {
		name, path string
		roots      []string
		wrong      string
	}{
		{"a new file", filepath.Join(inside, "new"), nil, ""},
		{"a new file in a root", filepath.Join(inside, "rooted"), roots, ""},
		{"a file that is there", there, nil, "not replaced"},
		{"a file that is there, in a root", there, roots, "not replaced"},
		{"a link that leads nowhere yet", filepath.Join(inside, "link"), nil, "not replaced"},
		{"outside the roots", filepath.Join(outside, "x"), roots, "outside"},
		{"outside the roots, not there", filepath.Join(outside, "none", "x"), roots, "outside"},
		{"outside through a link", filepath.Join(inside, "out", "x"), roots, "outside"},
		{"outside by dots", inside + "/../" + filepath.Base(outside) + "/x", roots, "outside"},
		{"no folder", filepath.Join(inside, "none", "x"), nil, "folder does not exist"},
		{"a folder", inside + "/", nil, "names no file"},
		{"relative", "x", nil, "absolute"},
		{"NUL", inside + "/a\x00b", nil, "NUL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Create(tt.path, []byte("data"), tt.roots)
			if tt.wrong == "" {
				got, rerr := os.ReadFile(tt.path)
				if err != nil || rerr != nil || string(got) != "data" {
					t.Errorf("Create = %v, file %q, %v", err, got, rerr)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.wrong) || strings.Contains(err.Error(), inside) {
				t.Errorf("Create = %v, want %q and no path", err, tt.wrong)
			}
			if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Invalid {
				t.Errorf("kind of %v", err)
			}
		})
	}
	if got, err := os.ReadFile(there); err != nil || string(got) != "old" {
		t.Errorf("the file that was there holds %q, %v", got, err)
	}
	if _, err := os.Lstat(filepath.Join(inside, "new-by-link")); err == nil {
		t.Error("a link was followed")
	}
}
