package check

import (
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
)

// Types of properties and values, as the schema names them.
const (
	isString   = "STRING"
	isInteger  = "INTEGER"
	isFloat    = "FLOAT"
	isBoolean  = "BOOLEAN"
	isDate     = "DATE"
	isZoned    = "ZONED DATETIME"
	isLocal    = "LOCAL DATETIME"
	isDuration = "DURATION"
	isList     = "LIST"
)

// kindOf is a type of the schema as it is compared, "" where nothing is known of it.
func kindOf(typ string) string {
	switch typ = strings.ToUpper(typ); {
	case typ == "DATE_TIME", typ == "DATETIME":
		return isZoned
	case typ == "LOCAL_DATE_TIME", typ == "LOCALDATETIME":
		return isLocal
	case strings.HasPrefix(typ, isList):
		return isList
	case slices.Contains([]string{isString, isInteger, isFloat, isBoolean, isDate, isZoned, isLocal, isDuration}, typ):
		return typ
	}
	return ""
}

// judgeUses holds what properties are compared with against their types, then
// against their values.
func (v *survey) judgeUses() {
	for _, u := range v.uses {
		known := v.owners(u.origin)
		if len(known.kinds) != 1 || known.kinds[0] == "" {
			continue
		}
		v.judgeUse(u, known)
	}
}

// An ownership is what is known of a property over all the names that may own it.
type ownership struct {
	names   []string
	kinds   []string
	samples []any
	all     bool // samples are all values
	kindsOf bool // several nodes share one
	extents [][2]any
}

func (v *survey) owners(o origin) ownership {
	known := &v.graph.labels
	if o.entity.rel {
		known = &v.graph.types
	}
	var out ownership
	out.all = true
	if known.properties == nil {
		return out
	}
	for i := range v.graph.namesOf(o.entity).each() {
		p, has := known.properties[i][o.key]
		if !has {
			continue
		}
		out.names = append(out.names, known.names[i])
		if !slices.Contains(out.kinds, p.kind) {
			out.kinds = append(out.kinds, p.kind)
		}
		out.all, out.kindsOf = out.all && p.all, out.kindsOf || p.several
		out.extents = append(out.extents, p.extent)
		for _, s := range p.samples {
			if !containsValue(out.samples, s) {
				out.samples = append(out.samples, s)
			}
		}
	}
	return out
}

// containsValue is slices.Contains for values that may be lists or maps.
func containsValue(all []any, v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return slices.ContainsFunc(all, func(x any) bool {
		switch x.(type) {
		case []any, map[string]any:
			return false
		}
		return x == v
	})
}

// as is the type that a value of type kind has after a function.
func as(kind, made string) string {
	switch made {
	case "", "max", "min", "round", "abs", "ceil", "floor":
		return kind
	case "tolower", "toupper", "lower", "upper", "trim", "btrim", "ltrim", "rtrim":
		if kind == isString {
			return isString
		}
	case "tostring":
		if kind != isList {
			return isString
		}
	case "tointeger":
		return isInteger
	case "tofloat":
		return isFloat
	case "toboolean":
		return isBoolean
	case "date":
		return isDate
	case "datetime":
		return isZoned
	case "localdatetime":
		return isLocal
	}
	return ""
}

func (v *survey) judgeUse(u use, known ownership) {
	kind := as(known.kinds[0], u.made)
	if u.in {
		v.judgeList(u, known, kind)
		return
	}
	value, isConstant := v.constant(u.with)
	if u.is == member {
		if text, ok := value.(string); ok && isConstant && kind == isList {
			v.judgeText(u, known, text)
		}
		return
	}
	if kind == "" || isConstant && value == nil {
		return
	}
	f := fix{}
	switch got := typeOf(u.with, value, isConstant); {
	case got == "":
		return
	case u.is == begins || u.is == matches:
		f.mistyped = kind != isString
	case kind == isList:
		f.mistyped = got != isList && u.is == equals
	default:
		f = v.fixFor(u, kind, got, value, isConstant, known)
	}
	switch {
	case f.mistyped:
		v.mistyped(u, known, kind)
	case !f.isNone():
		v.apply(u, f, kind)
	case isConstant && kind == isString:
		if text, ok := value.(string); ok {
			v.judgeText(u, known, text)
		}
	}
}

