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
	same(t, "README's table of codes", codes, constants)
}

// TestReadmeSettings compares the table of settings with --help.
func TestReadmeSettings(t *testing.T) {
	names, defaults := section(t, "settings")
	var want, values []string
	for _, m := range regexp.MustCompile(`(FIREFOX_\w+) \(default ([^)]*)\)`).FindAllStringSubmatch(supervisor.Help(), -1) {
		want, values = append(want, m[1]), append(values, m[2])
	}
	same(t, "README's table of settings", names, want)
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
	same(t, "README's table of tools", names, want)
}

// same compares what a table lists with what there is.
func same(t *testing.T, table string, listed, there []string) {
	t.Helper()
	for _, name := range there {
		if !slices.Contains(listed, name) {
			t.Errorf("%s lacks %s", table, name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(there, name) {
			t.Errorf("%s has %s, which does not exist", table, name)
		}
	}
}
