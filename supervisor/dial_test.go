package supervisor

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"firefox-rdp-mcp/router"
)

const hello = `{"from":"root","applicationType":"browser","testConnectionPrefix":"server1.conn0.","traits":{}}`

// frame is one server frame of less than 64 kB. first is its first byte: FIN,
// reserved bits, opcode.
func frame(first byte, payload string) string {
	if n := len(payload); n > 125 {
		return string([]byte{first, 126, byte(n >> 8), byte(n)}) + payload
	}
	return string([]byte{first, byte(len(payload))}) + payload
}

const (
	textFrame   = 0x81
	binaryFrame = 0x82
	closeFrame  = 0x88
	pingFrame   = 0x89
)

// upgraded answers a WebSocket upgrade on c and then sends more.
func upgraded(c net.Conn, more string) {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n%s", accept(r.Header.Get("Sec-WebSocket-Key")), more)
}

// answered reads a request and sends an answer.
func answered(c net.Conn, answer string) {
	if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
		_, _ = io.WriteString(c, answer)
	}
}

// hold keeps c open until the other side closes it.
func hold(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// speaks says something at once, and reads whatever comes.
func speaks(c net.Conn, text string) {
	go func() { _, _ = io.WriteString(c, text) }()
	hold(c)
}

// flood writes until the other side closes.
func flood(c net.Conn, text string) {
	go hold(c)
	for {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
	}
}

// peers is everything that may sit behind the port.
var peers = []struct {
	name  string
	serve func(c net.Conn) // returns to close
	stage Stage
	kind  Kind
	says  string // part of the text
}{
	{"closes at once", func(net.Conn) {}, StageUpgrade, KindClosed, "closed the connection without an answer"},
	{"reads the request and closes", func(c net.Conn) { answered(c, "") }, StageUpgrade, KindClosed, ""},
	{"accepts and is silent", hold, StageUpgrade, KindSilent, "accepts connections but does not answer"},
	{"begins an answer and stops", func(c net.Conn) { answered(c, "HTTP/1.1 101"); hold(c) }, StageUpgrade, KindStalled, "stopped in the middle"},
	{"begins an answer and closes", func(c net.Conn) { answered(c, "HTTP/1.1 101 Switching Protocols\r\nUpgr") }, StageUpgrade, KindCut, "in the middle of its answer (upgrade)"},
	{"web server", func(c net.Conn) { answered(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"); hold(c) }, StageUpgrade, KindHTTP, "web server (HTTP status 404)"},
	{"web server with a long body", func(c net.Conn) { answered(c, "HTTP/1.1 200 OK\r\n\r\n"); flood(c, "text") }, StageUpgrade, KindHTTP, "status 200"},
	{"redirect", func(c net.Conn) { answered(c, "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\n\r\n"); hold(c) }, StageUpgrade, KindHTTP, "status 302"},
	{"Firefox that refuses the upgrade", func(c net.Conn) { answered(c, "HTTP/1.1 400 Bad Request\r\n\r\n") }, StageUpgrade, KindHTTP, "status 400"},
	{"headers without an end", func(c net.Conn) { answered(c, "HTTP/1.1 101 Switching Protocols\r\n"); flood(c, "X-Header: value\r\n") }, StageUpgrade, KindHeaders, "headers without an end"},
	{"one endless header", func(c net.Conn) { answered(c, "HTTP/1.1 101 Switching Protocols\r\nX: "); flood(c, "xxxxxxxxxxxxxxxx") }, StageUpgrade, KindHeaders, ""},
	{"malformed HTTP", func(c net.Conn) { answered(c, "HTTP/1.1 abc\r\n\r\n"); hold(c) }, StageUpgrade, KindBadUpgrade, ""},
	{"wrong accept", func(c net.Conn) {
		answered(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
		hold(c)
	}, StageUpgrade, KindBadUpgrade, "wrong Sec-WebSocket-Accept"},
	{"no accept", func(c net.Conn) { answered(c, "HTTP/1.1 101 Switching Protocols\r\n\r\n"); hold(c) }, StageUpgrade, KindBadUpgrade, ""},
	{"right accept, wrong upgrade", func(c net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", accept(r.Header.Get("Sec-WebSocket-Key")))
		hold(c)
	}, StageUpgrade, KindBadUpgrade, "headers that do not fit"},
	{"Firefox without WebSocket", func(c net.Conn) { speaks(c, fmt.Sprintf("%d:%s", len(hello), hello)) }, StageUpgrade, KindPlainRDP, "with ws: before the port"},
	{"SSH", func(c net.Conn) { speaks(c, "SSH-2.0-OpenSSH_9.6\r\n") }, StageUpgrade, KindNotHTTP, "does not speak HTTP"},
	{"TLS", func(c net.Conn) { answered(c, "\x15\x03\x01\x00\x02\x02\x46") }, StageUpgrade, KindNotHTTP, ""},

	{"WebSocket that never greets", func(c net.Conn) { upgraded(c, ""); hold(c) }, StageGreeting, KindPrompt, "asking to allow the connection"},
	{"pings and never greets", func(c net.Conn) { upgraded(c, frame(pingFrame, "")); hold(c) }, StageGreeting, KindStalled, ""},
	{"greets by half", func(c net.Conn) { upgraded(c, frame(textFrame, hello)[:40]); hold(c) }, StageGreeting, KindStalled, "(greeting)"},
	{"closes without greeting", func(c net.Conn) { upgraded(c, "") }, StageGreeting, KindRejected, "probably refused in Firefox's dialog"},
	{"close frame without a code", func(c net.Conn) { upgraded(c, frame(closeFrame, "")) }, StageGreeting, KindRejected, ""},
	{"close frame with a code", func(c net.Conn) { upgraded(c, frame(closeFrame, "\x03\xf0no")) }, StageGreeting, KindRejected, ""},
	{"closed within a frame's payload", func(c net.Conn) { upgraded(c, frame(textFrame, hello)[:40]) }, StageGreeting, KindCut, "in the middle of its answer (greeting)"},
	{"closed within a frame's header", func(c net.Conn) { upgraded(c, frame(textFrame, hello)[:1]) }, StageGreeting, KindCut, ""},
	{"closed between fragments", func(c net.Conn) { upgraded(c, frame(0x01, hello[:20])) }, StageGreeting, KindCut, ""},
	{"reserved bits", func(c net.Conn) { upgraded(c, frame(0xf1, hello)); hold(c) }, StageGreeting, KindProtocol, "breaks the WebSocket protocol"},
	{"unknown opcode", func(c net.Conn) { upgraded(c, frame(0x83, hello)); hold(c) }, StageGreeting, KindProtocol, ""},
	{"continuation of nothing", func(c net.Conn) { upgraded(c, frame(0x80, hello)); hold(c) }, StageGreeting, KindProtocol, ""},
	{"endless greeting", func(c net.Conn) { upgraded(c, frame(0x01, "{")); flood(c, frame(0x00, "     ")) }, StageGreeting, KindProtocol, ""},
	{"binary greeting", func(c net.Conn) { upgraded(c, frame(binaryFrame, hello)); hold(c) }, StageGreeting, KindNotRDP, "a binary message"},
	{"greeting that is not UTF-8", func(c net.Conn) { upgraded(c, frame(textFrame, "{\"from\":\"root\xff\"}")); hold(c) }, StageGreeting, KindNotRDP, "not UTF-8"},
	{"greeting that is not JSON", func(c net.Conn) { upgraded(c, frame(textFrame, "hello")); hold(c) }, StageGreeting, KindNotRDP, "no packet"},
	{"empty greeting", func(c net.Conn) { upgraded(c, frame(textFrame, "")); hold(c) }, StageGreeting, KindNotRDP, ""},
	{"greeting of an array", func(c net.Conn) { upgraded(c, frame(textFrame, "[]")); hold(c) }, StageGreeting, KindNotRDP, ""},
	{"greeting of another actor", func(c net.Conn) { upgraded(c, frame(textFrame, `{"from":"ro\u001b[0mot"}`)); hold(c) }, StageGreeting, KindNotRDP, `from "ro\x1b[0mot", not from the root`},
	{"greeting of another protocol", func(c net.Conn) { upgraded(c, frame(textFrame, `{"method":"hello"}`)); hold(c) }, StageGreeting, KindNotRDP, ""},
	{"greeting of another debugger", func(c net.Conn) {
		upgraded(c, frame(textFrame, `{"from":"root","applicationType":"webextension"}`))
		hold(c)
	}, StageGreeting, KindNotRDP, `for "webextension"`},
}

// pipes is a dialer whose peer is served over a pipe, inside a bubble.
func pipes(serve func(net.Conn)) dialer {
	return dialer{host: "127.0.0.1", port: 6000, limit: readLimit, tcp: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			serve(theirs)
		}()
		return ours, nil
	}}
}

// dial goes through a dial and returns the stages entered.
func dial(ctx context.Context, d dialer) (stages []Stage, err error) {
	ws, _, err := d.dial(ctx, func(s Stage) error { stages = append(stages, s); return nil })
	if err == nil {
		_ = ws.CloseNow()
	}
	return stages, err
}

// judge checks what a failed dial says.
func judge(t *testing.T, err error, stage Stage, kind Kind, says string) {
	t.Helper()
	e, ok := errors.AsType[*DialError](err)
	if !ok {
		t.Fatalf("dial gave %v, want a DialError", err)
	}
	if e.Stage != stage || e.Kind != kind || !strings.Contains(e.Error(), says) || strings.ContainsAny(e.Error(), "\n\r\x1b") {
		t.Errorf("dial failed in %s with %s (%v): %v; want %s, %s, %q", e.Stage, e.Kind, e.Err, e, stage, kind, says)
	}
}

func TestDialTellsWhatIsThere(t *testing.T) {
	for _, tt := range peers {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				_, err := dial(t.Context(), pipes(tt.serve))
				judge(t, err, tt.stage, tt.kind, tt.says)
				limit := time.Duration(0) // all but the silent are found out at once
				switch tt.kind {
				case KindSilent, KindStalled, KindPrompt:
					limit = map[Stage]time.Duration{StageUpgrade: upgradeTimeout, StageGreeting: greetingTimeout}[tt.stage]
				}
				if took := time.Since(start); took != limit {
					t.Errorf("took %v, want %v", took, limit)
				}
			})
		})
	}
}

