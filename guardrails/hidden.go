package guardrails

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// hidden is what the operator hides, seen from one query. A nil *hidden hides
// nothing.
type hidden struct {
	names      map[string]bool     // labels and types hidden as a whole
	properties map[string][]string // property → the labels and types that hide it
	together   func(string, string) bool
	vars       map[string]*binding
}

// A binding is what the patterns of a query say of a variable.
type binding struct {
	labels   []string // that it certainly bears; of a relationship, its possible types
	relation bool
	unsure   bool // it may also stand for something else
}

// hidden reads p.Hide for the query s; nil where nothing is hidden.
func (p Policy) hidden(s *cypher.Statement) *hidden {
	h := &hidden{names: map[string]bool{}, properties: map[string][]string{}, vars: map[string]*binding{}, together: p.Together}
	if h.together == nil {
		h.together = func(string, string) bool { return true }
	}
	for _, name := range p.Hide {
		owner, property, dotted := strings.Cut(strings.TrimSpace(name), ".")
		owner = strings.TrimPrefix(owner, ":")
		if dotted {
			h.properties[property] = append(h.properties[property], owner)
		} else if owner != "" {
			h.names[owner] = true
		}
	}
	if len(h.names) == 0 && len(h.properties) == 0 {
		return nil
	}
	h.bind(s)
	return h
}

// bind learns the labels of the variables of s. A name that more than a pattern
// introduces, or that two scopes could use for two things, is unsure where any
// of its patterns leaves the label open.
func (h *hidden) bind(s *cypher.Statement) {
	scopes, open := 0, map[string]bool{}
	rebound := func(name string) {
		if name != "" {
			h.of(name).unsure = true
		}
	}
	cypher.Walk(s, func(n cypher.Node) bool {
		switch n := n.(type) {
		case *cypher.Part:
			scopes++
		case *cypher.NodePattern:
			h.learn(n.Var, n.Labels, false, open)
		case *cypher.RelPattern:
			h.learn(n.Var, n.Types, true, open)
			if n.Length != nil || n.Quant != nil {
				rebound(n.Var)
			}
		case *cypher.Unwind:
			rebound(n.Var)
		case *cypher.Item:
			if v, ok := n.Expr.(*cypher.Variable); !ok || v.Name != n.Alias {
				rebound(n.Alias)
			}
		case *cypher.ListComprehension:
			rebound(n.Var)
		case *cypher.Quantified:
			rebound(n.Var)
		case *cypher.Reduce:
			rebound(n.Var)
			rebound(n.Acc)
		case *cypher.CallProcedure:
			for _, y := range n.Yield {
				rebound(y.Name)
				rebound(y.Alias)
			}
		}
		return true
	})
	for name, b := range h.vars {
		if scopes > 1 && open[name] {
			b.unsure = true
		}
	}
}

func (h *hidden) of(name string) *binding {
	if h.vars[name] == nil {
		h.vars[name] = &binding{}
	}
	return h.vars[name]
}

func (h *hidden) learn(name string, l cypher.LabelExpr, relation bool, open map[string]bool) {
	if name == "" {
		return
	}
	b := h.of(name)
	labels, sure := certain(l, relation)
	if !sure {
		open[name] = true
		b.relation = b.relation || relation
		return
	}
	if b.relation != relation && len(b.labels) > 0 {
		b.unsure = true
	}
	b.relation = relation
	b.labels = append(b.labels, labels...)
}

// certain returns the labels that a node under l surely bears, or the types one
// of which a relationship under l has.
func certain(l cypher.LabelExpr, relation bool) ([]string, bool) {
	switch l := l.(type) {
	case *cypher.Label:
		return []string{l.Name}, true
	case *cypher.LabelAnd:
		left, ok := certain(l.L, relation)
		right, also := certain(l.R, relation)
		return append(left, right...), ok || also
	case *cypher.LabelOr:
		if !relation {
			return nil, false
		}
		left, ok := certain(l.L, relation)
		right, also := certain(l.R, relation)
		return append(left, right...), ok && also
	}
	return nil, false
}

// mayBe reports whether what b stands for may bear the hidden owner.
func (h *hidden) mayBe(b *binding, owner string) bool {
	switch {
	case b == nil || b.unsure || len(b.labels) == 0:
		return true
	case slices.Contains(b.labels, owner):
		return true
	case b.relation:
		return false
	}
	for _, label := range b.labels {
		if !h.together(label, owner) {
			return false
		}
	}
	return true
}

// shows reports which hidden property the expression x may have under key; ""
// asks for any property. A hidden label hides all properties of what bears it.
func (h *hidden) shows(b *binding, key string) (string, bool) {
	for property, owners := range h.properties {
		if key != "" && key != property {
			continue
		}
		for _, owner := range owners {
			if h.mayBe(b, owner) {
				return owner + "." + property, true
			}
		}
	}
	for name := range h.names {
		// A label that the pattern names keeps hidden nodes out, as far as we know.
		if b == nil || b.unsure || len(b.labels) == 0 || slices.Contains(b.labels, name) {
			return ":" + name, true
		}
	}
	return "", false
}

