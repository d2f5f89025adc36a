package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session/outline"
)

// Level says how bad a console message is.
type Level int

// The levels, the least first.
const (
	LevelDebug Level = iota
	LevelInfo
	LevelWarn
	LevelError
)

var levelNames = [...]string{"debug", "info", "warn", "error"}

// String gives the level's word.
func (l Level) String() string { return levelNames[l] }

// ParseLevel reads a level's word; anything else is LevelDebug.
func ParseLevel(word string) Level { return Level(max(slices.Index(levelNames[:], word), 0)) }

// ConsoleMessage is what a page has written to its console, or an error of the
// page's. The texts are the page's.
type ConsoleMessage struct {
	Level  Level
	Page   bool // an error or a warning of the page itself, not a call of the console's
	Text   string
	Source string // address of the script, without credentials
	Line   int
	Column int
	Time   time.Time
	Count  int // times that it came in a row

	parts []piece // of a text that is longer than Firefox has told
}

func (m *ConsoleMessage) repeats(other *ConsoleMessage) bool {
	return m.Level == other.Level && m.Page == other.Page && m.Text == other.Text && m.Source == other.Source && m.Line == other.Line && m.Column == other.Column
}

// messageLimit bounds the text of one message, in code points.
const messageLimit = 2000

// consoleMessage reads a console-message resource (rdp-facts.md 11.1).
func consoleMessage(raw json.RawMessage) (ConsoleMessage, bool) {
	var w struct {
		Arguments []json.RawMessage `json:"arguments"`
		Level     string            `json:"level"`
		Filename  string            `json:"filename"`
		Line      int               `json:"lineNumber"`
		Column    int               `json:"columnNumber"`
		TimeStamp float64           `json:"timeStamp"`
		Counter   *struct {
			Label string `json:"label"`
			Count int    `json:"count"`
		} `json:"counter"`
		Timer *struct {
			Name     string  `json:"name"`
			Duration float64 `json:"duration"`
		} `json:"timer"`
	}
	if json.Unmarshal(raw, &w) != nil || w.Level == "groupEnd" {
		return ConsoleMessage{}, false
	}
	var parts []piece
	for _, arg := range w.Arguments[:min(len(w.Arguments), maxPieces)] {
		parts = append(parts, pieceOf(arg))
	}
	switch {
	case w.Counter != nil:
		parts = []piece{{text: w.Counter.Label + ": " + number(float64(w.Counter.Count))}}
	case w.Timer != nil:
		parts = []piece{{text: w.Timer.Name + ": " + number(w.Timer.Duration) + " ms"}}
	case w.Level == "clear":
		parts = []piece{{text: "(the page has cleared its console)"}}
	case w.Level == "assert":
		parts = append([]piece{{text: "Assertion failed:"}}, parts...)
	}
	m := ConsoleMessage{Level: consoleLevel(w.Level), Source: withoutCredentials(w.Filename), Line: w.Line, Column: w.Column, Time: timeOf(w.TimeStamp), Count: 1}
	m.setParts(parts)
	return m, true
}

func consoleLevel(word string) Level {
	switch word {
	case "error", "assert", "exception":
		return LevelError
	case "warn":
		return LevelWarn
	case "debug", "timeStamp":
		return LevelDebug
	}
	return LevelInfo
}

// pageError reads an error-message resource. Errors of the browser's own scripts
// are none of the page's.
func pageError(raw json.RawMessage) (ConsoleMessage, bool) {
	var w struct {
		Error struct {
			Message   json.RawMessage `json:"errorMessage"`
			Source    json.RawMessage `json:"sourceName"`
			Line      int             `json:"lineNumber"`
			Column    int             `json:"columnNumber"`
			TimeStamp float64         `json:"timeStamp"`
			Warning   bool            `json:"warning"`
			Info      bool            `json:"info"`
			Chrome    bool            `json:"chromeContext"`
			Rejection bool            `json:"isPromiseRejection"`
		} `json:"pageError"`
	}
	if json.Unmarshal(raw, &w) != nil || w.Error.Chrome || len(w.Error.Message) == 0 {
		return ConsoleMessage{}, false
	}
	e := w.Error
	m := ConsoleMessage{Level: LevelError, Page: true, Source: withoutCredentials(pieceOf(e.Source).text), Line: e.Line, Column: e.Column, Time: timeOf(e.TimeStamp), Count: 1}
	switch {
	case e.Warning:
		m.Level = LevelWarn
	case e.Info:
		m.Level = LevelInfo
	}
	parts := []piece{pieceOf(e.Message)}
	if e.Rejection {
		parts = append([]piece{{text: "Uncaught (in promise)"}}, parts...)
	}
	m.setParts(parts)
	return m, true
}