func TestDialTellsWhatIsThereOnSockets(t *testing.T) {
	for _, tt := range peers {
		if tt.kind == KindSilent || tt.kind == KindStalled || tt.kind == KindPrompt {
			continue // their deadlines are tested in bubbles
		}
		t.Run(tt.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			defer func() { l.Close(); <-done }()
			go func() {
				defer close(done)
				if c, err := l.Accept(); err == nil {
					tt.serve(c)
					c.Close()
				}
			}()
			_, err = dial(t.Context(), newDialer("127.0.0.1", l.Addr().(*net.TCPAddr).Port))
			judge(t, err, tt.stage, tt.kind, tt.says)
		})
	}
}

func TestDialNothingThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	_, err = dial(t.Context(), newDialer("localhost", port))
	judge(t, err, StageConnect, KindRefused, fmt.Sprintf("start Firefox with --start-debugger-server ws:%d", port))
}

func TestDialRefusesOtherMachines(t *testing.T) {
	// Not an address that the configuration lets through: it stands for a name
	// that has come to mean it.
	_, err := dial(t.Context(), newDialer("192.0.2.1", 6000))
	judge(t, err, StageConnect, KindNotLoopback, "no longer means this machine")
}

func TestDialOtherFailure(t *testing.T) {
	d := dialer{host: "::1", port: 6000, tcp: func(context.Context, string, string) (net.Conn, error) { return nil, syscall.EMFILE }}
	_, err := dial(t.Context(), d)
	judge(t, err, StageConnect, KindUnreachable, "[::1]:6000 cannot be reached (too many open files)")
}

