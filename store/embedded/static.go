package embedded

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// Neo4j rejects what can't be right before it reads a row: an operator or function
// of a value whose type it knows and that doesn't fit, a pattern outside of a
// condition, and a list, map, number or text inside of one.

var kindNames = map[kind]string{nodeKind: "Node", relKind: "Relationship", relsKind: "List<Relationship>", pathKind: "Path",
	boolKind: "Boolean", intKind: "Integer", floatKind: "Float", numberKind: "Float or Integer", textKind: "String", listKind: "List<T>",
	mapKind: "Map", pointKind: "Point", instantKind: "Date, Time, LocalTime, LocalDateTime or DateTime", lengthKind: "Duration",
	instantOrList: "Date, Time, LocalTime, LocalDateTime, DateTime or List<T>", textOrList: "String or List<T>"}

// A kinds is some kinds, one of which a value must have.
type kinds []kind

var (
	ofNumber   = kinds{numberKind, intKind, floatKind}
	ofList     = kinds{listKind, relsKind}
	ofEntity   = kinds{nodeKind, relKind}
	withFields = kinds{mapKind, nodeKind, relKind, pointKind, lengthKind, instantKind}
)

func (ks kinds) or(more ...kind) kinds { return append(slices.Clip(ks), more...) }

// take tells whether a value of kind k may be of these kinds.
func (ks kinds) take(k kind) bool {
	switch k {
	case instantOrList:
		return ks.take(instantKind) || ks.take(listKind)
	case textOrList:
		return ks.take(textKind) || ks.take(listKind)
	}
	return k == anyKind || slices.Contains(ks, k) || k == numberKind && (slices.Contains(ks, intKind) || slices.Contains(ks, floatKind))
}

func (ks kinds) String() string {
	var names []string
	for _, k := range ks {
		names = append(names, kindNames[k])
	}
	return strings.Join(names, " or ")
}

// A signature is what kinds the arguments of functions have, and what they give.
type signature struct {
	names string
	args  []kinds
	gives kind
}

var signatures = func() map[string]signature {
	text, whole := kinds{textKind}, kinds{intKind}
	stored := kinds{boolKind, textKind, pointKind, lengthKind, instantKind}.or(ofNumber...)
	all := map[string]signature{}
	for _, s := range []signature{
		{"startnode endnode", []kinds{{relKind}}, nodeKind},
		{"isempty", []kinds{ofList.or(textKind, mapKind)}, boolKind},
		{"isnan", []kinds{ofNumber}, boolKind},
		{"toboolean", []kinds{ofNumber.or(boolKind, textKind)}, boolKind},
		{"exists tobooleanornull point.withinbbox", nil, boolKind},
		{"size", []kinds{ofList.or(textKind)}, intKind},
		{"length", []kinds{{pathKind}}, intKind},
		{"char_length character_length", []kinds{text}, intKind},
		{"count timestamp tointeger tointegerornull", nil, intKind},
		{"tofloat tofloatornull pi e stdev stdevp rand", nil, floatKind},
		{"abs", []kinds{ofNumber}, numberKind},
		{"sign", []kinds{ofNumber}, intKind},
		{"ceil floor sqrt exp log log10 sin cos tan cot asin acos atan degrees radians haversin", []kinds{ofNumber}, floatKind},
		{"atan2", []kinds{ofNumber, ofNumber}, floatKind},
		{"round", []kinds{ofNumber, ofNumber, text}, floatKind},
		{"point.distance", nil, floatKind},
		{"sum avg", []kinds{ofNumber.or(lengthKind)}, anyKind},
		{"percentilecont percentiledisc", []kinds{ofNumber, ofNumber}, anyKind},
		{"tostring", []kinds{stored}, textKind},
		{"tolower toupper lower upper normalize", []kinds{text}, textKind},
		{"trim btrim ltrim rtrim", []kinds{text, text}, textKind},
		{"left right", []kinds{text, whole}, textKind},
		{"substring", []kinds{text, whole, whole}, textKind},
		{"replace", []kinds{text, text, text}, textKind},
		{"split", []kinds{text, ofList.or(textKind)}, listKind},
		{"tostringornull valuetype", nil, textKind},
		{"type", []kinds{{relKind}}, textKind},
		{"labels", []kinds{{nodeKind}}, listKind},
		{"nodes relationships", []kinds{{pathKind}}, listKind},
		{"keys", []kinds{{mapKind, nodeKind, relKind}}, listKind},
		{"properties", []kinds{{mapKind, nodeKind, relKind}}, mapKind},
		{"range", []kinds{whole, whole, whole}, listKind},
		{"head last", []kinds{ofList}, anyKind},
		{"tail tobooleanlist tofloatlist tointegerlist tostringlist", []kinds{ofList}, listKind},
		{"reverse", []kinds{ofList.or(textKind)}, anyKind},
		{"collect", nil, listKind},
		{"point", []kinds{{mapKind, nodeKind, relKind}}, pointKind},
		{"date time localtime datetime localdatetime date.transaction date.statement date.realtime time.transaction time.statement time.realtime " +
			"localtime.transaction localtime.statement localtime.realtime datetime.transaction datetime.statement datetime.realtime " +
			"localdatetime.transaction localdatetime.statement localdatetime.realtime", nil, instantKind},
		{"date.truncate time.truncate localtime.truncate datetime.truncate localdatetime.truncate datetime.fromepoch datetime.fromepochmillis", nil, instantKind},
		{"duration duration.between duration.inmonths duration.indays duration.inseconds", nil, lengthKind},
	} {
		for name := range strings.FieldsSeq(s.names) {
			all[name] = s
		}
	}
	return all
}()

