package session_test

import (
	"testing"

	"firefox-rdp-mcp/session"
)

// TestReferences: a reference is the very element that was seen, or fails.
func TestReferences(t *testing.T) {
	page := `<div id=box><button onclick="log.push('a')">Keep</button></div><script>log = []
		function put(html) { box.innerHTML = html }</script>`
	for _, c := range []struct {
		name, change string
		want         session.Code
		log          string
		relocated    bool
	}{
		{name: "nothing changed", change: "1", log: `"a"`},
		{name: "the node moved", change: "(doc.body.append($('button')),1)", log: `"a"`},
		{name: "its twin took its place", change: `(w.put("<button onclick=\"log.push('b')\">Keep</button>"),1)`, log: `"b"`, relocated: true},
		{name: "two twins took its place", change: `(w.put("<button>Keep</button><button>Keep</button>"),1)`, want: session.StaleElement, log: `""`},
		{name: "another took its place", change: `(w.put("<button onclick=\"log.push('b')\">Delete</button>"),1)`, want: session.StaleElement, log: `""`},
		{name: "it became another", change: "($('button').textContent='Delete',1)", want: session.StaleElement, log: `""`},
		{name: "it is gone", change: "($('button').remove(),1)", want: session.StaleElement, log: `""`},
		{name: "it was disabled", change: "($('button').disabled=true,1)", want: session.ElementNotInteractable, log: `""`},
		{name: "the address changed", change: "(w.history.pushState(null,'','/other'),1)", want: session.StaleElement, log: `""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": page})
			s.open("/")
			ref := s.ref("Keep")
			s.page(c.change)
			a, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: ref, Watch: watch}})
			if code(err) != c.want {
				t.Errorf("click = %v, want %q", err, c.want)
			}
			if got := s.page("w.log.join()"); got != c.log {
				t.Errorf("the page logged %s, want %s", got, c.log)
			}
			if err == nil && a.Relocated != c.relocated {
				t.Errorf("relocated %t, want %t", a.Relocated, c.relocated)
			}
		})
	}
}

// TestReferencesAreNeverReused: numbers go on rising, and a node that is still
// there keeps its own.
func TestReferencesAreNeverReused(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": `<button>A</button><button>B</button>`, "/2": `<button>A</button>`})
	s.open("/")
	first, again := s.snap(), s.snap()
	for i := range first.Elements {
		if first.Elements[i].Ref != again.Elements[i].Ref {
			t.Errorf("%s became %s without a change", first.Elements[i].Ref, again.Elements[i].Ref)
		}
	}
	s.open("/2")
	seen := map[string]bool{}
	for _, e := range first.Elements {
		seen[e.Ref] = true
	}
	for _, e := range s.snap().Elements {
		if seen[e.Ref] {
			t.Errorf("%s was given out a second time", e.Ref)
		}
	}
	for ref, want := range map[session.Ref]session.Code{session.Ref(first.Elements[0].Ref): session.StaleElement, "e999999": session.ElementNotFound, "x": session.ElementNotFound} {
		if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: ref}}); code(err) != want {
			t.Errorf("click %s = %v, want %s", ref, err, want)
		}
	}
}

// TestFrames: elements of frames, of the same origin and of another, are seen
// and operated by references of their own.
func TestFrames(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/":   `<h1>Top</h1><iframe title=Near src="/in"></iframe><iframe title=Far src="{{other}}/in"></iframe><iframe title=Box sandbox srcdoc="<button>Boxed</button>"></iframe>`,
		"/in": `<button onclick="n++">Inside</button><input aria-label=Field><script>n = 0</script>`,
	})
	s.open("/")
	var inside []session.Ref
	sn := s.await(func(sn *session.Snapshot) bool { return len(sn.Elements) == 5 })
	for _, e := range sn.Elements {
		if e.Name == "Inside" {
			inside = append(inside, session.Ref(e.Ref))
		}
	}
	if len(inside) != 2 {
		t.Fatalf("want two buttons Inside in\n%s", sn.Text)
	}
	for _, ref := range inside {
		if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: ref, Watch: watch}}); err != nil {
			t.Errorf("click %s: %v", ref, err)
		}
	}
	frames, err := s.oracle.Frames(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, f := range frames[1:] {
		if n, err := s.oracle.InFrame(t.Context(), f, "w.n"); err == nil && string(n) == "1" {
			counted++
		}
	}
	if counted != 2 {
		t.Errorf("%d frames counted one click, want 2", counted)
	}
	s.page("($('iframe').remove(),1)")
	if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: inside[0]}}); code(err) != session.StaleElement && code(err) != session.TargetReplaced {
		t.Errorf("click in a frame that is gone = %v", err)
	}
}

// TestLikeControls: of controls that look the same, a reference means the one in
// the row that the caller saw. A list that uses its elements again for other
// entries makes references stale; what only ticks or counts does not.
func TestLikeControls(t *testing.T) {
	page := `<ul></ul><script>log = []; render("Ann,Bob,Cid", 1)
		function render(text, n) {
			const names = text.split(",");
			const list = document.querySelector("ul");
			while (list.children.length < names.length) list.insertAdjacentHTML("beforeend", "<li><div><a href=/p></a> <span></span></div><p><button>Edit</button><button>Delete</button></p></li>");
			names.forEach((name, i) => {
				const row = list.children[i];
				row.querySelector("a").textContent = name;
				row.querySelector("span").textContent = n + " min ago";
				row.querySelectorAll("button")[1].onclick = () => log.push(name);
			});
		}</script>`
	for _, c := range []struct {
		name, change string
		want         session.Code
		log          string
	}{
		{name: "nothing changed", change: "1", log: `"Bob"`},
		{name: "the time ticks", change: `(w.render('Ann,Bob,Cid', 27),1)`, log: `"Bob"`},
		{name: "an entry came in above", change: `(w.render('Zoe,Ann,Bob,Cid', 1),1)`, want: session.StaleElement, log: `""`},
		{name: "an entry moved with its row", change: "($('ul').prepend($$('li')[1]),1)", log: `"Bob"`},
		{name: "the row above has gone", change: "($('li').remove(),1)", log: `"Bob"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, privileged := range []bool{true, false} {
				s := newStage(t, session.Config{Privileged: privileged}, map[string]string{"/": page})
				s.open("/")
				var refs []session.Ref
				for _, e := range s.snap().Elements {
					if e.Name == "Delete" {
						refs = append(refs, session.Ref(e.Ref))
					}
				}
				if len(refs) != 3 {
					t.Fatalf("%d buttons", len(refs))
				}
				s.page(c.change)
				_, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: refs[1], Watch: watch}})
				if code(err) != c.want {
					t.Errorf("privileged %t: click = %v, want %q", privileged, err, c.want)
				}
				if got := s.page("w.log.join()"); got != c.log {
					t.Errorf("privileged %t: the page logged %s, want %s", privileged, got, c.log)
				}
			}
		})
	}
}

// TestSuccessorsOfAPart: what a look at a part of the page showed once may well
// stand elsewhere too, so that nothing takes its place when it is gone.
func TestSuccessorsOfAPart(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": `<section id=a><button onclick="log.push('a')">Keep</button></section><section id=b><button>Keep</button></section>
		<script>log = []; function again() { a.innerHTML = "<button onclick=\"log.push('new')\">Keep</button>"; b.remove(); return 1 }</script>`})
	s.open("/")
	got, err := s.Snapshot(t.Context(), session.SnapshotArgs{Scope: "#a"})
	if err != nil || len(got.Elements) != 1 {
		t.Fatalf("the part has %+v, %v", got, err)
	}
	s.page("w.again()")
	if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: session.Ref(got.Elements[0].Ref)}}); code(err) != session.StaleElement {
		t.Errorf("click = %v, want stale_element", err)
	}
	if log := s.page("w.log.join()"); log != `""` {
		t.Errorf("the page logged %s", log)
	}
}
