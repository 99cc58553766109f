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
	joins  [][]joint          // of types
	rarity map[string]float64 // of the words in names, from 0 to 1: ln(1 + parts/parts with it), to the most
}

// A part is a label or type.
type part struct {
	name       string
	isType     bool
	words      []string
	properties []store.Property
	worded     [][]string // the words of each property
	cost       int        // bytes of its line, of a type without its ends
}

// Weights of what a question says of a part, tried on the shared pairs (TestPrunedNames).
const (
	weightName     = 4.  // the words of its name, all of them said
	weightProperty = 2.5 // those of the property that fits best, if no other part has them
	weightTold     = 5.  // a sure link to its values, or a word that means it alone
	shareNear      = .5  // of the score of a part beside it
	leastLike      = .6  // of two words: the beginning that they share, to the longer
	leastShared    = 3   // bytes of it
	maxProperties  = 40  // of one part, where more are there
	lineCost       = 8   // bytes around the names in a line
)

// newPruner prepares pruning s.
func newPruner(s *store.Schema) *pruner {
	p := &pruner{schema: s, at: make(map[string][]int), rarity: make(map[string]float64)}
	put := func(name string, isType bool, ps []store.Property) {
		made := part{name: name, isType: isType, words: wordsOf(name), properties: ps}
		if !isType {
			made.cost = len(promptName(name)) + lineCost
		}
		for _, prop := range ps {
			made.worded = append(made.worded, wordsOf(prop.Name))
			if made.cost += len(promptName(prop.Name)) + 2; prop.Type != "STRING" {
				made.cost += len(prop.Type) + 1
			}
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
	p.joins = make([][]joint, len(p.parts))
	join := func(a, b int) {
		if !slices.Contains(p.near[a], b) {
			p.near[a] = append(p.near[a], b)
		}
	}
	for _, r := range s.Relationships {
		i, start, end := p.find(r.Type, true), p.find(r.Start, false), p.find(r.End, false)
		if i < 0 || start < 0 || end < 0 {
			continue
		}
		for _, j := range []int{start, end} {
			join(i, j)
			join(j, i)
		}
		made := joint{start, end, len(r.Start) + len(r.Type) + len(r.End) + 2*lineCost}
		p.joins[i] = append(p.joins[i], made)
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
	most := math.Log(1 + float64(len(p.parts)))
	for w, n := range p.rarity {
		p.rarity[w] = math.Log(1+float64(len(p.parts))/n) / most
	}
	return p
}

// A joint is a pair of labels that a type joins, and the bytes of saying so.
type joint struct{ start, end, cost int }

// find is the part of a name, -1 for none.
func (p *pruner) find(name string, isType bool) int {
	for _, i := range p.at[name] {
		if p.parts[i].isType == isType {
			return i
		}
	}
	return -1
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
	words []string           // of the question, folded
	told  map[string]float64 // the weight of labels, types and Owner.property that links, words and cases name
}

// tell adds names, each with the largest of its weights.
func (t touch) tell(names []toldName) {
	for _, n := range names {
		t.told[n.name] = max(t.told[n.name], n.weight)
	}
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

// rare is how rare the rarest of words is, from 0 to 1.
func (p *pruner) rare(words []string) (most float64) {
	for _, w := range words {
		most = max(most, p.rarity[w])
	}
	return most
}

// A scoring says how well each part, and each property of it, fits a question.
type scoring struct {
	parts      []float64
	properties [][]float64
}

// score holds the question against each part: by its name, by what was told, by
// the property that fits best, and by the parts beside it.
func (p *pruner) score(t touch) scoring {
	s := scoring{make([]float64, len(p.parts)), make([][]float64, len(p.parts))}
	memo := make(map[string]float64)
	said := func(name string, words []string) float64 {
		v, ok := memo[name]
		if !ok {
			v = p.said(t, words)
			memo[name] = v
		}
		return v
	}
	own := make([]float64, len(p.parts))
	for i, made := range p.parts {
		name := said(made.name, made.words)
		own[i] = weightName*name*name + weightTold*t.told[made.name]
		best := 0.
		s.properties[i] = make([]float64, len(made.properties))
		for j, words := range made.worded {
			prop := made.properties[j].Name
			fit := said(prop, words)
			s.properties[i][j] = fit*fit + weightTold*t.told[made.name+"."+prop]
			best = max(best, fit*fit*p.rare(words))
		}
		own[i] += weightProperty * best
	}
	copy(s.parts, own)
	for range 2 { // a label, its type, the label beyond
		before := slices.Clone(s.parts)
		for i := range p.parts {
			most := 0.
			for _, j := range p.near[i] {
				most = max(most, before[j])
			}
			s.parts[i] = max(s.parts[i], own[i]+shareNear*most)
		}
	}
	return s
}

// prune chooses what fits into a number of tokens, best first, and with a type
// the labels that it joins.
func (p *pruner) prune(t touch, tokens int) *kept {
	c := choosing{pruner: p, scoring: p.score(t), left: tokens * bytesPerToken, in: make([]bool, len(p.parts)), kept: &kept{make(map[string]bool), make(map[string]bool)}}
	order := make([]int, len(p.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.scoring.parts[b], c.scoring.parts[a]), cmp.Compare(p.parts[a].cost, p.parts[b].cost), strings.Compare(p.parts[a].name, p.parts[b].name))
	})
	for _, i := range order {
		c.take(i)
	}
	return c.kept
}

// choosing is a choice of parts on its way.
type choosing struct {
	*pruner
	scoring scoring
	left    int // bytes
	in      []bool
	kept    *kept
}

// take keeps a part if it fits: a type with the best of its ends.
func (c *choosing) take(i int) {
	if c.in[i] {
		return
	}
	before, left := slices.Clone(c.in), c.left
	need := []int{i}
	if c.pruner.parts[i].isType {
		need = append(c.ends(i), i)
	}
	for _, j := range need {
		if !c.in[j] {
			c.left -= c.cost(j)
			c.in[j] = true
		}
	}
	if c.left < 0 && len(c.kept.names) > 0 { // never nothing
		c.in, c.left = before, left
		return
	}
	for _, j := range need {
		if !before[j] {
			c.keep(j)
		}
	}
}

// ends are the labels of the relation of a type that scores best.
func (c *choosing) ends(i int) []int {
	best, found := -1., []int(nil)
	for _, r := range c.joins[i] {
		if sum := c.scoring.parts[r.start] + c.scoring.parts[r.end]; sum > best {
			best, found = sum, slices.Compact([]int{r.start, r.end})
		}
	}
	return found
}

// cost is how many bytes more there are with a part: its line, and the relations
// that it completes.
func (c *choosing) cost(i int) int {
	made := c.pruner.parts[i]
	n := made.cost
	if made.isType {
		for _, r := range c.joins[i] {
			if c.in[r.start] && c.in[r.end] {
				n += r.cost
			}
		}
		return n
	}
	for _, typ := range c.near[i] {
		if !c.in[typ] {
			continue
		}
		for _, r := range c.joins[typ] {
			if (r.start == i || c.in[r.start]) && (r.end == i || c.in[r.end]) && (r.start == i || r.end == i) {
				n += r.cost
			}
		}
	}
	return n
}

// keep takes a part with its properties, of many those that fit best.
func (c *choosing) keep(i int) {
	made := c.pruner.parts[i]
	c.kept.names[made.name] = true
	order := make([]int, len(made.properties))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.scoring.properties[i][b], c.scoring.properties[i][a]) })
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
