package reading

import (
	"cmp"
	"maps"
	"slices"
)

// deeds are the relationship types by which somebody did something: ACTED_IN
// and DIRECTED, but not IN_GENRE. They are those with a role, and those with
// words that join the same labels. A glossary without roles has the deeds of
// one pair of labels: nothing leads to its doers if possible, and no pair has
// more types.
type deeds struct {
	rels map[string]bool
	from string // the label of all doers, "" if they have several
	to   string // what they do things to: of several labels the first by name
}

func deedsOf(g *Glossary) deeds {
	type pair struct{ from, to string }
	worded, marked := make(map[pair][]string), make(map[pair]bool)
	led := make(map[string]bool) // labels that types with words lead to
	for rel, w := range g.Relationships {
		p := pair{w.From, w.To}
		if w.Role != "" {
			marked[p] = true
		}
		if w.Role != "" || len(w.Agent)+len(w.Verb)+len(w.Work)+len(w.Participle) > 0 && w.From != w.To {
			worded[p] = append(worded[p], rel)
			led[w.To] = true
		}
	}
	pairs := slices.SortedFunc(maps.Keys(worded), func(a, b pair) int {
		return cmp.Or(boolInt(led[a.from])-boolInt(led[b.from]), len(worded[b])-len(worded[a]), cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from))
	})
	switch {
	case len(marked) > 0:
		pairs = slices.DeleteFunc(pairs, func(p pair) bool { return !marked[p] })
	case len(pairs) > 1:
		pairs = pairs[:1]
	}
	d := deeds{rels: make(map[string]bool)}
	for i, p := range pairs {
		for _, rel := range worded[p] {
			d.rels[rel] = true
		}
		if i == 0 {
			d.from, d.to = p.from, p.to
			continue
		}
		if d.from != p.from {
			d.from = ""
		}
		d.to = min(d.to, p.to)
	}
	return d
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
