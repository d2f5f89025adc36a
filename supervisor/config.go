package supervisor

import (
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"firefox-rdp-mcp/router"
	"firefox-rdp-mcp/session"
	"firefox-rdp-mcp/tools"
)

// Config is everything a user can set. Counts are in the units of their
// comments; a Config from FromEnv has been checked.
type Config struct {
	Host string // a loopback address, or a name that means nothing but loopback
	Port int

	MaxFileBytes     int64 // of one file of an upload
	MaxUploadBytes   int64 // of all files of one upload
	UploadChunkBytes int   // raw bytes per request
	UploadRoots      []string

	MaxElements  int // controls in one snapshot
	MaxTextChars int // of page text in one snapshot, in code points
	Budget       int // of one snapshot, in estimated tokens

	RequestTimeout time.Duration // of one answer of Firefox
	MaxSessions    int           // pages opened by this server at the same time
	SessionTimeout time.Duration // idle time after which such a page is closed

	Privileged bool
	JavaScript bool // scripts of pages opened by this server
	ReadOnly   bool // list only tools that change nothing
	Evaluate   Evaluate
	Tools      []string // groups of tools that are listed
	AllowHosts []string // of navigations; empty allows any

	LogLevel slog.Level
	Trace    string // file for the trace, or with the doctor, of one; empty for none

	Command string   // what to do; empty is to serve MCP on stdio
	Args    []string // what follows the command, flags of this table taken out
	JSON    bool     // of the command call: print the structured part
}

// Evaluate says where the evaluate tool may run scripts.
type Evaluate string

// The values of Evaluate. A session is a page that this server opened.
const (
	EvaluateOff      Evaluate = "off"
	EvaluateSessions Evaluate = "sessions"
	EvaluateAll      Evaluate = "all"
)

// setting is one row of the table of settings. Every value comes as text, from
// the default, the environment or a flag, and goes through the same set.
type setting struct {
	env      string
	flag     string // without dashes
	unit     string // placeholder of the value in the help; empty for switches
	fallback string
	help     string
	set      func(c *Config, value string) error

	// fromFlag turns the flag's text into that of the variable where the two
	// differ. A switch without a value is "true".
	fromFlag func(value string) (string, error)
}

// settings is the table: the one place that knows names, defaults and rules.
var settings = []setting{
	{
		env: "FIREFOX_RDP_HOST", flag: "host", unit: "HOST", fallback: "127.0.0.1", set: setHost,
		help: "where Firefox's debugger server listens; loopback only",
	},
	{
		env: "FIREFOX_RDP_PORT", flag: "port", unit: "PORT", fallback: "6000", set: whole(1, 65535, func(c *Config) *int { return &c.Port }),
		help: "its port; pages cannot reach 6000, but other ports they can",
	},
	{
		env: "FIREFOX_MCP_MAX_FILE_BYTES", flag: "max-file-bytes", unit: "BYTES", fallback: "26214400", set: whole(1, 1<<40, func(c *Config) *int64 { return &c.MaxFileBytes }),
		help: "largest file of an upload",
	},
	{
		env: "FIREFOX_MCP_MAX_UPLOAD_BYTES", flag: "max-upload-bytes", unit: "BYTES", fallback: "52428800", set: whole(1, 1<<40, func(c *Config) *int64 { return &c.MaxUploadBytes }),
		help: "largest sum of the files of one upload",
	},
	{
		env: "FIREFOX_MCP_UPLOAD_CHUNK_BYTES", flag: "upload-chunk-bytes", unit: "BYTES", fallback: "262144", set: whole(1, 4<<20, func(c *Config) *int { return &c.UploadChunkBytes }),
		help: "raw bytes sent per request of an upload",
	},
	{
		env: "FIREFOX_MCP_UPLOAD_ROOTS", flag: "upload-roots", unit: "DIRS", set: setRoots,
		help: "folders that uploads may come from, separated as in PATH; empty: anywhere",
	},
	{
		env: "FIREFOX_MCP_MAX_ELEMENTS", flag: "max-elements", unit: "N", fallback: "500", set: whole(1, 100_000, func(c *Config) *int { return &c.MaxElements }),
		help: "controls in one snapshot",
	},
	{
		env: "FIREFOX_MCP_MAX_TEXT_CHARS", flag: "max-text-chars", unit: "N", fallback: "50000", set: whole(1, 10_000_000, func(c *Config) *int { return &c.MaxTextChars }),
		help: "characters of page text in one snapshot",
	},
	{
		env: "FIREFOX_MCP_BUDGET", flag: "budget", unit: "TOKENS", fallback: "4000", set: whole(100, 1_000_000, func(c *Config) *int { return &c.Budget }),
		help: "size of a page's description when a call names none",
	},
	{
		env: "FIREFOX_MCP_REQUEST_TIMEOUT_MS", flag: "request-timeout-ms", unit: "MS", fallback: "30000", set: millis(10*time.Millisecond, 10*time.Minute, func(c *Config) *time.Duration { return &c.RequestTimeout }),
		help: "how long to wait for one answer of Firefox",
	},
	{
		env: "FIREFOX_MCP_MAX_SESSIONS", flag: "max-sessions", unit: "N", fallback: "10", set: whole(1, 100, func(c *Config) *int { return &c.MaxSessions }),
		help: "pages that this server may have open at a time",
	},
	{
		env: "FIREFOX_MCP_SESSION_TIMEOUT_MS", flag: "session-timeout", unit: "SECONDS", fallback: "300000", set: millis(time.Second, 24*time.Hour, func(c *Config) *time.Duration { return &c.SessionTimeout }), fromFlag: secondsToMillis,
		help: "idle time after which such a page is closed (the flag takes seconds)",
	},
	{
		env: "FIREFOX_MCP_JAVASCRIPT", flag: "no-javascript", fallback: "true", set: truth(func(c *Config) *bool { return &c.JavaScript }), fromFlag: negation,
		help: "run the scripts of pages that this server opens",
	},
	{
		env: "FIREFOX_MCP_PRIVILEGED", flag: "privileged", fallback: "true", set: truth(func(c *Config) *bool { return &c.Privileged }),
		help: "allow the few fixed snippets that run in Firefox itself",
	},
	{
		env: "FIREFOX_MCP_ENABLE_EVALUATE", flag: "enable-evaluate", fallback: "off", set: setEvaluate, fromFlag: evaluateSwitch,
		help: "offer the evaluate tool: off, sessions (pages that this server opened; the bare flag), all",
	},
	{
		env: "FIREFOX_MCP_TOOLS", flag: "tools", unit: "GROUPS", fallback: "core,pages,devtools", set: setTools,
		help: "groups of tools that are listed",
	},
	{
		env: "FIREFOX_MCP_READ_ONLY", flag: "read-only", fallback: "false", set: truth(func(c *Config) *bool { return &c.ReadOnly }),
		help: "list only tools that change nothing",
	},
	{
		env: "FIREFOX_MCP_ALLOW_HOSTS", flag: "allow-hosts", unit: "HOSTS", set: setAllowHosts,
		help: "hosts that navigations may go to, separated by commas (*.example.org: all below it); empty: any",
	},
	{
		env: "FIREFOX_MCP_LOG_LEVEL", flag: "log-level", unit: "LEVEL", fallback: "info", set: setLogLevel,
		help: "debug, info, warn or error",
	},
	{
		env: "FIREFOX_MCP_TRACE", flag: "trace", unit: "FILE", set: setTrace,
		help: "write what passes between this server and Firefox to a file, without any contents; for bug reports",
	},
}

