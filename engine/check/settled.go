package check

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// pin reads a condition that every row meets: an equality may leave one thing only.
func (r *rows) pin(e cypher.Expr) {
	c, ok := e.(*cypher.Comparison)
	if !ok || len(c.Ops) != 1 || c.Ops[0] != cypher.Eq {
		return
	}
	for i, x := range c.X {
		other := c.X[1-i]
		switch x := x.(type) {
		case *cypher.Property:
			if t := r.thingOf(x.X); t != nil {
				r.equal(t, x.Key, other)
			}
		case *cypher.Call:
			name := strings.ToLower(x.Name)
			if len(x.Args) != 1 {
				continue
			}
			if p, ok := x.Args[0].(*cypher.Property); ok && slices.Contains(keeping, name) {
				if t := r.thingOf(p.X); t != nil {
					r.equal(t, p.Key, other)
				}
			} else if t := r.thingOf(x.Args[0]); t != nil && (name == "id" || name == "elementid") {
				t.pinned = true
			}
		case *cypher.Variable: // WHERE total = most
			if from := r.values[x.Name].of; len(from) == 1 {
				r.settle(other, from[0])
			}
		}
	}
}

func (r *rows) thingOf(e cypher.Expr) *thing {
	if x, ok := e.(*cypher.Variable); ok {
		return r.things[x.Name]
	}
	return nil
}

// equal notes that t.key = e.
func (r *rows) equal(t *thing, key string, e cypher.Expr) {
	of := r.of(e)
	if len(of) == 1 && of[0] != t { // the one settles the other
		if r.v.tells(of[0], e) {
			r.links = append(r.links, link{from: t, to: of[0]})
		}
		if !r.v.shared(t.entity, key) {
			r.links = append(r.links, link{from: of[0], to: t})
		}
		return
	}
	if len(of) == 0 && !r.v.shared(t.entity, key) {
		t.pinned = true
	}
}

func (r *rows) settle(other cypher.Expr, t *thing) {
	if of := r.of(other); len(of) == 1 && of[0] != t {
		r.links = append(r.links, link{from: of[0], to: t}, link{from: t, to: of[0]})
	}
}

// tells reports whether the value of e tells t from others.
func (v *survey) tells(t *thing, e cypher.Expr) bool {
	switch e := e.(type) {
	case *cypher.Variable:
		return true
	case *cypher.Property:
		return !v.shared(t.entity, e.Key)
	}
	return false
}

// shared reports whether it is known that several nodes share a value of the property.
func (v *survey) shared(e *entity, key string) bool {
	if e == nil {
		return false
	}
	known := &v.graph.labels
	if e.rel {
		return true
	}
	if known.properties == nil {
		return false
	}
	for i := range v.graph.namesOf(e).each() {
		if p, has := known.properties[i][key]; has && p.several {
			return true
		}
	}
	return false
}