// checkArgs rejects arguments of a call whose type is wrong whatever the graph holds.
func (c *compiler) checkArgs(s *scope, e *cypher.Call) error {
	name := strings.ToLower(e.Name)
	want := signatures[name].args
	for i, arg := range e.Args[:min(len(e.Args), len(want))] {
		if err := c.want(s, arg, want[i]); err != nil {
			return err
		}
		if c.stored(s, arg) && !slices.ContainsFunc(want[i], storable) {
			return queryError("Type mismatch: %s(…) expected %s but was a property%s", e.Name, want[i], c.where(arg.Pos()))
		}
	}
	return nil
}

// storable tells whether properties may be of a kind.
func storable(k kind) bool {
	return !slices.Contains(kinds{nodeKind, relKind, relsKind, pathKind, mapKind}, k)
}

// want rejects e where it is known to be of none of the kinds.
func (c *compiler) want(s *scope, e cypher.Expr, ks kinds) error {
	if e == nil {
		return nil
	}
	if have := c.kindOf(s, e); !ks.take(have) {
		return queryError("Type mismatch: expected %s but was %s%s", ks, kindNames[have], c.where(e.Pos()))
	}
	return nil
}

// kindOf is what is known of e's value, null aside.
func (c *compiler) kindOf(s *scope, e cypher.Expr) kind {
	switch e := e.(type) {
	case *cypher.Variable:
		return s.vars[e.Name].kind
	case *cypher.Literal:
		switch e.Value.(type) {
		case bool:
			return boolKind
		case int64:
			return intKind
		case float64:
			return floatKind
		case string:
			return textKind
		}
	case *cypher.List, *cypher.ListComprehension, *cypher.PatternComprehension, *cypher.Slice:
		return listKind
	case *cypher.Map, *cypher.MapProjection:
		return mapKind
	case *cypher.Comparison, *cypher.IsNull, *cypher.IsTyped, *cypher.IsNormalized, *cypher.HasLabels, *cypher.Quantified:
		return boolKind
	case *cypher.PatternPredicate:
		return map[cypher.Shortest]kind{cypher.AnyPath: boolKind, cypher.ShortestPath: pathKind, cypher.AllShortestPaths: listKind}[e.Path.Shortest]
	case *cypher.Subquery:
		return map[cypher.SubqueryKind]kind{cypher.Exists: boolKind, cypher.Count: intKind, cypher.Collect: listKind}[e.Kind]
	case *cypher.Unary:
		if e.Op == cypher.Not {
			return boolKind
		}
		return numberKind
	case *cypher.Binary:
		return c.kindOfBinary(s, e)
	case *cypher.Case:
		var branches []cypher.Expr
		for _, w := range e.Whens {
			branches = append(branches, w.Then)
		}
		return c.commonKind(s, append(branches, e.Else))
	case *cypher.Index:
		return c.elementKind(s, e.X)
	case *cypher.Call:
		switch name := strings.ToLower(e.Name); {
		case name == "coalesce":
			return c.commonKind(s, e.Args)
		case (name == "head" || name == "last") && len(e.Args) == 1:
			return c.elementKind(s, e.Args[0])
		default:
			return signatures[name].gives
		}
	}
	return anyKind
}

