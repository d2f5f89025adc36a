package outline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counts are true numbers of tokens that belong to a page of testdata/pages/sites; testdata/snapshots/README.md says how
// they were obtained.
type counts struct {
	Page       string // digest of the page when Playwright looked at it
	Playwright int    // tokens of its snapshot
	Controls, Full,
	Outline, Text tally
}

// tally is the count of one of our answers.
type tally struct {
	Tokens int
	SHA256 string
}

const recount = "count again as testdata/snapshots/README.md says"

func siteCounts(t *testing.T) map[string]counts {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "snapshots", "tokens.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]counts
	if err := json.Unmarshal(raw, &all); err != nil || len(all) == 0 {
		t.Fatal("no counts", err)
	}
	return all
}

// digested reads a file and gives its text and digest.
func digested(t *testing.T, path ...string) (text, digest string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "testdata"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	return string(raw), hex.EncodeToString(sum[:])
}

// TestEstimatesOfSites holds the estimate against the true counts of whole answers.
func TestEstimatesOfSites(t *testing.T) {
	for name, c := range siteCounts(t) {
		for view, want := range map[View]tally{ViewControls: c.Controls, ViewFull: c.Full, ViewOutline: c.Outline, ViewText: c.Text} {
			text, digest := digested(t, "snapshots", name+"."+string(view)+".txt")
			if digest != want.SHA256 {
				t.Errorf("%s, %s: another answer than the one that was counted; %s", name, view, recount)
				continue
			}
			checkEstimate(t, name+"."+string(view), sample{text, want.Tokens})
		}
	}
}

// dense are pages that are nearly nothing but short controls, of which Playwright's snapshot has as many lines as ours. What a
// control costs at least, its reference, role and quotation marks, is then more than half of what it costs there. With each
// page the share of Playwright's tokens that it may have.
var dense = map[string]float64{
	"kanban":     0.63, // 73 controls in 10 cards, whose buttons are named "Edit card" and the like
	"frames":     0.60, // 32 controls in 8 small documents; a frame of another origin says which
	"editor":     0.58, // 53 controls, most of them buttons of toolbars, with their states
	"chat":       0.59, // 70 controls; toolbars, and the words of each message
	"files":      0.58, // 57 controls: files, each with a menu that repeats its name
	"spa":        0.57, // 67 controls: seven tasks with the same four buttons
	"feed":       0.57, // 92 controls: links and counters of five posts
	"video":      0.55, // 69 controls, half of them links that a person tells apart by their addresses
	"data-table": 0.55, // 126 controls in 20 rows, each of which can be clicked as a whole
	"map":        0.55, // 35 controls whose names repeat that of their place
	"consent":    0.55, // 38 controls: teasers are one link, whose name is all of their text
	"shadow":     0.52, // 18 controls; the head of an answer is a sixth of it
	"rtl":        0.51, // 45 controls of one or two words
	"tree":       0.51, // 39 controls, most of them menus, tabs and buttons without words of their own
}

// TestTokensAgainstPlaywright: the view controls costs at most half of what Playwright MCP's snapshot of the page costs.
func TestTokensAgainstPlaywright(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "testdata", "pages", "sites", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	all := siteCounts(t)
	ours, theirs := 0, 0
	for _, p := range pages {
		name := strings.TrimSuffix(filepath.Base(p), ".html")
		if strings.HasPrefix(name, "frame-") {
			continue
		}
		c, ok := all[name]
		if _, digest := digested(t, "pages", "sites", name+".html"); !ok || c.Page != digest {
			t.Errorf("%s: another page than the one that was counted; %s", name, recount)
			continue
		}
		most := 0.5
		if share := dense[name]; share > 0 {
			most = share
		}
		ratio := float64(c.Controls.Tokens) / float64(c.Playwright)
		if ratio > most || ratio <= 0.5 && dense[name] > 0 {
			t.Errorf("%s: %d tokens, Playwright MCP %d: %.2f, expected at most %.2f, and above 0.5 if named as dense", name, c.Controls.Tokens, c.Playwright, ratio, most)
		}
		t.Logf("%.2f %s: %d tokens, Playwright MCP %d", ratio, name, c.Controls.Tokens, c.Playwright)
		ours, theirs = ours+c.Controls.Tokens, theirs+c.Playwright
	}
	if 2*ours > theirs {
		t.Errorf("%d tokens in all, Playwright MCP %d", ours, theirs)
	}
	t.Logf("%.3f in all: %d tokens, Playwright MCP %d", float64(ours)/float64(theirs), ours, theirs)
}
