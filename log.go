package main

import (
	"io"
	"log/slog"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/lmittmann/tint"

	"firefox-rdp-mcp/supervisor"
)

// longest is how much of a text one attribute may show, in bytes. A stack of a
// panic needs room; nothing else comes near.
const longest = 8000

// newLogger makes the logger of the program: one line an event, with a UTC time
// and the level as a word.
func newLogger(w io.Writer, level slog.Level, colour bool) *slog.Logger {
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, NoColor: !colour, ReplaceAttr: replace}))
}

// colourful reports whether f is a terminal whose user does not mind colours.
func colourful(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""
}

// colours of the levels, as terminals count them.
var colours = map[slog.Level]uint8{slog.LevelDebug: 8, slog.LevelInfo: 10, slog.LevelWarn: 11, slog.LevelError: 9}

// replace gives time and level their form, and makes every text harmless.
func replace(_ []string, a slog.Attr) slog.Attr {
	value := a.Value.Any()
	switch v := value.(type) {
	case time.Time:
		return slog.String(a.Key, v.UTC().Format(supervisor.LogTime))
	case slog.Level:
		return tint.Attr(colours[v], slog.String(a.Key, v.String()))
	case string:
		return slog.String(a.Key, harmless(v))
	case error:
		return slog.String(a.Key, harmless(v.Error()))
	}
	return a
}

// harmless makes text from outside fit for a terminal. Tint would pass escape
// sequences through to it, make new ones of a written "\x1b", and cut the line
// at the first character that is not valid.
func harmless(s string) string {
	if len(s) > longest {
		s = s[:longest] + "…"
	}
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || (r != unicode.ReplacementChar && unicode.IsPrint(r)) {
			return r
		}
		return '?'
	}, s)
	return strings.ReplaceAll(s, `\x1b`, `\x1B`)
}
