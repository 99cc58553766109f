package check

import (
	"maps"
	"slices"
	"strings"

	"precedent/store/cypher"
)

// A thing is a node, a relationship or an unwound value that varies from row to row.
type thing struct {
	entity *entity
	shown  string // as a pattern shows it
	pinned bool   // there is one at most: it is picked by what tells nodes apart
}

// A link says that where one thing is settled, another is too.
type link struct {
	from, to *thing
	step     *Step // unless it leads to many; nil: always
	many     bool  // it leads to many by the schema's counts
	shown    string
}

// A value is what a variable that holds no thing was computed of.
type value struct {
	of   []*thing // one value for each of these together
	list *thing   // a list of these
	all  bool     // an aggregate of all rows, the same in each
}

// rows is what one part of a query knows of the rows that it has come to: which
// things vary in them, and which things settle which others. It follows the clauses
// in their order.
type rows struct {
	v      *survey
	asked  Asked
	things map[string]*thing
	values map[string]value
	varies []*thing
	links  []link
	lost   bool // something was done that this can't follow
}

// multiplied finds the aggregates of s whose rows a pattern multiplies.
func (v *survey) multiplied(s *cypher.Statement, asked Asked) {
	for _, part := range s.Parts {
		r := &rows{v: v, asked: asked, things: make(map[string]*thing), values: make(map[string]value)}
		for _, c := range part.Clauses {
			r.clause(c)
		}
	}
}

func (r *rows) clause(c cypher.Clause) {
	switch c := c.(type) {
	case *cypher.Match:
		for _, p := range c.Patterns {
			r.path(p)
		}
		conjuncts(c.Where, r.pin)
	case *cypher.Unwind:
		r.unwind(c)
	case *cypher.With:
		r.projection(&c.Projection)
		conjuncts(c.Where, r.pin)
	case *cypher.Return:
		r.ungrouped(&c.Projection)
		r.projection(&c.Projection)
	case *cypher.CallSubquery:
		if !c.Scoped && len(c.Imports) == 0 {
			r.v.multiplied(c.Body, r.asked)
		}
		r.lost = true
	default:
		r.lost = true
	}
}

func (r *rows) add(name string, e *entity, shown string) *thing {
	if t := r.things[name]; t != nil && name != "" {
		return t
	}
	t := &thing{entity: e, shown: shown}
	r.varies = append(r.varies, t)
	if name != "" {
		r.things[name] = t
		delete(r.values, name)
	}
	return t
}

func (r *rows) path(p *cypher.Path) {
	if p.Shortest != cypher.AnyPath {
		r.lost = true
		return
	}
	var left *thing
	var between *cypher.RelPattern
	for _, element := range p.Elements {
		switch e := element.(type) {
		case *cypher.NodePattern:
			node := r.add(e.Var, r.v.entityAt(e), cypher.Print(e))
			if m, ok := e.Props.(*cypher.Map); ok {
				for i, key := range m.Keys {
					r.equal(node, key, m.Values[i])
				}
			}
			conjuncts(e.Where, r.pin)
			if between != nil && left != nil {
				r.hop(left, between, node)
			}
			left, between = node, nil
		case *cypher.RelPattern:
			between = e
		default:
			r.lost = true
			return
		}
	}
}

// hop joins two things by a relationship.
func (r *rows) hop(left *thing, rel *cypher.RelPattern, right *thing) {
	shown := cypher.Print(&cypher.Path{Elements: []cypher.Element{shownNode(left), rel, shownNode(right)}})
	if rel.Length != nil || rel.Quant != nil {
		r.links = append(r.links, link{from: left, to: right, many: true, shown: shown}, link{from: right, to: left, many: true, shown: shown})
		return
	}
	between := r.add(rel.Var, r.v.entityAt(rel), shown)
	between.shown = shown
	r.links = append(r.links, link{from: between, to: left}, link{from: between, to: right})
	starts, ends := left, right
	if rel.Dir == cypher.Left {
		starts, ends = right, left
	}
	out, back := r.v.step(starts.entity, rel, ends.entity, false), r.v.step(ends.entity, rel, starts.entity, true)
	if rel.Dir == cypher.Both {
		out.many, back.many = true, true
	}
	out.from, out.to, out.shown = starts, ends, shown
	back.from, back.to, back.shown = ends, starts, shown
	r.links = append(r.links, out, back)
}

func shownNode(t *thing) *cypher.NodePattern {
	if t.entity == nil || len(t.entity.facts) == 0 {
		return &cypher.NodePattern{}
	}
	return &cypher.NodePattern{Labels: t.entity.facts[0]}
}

// entityAt is the entity of an element that was read before, nil if there is none.
func (v *survey) entityAt(element cypher.Element) *entity {
	if e, ok := v.inHop(element); ok {
		return e
	}
	if n, ok := element.(*cypher.NodePattern); ok {
		e := &entity{}
		if n.Labels != nil {
			e.facts = append(e.facts, n.Labels)
		}
		return e
	}
	return nil
}