func TestDialAsksAsFirefoxExpects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan *http.Request, 1)
		_, _ = dial(t.Context(), pipes(func(c net.Conn) {
			if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
				asked <- r
			}
		}))
		r := <-asked
		if r.Method != http.MethodGet || r.RequestURI != "/" || r.Proto != "HTTP/1.1" || r.Host != "127.0.0.1:6000" {
			t.Errorf("asked %s %s %s of %s", r.Method, r.RequestURI, r.Proto, r.Host)
		}
		// Firefox compares the values of the first two letter by letter.
		for name, want := range map[string][]string{
			"Upgrade": {"websocket"}, "Connection": {"Upgrade"}, "Sec-Websocket-Version": {"13"},
			"Origin": nil, "Sec-Websocket-Extensions": nil, "Sec-Websocket-Protocol": nil,
		} {
			if got := r.Header[name]; !slices.Equal(got, want) {
				t.Errorf("sent %s %q, want %q", name, got, want)
			}
		}
	})
}

func TestDialWaitsForSomebodyToPressOK(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := dial(t.Context(), pipes(func(c net.Conn) {
			upgraded(c, "")
			time.Sleep(greetingTimeout - time.Second)
			_, _ = io.WriteString(c, frame(textFrame, hello))
			hold(c)
		}))
		if err != nil {
			t.Error(err)
		}
	})
}

