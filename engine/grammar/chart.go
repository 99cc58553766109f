package grammar

import "slices"

// An item is a stretch of the question that is something.
type item struct {
	cat      category
	from, to int // tokens
	value    any
	cost     int
	key      string // of value: items of equal keys are one
	dead     bool   // a cheaper one took its place
}

// An edge is a rule of which the first parts were found.
type edge struct {
	rule  *rule
	found []*item
	from  int
	to    int
}

func (e *edge) wants() category { return e.rule.right[len(e.found)] }

// A chart finds everything that stretches of a question can be, from the words up.
type chart struct {
	r       *sentence
	starts  map[category][]*rule // by the first part
	done    map[span][]*item
	begins  map[place][]*item // complete, by category and where they begin
	waiting map[place][]*edge // by what they want and where
	agenda  []*item
	size    int
	full    bool // it grew past its bound: what it found says nothing
}

type span struct {
	cat      category
	from, to int
}

type place struct {
	cat category
	at  int
}

// maxItems bounds a chart: questions of 40 tokens make some hundreds.
const maxItems = 6000

func newChart(r *sentence, starts map[category][]*rule) *chart {
	return &chart{r: r, starts: starts, done: map[span][]*item{}, begins: map[place][]*item{}, waiting: map[place][]*edge{}}
}

// add takes an item in, unless it is there as cheaply.
func (c *chart) add(it *item) {
	it.key = keyOf(it.value)
	s := span{it.cat, it.from, it.to}
	for i, old := range c.done[s] {
		if old.key == it.key {
			if old.cost <= it.cost {
				return
			}
			c.done[s] = slices.Delete(slices.Clone(c.done[s]), i, i+1)
			old.dead = true
			break
		}
	}
	if c.size++; c.size > maxItems {
		c.full = true
		return
	}
	c.done[s] = append(c.done[s], it)
	c.agenda = append(c.agenda, it)
}

// run joins items until nothing new is found.
func (c *chart) run() {
	for len(c.agenda) > 0 && !c.full {
		it := c.agenda[0]
		c.agenda = c.agenda[1:]
		if it.dead {
			continue
		}
		p := place{it.cat, it.from}
		c.begins[p] = append(c.begins[p], it)
		for _, e := range c.waiting[p] {
			c.extend(e, it)
		}
		for _, r := range c.starts[it.cat] {
			c.extend(&edge{rule: r, from: it.from, to: it.from}, it)
		}
	}
}

// extend puts it behind what e found.
func (c *chart) extend(e *edge, it *item) {
	if c.full {
		return
	}
	next := &edge{rule: e.rule, found: append(slices.Clone(e.found), it), from: e.from, to: it.to}
	if len(next.found) == len(e.rule.right) {
		c.close(next)
		return
	}
	if c.size++; c.size > maxItems {
		c.full = true
		return
	}
	p := place{next.wants(), next.to}
	c.waiting[p] = append(c.waiting[p], next)
	for _, more := range c.begins[p] {
		if !more.dead {
			c.extend(next, more)
		}
	}
}

// close makes items of a whole rule.
func (c *chart) close(e *edge) {
	parts := make([]any, len(e.rule.picks))
	for i, pick := range e.rule.picks {
		if pick >= 0 {
			parts[i] = e.found[pick].value
		}
	}
	cost := e.rule.do.cost
	for _, it := range e.found {
		cost += it.cost
	}
	for _, v := range e.rule.do.comb(c.r, parts, e.rule.do.option) {
		c.add(&item{cat: e.rule.left, from: e.from, to: e.to, value: v, cost: cost})
	}
}
