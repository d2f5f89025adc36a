package main

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestModulesOfTheBinary compares the modules that are linked into the program, on
// each system, with the list in SECURITY.md, which gives a reason for each.
func TestModulesOfTheBinary(t *testing.T) {
	raw, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "<!-- modules: checked by modules_test.go -->")
	table, _, end := strings.Cut(rest, "<!-- /modules -->")
	if !ok || !end {
		t.Fatal("SECURITY.md has no list of modules")
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| .+ \\|$").FindAllStringSubmatch(table, -1) {
		listed = append(listed, m[1])
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		same(t, "on "+system+", SECURITY.md's table of modules", listed, modulesFor(t, system))
	}
}

// modulesFor lists the modules other than this one that the program for a system is
// made of.
func modulesFor(t *testing.T, system string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+runtime.GOARCH, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	return slices.Compact(modules)
}
