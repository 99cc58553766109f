package check

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"precedent/engine/reading"
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
	params := make(map[string]any, len(v.params))
	for name, value := range v.params {
		params[name] = value
	}
	for _, r := range v.replaced {
		params[r.name] = r.value
	}
	return params
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

// A fix is what becomes of a value that is compared with a property of another type.
type fix struct {
	value    any         // in its place, or
	with     string      // the function to call on it, or
	instead  cypher.Expr // this
	left     string      // the function to call on the property
	mistyped bool        // nothing that could be right
}

func (f fix) isNone() bool {
	return f.value == nil && f.with == "" && f.instead == nil && f.left == "" && !f.mistyped
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

// fixFor says what to do about a value of type got that is compared with one of type
// kind.
func (v *survey) fixFor(u use, kind, got string, value any, isConstant bool, known ownership) fix {
	text, isText := value.(string)
	switch kind {
	case isString:
		return fixString(u, got, value, isConstant, known)
	case isInteger, isFloat:
		switch {
		case isText:
			return fixNumber(kind, text)
		case got == isFloat && kind == isInteger && u.is != orders:
			f, ok := value.(float64)
			return fix{mistyped: ok && f != math.Trunc(f)}
		case got != isInteger && got != isFloat:
			return fix{mistyped: true}
		}
	case isBoolean:
		if got == isBoolean {
			return fix{}
		}
		if b, err := strconv.ParseBool(strings.ToLower(fmt.Sprint(value))); err == nil && isConstant {
			return fix{value: b}
		}
		return fix{mistyped: true}
	case isDate, isZoned, isLocal:
		if isText {
			return fixTime(u, kind, text)
		}
		return fixTemporal(u, kind, got)
	case isDuration:
		if _, err := store.ParseDuration(text); isText && err == nil {
			return fix{with: "duration"}
		}
		return fix{mistyped: got != isDuration}
	}
	return fix{}
}

var (
	isoDate     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	isoDateTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}(:\d{2}){0,2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?(\[.+\])?$`)
	slashedDate = regexp.MustCompile(`^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$`)
)

// allTexts reports whether there are samples and each is a text that is so.
func allTexts(samples []any, is func(string) bool) bool {
	return len(samples) > 0 && !slices.ContainsFunc(samples, func(v any) bool {
		s, ok := v.(string)
		return !ok || !is(s)
	})
}

// fixString is for a property that holds texts.
func fixString(u use, got string, value any, isConstant bool, known ownership) fix {
	plain := u.made == "" && (u.is == equals || u.is == differs)
	switch got {
	case isString, isList:
		return fix{}
	case isInteger, isFloat:
		said := fmt.Sprint(value)
		if plain && allTexts(known.samples, func(s string) bool { return isNumeral(s) && strconvForm(s) == s }) {
			return fix{value: said}
		}
	case isBoolean:
		want := fmt.Sprint(value)
		for _, s := range known.samples {
			if text, ok := s.(string); ok && plain && strings.EqualFold(text, want) {
				return fix{value: text}
			}
		}
	case isDate:
		if !allTexts(known.samples, isoDate.MatchString) || u.made != "" {
			break
		}
		if c, ok := u.with.(*cypher.Call); ok && len(c.Args) == 1 {
			switch arg := c.Args[0].(type) {
			case *cypher.Literal:
				if s, ok := arg.Value.(string); ok && isoDate.MatchString(s) {
					return fix{value: s}
				}
			case *cypher.Parameter:
				return fix{instead: arg}
			}
		}
		return fix{left: "date"}
	}
	return fix{mistyped: true}
}

func isNumeral(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// strconvForm is the number in s as a number prints; "007" isn't so.
func strconvForm(s string) string {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return fmt.Sprint(n)
	}
	f, _ := strconv.ParseFloat(s, 64)
	return fmt.Sprint(f)
}

// fixNumber is for a property that holds numbers and a text.
func fixNumber(kind, text string) fix {
	n, ok := reading.NumberOf(text)
	switch {
	case !ok:
		return fix{mistyped: true}
	case n == math.Trunc(n) && math.Abs(n) < 1<<53 && (kind == isInteger || !strings.Contains(text, ".")):
		return fix{value: int64(n)}
	}
	return fix{value: n}
}

// fixTime is for a property that holds points in time and a text.
func fixTime(u use, kind, text string) fix {
	whole := u.op == cypher.Ge || u.op == cypher.Lt // of a day: where it begins
	if m := slashedDate.FindStringSubmatch(text); m != nil {
		month, _ := strconv.Atoi(m[2])
		day, _ := strconv.Atoi(m[3])
		iso := fmt.Sprintf("%s-%02d-%02d", m[1], month, day)
		if _, err := store.ParseDate(iso); err == nil {
			f := fixTime(u, kind, iso)
			if f.with != "" {
				f.instead, f.with = &cypher.Call{Name: f.with, Args: []cypher.Expr{&cypher.Literal{Value: iso}}}, ""
			}
			return f
		}
	}
	_, err := store.ParseDate(text)
	isDay := isoDate.MatchString(text) && err == nil
	isPart := err == nil && !isDay // 2024, 2024-05: where it begins
	isInstant := isoDateTime.MatchString(text)
	chained := false
	if c, ok := u.of.(*cypher.Comparison); ok {
		chained = len(c.Ops) > 1
	}
	_, inMap := u.of.(*cypher.Map)
	function := map[string]string{isDate: "date", isZoned: "datetime", isLocal: "localdatetime"}[kind]
	switch {
	case kind == isDate && isDay, kind == isDate && isPart && u.is == orders && whole && len(text) <= len("2006-01"):
		return fix{with: "date"}
	case kind == isDate && isInstant && strings.Contains(text, "T00:00") && !strings.ContainsAny(text, "Z+["):
		day, _, _ := strings.Cut(text, "T")
		return fix{instead: &cypher.Call{Name: "date", Args: []cypher.Expr{&cypher.Literal{Value: day}}}}
	case kind != isDate && isInstant:
		return fix{with: function}
	case kind != isDate && isDay && u.is == orders && whole && !chained:
		return fix{with: function}
	case kind != isDate && isDay && !inMap && u.made == "":
		return fix{with: "date", left: "date"}
	case kind != isDate && isPart && u.is == orders && whole && !chained && len(text) <= len("2006-01"):
		return fix{with: function}
	}
	return fix{mistyped: true}
}

// fixTemporal is for a property that holds points in time and another value.
func fixTemporal(u use, kind, got string) fix {
	_, inMap := u.of.(*cypher.Map)
	switch {
	case got == kind:
		return fix{}
	case got == isDate && !inMap && u.made == "":
		return fix{left: "date"}
	case kind == isDate && (got == isZoned || got == isLocal) && u.is == orders:
		return fix{with: "date"}
	case kind == isLocal && got == isZoned:
		return fix{with: "localdatetime"}
	case kind == isZoned && got == isLocal:
		return fix{with: "datetime"}
	}
	return fix{mistyped: true}
}

// judgeList is for IN and a parameter that holds a list.
func (v *survey) judgeList(u use, known ownership, kind string) {
	p, ok := u.with.(*cypher.Parameter)
	items, isList := v.params[parameterName(p, ok)].([]any)
	if !ok || !isList || kind == "" {
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

// replace gives parameter p another value, unless it is used for something that it
// must stay for.
func (v *survey) replace(p *cypher.Parameter, value any, u use) {
	before := fmt.Sprintf("$%s = %s", p.Name, literal(v.params[p.Name]))
	if slices.ContainsFunc(v.replaced, func(r replacement) bool { return r.name == p.Name }) {
		return
	}
	v.replaced = append(v.replaced, replacement{
		Change: Change{Kind: "value", Before: before, After: fmt.Sprintf("$%s = %s", p.Name, literal(value)), Why: why(v.nameOf(u.origin), value)},
		name:   p.Name, value: value,
	})
}

// nameOf is a property with those who own it, as Label.key.
func (v *survey) nameOf(o origin) string {
	if names := v.owners(o).names; len(names) > 0 {
		return names[0] + "." + o.key
	}
	return o.key
}

func why(of string, value any) string {
	if _, ok := value.(string); ok {
		return of + " is written so in the graph"
	}
	return of + " isn't a text"
}

// mistyped notes that nothing of the property's type is compared with it.
func (v *survey) mistyped(u use, known ownership, kind string) {
	v.findings = append(v.findings, Finding{
		Kind: Mistyped, Of: v.nameOf(u.origin), Has: cypher.Print(u.with), Want: kind,
		Values: known.samples[:min(len(known.samples), mostSamples)], Pos: int(u.with.Pos()),
	})
}

// mostSamples is how many values of a property show its type.
const mostSamples = 3

// apply corrects what the property is compared with.
func (v *survey) apply(u use, f fix, kind string) {
	if p, ok := u.with.(*cypher.Parameter); ok && f.value != nil {
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