// constant is the value of e where it is known: of a literal or of a parameter.
func (v *survey) constant(e cypher.Expr) (value any, ok bool) {
	switch e := e.(type) {
	case *cypher.Literal:
		return e.Value, true
	case *cypher.Parameter:
		value, ok = v.params[e.Name]
		return value, ok
	case *cypher.Unary:
		if x, isNumber := e.X.(*cypher.Literal); isNumber && e.Op == cypher.Neg {
			switch n := x.Value.(type) {
			case int64:
				return -n, true
			case float64:
				return -n, true
			}
		}
	}
	return nil, false
}

// typeOf is the type of what is compared with a property, "" where it isn't known.
func typeOf(e cypher.Expr, value any, isConstant bool) string {
	if isConstant {
		switch value.(type) {
		case string:
			return isString
		case int64:
			return isInteger
		case float64:
			return isFloat
		case bool:
			return isBoolean
		case []any:
			return isList
		case store.Date:
			return isDate
		case store.DateTime:
			return isZoned
		case store.LocalDateTime:
			return isLocal
		case store.Duration:
			return isDuration
		}
		return ""
	}
	switch e := e.(type) {
	case *cypher.Call:
		name, _, _ := strings.Cut(strings.ToLower(e.Name), ".")
		switch name {
		case "date", "datetime", "localdatetime", "duration":
			return as("", name)
		}
	case *cypher.List:
		return isList
	case *cypher.Binary: // date() - duration('P30D')
		if e.Op == cypher.Add || e.Op == cypher.Sub {
			if t := typeOf(e.L, nil, false); t == isDate || t == isZoned || t == isLocal {
				return t
			}
		}
	}
	return ""
}

// judgeList is for IN and a parameter that holds a list.
func (v *survey) judgeList(u use, known ownership, kind string) {
	p, ok := u.with.(*cypher.Parameter)
	items, isList := v.params[parameterName(p, ok)].([]any)
	if !ok || !isList || kind == "" || v.taken[p.Name] > 1 {
		return
	}
	fixed, changed := slices.Clone(items), false
	for i, item := range items {
		if item == nil {
			continue
		}
		f := v.fixFor(u, kind, typeOf(nil, item, true), item, true, known)
		text, isText := item.(string)
		switch {
		case f.value != nil:
			fixed[i], changed = f.value, true
		case !f.isNone():
			one := u
			one.with = &cypher.Literal{Value: item}
			v.mistyped(one, known, kind)
			return
		case isText && kind == isString:
			if is := v.heldText(u, known, text); is != text {
				fixed[i], changed = is, true
			}
		}
	}
	if changed {
		v.replace(p, fixed, u)
	}
}

func parameterName(p *cypher.Parameter, ok bool) string {
	if !ok {
		return ""
	}
	return p.Name
}

// nameOf is a property with those who own it, as Label.key.
func (v *survey) nameOf(o origin) string {
	if names := v.owners(o).names; len(names) > 0 {
		return names[0] + "." + o.key
	}
	return o.key
}

// mistyped notes that nothing of the property's type is compared with it.
func (v *survey) mistyped(u use, known ownership, kind string) {
	v.find(Finding{
		Kind: Mistyped, Of: v.nameOf(u.origin), Has: cypher.Print(u.with), Want: kind,
		Values: known.samples[:min(len(known.samples), mostSamples)], Pos: int(u.with.Pos()),
	})
}

// mostSamples is how many values of a property show its type.
const mostSamples = 3
