package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"firefox-rdp-mcp/session/outline"
)

// errNoPage says that a load has ended and the old document is still there. It
// counts only once nothing follows: an older load that the new one put an end
// to ends in the same way.
var errNoPage = &Fault{Code: NavigationFailed, Message: "the address gave no page (a download, or an empty answer); the tab still shows the page from before"}

// stalled reports whether a load that has started came to nothing, as the browser
// sees it: the old document is there, and nothing is loading. The first document
// of a new tab does not tell of that itself.
func (t *turn) stalled(ctx context.Context, before view) bool {
	return t.view.sameDocument(before) && t.starts != before.starts && !t.traffic(ctx, false).Busy
}

// vacant reports whether a tab had no page of which anything is known.
func (v *view) vacant() bool { return v.Unloaded || v.top == nil }

// beginning judges the empty document with which a tab begins to be loaded: it is
// not what was asked for, and if nothing more comes there is no page.
func (t *turn) beginning(ctx context.Context) error {
	t.fresh = nil
	if t.traffic(ctx, false).Busy {
		return nil
	}
	return errNoPage
}

// traffic is what the browser knows of the loads in a tab.
type traffic struct {
	Busy  bool // loading a document
	Heard struct {
		Status  int    // HTTP; 0 if nothing was answered
		Type    string // media type
		Name    string // of the file, if the server gave one
		Bytes   int64  // -1 if the server did not say
		Blocked string // the host that is not allowed and was not asked
	} // the last answer to a load of the whole page, in a tab of ours
}

// traffic asks what the tab is loading; once says that the last answer need not be
// told again. When that cannot be known, it is taken to be loading something.
func (t *turn) traffic(ctx context.Context, once bool) traffic {
	now := traffic{Busy: true}
	if err := t.parent(ctx, t.conn, "busy", map[string]any{"browserId": t.browserID, "once": once}, &now); err != nil {
		return traffic{Busy: true}
	}
	return now
}

// forgetAnswer has the browser forget the last answer to a load in a tab of ours, before
// the next load.
func (t *turn) forgetAnswer(ctx context.Context) {
	if t.Owned {
		t.traffic(ctx, true)
	}
}

// failure is the fault for a load that brought no page, and why, as far as the
// browser knows.
func (t *turn) failure(ctx context.Context, f *Fault) *Fault {
	if f.Code != NavigationFailed || !t.Owned {
		return f
	}
	switch heard := t.traffic(ctx, false).Heard; {
	case heard.Blocked != "" && t.cfg.allows(heard.Blocked) != nil:
		return AsFault(t.cfg.allows(heard.Blocked))
	case heard.Status >= http.StatusBadRequest || heard.Status == http.StatusNoContent || heard.Status == http.StatusResetContent:
		return Faultf(NavigationFailed, "the server answered with status %d and no page", heard.Status)
	case heard.Status != 0 && errors.Is(f, errNoPage):
		return t.download(heard.Type, heard.Name, heard.Bytes)
	}
	return f
}

// download is the fault for an address that gives a file.
func (t *turn) download(mediaType, name string, size int64) *Fault {
	about := fmt.Sprintf("a file of type %q", outline.Clean(mediaType, 100))
	if name != "" {
		about += fmt.Sprintf(" named %q", outline.Clean(name, 100))
	}
	if size >= 0 {
		about += fmt.Sprintf(" (%d bytes)", size)
	}
	then := "the browser has it as a download"
	if t.scratch {
		then = "nothing of it was saved (navigate in one of the user's tabs downloads it)"
	}
	return Faultf(NavigationFailed, "the address gives no page but %s: %s", about, then)
}

// failedPage recognizes Firefox's own error pages, which keep the wanted
// address in location.href (rdp-facts.md 8.2).
func failedPage(p probed) *Fault {
	rest, ok := strings.CutPrefix(p.DocumentURI, "about:")
	if !ok {
		return nil
	}
	kind, query, _ := strings.Cut(rest, "?")
	if kind != "neterror" && kind != "certerror" && kind != "blocked" && kind != "httpsonlyerror" {
		return nil
	}
	values, _ := url.ParseQuery(query)
	name := values.Get("e")
	why, ok := errorWords[name]
	if !ok {
		if why, ok = errorWords[kind]; !ok {
			why = "it gives no reason that is known here"
		}
	}
	return Faultf(NavigationFailed, "firefox could not load the page: %s (it shows its error page %s %q)", why, kind, outline.Clean(name, 60))
}

// errorWords say what Firefox's error pages mean, by the names that they have in
// its netError.properties, or by their kind.
var errorWords = map[string]string{
	"blockedByPolicy":         "the browser's policy forbids the site",
	"connectionFailure":       "nothing accepts connections there",
	"contentEncodingError":    "the answer is damaged",
	"corruptedContentErrorv2": "the answer is damaged",
	"deniedPortAccess":        "browsers do not use that port for pages",
	"dnsNotFound":             "the name of the host is not known",
	"malformedURI":            "the browser does not take the address",
	"mitm":                    "something between browser and server reads along",
	"netInterrupt":            "the connection broke off",
	"netOffline":              "the browser is set to work offline",
	"netReset":                "the server broke off the connection",
	"netTimeout":              "the server did not answer in time",
	"networkProtocolError":    "the server broke the protocol",
	"nssBadCert":              "the certificate of the server is not trusted; only its user can make an exception, in the browser",
	"nssFailure2":             "no secure connection came about",
	"proxyConnectFailure":     "the browser's proxy does not accept connections",
	"proxyResolveFailure":     "the browser's proxy is not known",
	"redirectLoop":            "the server redirects for ever",
	"serverError":             "the server answered with an error and nothing to show",
	"httpErrorPage":           "the server answered with an error and nothing to show",
	"unknownProtocolFound":    "the address leads to a program outside the browser",

	"blocked":        "the browser holds the site to be dangerous",
	"certerror":      "the certificate of the server is not trusted; only its user can make an exception, in the browser",
	"httpsonlyerror": "the site has no secure connection, on which the browser is set to insist",
}
