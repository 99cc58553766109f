package check

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
)

// A valueUse is a value that the query compares a property with.
type valueUse struct {
	origin
	value any
	pos   int
}

// compare notes what the property at o is compared with: a literal string or a
// parameter, or with in a list of them.
func (v *survey) compare(o *origin, with cypher.Expr, in bool) {
	if v.values == nil || v.graph.labels.properties == nil || o == nil || o.entity.rel {
		return
	}
	switch e := with.(type) {
	case *cypher.Literal:
		if s, ok := e.Value.(string); ok && !in {
			v.compared = append(v.compared, valueUse{*o, s, int(e.Pos())})
		}
	case *cypher.Parameter:
		value, given := v.params[e.Name]
		items, list := value.([]any)
		switch {
		case !given || value == nil:
		case in && list:
			for _, item := range items {
				v.compared = append(v.compared, valueUse{*o, item, int(e.Pos())})
			}
		case !in:
			v.compared = append(v.compared, valueUse{*o, value, int(e.Pos())})
		}
	case *cypher.List:
		if !in {
			return
		}
		for _, item := range e.Items {
			v.compare(o, item, false)
		}
	}
}

func (v *survey) judgeValues() {
	for _, u := range v.compared {
		v.judgeValue(u)
	}
}

func (v *survey) judgeValue(u valueUse) {
	known := &v.graph.labels
	var near []any
	var labels []string
	for label := range v.graph.namesOf(u.entity).each() {
		if _, has := known.properties[label][u.key]; !has {
			continue
		}
		held, nearest := v.values(known.names[label], u.key, u.value)
		if held {
			return
		}
		labels = append(labels, known.names[label])
		for _, n := range nearest {
			if !slices.Contains(near, n) {
				near = append(near, n)
			}
		}
	}
	if len(labels) == 0 {
		return
	}
	name := literal(u.value)
	p := store.Problem{
		Kind: "value", Name: fmt.Sprint(u.value), Pos: u.pos,
		Message: fmt.Sprintf("no %s has %s = %s", strings.Join(labels, " or "), u.key, name),
	}
	if len(near) > 0 {
		p.Nearest = fmt.Sprint(near[0])
		said := make([]string, 0, len(near))
		for _, n := range near {
			said = append(said, literal(n))
		}
		p.Message += "; the nearest values are " + listed(said)
	}
	v.problem(p)
}

// literal is value as a query would write it.
func literal(value any) string {
	switch value.(type) {
	case string, bool, int64, float64:
		return cypher.Print(&cypher.Literal{Value: value})
	}
	return fmt.Sprint(value)
}