// ConfigError says which setting is wrong, and what would be right.
type ConfigError struct {
	Env, Flag string // of the setting; Flag only when the value came from it
	Value     string // as given
	Err       error  // the rule that it breaks
}

// Error gives one line that names the variable, and the flag if that was used.
func (e *ConfigError) Error() string {
	name := e.Env
	if e.Flag != "" {
		name = "--" + e.Flag + " (" + e.Env + ")"
	}
	value := []rune(e.Value)
	if len(value) > 100 {
		value = append(value[:100], '…')
	}
	return fmt.Sprintf("%s %s: %v", name, strconv.QuoteToASCII(string(value)), e.Err)
}

// Unwrap gives the rule.
func (e *ConfigError) Unwrap() error { return e.Err }

// FromEnv reads the configuration from the environment and the arguments of the
// program (without its name). Flags win over variables, a later flag over an
// earlier one, and an empty variable counts as unset. Flags may stand before or
// behind the command. A host given by name is looked up.
//
// Errors are flag.ErrHelp when help was asked for, a ConfigError for a bad
// value, or one that names the unknown flag.
func FromEnv(getenv func(string) string, args []string) (Config, error) {
	var c Config
	given, err := c.parseFlags(args)
	if err != nil {
		return Config{}, err
	}
	for i, s := range settings {
		value, fail := s.fallback, ConfigError{Env: s.env}
		if env := getenv(s.env); env != "" {
			value = env
		}
		fail.Value = value
		if f, ok := given[i]; ok {
			fail.Flag, fail.Value = f.name, f.text
			if value, err = f.value(s); err != nil {
				fail.Err = err
				return Config{}, &fail
			}
		}
		if fail.Err = s.set(&c, value); fail.Err != nil {
			return Config{}, &fail
		}
	}
	return c, nil
}

// session is the session's share.
func (c Config) session() session.Config {
	return session.Config{
		Host: c.Host, Port: c.Port,
		Request: c.RequestTimeout, Privileged: c.Privileged,
		MaxElements: c.MaxElements, MaxText: c.MaxTextChars, Budget: c.Budget,
		AllowHosts:  c.AllowHosts,
		MaxSessions: c.MaxSessions, SessionTimeout: c.SessionTimeout, NoJavaScript: !c.JavaScript,
		Evaluate: map[Evaluate]session.EvaluateIn{EvaluateSessions: session.EvaluatePages, EvaluateAll: session.EvaluateAnywhere}[c.Evaluate],
		Upload:   session.UploadLimits{MaxFile: c.MaxFileBytes, MaxTotal: c.MaxUploadBytes, Chunk: c.UploadChunkBytes, Roots: c.UploadRoots},
	}
}

// tools is the share of the tools.
func (c Config) tools() tools.Config {
	groups := make([]tools.Group, len(c.Tools))
	for i, name := range c.Tools {
		groups[i] = tools.Group(name)
	}
	return tools.Config{
		Groups: groups, ReadOnly: c.ReadOnly, EnableEvaluate: c.Evaluate != EvaluateOff,
		MaxElements: c.MaxElements, MaxTextChars: c.MaxTextChars, Budget: c.Budget,
	}
}

// limits is the share of a connection.
func (c Config) limits() router.Limits {
	return router.Limits{Reply: c.RequestTimeout, Result: c.RequestTimeout}
}
