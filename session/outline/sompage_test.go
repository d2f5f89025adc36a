package outline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// formsModel is a model of n forms with two elements each, and a navigation.
func formsModel(n int) SOM {
	whole := SOM{Version: SOMVersion, URL: "https://shop.example/cart", Title: "Cart", Lang: "en", Untrusted: Untrusted, Meta: SOMMeta{Complete: true}}
	whole.Regions = append(whole.Regions, SOMRegion{ID: "r_navigation", Role: "navigation", Elements: []SOMElement{{ID: "e0", Role: "link", Text: "Home", Actions: []string{"click"}}}})
	for i := range n {
		whole.Regions = append(whole.Regions, SOMRegion{
			ID: fmt.Sprintf("r_form_%d", i), Role: "form", Action: fmt.Sprintf("https://shop.example/cart/items/%d", i), Method: "POST",
			Elements: []SOMElement{
				{ID: fmt.Sprintf("e%d", 2*i+1), Role: "text_input", Label: "Quantity", Actions: []string{"type", "clear"}},
				{ID: fmt.Sprintf("e%d", 2*i+2), Role: "button", Text: "Remove", Actions: []string{"click"}},
			},
		})
	}
	return whole
}

// A model is read to its end in parts that the budget holds, whatever it is that makes
// it long: no element is missing, none comes twice, and no part is without any.
func TestSOMPages(t *testing.T) {
	long := formsModel(1)
	long.Regions[1].Elements = append(long.Regions[1].Elements, SOMElement{ID: "e9", Role: "paragraph", Text: strings.Repeat("words ", 2000)})
	told := formsModel(10)
	told.Structured = &StructuredData{Meta: map[string]string{"description": strings.Repeat("A long story. ", 500)}}
	for name, whole := range map[string]SOM{"one form": formsModel(1), "a form a row": formsModel(300), "an element that is too long": long, "much about itself": told} {
		for _, budget := range []int{1, 300, 2000} {
			seen := map[string]bool{}
			parts, offset := 0, 0
			for more := true; more; more = offset > 0 {
				var part SOM
				part, offset = SOMPage(whole, budget, offset)
				parts++
				elements, largest := 0, 0
				for _, r := range part.Regions {
					for _, e := range r.Elements {
						if seen[e.ID] {
							t.Errorf("%s, %d: %s comes twice", name, budget, e.ID)
						}
						seen[e.ID] = true
						elements++
						largest = max(largest, Tokens(JSON(e)))
					}
				}
				if tokens := Tokens(part.Text()); elements == 0 || tokens > budget+budget/10 && (elements > 1 || budget > 1 && largest < budget/2) {
					t.Errorf("%s, %d: part %d has %d elements in %d tokens", name, budget, parts, elements, tokens)
				}
			}
			if want := countElements(whole); len(seen) != want {
				t.Errorf("%s, %d: %d elements in %d parts, want %d", name, budget, len(seen), parts, want)
			}
			t.Logf("%s, %d: %d parts", name, budget, parts)
		}
	}
}

func countElements(s SOM) int {
	n := 0
	for _, r := range s.Regions {
		n += len(r.Elements)
	}
	return n
}

// What is not listed is counted in a way that is right for one as well.
func TestSOMPageCountsRegions(t *testing.T) {
	for budget := 300; budget < 5000; budget++ {
		part, _ := SOMPage(formsModel(10), budget, 0)
		if slices.ContainsFunc(part.Warnings, func(w string) bool { return strings.HasPrefix(w, "regions not listed here: 1;") }) {
			return
		}
	}
	t.Error("at no budget is one region left")
}
