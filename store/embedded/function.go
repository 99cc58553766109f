package embedded

import (
	"maps"
	"strings"
	"unicode/utf8"

	"precedent/store"
	"precedent/store/cypher"
)

// A function is one of Cypher's functions. Where nulls is false, a null
// argument makes the result null without a call.
type function struct {
	least, most int // arguments; most -1 for any number
	nulls       bool
	do          func(x *exec, args []any) (any, error)
}

var functions = map[string]function{}

func init() {
	for _, table := range []map[string]function{graphFunctions, listFunctions, textFunctions, mathFunctions, convertFunctions, temporalFunctions, clocks} {
		maps.Copy(functions, table)
	}
}

// notTheSame are functions that give another result each time, or name what
// another load of the same files would name differently.
var notTheSame = map[string]bool{"rand": true, "randomuuid": true, "id": true, "elementid": true}

// notHere are functions of Neo4j that this graph does not have.
var notHere = map[string]bool{"file": true, "linenumber": true, "graph.names": true, "graph.propertiesbyname": true, "graph.byname": true,
	"vector.similarity.cosine": true, "vector.similarity.euclidean": true, "db.nameFromElementId": true}

func (c *compiler) call(s *scope, e *cypher.Call) (expr, error) {
	name := strings.ToLower(e.Name)
	switch {
	case aggregateArgs[name] > 0:
		return c.aggregateCall(s, e)
	case notTheSame[name]:
		return nil, unsupported("%s(): its result is not the same twice; pass the value as a parameter", e.Name)
	case notHere[name], strings.HasPrefix(name, "apoc."), strings.HasPrefix(name, "gds."):
		return nil, unsupported("the function %s", e.Name)
	case e.Distinct:
		return nil, queryError("Invalid use of DISTINCT with function '%s'%s", e.Name, c.where(e.Pos()))
	case name == "coalesce":
		return c.coalesce(s, e)
	case name == "exists":
		return c.exists(s, e)
	}
	f, ok := functions[name]
	if !ok {
		return nil, queryError("Unknown function '%s'%s%s", e.Name, didYouMean(e.Name), c.where(e.Pos()))
	}
	if name == "rtrim" && len(e.Args) == 2 && !isMade(e.Args[0]) {
		f = rightTrimmer
	}
	if e.Form != "" {
		f = normalizing(normalForms[e.Form])
	}
	if n := len(e.Args); n < f.least || f.most >= 0 && n > f.most {
		return nil, argumentCount(e, f.least, f.most)
	}
	if err := c.checkArgs(s, e); err != nil {
		return nil, err
	}
	args, err := c.exprs(s, e.Args)
	if err != nil {
		return nil, err
	}
	if e.From && len(args) == 2 {
		args[1] = oneSign(args[1])
	}
	if name == "reverse" && c.stored(s, e.Args[0]) {
		args[0] = noList(args[0])
	}
	if len(args) == 1 {
		only := args[0]
		return func(x *exec, r row) (any, error) {
			mark := x.temp
			v, err := only(x, r)
			if err != nil || v == nil && !f.nulls {
				return nil, err
			}
			out, err := f.do(x, []any{v})
			x.settle(mark, out)
			return out, err
		}, nil
	}
	return func(x *exec, r row) (any, error) {
		mark := x.temp
		values := make([]any, len(args))
		null := false
		for i, arg := range args {
			v, err := arg(x, r)
			if err != nil {
				return nil, err
			}
			null = null || v == nil
			values[i] = v
		}
		if null && !f.nulls {
			x.temp = mark
			return nil, nil
		}
		out, err := f.do(x, values)
		x.settle(mark, out)
		return out, err
	}, nil
}

// oneSign lets only texts of one sign through, as trim(x FROM s) wants it.
func oneSign(of expr) expr {
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		if s, ok := v.(string); err == nil && ok && utf8.RuneCountInString(firstRunes(s, 2)) != 1 {
			return nil, queryError("The argument `trimCharacterString` in the `trim()` function must be of length 1: use btrim(text, signs)")
		}
		return v, err
	}
}

// noList lets all but lists through, as reverse does with properties in Neo4j 5.26.
func noList(of expr) expr {
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		if _, ok := v.([]any); err == nil && ok {
			return nil, queryError("Invalid input for function 'reverse()': a list that is a property can't be reversed; write reverse([x IN list | x])")
		}
		return v, err
	}
}

// didYouMean suggests the nearest function, "" if none is near.
func didYouMean(name string) string {
	var all []string
	for known := range functions {
		all = append(all, known)
	}
	if near := nearest(strings.ToLower(name), all); near != "" {
		return ": did you mean " + near + "?"
	}
	return ""
}

func argumentCount(e *cypher.Call, least, most int) error {
	if len(e.Args) < least {
		return queryError("Insufficient parameters for function '%s': it takes at least %d, has %d", e.Name, least, len(e.Args))
	}
	return queryError("Too many parameters for function '%s': it takes at most %d, has %d", e.Name, most, len(e.Args))
}

