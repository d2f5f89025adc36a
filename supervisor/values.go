package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// whole makes a setter for a whole number within bounds.
func whole[T int | int64](lowest, highest T, field func(*Config) *T) func(*Config, string) error {
	return func(c *Config, value string) error {
		n, err := integer(value, int64(lowest), int64(highest))
		*field(c) = T(n)
		return err
	}
}

// millis makes a setter for a duration given in whole milliseconds.
func millis(lowest, highest time.Duration, field func(*Config) *time.Duration) func(*Config, string) error {
	return func(c *Config, value string) error {
		n, err := integer(value, lowest.Milliseconds(), highest.Milliseconds())
		*field(c) = time.Duration(n) * time.Millisecond
		return err
	}
}

// integer reads decimal digits and nothing else: no sign, no space, no leading
// zero that somebody might mean as octal.
func integer(s string, lowest, highest int64) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || (s[0] == '0' && s != "0") || int64(n) < lowest || int64(n) > highest {
		return 0, fmt.Errorf("want a whole number from %d to %d", lowest, highest)
	}
	return int64(n), nil
}

// secondsToMillis turns a whole number of seconds into milliseconds.
func secondsToMillis(value string) (string, error) {
	n, err := integer(value, 1, math.MaxInt32)
	if err != nil {
		return "", errors.New("want a whole number of seconds, at least 1")
	}
	return strconv.FormatInt(n*1000, 10), nil
}

// truth makes a setter for a switch.
func truth(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, value string) error {
		switch value {
		case "true", "1":
			*field(c) = true
		case "false", "0":
			*field(c) = false
		default:
			return errors.New("want true or false")
		}
		return nil
	}
}

// negation is for a flag that says the opposite of its variable.
func negation(value string) (string, error) {
	var c Config
	if err := truth(func(c *Config) *bool { return &c.JavaScript })(&c, value); err != nil {
		return "", err
	}
	return strconv.FormatBool(!c.JavaScript), nil
}

func setEvaluate(c *Config, value string) error {
	c.Evaluate = Evaluate(value)
	if !slices.Contains([]Evaluate{EvaluateOff, EvaluateSessions, EvaluateAll}, c.Evaluate) {
		return errors.New("want off, sessions or all")
	}
	return nil
}

// evaluateSwitch lets the bare flag stand for the smaller permission.
func evaluateSwitch(value string) (string, error) {
	switch value {
	case "true":
		return string(EvaluateSessions), nil
	case "false":
		return string(EvaluateOff), nil
	}
	return value, nil
}

// toolGroups are the values that may stand in FIREFOX_MCP_TOOLS.
var toolGroups = []string{"core", "pages", "devtools"}

func setTools(c *Config, value string) error {
	c.Tools = commas(value)
	for _, name := range c.Tools {
		if !slices.Contains(toolGroups, name) {
			return fmt.Errorf("want some of %s, separated by commas", strings.Join(toolGroups, ", "))
		}
	}
	if len(c.Tools) == 0 {
		return errors.New("want at least one group")
	}
	return nil
}

func setAllowHosts(c *Config, value string) error {
	c.AllowHosts = commas(strings.ToLower(value))
	for _, host := range c.AllowHosts {
		if _, err := netip.ParseAddr(host); err != nil && !isName(strings.TrimPrefix(host, "*.")) {
			return fmt.Errorf("want names or addresses of hosts, separated by commas; %q is neither", host)
		}
	}
	return nil
}

// commas splits a list and trims its items. An empty text is an empty list.
func commas(value string) []string {
	var items []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

func setRoots(c *Config, value string) error {
	c.UploadRoots = nil
	for _, dir := range filepath.SplitList(value) {
		if !filepath.IsAbs(dir) {
			return fmt.Errorf("want absolute paths, separated by %q; %q is not", filepath.ListSeparator, dir)
		}
		c.UploadRoots = append(c.UploadRoots, filepath.Clean(dir))
	}
	return nil
}

func setLogLevel(c *Config, value string) error {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, ok := levels[value]
	if !ok {
		return errors.New("want debug, info, warn or error")
	}
	c.LogLevel = level
	return nil
}

func setTrace(c *Config, value string) error {
	c.Trace = value
	if strings.ContainsRune(value, 0) {
		return errors.New("want the name of a file")
	}
	return nil
}

func setHost(c *Config, value string) error {
	c.Host = value
	return loopback(value, net.DefaultResolver.LookupNetIP)
}

// lookupTimeout bounds the look-up of a host at start. Names that mean loopback
// are in a file, not in the network.
const lookupTimeout = 5 * time.Second

// loopback checks that a host is this machine and nothing else. The debugger
// protocol has neither encryption nor authentication. A name must not have a
// single other address, since nobody knows which one a dial will take; the dial
// checks again what it really connects to.
func loopback(host string, lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" || !addr.Unmap().IsLoopback() {
			return errors.New("want a loopback address such as 127.0.0.1: the debugger protocol is not protected on a network")
		}
		return nil
	}
	if !isName(host) {
		return errors.New("want only a host, as a loopback address or a name: the port has its own setting")
	}
	// Nothing runs yet that could want to stop this.
	ctx, cancel := context.WithTimeout(context.Background(), lookupTimeout)
	defer cancel()
	addrs, err := lookup(ctx, "ip", host)
	if err != nil {
		return fmt.Errorf("want a loopback address: %w", err)
	}
	for _, addr := range addrs {
		if addr.Zone() != "" || !addr.Unmap().IsLoopback() {
			return fmt.Errorf("want a name of nothing but loopback: it also means %v", addr)
		}
	}
	if len(addrs) == 0 {
		return errors.New("want a loopback address: the name has none")
	}
	return nil
}

// isName reports whether s looks like the name of a host. Labels of digits at
// the end are old ways to write an address (127.1, 0x7f.1) and no names.
func isName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	labels := strings.Split(strings.TrimSuffix(s, "."), ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "-") != label {
			return false
		}
		for _, r := range label {
			if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
				return false
			}
		}
	}
	last := labels[len(labels)-1]
	return last[0] < '0' || last[0] > '9'
}
