package main

import (
	"bytes"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestLogLines(t *testing.T) {
	const stamp = `2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z `
	tests := map[string]struct {
		colour bool
		attr   slog.Attr
		want   string
	}{
		"plain":              {false, slog.Int("epoch", 3), `^` + stamp + `WARN connection lost epoch=3\n$`},
		"error":              {false, slog.Any("err", errors.New("broken \x1b[31m\npipe")), `^` + stamp + `WARN connection lost err="broken \?\[31m\\npipe"\n$`},
		"nil":                {false, slog.Any("cause", nil), `^` + stamp + `WARN connection lost cause=<nil>\n$`},
		"invalid UTF-8":      {false, slog.String("tab", "a\xffb"), `^` + stamp + `WARN connection lost tab=a\?b\n$`},
		"replacement":        {false, slog.String("tab", "a\ufffdb"), `tab=a\?b\n$`},
		"bidi":               {false, slog.String("tab", "a\u202eb"), `tab=a\?b\n$`},
		"time":               {false, slog.Time("at", time.Unix(0, 0)), `at=1970-01-01T00:00:00.000Z\n$`},
		"duration":           {false, slog.Duration("dur", time.Second), `dur=1s\n$`},
		"group":              {false, slog.Group("last", slog.String("x", "\x1b")), `last.x=\?\n$`},
		"colour":             {true, slog.Int("epoch", 3), `^\x1b\[[0-9;]*m?.*Z.*\x1b\[93mWARN\x1b\[0m connection lost .*epoch=`},
		"escape with colour": {true, slog.String("tab", `x "\x1b[31m" `+"\x1b[31m"), `\\"\\\\x1B\[31m\\" \?\[31m`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			newLogger(&out, slog.LevelDebug, tt.colour).LogAttrs(t.Context(), slog.LevelWarn, "connection lost", tt.attr)
			if !regexp.MustCompile(tt.want).Match(out.Bytes()) {
				t.Errorf("wrote %q, want %s", &out, tt.want)
			}
		})
	}
}

func TestLogCutsLongText(t *testing.T) {
	var out bytes.Buffer
	newLogger(&out, slog.LevelInfo, false).Info("x", slog.String("cause", strings.Repeat("é", longest)))
	if n := out.Len(); n > longest+100 {
		t.Errorf("wrote a line of %d bytes", n)
	}
}

func TestLogLevels(t *testing.T) {
	var out bytes.Buffer
	log := newLogger(&out, slog.LevelWarn, false)
	log.Info("no")
	log.Error("yes")
	if got := out.String(); strings.Contains(got, "no") || !strings.Contains(got, " ERROR yes") {
		t.Errorf("wrote %q", got)
	}
}
