package tools

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// maxLine bounds one line of input, in bytes without its newline.
const maxLine = 8 << 20

// errLongLine says that a line was over the limit. It is not kept: what is too
// long is thrown away as it comes.
var errLongLine = errors.New("line longer than 8 MiB")

// lines reads the input and sends each line, checked, to the desk.
type lines struct {
	in       io.Reader
	arrivals chan<- arrival
}

// serve reads until the input or ctx ends. The last arrival carries the end. A
// read that is under way cannot be interrupted, only the input closed.
func (l *lines) serve(ctx context.Context) {
	in := bufio.NewReaderSize(l.in, 64<<10)
	for {
		line, err := readLine(in, maxLine)
		a := arrival{end: err}
		switch {
		case errors.Is(err, errLongLine):
			a = refuse(noID, codeInvalidRequest, err.Error())
		case err == nil:
			a = check(line)
		}
		select {
		case l.arrivals <- a:
		case <-ctx.Done():
			return
		}
		if a.end != nil {
			return
		}
	}
}

// readLine returns the next line without its newline, in memory of its own. A
// last line without a newline is a line as well. Of a line over limit bytes it
// keeps nothing, skips to its end and returns errLongLine.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	var long bool
	for {
		part, err := in.ReadSlice('\n')
		full := bytes.TrimSuffix(part, []byte("\n"))
		if long = long || len(line)+len(full) > limit; long {
			line = nil
		} else {
			line = append(line, full...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil || len(line) > 0 || long: // an error that cuts a line short comes again with the next call
			if long {
				return nil, errLongLine
			}
			return line, nil
		default:
			return nil, err
		}
	}
}
