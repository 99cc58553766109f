package check

import (
	"fmt"
	"maps"

	"precedent/store/cypher"
)

// A replacement is a parameter that takes another value.
type replacement struct {
	Change
	name  string
	value any
}

// corrected are the parameters with what was replaced.
func (v *survey) corrected() map[string]any {
	if len(v.replaced) == 0 {
		return v.params
	}
	params := maps.Clone(v.params)
	for _, r := range v.replaced {
		params[r.name] = r.value
	}
	return params
}

// takenBy counts how often s takes each parameter.
func takenBy(s *cypher.Statement) map[string]int {
	taken := make(map[string]int)
	cypher.Walk(s, func(n cypher.Node) bool {
		if p, ok := n.(*cypher.Parameter); ok {
			taken[p.Name]++
		}
		return true
	})
	return taken
}

// replace gives parameter p, which is taken once, another value.
func (v *survey) replace(p *cypher.Parameter, value any, u use) {
	before := fmt.Sprintf("$%s = %s", p.Name, literal(v.params[p.Name]))
	v.replaced = append(v.replaced, replacement{
		Change: Change{Kind: "value", Before: before, After: fmt.Sprintf("$%s = %s", p.Name, literal(value)), Why: why(v.nameOf(u.origin), value)},
		name:   p.Name, value: value,
	})
}

func why(of string, value any) string {
	if _, ok := value.(string); ok {
		return of + " is written so in the graph"
	}
	return of + " isn't a text"
}

// apply corrects what the property is compared with.
func (v *survey) apply(u use, f fix, kind string) {
	if p, ok := u.with.(*cypher.Parameter); ok && f.value != nil && v.taken[p.Name] == 1 {
		v.replace(p, f.value, u)
		return
	}
	make := func(n cypher.Node) {
		switch {
		case f.instead != nil:
			u.at.put(n, f.instead)
		case f.value != nil:
			u.at.put(n, &cypher.Literal{Value: f.value})
		case f.with != "":
			u.at.put(n, &cypher.Call{Name: f.with, Args: []cypher.Expr{u.at.get(n)}})
		}
		if left := u.left.get(n); f.left != "" && !isCallOf(left, f.left) {
			u.left.put(n, &cypher.Call{Name: f.left, Args: []cypher.Expr{left}})
		}
	}
	after := shallow(u.at.parent)
	make(after)
	of := v.nameOf(u.origin)
	reason := fmt.Sprintf("%s is %s", of, kind)
	if kind == isString {
		reason = why(of, f.value)
	}
	v.edits = append(v.edits, edit{
		Change: Change{Kind: "value", Before: cypher.Print(u.at.parent), After: cypher.Print(after), Why: reason},
		node:   u.at.parent, make: make,
	})
}

func isCallOf(e cypher.Expr, function string) bool {
	c, ok := e.(*cypher.Call)
	return ok && sameWord(c.Name, function)
}
