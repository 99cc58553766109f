package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// A pruner chooses the parts of a large schema that a question touches. It is safe
// for concurrent use.
type pruner struct {
	schema *store.Schema
	parts  []part             // labels, then types
	at     map[string][]int   // name → those called so
	near   [][]int            // the parts that relationships join to each
	rarity map[string]float64 // of the words in names: ln(parts/parts with it)
}

// A part is a label or type.
type part struct {
	name       string
	isType     bool
	words      []string
	properties []store.Property
	worded     [][]string // the words of each property
	cost       int        // tokens of its lines, roughly
}

// Weights of what a question says of a part, measured on the shared pairs (TestPrunedNames).
const (
	weightName     = 4.  // the words of its name, all of them said
	weightProperty = 1.5 // those of the property that fits best
	weightTold     = 6.  // it holds a linked value, or the glossary or a recalled case names it
	shareNear      = .5  // of the score of a part beside it
	leastLike      = .6  // of two words: the beginning that they share, to the longer
	leastShared    = 3   // letters of it
	maxProperties  = 24  // of one part, where more are there
	nameCost       = 2   // tokens of a property beside its name's
)

// newPruner prepares pruning s.
func newPruner(s *store.Schema) *pruner {
	p := &pruner{schema: s, at: make(map[string][]int), rarity: make(map[string]float64)}
	put := func(name string, isType bool, ps []store.Property) {
		made := part{name: name, isType: isType, words: wordsOf(name), properties: ps, cost: tokensIn(name) + nameCost}
		for _, prop := range ps {
			made.worded = append(made.worded, wordsOf(prop.Name))
			made.cost += tokensIn(prop.Name+prop.Type) + 1
		}
		p.at[name] = append(p.at[name], len(p.parts))
		p.parts = append(p.parts, made)
	}
	for _, l := range s.Labels {
		put(l.Name, false, l.Properties)
	}
	for _, t := range s.Types {
		put(t.Name, true, t.Properties)
	}
	p.near = make([][]int, len(p.parts))
	join := func(a, b int) {
		if !slices.Contains(p.near[a], b) {
			p.near[a] = append(p.near[a], b)
		}
	}
	for _, r := range s.Relationships {
		for _, i := range p.at[r.Type] {
			for _, end := range []string{r.Start, r.End} {
				for _, j := range p.at[end] {
					if p.parts[i].isType && !p.parts[j].isType {
						join(i, j)
						join(j, i)
					}
				}
			}
		}
	}
	for _, made := range p.parts {
		seen := make(map[string]bool)
		for _, words := range append(slices.Clone(made.worded), made.words) {
			for _, w := range words {
				seen[w] = true
			}
		}
		for w := range seen {
			p.rarity[w]++
		}
	}
	for w, n := range p.rarity {
		p.rarity[w] = math.Log(1 + float64(len(p.parts))/n)
	}
	return p
}

// wordsOf are the words of a name of the schema, folded; each Chinese character
// is one.
func wordsOf(name string) []string {
	var out []string
	for _, t := range text.Tokens(reading.Spoken(name)) {
		if t.Kind != text.Mark {
			out = append(out, t.Text)
		}
	}
	return out
}

// A touch is what a question says of a schema.
type touch struct {
	words []string        // of the question, folded
	told  map[string]bool // labels, types and Owner.property that links, glossary and cases name
}

// likeness of two words is from 0 to 1: how much of the longer one they share
// from the beginning (directed, director).
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	shared := 0
	for shared < len(a) && shared < len(b) && a[shared] == b[shared] {
		shared++
	}
	like := float64(shared) / float64(max(len(a), len(b)))
	if shared < leastShared || like < leastLike {
		return 0
	}
	return like
}

