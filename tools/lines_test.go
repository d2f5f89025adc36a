package tools

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestReadLine(t *testing.T) {
	const limit = 40
	fits, long := strings.Repeat("x", limit), strings.Repeat("x", limit+1)
	tests := []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"lines", "a\nb\n", []string{"a", "b"}},
		{"empty lines", "\n\na\n", []string{"", "", "a"}},
		{"carriage return stays", "a\r\n", []string{"a\r"}},
		{"last line without newline", "a\nb", []string{"a", "b"}},
		{"just fits", fits + "\na\n", []string{fits, "a"}},
		{"one byte too long", long + "\na\n", []string{"LONG", "a"}},
		{"much too long", strings.Repeat(long, 100) + "\na\n", []string{"LONG", "a"}},
		{"too long at the end", "a\n" + long, []string{"a", "LONG"}},
		{"two in a row", long + "\n" + long + "\n", []string{"LONG", "LONG"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{16, 64, 4096} { // bufio does not go below 16
				in := bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(tt.in)), size)
				var got []string
				for {
					line, err := readLine(in, limit)
					if errors.Is(err, errLongLine) {
						line, err = []byte("LONG"), nil
					}
					if err != nil {
						if !errors.Is(err, io.EOF) {
							t.Fatalf("readLine: %v", err)
						}
						break
					}
					got = append(got, string(line))
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("buffer of %d (-want +got):\n%s", size, diff)
				}
			}
		})
	}
}

func TestReadLineKeepsNoLongLine(t *testing.T) {
	in := bufio.NewReaderSize(io.LimitReader(endless{}, 24<<20), 64<<10)
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := readLine(in, maxLine); !errors.Is(err, errLongLine) && !errors.Is(err, io.EOF) {
			t.Fatalf("readLine: %v", err)
		}
	})
	if allocated > 100 {
		t.Errorf("reading 24 MiB took %v allocations", allocated)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
