package session_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

// picture decodes a shot.
func picture(t *testing.T, s *session.Shot) image.Image {
	t.Helper()
	img, kind, err := image.Decode(bytes.NewReader(s.Data))
	if err != nil {
		t.Fatal(err)
	}
	if "image/"+kind != s.MIME || img.Bounds().Dx() != s.Width || img.Bounds().Dy() != s.Height || s.Bytes != len(s.Data) {
		t.Errorf("the picture is %s %v, told was %s %d x %d, %d bytes", kind, img.Bounds(), s.MIME, s.Width, s.Height, s.Bytes)
	}
	return img
}

// near reports whether a pixel has about a colour.
func near(img image.Image, x, y int, want color.RGBA) bool {
	r, g, b, _ := img.At(x, y).RGBA()
	far := func(a uint32, b uint8) bool { d := int(a>>8) - int(b); return d > 12 || d < -12 }
	return !far(r, want.R) && !far(g, want.G) && !far(b, want.B)
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 128, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	white = color.RGBA{255, 255, 255, 255}
)

const colours = `<!doctype html><title>Colours</title><style>*{margin:0;border:0}button{display:block;width:100px;height:50px}</style>
<body style="background:red;height:3000px">
<button aria-label=Blue style="position:absolute;top:2500px;left:40px;background:blue"></button>
<div style="position:absolute;top:100px;left:10px;width:200px;height:100px;overflow:auto"><div style="height:1000px"></div><button aria-label=Inner style="background:green"></button></div>
<iframe src=/inner style="position:absolute;top:300px;left:300px;width:200px;height:100px"></iframe>
<button aria-label=Fast style="position:fixed;top:600px;left:0;background:white"></button>
<div style="position:absolute;top:2900px;left:0;width:50px;height:100px;background:white"></div>`