// elementKinds are the kinds of the items of lists that functions give.
var elementKinds = map[string]kind{"range": intKind, "tointegerlist": intKind, "split": textKind, "labels": textKind, "keys": textKind,
	"tostringlist": textKind, "tobooleanlist": boolKind, "tofloatlist": floatKind, "nodes": nodeKind, "relationships": relKind}

// elementKind is what is known of the items of a list.
func (c *compiler) elementKind(s *scope, e cypher.Expr) kind {
	switch e := e.(type) {
	case *cypher.Variable:
		if s.vars[e.Name].kind == relsKind {
			return relKind
		}
	case *cypher.List:
		return c.commonKind(s, e.Items)
	case *cypher.Slice:
		return c.elementKind(s, e.X)
	case *cypher.ListComprehension:
		if e.Map == nil {
			return c.elementKind(s, e.List)
		}
	case *cypher.Call:
		name := strings.ToLower(e.Name)
		if (name == "tail" || name == "reverse") && len(e.Args) == 1 {
			return c.elementKind(s, e.Args[0])
		}
		return elementKinds[name]
	}
	return anyKind
}

// commonKind is the kind that all of es have, those that are missing aside.
func (c *compiler) commonKind(s *scope, es []cypher.Expr) kind {
	common := anyKind
	for _, e := range es {
		if e == nil {
			continue
		}
		k := c.kindOf(s, e)
		if k == anyKind || common != anyKind && k != common {
			return anyKind
		}
		common = k
	}
	return common
}

// onlyInLists are kinds that nothing can be added to but a list.
var onlyInLists = kinds{boolKind, mapKind, nodeKind, relKind, pathKind}

func (c *compiler) kindOfBinary(s *scope, e *cypher.Binary) kind {
	l, r := c.kindOf(s, e.L), c.kindOf(s, e.R)
	numbers := slices.Contains(ofNumber, l) && slices.Contains(ofNumber, r)
	switch e.Op {
	case cypher.Or, cypher.Xor, cypher.And, cypher.In, cypher.StartsWith, cypher.EndsWith, cypher.Contains, cypher.Matches:
		return boolKind
	case cypher.Add, cypher.Concat:
		switch {
		case e.Op == cypher.Concat && (l == textKind || r == textKind):
			return textKind
		case slices.Contains(ofList, l) || slices.Contains(ofList, r):
			return listKind
		case l == textKind && slices.Contains(ofNumber.or(textKind), r), r == textKind && slices.Contains(ofNumber, l):
			return textKind
		case l == textKind && r == anyKind, l == textOrList:
			return textOrList
		case l == instantKind && r == anyKind, l == instantOrList:
			return instantOrList
		case l == instantKind && r == lengthKind, l == lengthKind && r == instantKind:
			return instantKind
		case l == lengthKind && r == lengthKind:
			return lengthKind
		case slices.Contains(onlyInLists, l) || slices.Contains(onlyInLists, r): // so the other must be one
			return listKind
		}
	case cypher.Pow:
		return floatKind
	case cypher.Mod:
		return numberKind
	case cypher.Sub:
		if l == instantKind || l == lengthKind {
			return l
		}
		switch {
		case numbers && l == r:
			return l
		case slices.Contains(ofNumber, l) || slices.Contains(ofNumber, r):
			return numberKind
		case l == anyKind && r == lengthKind: // or a date or time, which goes with the same
			return lengthKind
		}
	}
	if !numbers {
		return anyKind
	}
	if l == r {
		return l
	}
	return numberKind
}

