package session

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"firefox-rdp-mcp/session/outline"
)

// ParseURL accepts absolute http and https addresses with a host, and nothing
// else. Other schemes would run scripts, read files or crash the browser
// (rdp-facts.md 8.1). What the address holds is escaped by its String, so that
// the browser reads the same host in it as we do.
func ParseURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Opaque != "" || u.Hostname() == "" {
		return nil, Faultf(InvalidArgument, "url must be an absolute http or https URL with a host, such as https://example.com/")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, Faultf(InvalidArgument, "url must have a port from 1 to 65535")
		}
	}
	return u, nil
}

// CheckURL accepts an address that ParseURL accepts and whose host the
// configuration allows, and returns it as the browser will be given it.
func (s *Session) CheckURL(raw string) (string, error) {
	u, err := ParseURL(raw)
	if err != nil {
		return "", err
	}
	if err := s.cfg.allows(u.Hostname()); err != nil {
		return "", err
	}
	return u.String(), nil
}

// elsewhere warns of a step that led a page to a host that the configuration does
// not allow, or that would have, had the browser not been told to keep the pages of
// ours from there.
func (t *turn) elsewhere(ctx context.Context, out *Action) {
	if len(t.cfg.AllowHosts) == 0 {
		return
	}
	what, host := "was kept from going on", t.traffic(ctx, true).Heard.Blocked
	if u, err := ParseURL(cmp.Or(out.Loading, out.URL)); err == nil && (out.Navigated || out.Loading != "") && t.cfg.allows(u.Hostname()) != nil {
		what, host = "goes on", u.Hostname()
	}
	if host != "" {
		out.Result.Warnings = append(out.Result.Warnings, fmt.Sprintf("%s: the page %s: %s", NavigationBlocked, what, AsFault(t.cfg.allows(host)).Message))
	}
}

// allows gives the fault for a host that the configuration does not allow. A name
// that begins with *. stands for all names below the rest.
func (c Config) allows(host string) error {
	host = strings.ToLower(host)
	for _, allowed := range c.AllowHosts {
		below, wild := strings.CutPrefix(strings.ToLower(allowed), "*")
		if host == below || wild && len(host) > len(below) && strings.HasSuffix(host, below) {
			return nil
		}
	}
	if len(c.AllowHosts) == 0 {
		return nil
	}
	return Faultf(NavigationBlocked, "%q is not one of the hosts that FIREFOX_MCP_ALLOW_HOSTS allows", outline.Clean(host, 100))
}
