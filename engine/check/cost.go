package check

import (
	"fmt"
	"slices"

	"precedent/store"
	"precedent/store/cypher"
)

// A piece is a pattern of a stage, or several that share a variable or a
// condition. Two pieces multiply their rows.
type piece struct {
	path  *cypher.Path
	names []string
	few   bool // some node is picked by a property, or was bound before
}

// pieces adds the patterns of m to the stage and joins those that its
// conditions tie together.
func (v *survey) pieces(m *cypher.Match, st *stage) {
	for _, path := range m.Patterns {
		p := &piece{path: path}
		cypher.Walk(path, func(n cypher.Node) bool {
			switch n := n.(type) {
			case *cypher.NodePattern:
				p.mention(n.Var)
				p.few = p.few || isPicked(n.Props)
			case *cypher.RelPattern:
				p.mention(n.Var)
				p.few = p.few || isPicked(n.Props)
			case *cypher.Variable:
				p.mention(n.Name)
			}
			return true
		})
		p.few = p.few || bindsBefore(st, p.names)
		st.parts = append(st.parts, p)
	}
	conjuncts(m.Where, func(e cypher.Expr) {
		names, apart := ties(e)
		if apart {
			return
		}
		st.parts = append(st.parts, &piece{names: names, few: len(names) == 1 && picks(e)})
	})
	st.parts = merged(st.parts)
}

func (p *piece) mention(name string) {
	if name != "" && !slices.Contains(p.names, name) {
		p.names = append(p.names, name)
	}
}

// bindsBefore reports whether an earlier WITH or UNWIND bound one of names.
func bindsBefore(st *stage, names []string) bool {
	for i := max(st.first, 0); i < len(st.part.Clauses); i++ {
		switch c := st.part.Clauses[i].(type) {
		case *cypher.Match:
			continue
		case *cypher.With:
			if i != st.first {
				return false
			}
			for _, item := range c.Items {
				if slices.Contains(names, item.Name()) {
					return true
				}
			}
			if c.Star {
				return true
			}
		case *cypher.Unwind:
			if slices.Contains(names, c.Var) {
				return true
			}
		}
	}
	if outer := st.frame.parent; outer != nil {
		return slices.ContainsFunc(names, func(name string) bool {
			_, found, _ := outer.find(name)
			return found != nil
		})
	}
	return false
}

func isPicked(props cypher.Expr) bool {
	m, ok := props.(*cypher.Map)
	return ok && len(m.Keys) > 0 || props != nil && !ok
}

func conjuncts(e cypher.Expr, f func(cypher.Expr)) {
	if b, ok := e.(*cypher.Binary); ok && b.Op == cypher.And {
		conjuncts(b.L, f)
		conjuncts(b.R, f)
	} else if e != nil {
		f(e)
	}
}

// ties are the variables that e mentions. Apart is set where e only says that
// they differ, which joins nothing.
func ties(e cypher.Expr) (names []string, apart bool) {
	cypher.Walk(e, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Variable:
			names = append(names, n.Name)
		case *cypher.NodePattern:
			if n.Var != "" {
				names = append(names, n.Var)
			}
		}
		return true
	})
	c, ok := e.(*cypher.Comparison)
	return names, ok && len(names) > 1 && !slices.Contains(c.Ops, cypher.Eq) && !readsProperties(c)
}

func readsProperties(c *cypher.Comparison) bool {
	reads := c.Ops[0] != cypher.Ne
	for _, x := range c.X {
		_, property := x.(*cypher.Property)
		reads = reads && property
	}
	return reads
}

// picks reports whether e keeps few nodes: an equality, a list or a beginning.
func picks(e cypher.Expr) bool {
	switch e := e.(type) {
	case *cypher.Comparison:
		return slices.Contains(e.Ops, cypher.Eq)
	case *cypher.Binary:
		switch e.Op {
		case cypher.Or:
			return picks(e.L) && picks(e.R)
		case cypher.In, cypher.StartsWith, cypher.Contains, cypher.EndsWith, cypher.Matches:
			return true
		}
	}
	return false
}

// merged joins the pieces that share a name. A condition that stands alone
// has no path; it ends up in the piece that it is about.
func merged(parts []*piece) []*piece {
	var whole []*piece
	for _, p := range parts {
		var rest []*piece
		for _, w := range whole {
			if !slices.ContainsFunc(w.names, func(name string) bool { return slices.Contains(p.names, name) }) {
				rest = append(rest, w)
				continue
			}
			if p.path == nil || w.path != nil && w.path.Pos() < p.path.Pos() {
				p.path = w.path
			}
			p.few = p.few || w.few
			for _, name := range w.names {
				p.mention(name)
			}
		}
		whole = append(rest, p)
	}
	return whole
}

// products finds patterns of one stage that nothing joins and nothing makes
// few: every row of one is then paired with every row of the other.
func (v *survey) products(st *stage) {
	v.apartPieces(st)
	var many []*piece
	for _, p := range st.parts {
		if p.path != nil && !p.few {
			many = append(many, p)
		}
	}
	if len(many) < 2 {
		return
	}
	slices.SortFunc(many, func(a, b *piece) int { return int(a.path.Pos() - b.path.Pos()) })
	a, b := cypher.Print(many[0].path), cypher.Print(many[1].path)
	v.problem(store.Problem{
		Kind: "cost", Name: b, Pos: int(many[1].path.Pos()),
		Message: fmt.Sprintf("%s and %s share no variable, so each row of one is paired with each of the other; join them, or aggregate the first in a WITH before the second", a, b),
	})
}

// apartPieces notes patterns that nothing joins, of which one is neither picked nor
// bound before: what was to be asked of the one is asked of all others.
func (v *survey) apartPieces(st *stage) {
	var whole []*piece
	loose := false
	for _, p := range st.parts {
		if p.path != nil {
			whole = append(whole, p)
			loose = loose || !p.few
		}
	}
	if len(whole) < 2 || !loose {
		return
	}
	slices.SortFunc(whole, func(a, b *piece) int { return int(a.path.Pos() - b.path.Pos()) })
	v.apart = append(v.apart, Finding{Kind: Product, Has: cypher.Print(whole[0].path), By: cypher.Print(whole[1].path), Pos: int(whole[1].path.Pos())})
}

// unbounded notes a path of any length through the whole graph. A typed and
// directed one follows a hierarchy, and a shortest one stops by itself.
func (v *survey) unbounded(r *cypher.RelPattern, p *cypher.Path) {
	endless := r.Length != nil && r.Length.Max == nil || r.Quant != nil && r.Quant.Max == nil
	if !endless || p.Shortest != cypher.AnyPath || r.Types != nil && r.Dir != cypher.Both {
		return
	}
	v.problem(store.Problem{
		Kind: "cost", Name: cypher.Print(r), Pos: int(r.Pos()),
		Message: fmt.Sprintf("%s may walk the whole graph; bound it, as in *1..3", cypher.Print(r)),
	})
}

func (v *survey) unboundedGroup(g *cypher.GroupPattern) {
	if g.Quant.Max != nil {
		return
	}
	for _, element := range g.Path.Elements {
		if r, ok := element.(*cypher.RelPattern); ok && (r.Types == nil || r.Dir == cypher.Both) {
			v.problem(store.Problem{
				Kind: "cost", Name: cypher.Print(g), Pos: int(g.Pos()),
				Message: fmt.Sprintf("%s may walk the whole graph; bound it, as in {1,3}", cypher.Print(g)),
			})
			return
		}
	}
}
