package page

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// The share of expectations that must hold; raise it, never lower it.
const wantedShare = 0.99

type accCase struct {
	ID, Category, CSS, HTML, Note                       string
	Tentative, Beyond, Bonus, Either, Solo, Modal, File bool
	Targets                                             []struct {
		T, Kind     string
		Name        *string
		Description *string
		Role        json.RawMessage
		States      map[string]any
		Listed      *bool
	}
}

// missed explains the expectations that we mean not to meet.
var missed = map[string]string{}

// spoken is what the agent says of one element.
type spoken struct {
	I                                             int
	T, Role, Word, Name, From, Description, Value string
	States                                        []string
	Level                                         int
	Hidden                                        bool
}

// tally counts the checks of one category.
type tally struct{ done, good int }

func TestNamesRolesStates(t *testing.T) {
	for _, isolated := range []bool{true, false} {
		t.Run(fmt.Sprintf("isolated=%v", isolated), func(t *testing.T) { judgeAll(t, isolated) })
	}
}

func judgeAll(t *testing.T, isolated bool) {
	text, err := os.ReadFile("testdata/accname/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Fixtures []accCase }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	s, c := serve(t), dial(t)
	firm, loose, kinds := tally{}, tally{}, map[string]*tally{}
	for i, group := range groups(all.Fixtures) {
		path := fmt.Sprintf("/%d", i)
		s.pages[path] = document(group)
		v := open(t, c, s.url+path, isolated)
		shown := v.look(map[string]any{"view": "full", "maxElements": 5000})
		var found []spoken
		v.call("describe_all", map[string]any{"selector": "[data-t]"}, &found)
		by := map[string]spoken{}
		for _, f := range found {
			by[f.T] = f
		}
		for _, f := range group {
			for kind, faults := range judge(f, by, shown) {
				into := &firm
				if f.Tentative || f.Beyond || f.Bonus || f.Either {
					into = &loose
				}
				if kinds[kind] == nil {
					kinds[kind] = &tally{}
				}
				for _, fault := range faults {
					into.done++
					if into == &firm {
						kinds[kind].done++
					}
					switch {
					case fault == "":
						into.good++
						if into == &firm {
							kinds[kind].good++
						}
					case into == &loose:
						t.Logf("not demanded: %s: %s", f.ID, fault)
					case missed[f.ID] != "":
						t.Logf("expected miss: %s: %s (%s)", f.ID, fault, missed[f.ID])
					default:
						t.Logf("MISS %s: %s\n    %s", f.ID, fault, f.HTML)
					}
				}
			}
		}
	}
	for kind, k := range kinds {
		t.Logf("%-12s %4d of %4d", kind, k.good, k.done)
	}
	share := float64(firm.good) / float64(firm.done)
	t.Logf("demanded %d of %d (%.2f %%), others %d of %d", firm.good, firm.done, 100*share, loose.good, loose.done)
	if share < wantedShare {
		t.Errorf("%.2f %% right, %.2f %% wanted", 100*share, 100*wantedShare)
	}
}

// groups puts up to 25 fixtures of a category on one page.
func groups(all []accCase) [][]accCase {
	var out [][]accCase
	for _, f := range all {
		last := len(out) - 1
		if last < 0 || f.Solo || f.Modal || len(out[last]) == 25 || out[last][0].Category != f.Category || out[last][0].Solo || out[last][0].Modal {
			out = append(out, nil)
			last++
		}
		out[last] = append(out[last], f)
	}
	return out
}

func document(group []accCase) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset="utf-8"><title>cases</title><style>`)
	for _, f := range group {
		b.WriteString(f.CSS + "\n")
	}
	b.WriteString("</style><body>")
	for _, f := range group {
		b.WriteString(f.HTML + "\n")
	}
	return b.String()
}

// judge compares one accCase; for each kind of check the faults, "" for none.
func judge(f accCase, by map[string]spoken, shown look) map[string][]string {
	out := map[string][]string{}
	for _, want := range f.Targets {
		if want.Listed != nil {
			out["listed"] = append(out["listed"], judgeListed(shown, *want.Name, *want.Listed))
		}
		got, ok := by[want.T]
		if !ok {
			if want.Name != nil && want.Listed == nil {
				out["name"] = append(out["name"], "no element "+want.T)
			}
			continue
		}
		add := func(kind, fault string) { out[kind] = append(out[kind], fault) }
		if want.Listed == nil && !got.Hidden {
			add("kind", judgeKind(shown, got.I, want.Kind))
		}
		if want.Name != nil && want.Listed == nil {
			add("name", differ(got.Name, *want.Name))
		}
		if want.Description != nil {
			add("description", differ(got.Description, *want.Description))
		}
		if len(want.Role) > 0 {
			add("role", judgeRole(got, want.Role))
		}
		for key, value := range want.States {
			add("state", judgeState(got, key, value))
		}
	}
	return out
}

func judgeListed(shown look, name string, want bool) string {
	got := slices.ContainsFunc(shown.Nodes, func(n node) bool { return n.K != "x" && n.N == name })
	if got == want {
		return ""
	}
	return fmt.Sprintf("listed: %v, want %v", got, want)
}

// judgeKind wants a reference for what can be acted on, and a line for structure
// that has something to say.
func judgeKind(shown look, id int, kind string) string {
	at := slices.IndexFunc(shown.Nodes, func(n node) bool { return n.I == id && n.K != "x" })
	switch {
	case kind == "action" && (at < 0 || shown.Nodes[at].K != "c"):
		return "gets no reference"
	case kind == "structure" && at < 0:
		return "gets no line"
	}
	return ""
}

func differ(got, want string) string {
	got = strings.Join(strings.Fields(got), " ")
	if got == strings.Join(strings.Fields(want), " ") {
		return ""
	}
	return fmt.Sprintf("%q, want %q", got, want)
}

func judgeRole(got spoken, raw json.RawMessage) string {
	var wants []string
	var one string
	if json.Unmarshal(raw, &one) == nil {
		wants = strings.Split(one, "|")
	} else if err := json.Unmarshal(raw, &wants); err != nil {
		return err.Error()
	}
	if slices.Contains(wants, got.Role) || slices.Contains(wants, got.Word) || got.Role == "" && slices.Contains(wants, "generic") {
		return ""
	}
	return fmt.Sprintf("role %q (%q), want %q", got.Role, got.Word, wants)
}

func judgeState(got spoken, key string, want any) string {
	have := any(nil)
	for _, s := range got.States {
		if k, v, valued := strings.Cut(s, "="); k == key {
			have = true
			if valued {
				have = v
			}
		}
	}
	switch key {
	case "level":
		have = float64(got.Level)
	case "value":
		have = got.Value
	case "valueNot":
		if strings.Contains(got.Value+got.Name+got.Description, fmt.Sprint(want)) {
			return fmt.Sprintf("tells %v", want)
		}
		return ""
	}
	if key == "invalid" && want == true && have != nil {
		return "" // grammar and spelling are kinds of it
	}
	if have == "false" {
		have = false
	}
	if want == false && (have == nil) && key != "expanded" || fmt.Sprint(have) == fmt.Sprint(want) {
		return ""
	}
	return fmt.Sprintf("%s = %v, want %v", key, have, want)
}
