package check

import (
	"strings"

	"precedent/store/cypher"
)

func sameWord(a, b string) bool { return strings.EqualFold(a, b) }

// expr reads e for names, hops and compared values, and gives what is known of its value.
func (v *survey) expr(e cypher.Expr, f *frame) *binding {
	switch e := e.(type) {
	case nil:
		return nil
	case *cypher.Variable:
		b, _, _ := f.find(e.Name)
		return b
	case *cypher.Property:
		from := e.X.Pos()
		if x, ok := e.X.(*cypher.Variable); ok {
			from += cypher.Pos(len(x.Name))
		}
		return v.field(v.expr(e.X, f), e.Key, keyAfter(v.text, e.Key, from))
	case *cypher.Index:
		x := v.expr(e.X, f)
		v.expr(e.I, f)
		if key, ok := e.I.(*cypher.Literal); ok {
			if name, ok := key.Value.(string); ok {
				return v.field(x, name, int(key.Pos()))
			}
		}
		if x != nil {
			return x.items
		}
	case *cypher.Slice:
		x := v.expr(e.X, f)
		v.expr(e.From, f)
		v.expr(e.To, f)
		return x
	case *cypher.List:
		return v.list(e, f)
	case *cypher.Map:
		fields := make(map[string]*binding, len(e.Keys))
		for i, key := range e.Keys {
			fields[key] = v.expr(e.Values[i], f)
		}
		return &binding{fields: fields}
	case *cypher.MapProjection:
		return v.mapProjection(e, f)
	case *cypher.Unary:
		v.expr(e.X, f)
	case *cypher.Binary:
		return v.operator(e, f)
	case *cypher.Comparison:
		v.comparison(e, f)
	case *cypher.IsNull:
		v.expr(e.X, f)
	case *cypher.IsTyped:
		v.expr(e.X, f)
	case *cypher.IsNormalized:
		v.expr(e.X, f)
	case *cypher.HasLabels:
		v.hasLabels(e, f)
	case *cypher.Call:
		return v.function(e, f)
	case *cypher.Case:
		v.expr(e.Subject, f)
		for _, w := range e.Whens {
			v.expr(w.Cond, f)
			for _, or := range w.Or {
				v.expr(or, f)
			}
			v.expr(w.Then, f)
		}
		v.expr(e.Else, f)
	default:
		return v.loop(e, f)
	}
	return nil
}

// field is x.key.
func (v *survey) field(x *binding, key string, pos int) *binding {
	switch {
	case x == nil:
		return nil
	case x.entity != nil:
		v.property(x.entity, key, pos)
		return &binding{origin: &origin{x.entity, key}}
	case x.fields != nil:
		return x.fields[key]
	}
	return nil
}

func (v *survey) list(e *cypher.List, f *frame) *binding {
	items := &binding{isList: true}
	for i, item := range e.Items {
		b := v.expr(item, f)
		if i == 0 {
			items.items = b
		} else if b == nil || items.items == nil || b.entity != items.items.entity || b.entity == nil {
			items.items = nil
		}
	}
	return items
}

func (v *survey) mapProjection(e *cypher.MapProjection, f *frame) *binding {
	x, _, _ := f.find(e.Var)
	fields := make(map[string]*binding, len(e.Items))
	for i := range e.Items {
		switch item := &e.Items[i]; {
		case item.All:
		case item.Var:
			fields[item.Key], _, _ = f.find(item.Key)
		case item.Value != nil:
			fields[item.Key] = v.expr(item.Value, f)
		default:
			fields[item.Key] = v.field(x, item.Key, keyAfter(v.text, item.Key, item.Pos()))
		}
	}
	return &binding{fields: fields}
}

func (v *survey) hasLabels(e *cypher.HasLabels, f *frame) {
	x := v.expr(e.X, f)
	if x != nil && x.entity != nil {
		v.namesIn(e.Labels, x.entity, x.entity.rel)
	} else {
		v.namesIn(e.Labels, nil, false)
	}
}

// function reads a call and follows nodes through the functions that hand on
// what they are given.
func (v *survey) function(e *cypher.Call, f *frame) *binding {
	var first *binding
	same := len(e.Args) > 0
	for i, arg := range e.Args {
		b := v.expr(arg, f)
		if i == 0 {
			first = b
		}
		same = same && b != nil && first != nil && b.entity == first.entity && b.entity != nil
	}
	if first == nil {
		return nil
	}
	switch strings.ToLower(e.Name) {
	case "min", "max":
		v.picks = append(v.picks, taking{e, first})
	case "count":
		v.counts = append(v.counts, taking{e, first})
	}
	switch strings.ToLower(e.Name) {
	case "collect":
		return &binding{isList: true, items: first}
	case "head", "last":
		return first.items
	case "tail", "reverse":
		return first
	case "coalesce":
		if same {
			return first
		}
	case "count", "sum", "avg", "size", "length":
		return &binding{number: true}
	}
	return kept(e, first)
}

// loop reads the expressions that bind variables of their own.
func (v *survey) loop(e cypher.Expr, f *frame) *binding {
	inner := &frame{parent: f, inner: true}
	switch e := e.(type) {
	case *cypher.ListComprehension:
		list := v.expr(e.List, f)
		inner.set(e.Var, itemOf(list))
		v.expr(e.Where, inner)
		if e.Map == nil {
			return list
		}
		return &binding{isList: true, items: v.expr(e.Map, inner)}
	case *cypher.PatternComprehension:
		v.bind(e.Path, inner)
		v.inside(e.Path, inner)
		if e.Where != nil {
			v.where(e.Where, inner)
		}
		return &binding{isList: true, items: v.expr(e.Map, inner)}
	case *cypher.Quantified:
		inner.set(e.Var, itemOf(v.expr(e.List, f)))
		v.expr(e.Where, inner)
	case *cypher.Reduce:
		v.expr(e.Init, f)
		inner.set(e.Var, itemOf(v.expr(e.List, f)))
		inner.set(e.Acc, nil)
		v.expr(e.Body, inner)
	case *cypher.PatternPredicate:
		v.bind(e.Path, inner)
		v.inside(e.Path, inner)
	case *cypher.Subquery:
		columns := v.statement(e.Body, f, visible)
		if e.Kind == cypher.Count {
			return &binding{number: true}
		}
		if e.Kind == cypher.Collect && len(columns) == 1 {
			return &binding{isList: true, items: columns[0].is}
		}
	}
	return nil
}

// keyAfter is where key stands in text at or after from; from, if nowhere.
func keyAfter(text, key string, from cypher.Pos) int {
	at := int(from)
	if at < 0 || at > len(text) {
		return -1
	}
	if i := strings.Index(text[at:], key); i >= 0 {
		return at + i
	}
	return at
}

// keyBefore is where key last stands in text before end; end, if nowhere.
func keyBefore(text, key string, end cypher.Pos) int {
	at := int(end)
	if at < 0 || at > len(text) {
		return -1
	}
	if i := strings.LastIndex(text[:at], key); i >= 0 {
		return i
	}
	return at
}