// checkOperands rejects operands that the operator can't have.
func (c *compiler) checkOperands(s *scope, e *cypher.Binary) error {
	either := func(left, right kinds) error {
		if err := c.want(s, e.L, left); err != nil {
			return err
		}
		return c.want(s, e.R, right)
	}
	switch e.Op {
	case cypher.In:
		return c.want(s, e.R, ofList)
	case cypher.Matches:
		return either(kinds{textKind}, kinds{textKind})
	case cypher.Mod, cypher.Pow:
		return either(ofNumber, ofNumber)
	case cypher.Mul, cypher.Div:
		return either(ofNumber.or(lengthKind), ofNumber.or(lengthKind))
	case cypher.Sub:
		right := ofNumber.or(lengthKind)
		if k := c.kindOf(s, e.L); slices.Contains(ofNumber, k) {
			right = ofNumber
		} else if k != anyKind && k != textOrList {
			right = kinds{lengthKind}
		}
		return either(ofNumber.or(lengthKind, instantKind), right)
	case cypher.Add:
		return c.want(s, e.R, addable(c.kindOf(s, e.L)))
	case cypher.Concat:
		both := ofList.or(textKind)
		if err := either(both, both); err != nil {
			return err
		}
		switch k := c.kindOf(s, e.L); {
		case k == textKind:
			return c.want(s, e.R, kinds{textKind})
		case slices.Contains(ofList, k):
			return c.want(s, e.R, ofList)
		}
	}
	return nil
}

// addable are the kinds that can be added to one.
func addable(to kind) kinds {
	switch to {
	case anyKind, listKind, relsKind, instantOrList, textOrList:
		return kinds{nodeKind, relKind, pathKind, boolKind, textKind, mapKind, pointKind, instantKind, lengthKind}.or(ofNumber...).or(ofList...)
	case intKind, floatKind, numberKind:
		return ofNumber.or(textKind).or(ofList...)
	case textKind:
		return ofNumber.or(textKind).or(ofList...)
	case instantKind:
		return ofList.or(lengthKind)
	case lengthKind:
		return ofList.or(lengthKind, instantKind)
	}
	return ofList
}

// checkIndex rejects an index that can't be one of what stands before it.
func (c *compiler) checkIndex(s *scope, e *cypher.Index) error {
	if err := c.want(s, e.X, withFields.or(ofList...)); err != nil {
		return err
	}
	switch c.kindOf(s, e.X) {
	case listKind, relsKind:
		return c.want(s, e.I, kinds{intKind})
	case mapKind, nodeKind, relKind:
		return c.want(s, e.I, kinds{textKind})
	}
	return nil
}

// checkCondition rejects a condition whose type is wrong whatever the graph holds.
func (c *compiler) checkCondition(s *scope, e cypher.Expr) error {
	if slices.Contains(ofList, c.kindOf(s, e)) {
		return queryError("Coercion of list to boolean is not allowed. Please use `NOT isEmpty(...)` instead%s", c.where(e.Pos()))
	}
	return c.want(s, e, kinds{boolKind})
}

// stored tells whether e is a property of a node or relationship.
func (c *compiler) stored(s *scope, e cypher.Expr) bool {
	p, ok := e.(*cypher.Property)
	if !ok {
		return false
	}
	k := c.kindOf(s, p.X)
	return k == nodeKind || k == relKind
}

// checkPattern rejects a bare pattern where no condition is asked for.
func (c *compiler) checkPattern(e cypher.Expr) error {
	if p, ok := e.(*cypher.PatternPredicate); ok && p.Path.Shortest == cypher.AnyPath {
		return queryError("A pattern expression should only be used in order to test the existence of a pattern. It can no longer be used inside a function or as a value: use COUNT {}, COLLECT {} or a pattern comprehension%s", c.where(e.Pos()))
	}
	return nil
}
