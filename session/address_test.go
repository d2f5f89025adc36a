package session_test

import (
	"net/url"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

// TestAllowedHosts: navigation elsewhere is refused before anything is sent.
func TestAllowedHosts(t *testing.T) {
	s := session.New(session.Config{AllowHosts: []string{"example.com", "*.wild.test", "::1"}}, nil, nil, quiet())
	for address, want := range map[string]session.Code{
		"https://example.com/": "", "https://EXAMPLE.com:8443/x": "", "https://sub.example.com/": session.NavigationBlocked,
		"https://example.com.evil.test/": session.NavigationBlocked, "https://example.com@evil.test/": session.NavigationBlocked,
		"https://a.wild.test/": "", "https://a.b.WILD.test/": "", "https://wild.test/": session.NavigationBlocked,
		"https://evilwild.test/": session.NavigationBlocked,
		"http://[::1]:8080/":     "", "http://[::2]/": session.NavigationBlocked,
		"javascript:alert(1)": session.InvalidArgument, "//example.com/": session.InvalidArgument,
	} {
		if _, err := s.CheckURL(address); code(err) != want {
			t.Errorf("CheckURL(%q) = %v, want %q", address, err, want)
		}
	}
}

// FuzzParseURL: what is accepted is http or https with the host that any reader of
// the address finds in it, however it is written.
func FuzzParseURL(f *testing.F) {
	for _, seed := range []string{"https://a/", "http://a\\@b/", "http://a@b:1/ ä?q=\\#\\", "http:a", "http://[::1]:9/", "https://a%2fb/", "HTTP://é/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := session.ParseURL(raw)
		if err != nil {
			return
		}
		rest, ok := strings.CutPrefix(u.String(), u.Scheme+"://")
		if !ok || u.Scheme != "http" && u.Scheme != "https" {
			t.Fatalf("%q gives %q", raw, u)
		}
		authority := rest
		if i := strings.IndexAny(rest, "/?#\\"); i >= 0 { // as browsers read it
			authority = rest[:i]
		}
		again, err := url.Parse("http://" + authority)
		if err != nil || again.Hostname() != u.Hostname() {
			t.Errorf("%q: a browser sees another host in %q than %q", raw, u, u.Hostname())
		}
	})
}
