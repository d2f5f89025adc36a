package outline

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Name gives the elements that can be acted on, and that have no reference, an id that is the same whenever the page is:
// e_ and twelve digits. No tool takes such an id, since the page it was on is gone.
func (s *SOM) Name() {
	seen := map[string]int{}
	origin := originOf(s.URL)
	for r := range s.Regions {
		for i := range s.Regions[r].Elements {
			e := &s.Regions[r].Elements[i]
			delete(e.Attrs, "frame")
			if e.ID != "" || len(e.Actions) == 0 {
				continue
			}
			what := strings.Join([]string{origin, s.Regions[r].ID, e.Role, strings.ToLower(e.Text + e.Label)}, "|")
			seen[what]++
			sum := sha256.Sum256([]byte(what + "|" + itoa(seen[what])))
			e.ID = "e_" + hex.EncodeToString(sum[:6])
		}
	}
}