func TestDialTakesAGreetingInAnyShape(t *testing.T) {
	shapes := map[string]string{
		"one frame":       frame(textFrame, hello),
		"fragments":       frame(0x01, hello[:10]) + frame(0x00, hello[10:20]) + frame(0x80, hello[20:]),
		"a ping before":   frame(pingFrame, "") + frame(textFrame, hello),
		"a packet behind": frame(textFrame, hello) + frame(textFrame, `{"from":"root","type":"tabListChanged"}`),
	}
	for name, sent := range shapes {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := pipes(func(c net.Conn) {
					upgraded(c, sent)
					hold(c)
				})
				var stages []Stage
				ws, greeting, err := d.dial(t.Context(), func(s Stage) error { stages = append(stages, s); return nil })
				if err != nil {
					t.Fatal(err)
				}
				defer ws.CloseNow()
				if greeting.From != router.Root || string(greeting.Raw) != hello {
					t.Errorf("greeting is %+v", greeting)
				}
				if !slices.Equal(stages, []Stage{StageConnect, StageUpgrade, StageGreeting}) {
					t.Errorf("entered %v", stages)
				}
				if name == "a packet behind" {
					if _, msg, err := ws.Read(t.Context()); err != nil || !strings.Contains(string(msg), "tabListChanged") {
						t.Errorf("then read %q, %v", msg, err)
					}
				}
			})
		})
	}
}

func TestDialEndsWithItsContext(t *testing.T) {
	for _, tt := range []struct {
		name  string
		serve func(net.Conn)
	}{{"upgrade", hold}, {"greeting", func(c net.Conn) { upgraded(c, ""); hold(c) }}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				start := time.Now()
				if _, err := dial(ctx, pipes(tt.serve)); err == nil {
					t.Error("succeeded")
				}
				if took := time.Since(start); took != time.Second {
					t.Errorf("took %v, want a second", took)
				}
			})
		})
	}
}

func TestDialUsesNoProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") }))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	t.Setenv("ALL_PROXY", proxy.URL)
	synctest.Test(t, func(t *testing.T) {
		d := pipes(func(c net.Conn) { upgraded(c, frame(textFrame, hello)); hold(c) })
		if _, err := dial(t.Context(), d); err != nil {
			t.Error(err)
		}
	})
}