func (c *compiler) coalesce(s *scope, e *cypher.Call) (expr, error) {
	if len(e.Args) == 0 {
		return nil, argumentCount(e, 1, -1)
	}
	args, err := c.exprs(s, e.Args)
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (any, error) {
		for _, arg := range args {
			if v, err := arg(x, r); v != nil || err != nil {
				return v, err
			}
		}
		return nil, nil
	}, nil
}

// exists is exists((a)-->(b)); of a property Neo4j 5 has it no more.
func (c *compiler) exists(s *scope, e *cypher.Call) (expr, error) {
	if len(e.Args) != 1 {
		return nil, argumentCount(e, 1, 1)
	}
	if p, ok := e.Args[0].(*cypher.PatternPredicate); ok {
		return c.patternPredicate(s, p.Path)
	}
	return nil, queryError("The property existence syntax `... exists(variable.property)` is no longer supported. Please use `variable.property IS NOT NULL` instead%s", c.where(e.Pos()))
}

var graphFunctions = map[string]function{
	"labels": {1, 1, false, func(x *exec, a []any) (any, error) {
		n, ok := a[0].(*node)
		if !ok {
			return nil, mismatch("Node", a[0])
		}
		labels := x.g.labelSets[n.labels]
		x.make(listBytes + itemBytes("")*len(labels))
		out := make([]any, len(labels))
		for i, l := range labels {
			out[i] = x.g.labels.text[l]
		}
		return out, nil
	}},
	"type": {1, 1, false, func(x *exec, a []any) (any, error) {
		r, ok := a[0].(*rel)
		if !ok {
			return nil, mismatch("Relationship", a[0])
		}
		return x.g.types.text[r.typ], nil
	}},
	"startnode": {1, 1, false, func(x *exec, a []any) (any, error) {
		r, ok := a[0].(*rel)
		if !ok {
			return nil, mismatch("Relationship", a[0])
		}
		return &x.g.nodes[r.start], nil
	}},
	"endnode": {1, 1, false, func(x *exec, a []any) (any, error) {
		r, ok := a[0].(*rel)
		if !ok {
			return nil, mismatch("Relationship", a[0])
		}
		return &x.g.nodes[r.end], nil
	}},
	"properties": {1, 1, false, func(x *exec, a []any) (any, error) { return properties(x, a[0]) }},
	"keys": {1, 1, false, func(x *exec, a []any) (any, error) {
		var out []any
		var props []prop
		switch v := a[0].(type) {
		case *node:
			props = v.props
		case *rel:
			props = v.props
		case map[string]any:
			for _, k := range hashOrder(sortedKeys(v)) {
				out = append(out, k)
			}
		default:
			return nil, mismatch("Map, Node or Relationship", v)
		}
		for _, p := range props {
			out = append(out, x.g.keys.text[p.key])
		}
		x.make(listBytes + 2*itemBytes("")*len(out))
		if out == nil {
			out = []any{}
		}
		return out, nil
	}},
	"nodes": {1, 1, false, func(x *exec, a []any) (any, error) {
		p, ok := a[0].(*path)
		if !ok {
			return nil, mismatch("Path", a[0])
		}
		x.make(listBytes + slotBytes*len(p.nodes))
		out := make([]any, len(p.nodes))
		for i, n := range p.nodes {
			out[i] = n
		}
		return out, nil
	}},
	"relationships": {1, 1, false, func(x *exec, a []any) (any, error) {
		p, ok := a[0].(*path)
		if !ok {
			return nil, mismatch("Path", a[0])
		}
		x.make(listBytes + slotBytes*len(p.rels))
		out := make([]any, len(p.rels))
		for i, r := range p.rels {
			out[i] = r
		}
		return out, nil
	}},
	"length": {1, 1, false, func(_ *exec, a []any) (any, error) {
		p, ok := a[0].(*path)
		if !ok {
			return nil, mismatch("Path", a[0])
		}
		return int64(len(p.rels)), nil
	}},
	"point": {1, 1, false, func(_ *exec, a []any) (any, error) {
		m, ok := a[0].(map[string]any)
		if !ok {
			return nil, mismatch("Map", a[0])
		}
		p, err := pointOf(m)
		if err != nil {
			return nil, queryError("%v", err)
		}
		return p, nil
	}},
	"point.distance": {2, 2, false, func(_ *exec, a []any) (any, error) {
		p, ok := a[0].(store.Point)
		q, ok2 := a[1].(store.Point)
		if !ok || !ok2 {
			return nil, nil
		}
		return distance(p, q), nil
	}},
	"point.withinbbox": {3, 3, false, func(_ *exec, a []any) (any, error) {
		p, ok := a[0].(store.Point)
		low, ok2 := a[1].(store.Point)
		high, ok3 := a[2].(store.Point)
		if !ok || !ok2 || !ok3 || p.SRID != low.SRID || p.SRID != high.SRID {
			return nil, nil
		}
		within := p.X >= low.X && p.X <= high.X
		if (p.SRID == sridWGS84 || p.SRID == sridWGS84_3D) && low.X > high.X { // across the 180th meridian
			within = p.X >= low.X || p.X <= high.X
		}
		within = within && p.Y >= low.Y && p.Y <= high.Y
		return within && (!p.ThreeD() || p.Z >= low.Z && p.Z <= high.Z), nil
	}},
}
