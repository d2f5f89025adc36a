package session_test

import (
	"strings"
	"testing"

	"firefox-rdp-mcp/session"
)

// TestMainJob: see, fill, click, see again; in the isolated realm and in the
// page's own.
func TestMainJob(t *testing.T) {
	for name, privileged := range map[string]bool{"isolated": true, "page realm": false} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, session.Config{Privileged: privileged}, map[string]string{
				"/": `<h1>Jobs</h1><label>Name <input id=i></label><label>Key <input type=password value=hidden-4711></label>
					<button onclick="document.querySelector('p').textContent='Hello '+i.value">Greet</button><p role=status></p>`,
			})
			s.open("/")
			if sn := s.snap(); !strings.Contains(sn.Text, `input password "Key" filled`) || strings.Contains(sn.Text, "4711") {
				t.Errorf("the snapshot should say that the password is filled, and not with what:\n%s", sn.Text)
			}
			a, err := s.Fill(t.Context(), session.FillArgs{On: session.On{Element: s.ref("Name"), Watch: watch}, Value: "Ada"})
			if err != nil || a.Result.ValueAfter == nil || *a.Result.ValueAfter != "Ada" {
				t.Fatalf("Fill = %+v, %v", a, err)
			}
			a, err = s.Click(t.Context(), session.ClickArgs{On: session.On{Element: s.ref("Greet"), Watch: watch}})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.page(`$("p").textContent`); got != `"Hello Ada"` {
				t.Errorf("the page says %s", got)
			}
			if a.Changes == nil || !strings.Contains(a.Changes.Text, "Hello Ada") {
				t.Errorf("Changes = %+v, want the greeting", a.Changes)
			}
			if _, err := s.WaitFor(t.Context(), session.WaitArgs{Text: "Hello Ada", Timeout: watch}); err != nil {
				t.Error(err)
			}
			if _, err := s.WaitFor(t.Context(), session.WaitArgs{Text: "Goodbye", Timeout: watch}); code(err) != session.WaitTimeout {
				t.Errorf("waiting for what never comes = %v", err)
			}
			// The page must not be able to tell that anybody was there.
			if got := s.page(`Object.getOwnPropertyNames(w).filter(k => !/^(i|log|n)$/.test(k)).filter(k => /^(agent|call|host|install|_self)$/.test(k)).join()`); got != `""` {
				t.Errorf("globals of ours in the page: %s", got)
			}
		})
	}
}
