package session_test

import (
	"context"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

// Pictures are measured in CSS pixels, whatever the zoom of the page and the density
// of the screen, and show elements in frames of other sites like all others.
func TestScreenshotIsInCSSPixels(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/": colours + `<iframe title=far src={{other}}/inner style="position:absolute;top:1500px;left:300px;width:200px;height:100px"></iframe>
			<button aria-label=Nothing style="position:absolute;top:0;left:200px;width:0;height:0;padding:0"></button>`,
		"/inner": `<!doctype html><style>*{margin:0;border:0}</style><body style="background:white;height:900px"><button aria-label=Deep style="position:absolute;top:500px;width:60px;height:30px;background:green"></button>`,
	})
	t.Cleanup(func() { s.Leave(context.Background()) })
	n := s.visit("/")
	sn, err := s.Snapshot(t.Context(), session.SnapshotArgs{Tab: n.Tab})
	if err != nil || len(sn.Elements) != 6 {
		t.Fatalf("snapshot: %+v, %v", sn, err)
	}
	const scaled = `((zoom, density) => {
		gBrowser.tabs.at(-1).linkedBrowser.fullZoom = zoom;
		if (density) Services.prefs.setCharPref("layout.css.devPixelsPerPx", density);
		else Services.prefs.clearUserPref("layout.css.devPixelsPerPx");
		return "";
	})`
	defer func() { s.browser(`Services.prefs.clearUserPref("layout.css.devPixelsPerPx"), ""`) }()
	for name, args := range map[string]string{"as usual": `(1, "")`, "zoomed": `(2, "")`, "zoomed out": `(0.5, "")`, "dense": `(1, "2.0")`} {
		t.Run(name, func(t *testing.T) {
			s.browser(scaled + args)
			whole, err := s.Screenshot(t.Context(), session.ShotArgs{Tab: n.Tab, FullPage: true, MaxWidth: 4000})
			if err != nil {
				t.Fatal(err)
			}
			img := picture(t, whole)
			if img.Bounds().Dy() != 3000 || !near(img, 60, 2520, blue) || !near(img, 20, 2950, white) || !near(img, 5, 5, red) {
				t.Errorf("the whole page is %v: %v, %v", img.Bounds(), img.At(60, 2520), img.At(20, 2950))
			}
			for _, e := range sn.Elements {
				s.looksRight(t, n.Tab, e.Ref, e.Name)
			}
		})
	}
}

// looksRight looks at the picture of one element of the page of colours.
func (s *stage) looksRight(t *testing.T, tab session.TabID, ref, name string) {
	t.Helper()
	shot, err := s.Screenshot(t.Context(), session.ShotArgs{Tab: tab, Element: session.Ref(ref)})
	if name == "Nothing" {
		if session.AsFault(err).Code != session.ElementNotInteractable {
			t.Errorf("an element without a size: %v", err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s %s: %v", ref, name, err)
		return
	}
	img, size, colour := picture(t, shot), image.Pt(100, 50), green
	switch name {
	case "Deep":
		size = image.Pt(60, 30)
	case "Blue":
		colour = blue
	case "Fast":
		colour = white
	}
	if got := img.Bounds().Size(); got != size || !near(img, 2, 2, colour) || !near(img, got.X/2, got.Y/2, colour) || !near(img, got.X-3, got.Y-3, colour) {
		t.Errorf("%s %s is %v with %v in the middle, want %v of %v", ref, name, got, img.At(got.X/2, got.Y/2), size, colour)
	}
}

// A picture is saved only where files may be, and never over one.
func TestScreenshotKeepsToTheRoots(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, session.Config{Privileged: true, Upload: session.UploadLimits{Roots: []string{root}}}, map[string]string{"/": "<p>x"})
	s.open("/")
	for _, tt := range []struct{ path, wrong string }{
		{filepath.Join(root, "x.png"), ""},
		{filepath.Join(root, "x.png"), "not replaced"},
		{filepath.Join(root, "none", "x.png"), "does not exist"},
		{filepath.Join(root, "out", "x.png"), "outside"},
		{filepath.Join(outside, "x.png"), "outside"},
		{root, "outside"},
		{"x.png", "absolute"},
	} {
		shot, err := s.Screenshot(t.Context(), session.ShotArgs{SaveTo: tt.path})
		if tt.wrong == "" {
			if err != nil || shot.Path != tt.path || shot.Data != nil {
				t.Errorf("%s: %+v, %v", tt.path, shot, err)
			}
			continue
		}
		if f := session.AsFault(err); f.Code != session.InvalidArgument || !strings.Contains(f.Message, tt.wrong) {
			t.Errorf("%s: %v, want %q", tt.path, err, tt.wrong)
		}
	}
	if made, err := filepath.Glob(filepath.Join(outside, "*")); err != nil || len(made) > 0 {
		t.Errorf("outside there is %v, %v", made, err)
	}
}

// A page that is too large to be drawn whole is drawn as far as that goes, and the
// picture says so.
func TestScreenshotOfHugePages(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/high": `<!doctype html><style>*{margin:0;border:0}</style><body style="background:red;height:100000px"><button aria-label=High style="position:absolute;top:5000px;background:blue;width:50px;height:60000px">`,
		"/wide": `<!doctype html><style>*{margin:0}</style><body style="background:red;height:100px;width:50000px">`,
	})
	t.Cleanup(func() { s.Leave(context.Background()) })
	high, wide := s.visit("/high"), s.visit("/wide")
	sn, err := s.Snapshot(t.Context(), session.SnapshotArgs{Tab: high.Tab})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args session.ShotArgs
		says string
		low  int // the picture is at least so high
	}{
		"high":           {session.ShotArgs{Tab: high.Tab, FullPage: true}, "the page is 100000 CSS pixels high; the picture shows the first 8000", 8000},
		"high, saved":    {session.ShotArgs{Tab: high.Tab, FullPage: true, SaveTo: filepath.Join(t.TempDir(), "high.png")}, "the picture shows the first ", 10_000},
		"a high element": {session.ShotArgs{Tab: high.Tab, Element: session.Ref(sn.Elements[0].Ref)}, "the element is 60000 CSS pixels high; the picture shows the first 8000", 8000},
		"wide":           {session.ShotArgs{Tab: wide.Tab, FullPage: true}, "cut at 30000 pixels of width; scaled to 5%", 10},
	} {
		shot, err := s.Screenshot(t.Context(), tt.args)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(shot.Warnings, "; "); !strings.Contains(got, tt.says) || shot.Height < tt.low {
			t.Errorf("%s: %d x %d, %q, want %q", name, shot.Width, shot.Height, got, tt.says)
		}
		if tt.args.SaveTo == "" {
			picture(t, shot)
		}
	}
}