// of are the things that e is computed of.
func (r *rows) of(e cypher.Expr) (out []*thing) {
	add := func(t *thing) {
		if t != nil && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	name := func(n string) {
		add(r.things[n])
		for _, t := range r.values[n].of {
			add(t)
		}
	}
	cypher.Walk(e, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Variable:
			name(n.Name)
		case *cypher.NodePattern:
			name(n.Var)
		case *cypher.MapProjection:
			name(n.Var)
		}
		return true
	})
	return out
}

func (r *rows) unwind(c *cypher.Unwind) {
	if x, ok := c.List.(*cypher.Variable); ok && r.values[x.Name].list != nil {
		t := r.values[x.Name].list
		r.things[c.Var] = t
		if !slices.Contains(r.varies, t) {
			r.varies = append(r.varies, t)
		}
		return
	}
	t := &thing{shown: cypher.Print(c)}
	r.varies = append(r.varies, t)
	r.values[c.Var] = value{of: []*thing{t}}
	delete(r.things, c.Var)
	if len(r.of(c.List)) > 0 { // of a list that was computed
		r.lost = true
	}
}

// projection reads WITH or RETURN: it holds its aggregates against the rows, and
// takes along what it hands on.
func (r *rows) projection(p *cypher.Projection) {
	var aggregates []*cypher.Call
	var settled, grouped []*thing // by which rows are grouped; settled are those that it tells apart
	for _, item := range p.Items {
		found := aggregatesIn(item.Expr)
		aggregates = append(aggregates, found...)
		if len(found) > 0 {
			continue
		}
		of := r.of(item.Expr)
		grouped = append(grouped, of...)
		if r.tellsApart(item.Expr) {
			settled = append(settled, of...)
		}
	}
	if !r.lost {
		for _, a := range aggregates {
			r.judge(a, settled, grouped)
		}
	}
	r.handOn(p, grouped)
	if len(aggregates) > 0 || p.Distinct && !p.Star {
		r.varies = grouped
	}
	if l, ok := p.Limit.(*cypher.Literal); ok && l.Value == int64(1) {
		for _, t := range r.varies {
			t.pinned = true
		}
	}
}

// ungrouped finds a value of all that is returned beside each of several, where the words
// ask for one of each.
func (r *rows) ungrouped(p *cypher.Projection) {
	if !r.asked.Said.By && !r.asked.Said.Per || r.lost {
		return
	}
	var all cypher.Expr
	varies := false
	for _, item := range p.Items {
		isAll := false
		cypher.Walk(item.Expr, func(n cypher.Node) bool {
			x, ok := n.(*cypher.Variable)
			isAll = isAll || ok && r.things[x.Name] == nil && r.values[x.Name].all
			return true
		})
		of := r.of(item.Expr)
		switch {
		case len(aggregatesIn(item.Expr)) > 0, isAll && len(of) > 0:
			return
		case isAll:
			all = item.Expr
		case len(of) > 0:
			if _, isNode := item.Expr.(*cypher.Variable); isNode && r.values[cypher.Print(item.Expr)].of != nil {
				return // of each already
			}
			varies = true
		}
	}
	if all != nil && varies {
		r.v.find(Finding{Kind: Ungrouped, Has: cypher.Print(all), Pos: int(all.Pos())})
	}
}

// handOn leaves the variables that p hands on.
func (r *rows) handOn(p *cypher.Projection, grouped []*thing) {
	things, values := make(map[string]*thing), make(map[string]value)
	if p.Star {
		maps.Copy(things, r.things)
		maps.Copy(values, r.values)
	}
	for _, item := range p.Items {
		x, isVariable := item.Expr.(*cypher.Variable)
		switch {
		case isVariable && r.things[x.Name] != nil:
			things[item.Name()] = r.things[x.Name]
		case isVariable:
			values[item.Name()] = r.values[x.Name]
		case len(aggregatesIn(item.Expr)) > 0:
			v := value{of: grouped, all: len(grouped) == 0}
			if c, ok := item.Expr.(*cypher.Call); ok && sameWord(c.Name, "collect") && len(c.Args) == 1 {
				v.list = r.thingOf(c.Args[0])
			}
			values[item.Name()] = v
		default:
			values[item.Name()] = value{of: r.of(item.Expr)}
		}
	}
	r.things, r.values = things, values
}

// tellsApart reports whether rows of one value of a grouping key are rows of one
// thing.
func (r *rows) tellsApart(e cypher.Expr) bool {
	switch e := e.(type) {
	case *cypher.Variable, *cypher.MapProjection:
		return true
	case *cypher.Property:
		t := r.thingOf(e.X)
		return t == nil || !r.v.shared(t.entity, e.Key)
	case *cypher.Call:
		name := strings.ToLower(e.Name)
		return name == "id" || name == "elementid" || len(e.Args) == 1 && slices.Contains(keeping, name) && r.tellsApart(e.Args[0])
	}
	return false
}
