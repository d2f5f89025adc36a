package faultbench

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// table is the matrix as text.
type table struct {
	head []string
	rows []string
	text map[string][]string
}

func newTable(fs []family) *table {
	t := &table{text: map[string][]string{}}
	for _, f := range fs {
		t.head = append(t.head, f.name)
	}
	return t
}

func (t *table) row(fault, moment string) []string {
	name := fault + "\t" + moment
	row := make([]string, len(t.head))
	t.rows = append(t.rows, name)
	t.text[name] = row
	return row
}

func (t *table) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "fault\tmoment\t%s\n", strings.Join(t.head, "\t"))
	for _, name := range t.rows {
		if cells := t.text[name]; strings.Join(cells, "") != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, strings.Join(cells, "\t"))
		}
	}
	_ = w.Flush()
	return b.String()
}

// tail returns the last lines of a text.
func tail(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
