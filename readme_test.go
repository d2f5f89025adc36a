package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/supervisor"
)

// section returns the first cells of the table between two markers, and the
// second ones.
func section(t *testing.T, name string) (first, second []string) {
	t.Helper()
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "<!-- "+name+": checked by readme_test.go -->")
	table, _, end := strings.Cut(rest, "<!-- /"+name+" -->")
	if !ok || !end {
		t.Fatalf("README has no section %q", name)
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]*) \\|").FindAllStringSubmatch(table, -1) {
		first, second = append(first, m[1]), append(second, strings.Trim(m[2], "` "))
	}
	return first, second
}

// TestReadmeCodes compares the table of errors with the constants.
func TestReadmeCodes(t *testing.T) {
	codes, retryable := section(t, "codes")
	for i, c := range codes {
		if want := map[bool]string{true: "yes", false: "no"}[session.Code(c).Retryable()]; retryable[i] != want {
			t.Errorf("README says retryable %s of %s, the code says %s", retryable[i], c, want)
		}
	}
	src, err := os.ReadFile("session/fault.go")
	if err != nil {
		t.Fatal(err)
	}
	var constants []string
	for _, m := range regexp.MustCompile(`(?m)^\s+\w+\s+Code = "([a-z_]+)"`).FindAllStringSubmatch(string(src), -1) {
		constants = append(constants, m[1])
	}
	same(t, "codes", codes, constants)
}

// TestReadmeSettings compares the table of settings with --help.
func TestReadmeSettings(t *testing.T) {
	names, defaults := section(t, "settings")
	var want, values []string
	for _, m := range regexp.MustCompile(`(FIREFOX_\w+) \(default ([^)]*)\)`).FindAllStringSubmatch(supervisor.Help(), -1) {
		want, values = append(want, m[1]), append(values, m[2])
	}
	same(t, "settings", names, want)
	for i, n := range names {
		if k := slices.Index(want, n); k >= 0 && values[k] != defaults[i] {
			t.Errorf("README says %s defaults to %q, --help says %q", n, defaults[i], values[k])
		}
	}
}

// TestReadmeTools compares the table of tools with the golden schemas, of which
// there is one for each tool.
func TestReadmeTools(t *testing.T) {
	names, _ := section(t, "tools")
	files, err := os.ReadDir("testdata/schemas")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range files {
		want = append(want, strings.TrimSuffix(f.Name(), ".json"))
	}
	same(t, "tools", names, want)
}

func same(t *testing.T, what string, readme, code []string) {
	t.Helper()
	for _, name := range code {
		if !slices.Contains(readme, name) {
			t.Errorf("README's table of %s lacks %s", what, name)
		}
	}
	for _, name := range readme {
		if !slices.Contains(code, name) {
			t.Errorf("README's table of %s has %s, which does not exist", what, name)
		}
	}
}
