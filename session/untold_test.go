package session_test

import (
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

// relabels has controls of which the first gives the second another name.
const relabels = `<button onclick="hits = []; other.textContent = 'Delete'">First</button>
	<button id=other onclick="hits.push(this.textContent)">Keep</button>
	<label>One <input oninput="two.firstChild.data = 'Card number '"></label><label id=two>Two <input id=second></label>`

// TestWhatIsNotToldIsNotMeant acts by a reference whose element got another name
// from an action before. Only a caller who was told of the name means it.
func TestWhatIsNotToldIsNotMeant(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": relabels})
	for _, untold := range []bool{true, false} {
		s.open("/")
		first, other := s.ref("First"), s.ref("Keep")
		a, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: first, Watch: 300 * time.Millisecond, Untold: untold}})
		if err != nil {
			t.Fatal(err)
		}
		if (a.Changes == nil) != untold {
			t.Errorf("untold %t: changes %+v", untold, a.Changes)
		}
		_, err = s.Click(t.Context(), session.ClickArgs{On: session.On{Element: other}})
		hits := s.page(`w.hits.join()`)
		switch {
		case untold && (err == nil || session.AsFault(err).Code != session.StaleElement || hits != `""`):
			t.Errorf("the element of another name: %v, hits %s", err, hits)
		case !untold && (err != nil || hits != `"Delete"`):
			t.Errorf("told of the name: %v, hits %s", err, hits)
		}
	}
}

// TestFormThatChangesWhileItIsFilled has the first field give the second another
// meaning, in the middle of one call.
func TestFormThatChangesWhileItIsFilled(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{"/": relabels})
	s.open("/")
	fields := []session.Field{{Element: s.ref("One"), Value: "a"}, {Element: s.ref("Two"), Value: "b"}}
	done, err := s.FillForm(t.Context(), session.FillFormArgs{Fields: fields, Watch: 300 * time.Millisecond})
	if err == nil || session.AsFault(err).Code != session.StaleElement || len(done) != 1 {
		t.Errorf("%d fields done, %v", len(done), err)
	}
	if v := s.page(`$("#second").value`); v != `""` {
		t.Errorf("the second field holds %s", v)
	}
}