// said is how much of words the question says, from 0 to 1, rare words first.
func (p *pruner) said(t touch, words []string) float64 {
	sum, all := 0., 0.
	for _, w := range words {
		best := 0.
		for _, q := range t.words {
			best = max(best, likeness(w, q))
		}
		sum += p.rarity[w] * best
		all += p.rarity[w]
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// prune chooses what fits into a number of tokens, best first, and with a type
// the labels that it joins.
func (p *pruner) prune(t touch, tokens int) *kept {
	own, fit := make([]float64, len(p.parts)), make([][]float64, len(p.parts))
	memo := make(map[string]float64)
	said := func(words []string) float64 {
		key := strings.Join(words, " ")
		v, ok := memo[key]
		if !ok {
			v = p.said(t, words)
			memo[key] = v
		}
		return v
	}
	for i, made := range p.parts {
		s := said(made.words)
		own[i] = weightName * s * s
		if t.told[made.name] {
			own[i] += weightTold
		}
		best := 0.
		fit[i] = make([]float64, len(made.properties))
		for j, words := range made.worded {
			f := said(words)
			f *= f
			if t.told[made.name+"."+made.properties[j].Name] {
				f += weightTold
			}
			fit[i][j] = f
			best = max(best, f)
		}
		own[i] += weightProperty * best
	}
	score := slices.Clone(own)
	for range 2 { // a label, its type, the label beyond
		before := slices.Clone(score)
		for i := range p.parts {
			most := 0.
			for _, j := range p.near[i] {
				most = max(most, before[j])
			}
			score[i] = max(score[i], own[i]+shareNear*most)
		}
	}
	order := make([]int, len(p.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(p.parts[a].cost, p.parts[b].cost), strings.Compare(p.parts[a].name, p.parts[b].name))
	})
	c := choosing{pruner: p, fit: fit, score: score, left: tokens, in: make([]bool, len(p.parts)), kept: &kept{make(map[string]bool), make(map[string]bool)}}
	for _, i := range order {
		c.take(i)
	}
	return c.kept
}

// choosing is a choice of parts on its way.
type choosing struct {
	*pruner
	fit   [][]float64
	score []float64
	left  int // tokens
	in    []bool
	kept  *kept
}

// take keeps a part if it fits: a type with the best of its ends, and with what
// it joins of those that are there.
func (c *choosing) take(i int) {
	if c.in[i] {
		return
	}
	need := []int{i}
	if c.parts[i].isType {
		need = append(need, c.ends(i)...)
	}
	cost := 0
	for _, j := range need {
		if !c.in[j] {
			cost += c.cost(j)
		}
	}
	if cost > c.left && len(c.kept.names) > 0 { // never nothing
		return
	}
	for _, j := range need {
		if !c.in[j] {
			c.in[j] = true
			c.keep(j)
		}
	}
	c.left -= cost
}

// ends are the labels of the relation of a type that scores best.
func (c *choosing) ends(i int) []int {
	best, found := -1., []int(nil)
	for _, r := range c.schema.Relationships {
		if r.Type != c.parts[i].name {
			continue
		}
		var pair []int
		sum := 0.
		for _, end := range []string{r.Start, r.End} {
			for _, j := range c.at[end] {
				if !c.parts[j].isType && !slices.Contains(pair, j) {
					pair = append(pair, j)
					sum += c.score[j]
				}
			}
		}
		if sum > best {
			best, found = sum, pair
		}
	}
	return found
}

// cost is what the lines of a part take.
func (c *choosing) cost(i int) int {
	made := c.parts[i]
	if !made.isType {
		return made.cost
	}
	n := 0
	for _, r := range c.schema.Relationships {
		if r.Type == made.name && c.isIn(r.Start) && c.isIn(r.End) {
			n += tokensIn(r.Start+r.Type+r.End) + nameCost
		}
	}
	return max(n, made.cost*2)
}

func (c *choosing) isIn(label string) bool {
	return slices.ContainsFunc(c.at[label], func(i int) bool { return !c.parts[i].isType && c.in[i] })
}

// keep takes a part with its properties, of many those that fit best.
func (c *choosing) keep(i int) {
	made := c.parts[i]
	c.kept.names[made.name] = true
	order := make([]int, len(made.properties))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.fit[i][b], c.fit[i][a]) })
	for _, j := range order[:min(len(order), maxProperties)] {
		c.kept.properties[made.name+"."+made.properties[j].Name] = true
	}
}

// pruning prepares what is only needed for a large schema.
func pruning(s *store.Schema) func() *pruner {
	return sync.OnceValue(func() *pruner { return newPruner(s) })
}

// namesIn are the labels, types and property keys that a query names.
func namesIn(s *cypher.Statement) (names, keys map[string]bool) {
	names, keys = make(map[string]bool), make(map[string]bool)
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Label:
			names[n.Name] = true
		case *cypher.Property:
			keys[n.Key] = true
		case *cypher.Map:
			for _, k := range n.Keys {
				keys[k] = true
			}
		case *cypher.MapProjection:
			for _, item := range n.Items {
				keys[item.Key] = true
			}
		}
		return true
	})
	return names, keys
}