// refusedName returns the verdict on a node of the tree that uses a hidden name.
func (h *hidden) refusedName(n cypher.Node) (Verdict, bool) {
	if h == nil {
		return Verdict{}, false
	}
	refuse := func(why string) (Verdict, bool) {
		return Verdict{Kind: Hidden, Pos: n.Pos(), Reason: why}, true
	}
	switch n := n.(type) {
	case *cypher.Label:
		if h.names[n.Name] {
			return refuse("The operator hides :" + n.Name + "; answer without it.")
		}
	case *cypher.Hint:
		for _, key := range n.Property {
			if name, ok := h.shows(&binding{labels: []string{n.Label}}, key); ok {
				return refuse(hides(name))
			}
		}
	case *cypher.NodePattern:
		return h.refusedMap(n.Props, h.bindingOf(n.Var, n.Labels, false))
	case *cypher.RelPattern:
		return h.refusedMap(n.Props, h.bindingOf(n.Var, n.Types, true))
	case *cypher.Property:
		if h.isMap(n.X) {
			break
		}
		if name, ok := h.shows(h.bindingIn(n.X), n.Key); ok {
			return refuse(hides(name))
		}
	case *cypher.MapProjection:
		for _, item := range n.Items {
			key := item.Key
			if item.Value != nil || item.Var {
				continue
			}
			if item.All {
				key = ""
			}
			if name, ok := h.shows(h.vars[n.Var], key); ok {
				return refuse(hides(name))
			}
		}
	case *cypher.Index:
		return h.refusedIndex(n)
	case *cypher.Call:
		return h.refusedReading(n)
	case *cypher.Literal:
		if name, ok := n.Value.(string); ok && h.names[name] {
			return refuse("The operator hides :" + name + "; answer without it.")
		}
	}
	return Verdict{}, false
}

func hides(name string) string {
	if strings.HasPrefix(name, ":") {
		return "This could read properties of " + name + ", which the operator hides; name the label of every node whose properties you read."
	}
	return "This could read " + name + ", which the operator hides; answer without it, and name the label of every node whose properties you read."
}

// refusedMap judges {key: …} in a pattern; a parameter for it could hold any key.
func (h *hidden) refusedMap(props cypher.Expr, b *binding) (Verdict, bool) {
	switch m := props.(type) {
	case *cypher.Map:
		for _, key := range m.Keys {
			if name, ok := h.shows(b, key); ok {
				return Verdict{Kind: Hidden, Pos: m.Pos(), Reason: hides(name)}, true
			}
		}
	case *cypher.Parameter:
		if name, ok := h.shows(b, ""); ok {
			return Verdict{Kind: Hidden, Pos: m.Pos(), Reason: hides(name)}, true
		}
	}
	return Verdict{}, false
}

// refusedIndex judges x[i]: a property under a computed name, unless i is a
// number or x a list.
func (h *hidden) refusedIndex(n *cypher.Index) (Verdict, bool) {
	key := ""
	switch i := n.I.(type) {
	case *cypher.Literal:
		text, ok := i.Value.(string)
		if !ok {
			return Verdict{}, false
		}
		key = text
	default:
		if listed(n.X) {
			return Verdict{}, false
		}
	}
	if h.isMap(n.X) {
		return Verdict{}, false
	}
	name, ok := h.shows(h.bindingIn(n.X), key)
	return Verdict{Kind: Hidden, Pos: n.Pos(), Reason: hides(name)}, ok
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

// refusedReading judges the functions that read all properties of their argument.
func (h *hidden) refusedReading(n *cypher.Call) (Verdict, bool) {
	if name := strings.ToLower(n.Name); name != "properties" && name != "keys" || len(n.Args) == 0 || h.isMap(n.Args[0]) {
		return Verdict{}, false
	}
	name, ok := h.shows(h.bindingIn(n.Args[0]), "")
	return Verdict{Kind: Hidden, Pos: n.Pos(), Reason: hides(name)}, ok
}

// bindingOf is what a pattern and the rest of the query say of its variable.
func (h *hidden) bindingOf(name string, l cypher.LabelExpr, relation bool) *binding {
	if labels, ok := certain(l, relation); ok {
		return &binding{labels: labels, relation: relation}
	}
	return h.vars[name]
}

// bindingIn is the binding of the variable x, or nil.
func (h *hidden) bindingIn(x cypher.Expr) *binding {
	if v, ok := x.(*cypher.Variable); ok {
		return h.vars[v.Name]
	}
	return nil
}

// isMap reports whether x is certainly a map or a temporal value and no node.
// The property of what a pattern binds is: properties hold no nodes.
func (h *hidden) isMap(x cypher.Expr) bool {
	switch x := x.(type) {
	case *cypher.Map, *cypher.MapProjection, *cypher.Literal:
		return true
	case *cypher.Property:
		b := h.bindingIn(x.X)
		return b != nil && !b.unsure && len(b.labels) > 0
	case *cypher.Call:
		return slices.Contains([]string{"date", "datetime", "localdatetime", "time", "localtime", "duration", "point", "duration.between"}, strings.ToLower(x.Name))
	}
	return false
}
