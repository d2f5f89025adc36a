package supervisor

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// from makes a getenv of pairs NAME=value.
func from(env ...string) func(string) string {
	return func(name string) string {
		for _, e := range env {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

var defaults = Config{
	Host: "127.0.0.1", Port: 6000,
	MaxFileBytes: 26214400, MaxUploadBytes: 52428800, UploadChunkBytes: 262144,
	MaxElements: 500, MaxTextChars: 50000, Budget: 4000,
	RequestTimeout: 30 * time.Second, MaxSessions: 10, SessionTimeout: 5 * time.Minute,
	Privileged: true, JavaScript: true, Evaluate: EvaluateOff,
	Tools:    []string{"core", "pages", "devtools"},
	LogLevel: slog.LevelInfo,
}

func TestFromEnvGood(t *testing.T) {
	dir := t.TempDir()
	tests := map[string]struct {
		env  []string
		args string
		want func(c *Config)
	}{
		"defaults":                  {nil, "", func(*Config) {}},
		"empty variable is unset":   {[]string{"FIREFOX_RDP_PORT="}, "", func(*Config) {}},
		"port":                      {[]string{"FIREFOX_RDP_PORT=65535"}, "", func(c *Config) { c.Port = 65535 }},
		"a flag wins":               {[]string{"FIREFOX_RDP_PORT=6001"}, "--port 6002", func(c *Config) { c.Port = 6002 }},
		"a flag wins over nonsense": {[]string{"FIREFOX_RDP_PORT=x"}, "--port 6002", func(c *Config) { c.Port = 6002 }},
		"the later flag wins":       {nil, "--port=6002 -port=6003", func(c *Config) { c.Port = 6003 }},
		"localhost":                 {[]string{"FIREFOX_RDP_HOST=localhost"}, "", func(c *Config) { c.Host = "localhost" }},
		"IPv6":                      {[]string{"FIREFOX_RDP_HOST=::1"}, "", func(c *Config) { c.Host = "::1" }},
		"another loopback address":  {[]string{"FIREFOX_RDP_HOST=127.8.9.10"}, "", func(c *Config) { c.Host = "127.8.9.10" }},
		"mapped loopback":           {[]string{"FIREFOX_RDP_HOST=::ffff:127.0.0.1"}, "", func(c *Config) { c.Host = "::ffff:127.0.0.1" }},
		"milliseconds":              {[]string{"FIREFOX_MCP_REQUEST_TIMEOUT_MS=800", "FIREFOX_MCP_SESSION_TIMEOUT_MS=1500"}, "", func(c *Config) { c.RequestTimeout, c.SessionTimeout = 800*time.Millisecond, 1500*time.Millisecond }},
		"seconds":                   {nil, "--session-timeout 60", func(c *Config) { c.SessionTimeout = time.Minute }},
		"sizes":                     {[]string{"FIREFOX_MCP_MAX_FILE_BYTES=1", "FIREFOX_MCP_MAX_UPLOAD_BYTES=2", "FIREFOX_MCP_UPLOAD_CHUNK_BYTES=4194304"}, "", func(c *Config) { c.MaxFileBytes, c.MaxUploadBytes, c.UploadChunkBytes = 1, 2, 4<<20 }},
		"no scripts":                {nil, "--no-javascript", func(c *Config) { c.JavaScript = false }},
		"scripts after all":         {[]string{"FIREFOX_MCP_JAVASCRIPT=false"}, "--no-javascript=false", func(c *Config) { c.JavaScript = true }},
		"evaluate in sessions":      {nil, "--enable-evaluate", func(c *Config) { c.Evaluate = EvaluateSessions }},
		"evaluate everywhere":       {nil, "--enable-evaluate=all", func(c *Config) { c.Evaluate = EvaluateAll }},
		"evaluate by variable":      {[]string{"FIREFOX_MCP_ENABLE_EVALUATE=all"}, "", func(c *Config) { c.Evaluate = EvaluateAll }},
		"no evaluate after all":     {[]string{"FIREFOX_MCP_ENABLE_EVALUATE=all"}, "--enable-evaluate=off", func(*Config) {}},
		"switches":                  {[]string{"FIREFOX_MCP_PRIVILEGED=false", "FIREFOX_MCP_READ_ONLY=true"}, "", func(c *Config) { c.Privileged, c.ReadOnly = false, true }},
		"switches by flag":          {nil, "--privileged=false --read-only", func(c *Config) { c.Privileged, c.ReadOnly = false, true }},
		"groups":                    {[]string{"FIREFOX_MCP_TOOLS=core, pages"}, "", func(c *Config) { c.Tools = []string{"core", "pages"} }},
		"hosts":                     {nil, "--allow-hosts Example.com,*.example.org,127.0.0.1,::1", func(c *Config) { c.AllowHosts = []string{"example.com", "*.example.org", "127.0.0.1", "::1"} }},
		"roots":                     {[]string{"FIREFOX_MCP_UPLOAD_ROOTS=" + dir + string(filepath.ListSeparator) + dir + "/x/../y"}, "", func(c *Config) { c.UploadRoots = []string{dir, filepath.Join(dir, "y")} }},
		"verbose":                   {nil, "-v", func(c *Config) { c.LogLevel = slog.LevelDebug }},
		"verbose in full":           {[]string{"FIREFOX_MCP_LOG_LEVEL=error"}, "--verbose", func(c *Config) { c.LogLevel = slog.LevelDebug }},
		"less verbose":              {nil, "-v --log-level warn", func(c *Config) { c.LogLevel = slog.LevelWarn }},
		"command": {nil, "--port 6001 call -v click {} more", func(c *Config) {
			c.Port, c.LogLevel, c.Command, c.Args = 6001, slog.LevelDebug, "call", []string{"click", "{}", "more"}
		}},
		"numbers": {nil, "--max-elements 1 --max-text-chars 10000000 --budget 100 --max-sessions 100", func(c *Config) { c.MaxElements, c.MaxTextChars, c.Budget, c.MaxSessions = 1, 10_000_000, 100, 100 }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			want := defaults
			tt.want(&want)
			got, err := FromEnv(from(tt.env...), strings.Fields(tt.args))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("FromEnv(%q, %q): %v\n%s", tt.env, tt.args, err, diff)
			}
		})
	}
}

func TestFromEnvBad(t *testing.T) {
	numbers := []string{"abc", "-1", "1.5", "99999999999999999999", "+5", " 5", "5 ", "1_000", "0x10", "1e3", "007", "٣", "9223372036854775808", "0"}
	bad := map[string][]string{
		"FIREFOX_RDP_HOST": {
			"192.0.2.1", "0.0.0.0", "10.0.0.1", "8.8.8.8", "::", "2001:db8::1", "::ffff:192.0.2.1", "::1%lo", "fe80::1%1", "http://127.0.0.1", "/tmp/rdp.sock",
			"127.0.0.1:6000", "[::1]", "[::1]:6000", "localhost:6000", "127.1", "0x7f000001", "2130706433", "a b", "-", "a..b", ".", "localhost\n", "no-such-host.invalid", "user@localhost", "localhost/",
		},
		"FIREFOX_RDP_PORT":               append(numbers, "65536"),
		"FIREFOX_MCP_MAX_FILE_BYTES":     numbers,
		"FIREFOX_MCP_MAX_UPLOAD_BYTES":   numbers,
		"FIREFOX_MCP_UPLOAD_CHUNK_BYTES": append(numbers, "4194305"),
		"FIREFOX_MCP_UPLOAD_ROOTS":       {"relative", "./x", "~/x", "/ok:relative"},
		"FIREFOX_MCP_MAX_ELEMENTS":       numbers,
		"FIREFOX_MCP_MAX_TEXT_CHARS":     numbers,
		"FIREFOX_MCP_BUDGET":             numbers,
		"FIREFOX_MCP_REQUEST_TIMEOUT_MS": append(numbers, "9", "600001"),
		"FIREFOX_MCP_MAX_SESSIONS":       numbers,
		"FIREFOX_MCP_SESSION_TIMEOUT_MS": append(numbers, "999"),
		"FIREFOX_MCP_JAVASCRIPT":         {"yes", "TRUE", "2", " "},
		"FIREFOX_MCP_PRIVILEGED":         {"no", "False"},
		"FIREFOX_MCP_READ_ONLY":          {"maybe"},
		"FIREFOX_MCP_ENABLE_EVALUATE":    {"true", "on", "ALL"},
		"FIREFOX_MCP_TOOLS":              {"core,extras", ",", "Core"},
		"FIREFOX_MCP_ALLOW_HOSTS":        {"https://example.com", "example.com:80", "*", "*.", "a b"},
		"FIREFOX_MCP_LOG_LEVEL":          {"verbose", "INFO", "-4"},
		"FIREFOX_MCP_TRACE":              {"a\x00b"},
	}
	for _, s := range settings {
		if len(bad[s.env]) == 0 {
			t.Errorf("no bad values of %s are tested", s.env)
		}
		for _, value := range bad[s.env] {
			_, err := FromEnv(from(s.env+"="+value), nil)
			e, ok := errors.AsType[*ConfigError](err)
			if !ok {
				t.Errorf("%s=%q: %v, want a ConfigError", s.env, value, err)
				continue
			}
			want := ConfigError{Env: s.env, Value: value, Err: e.Err}
			if *e != want || !strings.HasPrefix(e.Error(), s.env+" ") || strings.ContainsAny(e.Error(), "\n\r\x1b") {
				t.Errorf("%s=%q: %q", s.env, value, e)
			}
		}
	}
}

func TestFromEnvBadFlags(t *testing.T) {
	tests := map[string]string{
		"--port abc":                   `--port (FIREFOX_RDP_PORT) "abc": want a whole number from 1 to 65535`,
		"--port=":                      `--port (FIREFOX_RDP_PORT) "": want a whole number from 1 to 65535`,
		"--session-timeout 1.5":        `--session-timeout (FIREFOX_MCP_SESSION_TIMEOUT_MS) "1.5": want a whole number of seconds, at least 1`,
		"--session-timeout 2147483647": `--session-timeout (FIREFOX_MCP_SESSION_TIMEOUT_MS) "2147483647": want a whole number from 1000 to 86400000`,
		"--no-javascript=perhaps":      `--no-javascript (FIREFOX_MCP_JAVASCRIPT) "perhaps": want true or false`,
		"--enable-evaluate=some":       `--enable-evaluate (FIREFOX_MCP_ENABLE_EVALUATE) "some": want off, sessions or all`,
		"--port":                       `flag needs an argument: -port`,
		"--prot 6000":                  `flag provided but not defined: -prot`,
		"-v=3":                         `invalid boolean value "3" for -v: takes no value`,
		"-h":                           flag.ErrHelp.Error(),
		"--help":                       flag.ErrHelp.Error(),
		"doctor --help":                flag.ErrHelp.Error(),
	}
	for args, want := range tests {
		if _, err := FromEnv(from(), strings.Fields(args)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestLoopbackLooksAtEveryAddress(t *testing.T) {
	broken := errors.New("server misbehaving")
	tests := map[string]struct {
		addrs string
		err   error
		ok    bool
	}{
		"one":           {"127.0.0.1", nil, true},
		"both families": {"::1 127.0.0.1 ::ffff:127.0.0.1", nil, true},
		"one is not":    {"127.0.0.1 192.0.2.1", nil, false},
		"unspecified":   {"0.0.0.0", nil, false},
		"mapped":        {"::ffff:192.0.2.1", nil, false},
		"zone":          {"fe80::1%lo0 127.0.0.1", nil, false},
		"none":          {"", nil, false},
		"error":         {"", broken, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := loopback("name.example", func(context.Context, string, string) ([]netip.Addr, error) {
				var addrs []netip.Addr
				for a := range strings.FieldsSeq(tt.addrs) {
					addrs = append(addrs, netip.MustParseAddr(a))
				}
				return addrs, tt.err
			})
			if (err == nil) != tt.ok || tt.err != nil && !errors.Is(err, tt.err) {
				t.Errorf("%q: %v", tt.addrs, err)
			}
		})
	}
}

func TestHelpNamesEverySetting(t *testing.T) {
	help := Help()
	for _, s := range settings {
		for _, want := range []string{s.env + " ", "--" + s.flag, s.fallback} {
			if !strings.Contains(help, want) {
				t.Errorf("help does not mention %q", want)
			}
		}
	}
}

func FuzzFromEnv(f *testing.F) {
	f.Add("6000", "127.0.0.1", "--port=5")
	f.Add("-1", "0.0.0.0", "call x")
	f.Add("007", "::1%eth0", "--session-timeout=\n")
	hostile := func(_ context.Context, _, _ string) ([]netip.Addr, error) { return nil, os.ErrNotExist }
	f.Fuzz(func(t *testing.T, number, host, arg string) {
		if n, err := integer(number, 1, 65535); err == nil && (n < 1 || n > 65535) {
			t.Errorf("integer(%q) = %d", number, n)
		}
		if loopback(host, hostile) == nil {
			if a, err := netip.ParseAddr(host); err != nil || !a.Unmap().IsLoopback() || a.Zone() != "" {
				t.Errorf("%q passed for loopback", host)
			}
		}
		_, err := FromEnv(from("FIREFOX_RDP_PORT="+number), []string{arg})
		if e, ok := errors.AsType[*ConfigError](err); ok && strings.ContainsAny(e.Error(), "\n\r\x1b\x00") {
			t.Errorf("the error has more than one line: %q", e)
		}
	})
}

func TestSharesHoldWhatWasSet(t *testing.T) {
	c := defaults
	c.AllowHosts, c.UploadRoots, c.Evaluate, c.ReadOnly = []string{"example.com"}, []string{"/tmp"}, EvaluateSessions, true
	s, tool, limits := c.session(), c.tools(), c.limits()
	if s.Host != c.Host || s.Port != c.Port || s.Request != c.RequestTimeout || !s.Privileged || s.MaxElements != c.MaxElements || s.MaxText != c.MaxTextChars ||
		s.Budget != c.Budget || !cmp.Equal(s.AllowHosts, c.AllowHosts) {
		t.Errorf("session gets %+v", s)
	}
	if u := s.Upload; u.MaxFile != c.MaxFileBytes || u.MaxTotal != c.MaxUploadBytes || u.Chunk != c.UploadChunkBytes || !cmp.Equal(u.Roots, c.UploadRoots) {
		t.Errorf("uploads get %+v", u)
	}
	if len(tool.Groups) != 3 || !tool.ReadOnly || !tool.EnableEvaluate || tool.MaxElements != c.MaxElements || tool.MaxTextChars != c.MaxTextChars || tool.Budget != c.Budget {
		t.Errorf("tools get %+v", tool)
	}
	if limits.Reply != c.RequestTimeout || limits.Result != c.RequestTimeout {
		t.Errorf("connections get %+v", limits)
	}
}
