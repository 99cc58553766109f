package guardrails

import (
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
)

// hidden is what the operator hides, seen from one query. A nil *hidden hides
// nothing.
type hidden struct {
	store.Hidden
	schema *store.Schema // nil: nothing is known of the graph
	query  string
	says   map[string]bool // the names and strings in query: a reason names these, and nothing else that is hidden
	apart  map[string]bool // labels that hide a property which the query reads of nodes not seen to bear them
}

// hidden reads p.Hide for a query; nil where nothing is hidden.
func (p Policy) hidden(query string, s *cypher.Statement) *hidden {
	if len(p.Hide) == 0 {
		return nil
	}
	h := &hidden{Hidden: store.NewHidden(p.Hide), schema: p.Schema, query: query, says: namesIn(s), apart: map[string]bool{}}
	if h.Nothing() {
		return nil
	}
	return h
}

// namesIn are the labels, types, keys and strings that s is written with.
func namesIn(s *cypher.Statement) map[string]bool {
	names := map[string]bool{}
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Label:
			names[n.Name] = true
		case *cypher.Literal:
			if text, ok := n.Value.(string); ok {
				names[text] = true
			}
		case *cypher.Property:
			names[n.Key] = true
		case *cypher.Map:
			for _, key := range n.Keys {
				names[key] = true
			}
		case *cypher.MapProjection:
			for _, item := range n.Items {
				names[item.Key] = true
			}
		case *cypher.Hint:
			names[n.Label] = true
			for _, key := range n.Property {
				names[key] = true
			}
		}
		return true
	})
	return names
}

// labels and types are the hidden names that may be labels, and those that may
// be types: what the schema knows as one of the two is not the other.
func (h *hidden) labels() []string { return h.kind(true) }
func (h *hidden) types() []string  { return h.kind(false) }

func (h *hidden) kind(labels bool) []string {
	return slices.DeleteFunc(slices.Clone(h.Names), func(name string) bool { return h.schema.Knows(name, !labels) && !h.schema.Knows(name, labels) })
}

// certain returns the labels that a node under l surely bears, or the types one
// of which a relationship under l has.
func certain(l cypher.LabelExpr, relationship bool) ([]string, bool) {
	switch l := l.(type) {
	case *cypher.Label:
		return []string{l.Name}, true
	case *cypher.LabelAnd:
		left, ok := certain(l.L, relationship)
		right, also := certain(l.R, relationship)
		return append(left, right...), ok || also
	case *cypher.LabelOr:
		if !relationship {
			return nil, false
		}
		left, ok := certain(l.L, relationship)
		right, also := certain(l.R, relationship)
		return append(left, right...), ok && also
	}
	return nil, false
}

// mayBe reports whether what b stands for may bear owner, a label or type.
func (h *hidden) mayBe(b *cypher.Binding, owner string) bool {
	if b == nil {
		return true
	}
	if h.schema.Knows(owner, b.Relationship) && !h.schema.Knows(owner, !b.Relationship) {
		return false // a label is no type
	}
	var labels []string
	for _, l := range b.Labels {
		names, ok := certain(l, b.Relationship)
		if ok && b.Relationship && !slices.Contains(names, owner) {
			return false
		}
		labels = append(labels, names...)
	}
	if b.Relationship || len(labels) == 0 || slices.Contains(labels, owner) {
		return true
	}
	return h.schema.Meet(append(labels, owner))
}

// shows reports which hidden property what b stands for may have under key; ""
// asks for any property.
func (h *hidden) shows(b *cypher.Binding, key string) (string, bool) {
	for owner, property := range h.Owned() {
		switch {
		case key != "" && key != property:
		case h.mayBe(b, owner):
			return owner + "." + property, true
		case !b.Relationship && (h.schema.Knows(owner, true) || !h.schema.Knows(owner, false)):
			h.apart[owner] = true
		}
	}
	return "", false
}

// refused returns the verdict on a node of the tree that uses a hidden name.
func (h *hidden) refused(n cypher.Node, at *cypher.Scope) (Verdict, bool) {
	if h == nil {
		return Verdict{}, false
	}
	name := ""
	switch n := n.(type) {
	case *cypher.Label:
		if h.Name(n.Name) {
			name = n.Name
		}
	case *cypher.Literal:
		if text, ok := n.Value.(string); ok && h.Name(text) {
			name = text
		}
	case *cypher.Hint:
		for _, key := range n.Property {
			name = h.reads(&cypher.Binding{Labels: []cypher.LabelExpr{&cypher.Label{Name: n.Label}}}, key, name)
		}
	case *cypher.NodePattern:
		name = h.inMap(n.Props, patternBinding(n.Labels, false, n.Var, at))
	case *cypher.RelPattern:
		name = h.inMap(n.Props, patternBinding(n.Types, true, n.Var, at))
	case *cypher.Property:
		if !isMap(n.X, at) {
			name = h.reads(at.Of(n.X), n.Key, "")
		}
	case *cypher.MapProjection:
		for _, item := range n.Items {
			switch {
			case item.All:
				name = h.reads(at.Named(n.Var), "", name)
			case item.Value == nil && !item.Var:
				name = h.reads(at.Named(n.Var), item.Key, name)
			}
		}
	case *cypher.Index:
		name = h.inIndex(n, at)
	case *cypher.Call:
		name = h.inCall(n, at)
	}
	if name == "" {
		return Verdict{}, false
	}
	return Verdict{Kind: Hidden, Pos: n.Pos(), Reason: h.reason(name)}, true
}