// setParts makes the text. The parts are kept only while something is missing.
func (m *ConsoleMessage) setParts(parts []piece) {
	texts := make([]string, len(parts))
	missing := false
	for i := range parts {
		texts[i] = parts[i].text
		missing = missing || parts[i].actor != ""
	}
	m.Text = outline.Clean(withoutUsers(strings.Join(texts, " ")), messageLimit)
	if m.parts = nil; missing {
		m.parts = parts
	}
}

func timeOf(milliseconds float64) time.Time {
	if milliseconds <= 0 || milliseconds > 1e14 {
		return time.Now()
	}
	return time.UnixMicro(int64(milliseconds * 1000))
}

// ConsoleArgs say which messages are wanted.
type ConsoleArgs struct {
	Tab      TabID
	Level    Level  // this and worse
	Contains string // part of the text, whatever its case
	Limit    int    // the newest so many; 0 means 50
	Clear    bool   // forget all of the tab's afterwards
}

// Console is what a tab's console has said.
type Console struct {
	Messages []ConsoleMessage // the oldest first
	Matching int              // with those beyond the limit
	Kept     int
	Lost     int       // older ones that had to make room
	Since    time.Time // when watching began
	Fresh    bool      // it began with this call
	Tab      TabID
}

// readConsole asks for a copy of what is wanted.
type readConsole struct {
	args  ConsoleArgs
	reply reply[*Console]
}

func (m readConsole) fail(err error) { m.reply.fail(err) }

func (m readConsole) apply(st *state) {
	t := st.tabs[m.args.Tab]
	if t == nil {
		m.reply.fail(st.gone(m.args.Tab))
		return
	}
	d := &t.dev
	out := &Console{Kept: len(d.messages), Lost: d.lostMessages, Since: d.since[consoleMessages], Tab: t.ID}
	wanted := strings.ToLower(m.args.Contains)
	for _, msg := range d.messages {
		if msg.Level >= m.args.Level && strings.Contains(strings.ToLower(msg.Text), wanted) {
			out.Messages = append(out.Messages, msg)
		}
	}
	out.Matching = len(out.Messages)
	out.Messages = out.Messages[max(len(out.Messages)-m.args.Limit, 0):]
	if m.args.Clear {
		d.messages, d.lostMessages = nil, 0
	}
	m.reply.send(out, nil)
}

// Console lists what a tab's console has said since it is watched, which it is
// from the first call on; what Firefox has kept of the present page comes too.
func (s *Session) Console(ctx context.Context, a ConsoleArgs) (*Console, error) {
	setDefault(&a.Limit, 50)
	t, fresh, err := s.beginWatched(ctx, a.Tab, consoleMessages, pageErrors)
	if err != nil {
		return nil, err
	}
	defer t.end()
	a.Tab = t.ID
	out, err := ask(ctx, s, func(r reply[*Console]) message { return readConsole{a, r} })
	if err != nil {
		return nil, fromConnection(err)
	}
	out.Fresh = fresh
	t.complete(ctx, out.Messages)
	return out, nil
}

// Bounds on the fetching of long texts.
const (
	maxCompleted     = 20
	completePatience = time.Second
)

// complete fetches what Firefox has told only the beginning of. Where that does
// not work (the page is gone, or hangs) the beginning has to do.
func (t *turn) complete(ctx context.Context, messages []ConsoleMessage) {
	ctx, cancel := context.WithTimeout(ctx, completePatience)
	defer cancel()
	left := maxCompleted
	for i := len(messages) - 1; i >= 0; i-- {
		m := &messages[i]
		if m.parts == nil {
			continue
		}
		parts := slices.Clone(m.parts)
		for k := range parts {
			if parts[k].actor == "" || left == 0 {
				continue
			}
			left--
			p, err := t.conn.DoInPage(ctx, parts[k].actor, "substring", map[string]any{"start": 0, "end": min(parts[k].length, messageLimit)})
			if text, ok := substring(p, err); ok {
				parts[k] = piece{text: text + ellipsisOf(parts[k].length > messageLimit)}
			}
		}
		m.setParts(parts)
	}
}

func ellipsisOf(cut bool) string {
	if cut {
		return "…"
	}
	return ""
}

func substring(p router.Packet, err error) (string, bool) {
	var w struct {
		Substring string `json:"substring"`
	}
	if err != nil || p.Decode(&w) != nil {
		return "", false
	}
	return w.Substring, true
}
