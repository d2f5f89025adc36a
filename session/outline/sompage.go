package outline

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// SOMPage gives the part of a whole model that a budget holds, from an offset on: what matters most first, navigation,
// asides and footers last, with a count of what is left out where. At least one element is given if there is any. The
// budget is in estimated tokens, 0 for none; next is the offset to go on at, 0 at the end.
func SOMPage(whole SOM, budget, offset int) (page SOM, next int) {
	p := somPager{whole: whole, told: map[int]bool{}}
	p.order()
	offset = min(max(offset, 0), len(p.units))
	page = whole
	if offset > 0 {
		page.Structured = nil
	}
	room := p.head(&page, budget)
	if offset == 0 {
		room -= p.announce(&page, budget, room)
	}
	end := p.fill(offset, budget, room)
	page.Regions = p.regions(offset, end)
	page.Meta.Omitted = len(p.units) - (end - offset)
	page.Meta.Complete = page.Meta.Omitted == 0 && page.Meta.Complete
	if end < len(p.units) {
		next = end
	}
	return page, next
}

// Text writes the model as JSON, with its own sizes in it.
func (s *SOM) Text() string {
	const figures = 8 // digits of the two sizes
	s.Meta.SOMBytes, s.Meta.TokenEstimate = 0, 0
	s.Meta.SOMBytes = len(marshal(s)) + figures
	text := string(marshal(s))
	s.Meta.TokenEstimate = Tokens(text) + 2
	return string(marshal(s))
}

// somUnit is one element.
type somUnit struct{ region, element, class int }

type somPager struct {
	whole SOM
	units []somUnit    // the most important first
	told  map[int]bool // regions that the part has even if none of their elements is in it
}

// somClasses orders regions.
var somClasses = map[string]int{"dialog": 0, "main": 1, "form": 1, "content": 1, "header": 2, "navigation": 3, "aside": 4, "footer": 5}

func (p *somPager) order() {
	for r := range p.whole.Regions {
		for e := range p.whole.Regions[r].Elements {
			p.units = append(p.units, somUnit{r, e, somClasses[p.whole.Regions[r].Role]})
		}
	}
	slices.SortStableFunc(p.units, func(a, b somUnit) int { return cmp.Compare(a.class, b.class) })
}

func (u somUnit) tokens(whole *SOM) int {
	return countTokens(marshal(whole.Regions[u.region].Elements[u.element])) + 1
}

// head takes from the structured data what would leave too little room, and gives the tokens left for elements.
func (p *somPager) head(page *SOM, budget int) int {
	if budget <= 0 {
		return 0
	}
	if d := page.Structured; d != nil {
		page.Structured = d.within(budget / 4)
		if page.Structured != d {
			page.Warnings = append(slices.Clone(page.Warnings), "structured_data is cut to fit the budget")
		}
	}
	bare := *page
	bare.Regions = nil
	return withoutMargin(budget - withMargin(countTokens(marshal(bare))) - 20)
}

// announce chooses the regions that the first part tells of whatever it has of them,
// the most important first: all of them, unless they would take more than a quarter
// of the room. It gives what they cost.
func (p *somPager) announce(page *SOM, budget, room int) int {
	used, left := 0, 0
	for _, u := range p.units {
		cost := p.frame(u.region)
		switch {
		case u.element > 0:
		case budget > 0 && used+cost > room/4:
			left++
		default:
			p.told[u.region] = true
			used += cost
		}
	}
	if left > 0 {
		page.Warnings = append(slices.Clone(page.Warnings), "regions not listed here: "+strconv.Itoa(left)+"; next_cursor leads to them")
	}
	return used
}

// frame is what a region costs without its elements.
func (p *somPager) frame(region int) int {
	r := p.whole.Regions[region]
	r.Elements, r.Omitted = []SOMElement{}, len(r.Elements)
	return countTokens(marshal(r)) + 1
}

// fill gives the end of the part that begins at a unit: as many as there is room for,
// with the regions that they are in, and one at least.
func (p *somPager) fill(from, budget, room int) int {
	begun := maps.Clone(p.told)
	end := from
	for used := 0; end < len(p.units); end++ {
		u := p.units[end]
		cost := u.tokens(&p.whole)
		if !begun[u.region] {
			cost += p.frame(u.region)
			begun[u.region] = true
		}
		if budget > 0 && used+cost > room && end > from {
			break
		}
		used += cost
	}
	return end
}

// within gives the parts of the data that cost at most so many tokens together, the most telling first.
func (d *StructuredData) within(tokens int) *StructuredData {
	if Tokens(string(marshal(d))) <= tokens {
		return d
	}
	out := &StructuredData{}
	for _, take := range []func(){
		func() { out.JSONLD = d.JSONLD }, func() { out.OpenGraph = d.OpenGraph }, func() { out.Meta = d.Meta },
		func() { out.TwitterCard = d.TwitterCard }, func() { out.Links = d.Links },
	} {
		before := *out
		take()
		if Tokens(string(marshal(out))) > tokens {
			*out = before
		}
	}
	if out.empty() {
		return nil
	}
	return out
}

// regions gives the regions of the page in their order, with the elements that the units name in theirs. Regions that
// have none in this part are told by their counts, if the part tells of them.
func (p *somPager) regions(from, to int) []SOMRegion {
	chosen := slices.Clone(p.units[from:to])
	slices.SortFunc(chosen, func(a, b somUnit) int {
		return cmp.Or(cmp.Compare(a.region, b.region), cmp.Compare(a.element, b.element))
	})
	out := []SOMRegion{}
	for r := range p.whole.Regions {
		region := p.whole.Regions[r]
		all := region.Elements
		region.Elements = []SOMElement{}
		for len(chosen) > 0 && chosen[0].region == r {
			region.Elements = append(region.Elements, all[chosen[0].element])
			chosen = chosen[1:]
		}
		region.Omitted = len(all) - len(region.Elements)
		if len(region.Elements) > 0 || p.told[r] {
			out = append(out, region)
		}
	}
	return out
}

// SOMCursor is where a kept model is to be read on.
type SOMCursor struct {
	ID     int
	Offset int
}

// String gives the cursor's text.
func (c SOMCursor) String() string { return "som" + strconv.Itoa(c.ID) + "." + strconv.Itoa(c.Offset) }

// ParseSOMCursor reads what String gave.
func ParseSOMCursor(text string) (SOMCursor, bool) {
	id, offset, ok := strings.Cut(strings.TrimPrefix(text, "som"), ".")
	if !ok || !strings.HasPrefix(text, "som") || !digits(id) || !digits(offset) {
		return SOMCursor{}, false
	}
	n, _ := strconv.Atoi(id)
	m, _ := strconv.Atoi(offset)
	return SOMCursor{n, m}, true
}