// reads is the hidden property that reading key of what b stands for may show, or found.
func (h *hidden) reads(b *cypher.Binding, key, found string) string {
	if name, ok := h.shows(b, key); ok {
		return name
	}
	return found
}

// reason says what to write instead. What the query doesn't name itself stays hidden.
func (h *hidden) reason(name string) string {
	what, key, dotted := strings.Cut(name, ".")
	switch {
	case !dotted:
		return "The operator hides :" + what + "; answer without it."
	case h.says[what] && h.says[key]:
		return "This could read " + name + ", which the operator hides; answer without it, and name the label of every node whose properties you read."
	}
	return "This could read a property that the operator hides; name each property that you read, and the label of every node whose properties you read."
}

// inMap judges {key: …} in a pattern; a parameter for it could hold any key.
func (h *hidden) inMap(props cypher.Expr, b *cypher.Binding) (name string) {
	switch m := props.(type) {
	case *cypher.Map:
		for _, key := range m.Keys {
			name = h.reads(b, key, name)
		}
	case *cypher.Parameter:
		name = h.reads(b, "", "")
	}
	return name
}

// patternBinding is what is known of what a pattern matches, by itself and by its variable.
func patternBinding(l cypher.LabelExpr, relationship bool, name string, at *cypher.Scope) *cypher.Binding {
	b := &cypher.Binding{Relationship: relationship}
	if known := at.Named(name); name != "" && known != nil && known.Relationship == relationship {
		b.Labels = slices.Clip(known.Labels)
	}
	if l != nil {
		b.Labels = append(b.Labels, l)
	}
	return b
}

// inIndex judges x[i]: a property under a computed name, unless i is a number or
// x a list or a map.
func (h *hidden) inIndex(n *cypher.Index, at *cypher.Scope) string {
	key := ""
	switch i := n.I.(type) {
	case *cypher.Literal:
		text, ok := i.Value.(string)
		if !ok {
			return ""
		}
		key = text
	default:
		if listed(n.X) {
			return ""
		}
	}
	if isMap(n.X, at) {
		return ""
	}
	return h.reads(at.Of(n.X), key, "")
}

// listed reports whether x is certainly a list.
func listed(x cypher.Expr) bool {
	switch x := x.(type) {
	case *cypher.List, *cypher.Slice, *cypher.ListComprehension, *cypher.PatternComprehension:
		return true
	case *cypher.Call:
		return slices.Contains([]string{"collect", "split", "nodes", "relationships", "labels", "range", "keys", "tail", "reverse"}, strings.ToLower(x.Name))
	}
	return false
}

// components are the keys that functions which make a value of a map look for.
// point() takes a node for a map, as of Neo4j 5.
var components = []string{"x", "y", "z", "longitude", "latitude", "height", "crs", "srid",
	"year", "quarter", "month", "week", "day", "dayofweek", "dayofquarter", "ordinalday", "hour", "minute", "second",
	"millisecond", "microsecond", "nanosecond", "timezone", "date", "time", "datetime", "epochseconds", "epochmillis",
	"years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"}

// inCall judges the functions that read properties of their argument.
func (h *hidden) inCall(n *cypher.Call, at *cypher.Scope) (name string) {
	if len(n.Args) == 0 || isMap(n.Args[0], at) {
		return ""
	}
	b, function := at.Of(n.Args[0]), strings.ToLower(n.Name)
	switch {
	case function == "properties" || function == "keys":
		return h.reads(b, "", "")
	case slices.Contains(made, function) && mayBeNode(n.Args[0]):
		for _, key := range h.Owned() {
			if slices.Contains(components, strings.ToLower(key)) {
				name = h.reads(b, key, name)
			}
		}
	}
	return name
}

// made are the functions that make a value of a map.
var made = []string{"date", "datetime", "localdatetime", "time", "localtime", "duration", "point"}

// mayBeNode reports whether x, which is no map for certain, is no literal,
// parameter or sum either. A key of a map may hold a node.
func mayBeNode(x cypher.Expr) bool {
	switch x.(type) {
	case *cypher.Literal, *cypher.Parameter, *cypher.Binary:
		return false
	}
	return true
}

// isMap reports whether x is certainly a map or a temporal value and no node.
// The property of what a pattern binds is: properties hold no nodes.
func isMap(x cypher.Expr, at *cypher.Scope) bool {
	switch x := x.(type) {
	case *cypher.Map, *cypher.MapProjection, *cypher.Literal:
		return true
	case *cypher.Property:
		return at.Of(x.X) != nil
	case *cypher.Call:
		return slices.Contains(append(made, "duration.between"), strings.ToLower(x.Name))
	}
	return false
}