func TestScreenshot(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true, Evaluate: session.EvaluatePages}, map[string]string{
		"/":      colours,
		"/inner": `<!doctype html><style>*{margin:0;border:0}</style><body style="background:white;height:900px"><button aria-label=Deep style="position:absolute;top:500px;width:60px;height:30px;background:green"></button>`,
		"/noise": `<!doctype html><body style="margin:0"><canvas id=c width=1300 height=900></canvas><script>const x=c.getContext("2d"),d=x.createImageData(1300,900);for(let i=0;i<d.data.length;i++)d.data[i]=i%4==3?255:Math.random()*256;x.putImageData(d,0,0)</script>`,
	})
	t.Cleanup(func() { s.Leave(context.Background()) })
	n := s.visit("/") // a tab in the background
	shoot := func(a session.ShotArgs) *session.Shot {
		t.Helper()
		a.Tab = n.Tab
		if a.Quality == 0 {
			a.Quality = 80
		}
		shot, err := s.Screenshot(t.Context(), a)
		if err != nil {
			t.Fatalf("%+v: %v", a, err)
		}
		return shot
	}
	refs := map[string]session.Ref{}
	sn, err := s.Snapshot(t.Context(), session.SnapshotArgs{Tab: n.Tab})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range sn.Elements {
		refs[e.Name] = session.Ref(e.Ref)
	}

	s.inTab(n.Tab, `scrollTo(0, 2200)`)
	if view := picture(t, shoot(session.ShotArgs{})); !near(view, 60, 320, blue) {
		t.Errorf("the view of a scrolled page has %v", view.At(60, 320))
	}
	s.inTab(n.Tab, `scrollTo(0, 0)`)
	view := picture(t, shoot(session.ShotArgs{}))
	if !near(view, 5, 5, red) || view.Bounds().Dy() > 1500 {
		t.Errorf("the view is %v and begins with %v", view.Bounds(), view.At(5, 5))
	}
	whole := picture(t, shoot(session.ShotArgs{FullPage: true}))
	if whole.Bounds().Dy() != 3000 || !near(whole, 60, 2520, blue) || !near(whole, 20, 2950, white) {
		t.Errorf("the whole page is %v; %v, %v", whole.Bounds(), whole.At(60, 2520), whole.At(20, 2950))
	}
	for name, want := range map[string]color.RGBA{"Blue": blue, "Fast": white, "Inner": green, "Deep": green} {
		img := picture(t, shoot(session.ShotArgs{Element: refs[name]}))
		b := img.Bounds()
		if b.Dx() > 110 || b.Dy() > 60 || !near(img, b.Dx()/2, b.Dy()/2, want) || !near(img, 3, 3, want) || !near(img, b.Dx()-4, b.Dy()-4, want) {
			t.Errorf("element %s: %v with %v in the middle, want %v", name, b, img.At(b.Dx()/2, b.Dy()/2), want)
		}
	}
	if _, err := s.Screenshot(t.Context(), session.ShotArgs{Tab: n.Tab, Element: "e999999"}); session.AsFault(err).Code != session.ElementNotFound {
		t.Errorf("no such element: %v", err)
	}
	small := shoot(session.ShotArgs{MaxWidth: 100, Format: "jpeg"})
	if img := picture(t, small); small.MIME != "image/jpeg" || img.Bounds().Dx() != 100 || !near(img, 5, 3, red) || len(small.Warnings) == 0 {
		t.Errorf("scaled: %+v", small.Warnings)
	}

	dir := t.TempDir()
	path := filepath.Join(dir, "shot.png")
	saved := shoot(session.ShotArgs{SaveTo: path})
	if raw, err := os.ReadFile(path); err != nil || len(raw) != saved.Bytes || saved.Data != nil {
		t.Errorf("saved: %v, %d bytes, told %d", err, len(raw), saved.Bytes)
	}
	if _, err := s.Screenshot(t.Context(), session.ShotArgs{Tab: n.Tab, SaveTo: path}); session.AsFault(err).Code != session.InvalidArgument || strings.Contains(err.Error(), dir) {
		t.Errorf("saved over a file: %v", err)
	}

	if _, err := s.Navigate(t.Context(), session.NavigateArgs{Tab: n.Tab, URL: s.site.URL + "/noise", Wait: "complete"}); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"png", "jpeg"} {
		shot := shoot(session.ShotArgs{Format: format})
		picture(t, shot)
		if shot.Bytes > 1<<20 || shot.Width < 300 {
			t.Errorf("noise as %s: %d bytes, %d wide, %q", format, shot.Bytes, shot.Width, shot.Warnings)
		}
	}
}

// inTab runs a statement in the page of one of our tabs, as its own script would.
func (s *stage) inTab(id session.TabID, statement string) {
	s.t.Helper()
	if _, err := s.Evaluate(s.t.Context(), session.EvaluateArgs{Tab: id, Expression: statement}); err != nil {
		s.t.Fatal(err)
	}
}

// A password field shows dots, in a picture too: two of one length look alike.
func TestScreenshotOfPassword(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/": `<style>input{caret-color:transparent}</style><input type=password aria-label=P value="aaaaaaaa">`,
	})
	t.Cleanup(func() { s.Leave(context.Background()) })
	n := s.visit("/")
	sn, err := s.Snapshot(t.Context(), session.SnapshotArgs{Tab: n.Tab})
	if err != nil {
		t.Fatal(err)
	}
	var shots [][]byte
	for _, value := range []string{"iiiiiiii", "WWWWWWWW"} {
		if _, err := s.Fill(t.Context(), session.FillArgs{On: session.On{Tab: n.Tab, Element: session.Ref(sn.Elements[0].Ref)}, Value: value}); err != nil {
			t.Fatal(err)
		}
		shot, err := s.Screenshot(t.Context(), session.ShotArgs{Tab: n.Tab, Element: session.Ref(sn.Elements[0].Ref)})
		if err != nil {
			t.Fatal(err)
		}
		shots = append(shots, shot.Data)
	}
	if !bytes.Equal(shots[0], shots[1]) {
		t.Error("the picture of a password field shows what is in it")
	}
}
