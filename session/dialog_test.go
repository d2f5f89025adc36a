package session_test

import (
	"testing"
	"time"

	"firefox-rdp-mcp/session"
)

// watch is how long the tests' actions look at what comes of them.
const watch = 250 * time.Millisecond

// code is the code of an error, "" for none.
func code(err error) session.Code {
	if err == nil {
		return ""
	}
	return session.AsFault(err).Code
}

func TestDialogs(t *testing.T) {
	s := newStage(t, session.Config{Privileged: true}, map[string]string{
		"/": `<button id=a onclick="got=confirm('Really?')">Ask</button>
			<button id=b onclick="setTimeout(()=>{got=prompt('Name?','Ada')},20)">Later</button><button onclick="n++">Count</button><script>got='';n=0</script>`,
	})
	s.open("/")
	t.Run("a click that opens one tells of it and does not wait", func(t *testing.T) {
		start := time.Now()
		a, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: s.ref("Ask"), Watch: watch}})
		if err != nil {
			t.Fatal(err)
		}
		if a.Dialog == nil || a.Dialog.Kind != "confirm" || a.Dialog.Text != "Really?" {
			t.Errorf("Dialog = %+v, want the confirm", a.Dialog)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("took %v", d)
		}
	})
	t.Run("while it is open the page can be read and not be operated", func(t *testing.T) {
		sn := s.snap()
		if sn.Dialog == nil {
			t.Error("the snapshot says nothing of the dialog")
		}
		if _, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: s.ref("Count"), Watch: watch}}); code(err) != session.DialogOpen {
			t.Errorf("click = %v, want %s", err, session.DialogOpen)
		}
		if st, err := s.Status(t.Context(), false); err != nil || st.Dialog == nil {
			t.Errorf("status = %+v, %v, want the dialog", st, err)
		}
	})
	t.Run("answering lets the page go on", func(t *testing.T) {
		d, err := s.AnswerDialog(t.Context(), "", true, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.page("[w.got, w.n]"); d.Kind != "confirm" || got != "[true,0]" {
			t.Errorf("answered %q; the page got %s, want [true,0]", d.Kind, got)
		}
		if _, err := s.AnswerDialog(t.Context(), "", true, nil); code(err) != session.NoDialog {
			t.Errorf("second answer = %v, want %s", err, session.NoDialog)
		}
	})
	t.Run("one that comes later is seen by whoever looks next, and a prompt takes text", func(t *testing.T) {
		a, err := s.Click(t.Context(), session.ClickArgs{On: session.On{Element: s.ref("Later"), Watch: watch}})
		if err != nil {
			t.Fatal(err)
		}
		dialog := a.Dialog // unless the page took longer than the click was watched
		for deadline := time.Now().Add(5 * time.Second); dialog == nil && time.Now().Before(deadline); {
			st, err := s.Status(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			dialog = st.Dialog
		}
		if dialog == nil || dialog.Kind != "prompt" || dialog.Value != "Ada" {
			t.Fatalf("Dialog = %+v, want the prompt", dialog)
		}
		text := "Grace"
		if _, err := s.AnswerDialog(t.Context(), "", true, &text); err != nil {
			t.Fatal(err)
		}
		if got := s.page("w.got"); got != `"Grace"` {
			t.Errorf("the page got %s, want Grace", got)
		}
	})
}
