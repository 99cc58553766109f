package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"precedent/engine/check"
	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
)

// Whoever writes a case by hand says where a value goes, as {person} in the words and as
// $person in the query, and nothing more: what kind of value that is, the query tells by
// what it compares it with, and the graph has an example.

// Bounds of looking for examples that a query finds something by.
const (
	examplesOfOne = 12
	examplesTried = 60 // together, where there are several slots
)

// slotted gives the slots that wordings of c name and that lack a type or an example
// what they lack.
func (e *Engine) slotted(ctx context.Context, c store.Case) (store.Case, error) {
	stmt, err := cypher.Parse(c.Query)
	if err != nil {
		return c, fmt.Errorf("%w: the query: %w", ErrCase, err)
	}
	params := reading.FactsOf(stmt).Params
	var named []string
	for _, w := range c.Wordings {
		for _, name := range bracedIn(w) {
			if !slices.Contains(named, name) {
				named = append(named, name)
			}
		}
	}
	if len(c.Slots) >= len(named) && !slices.ContainsFunc(c.Slots, func(s store.Slot) bool { return s.Type == "" || s.Example == nil }) {
		return c, nil // as they were exported
	}
	c.Slots = slices.Clone(c.Slots)
	open := make(map[int][]any) // examples to try, by the place of the slot
	for _, name := range named {
		i := slices.IndexFunc(c.Slots, func(s store.Slot) bool { return s.Name == name })
		if i < 0 {
			i, c.Slots = len(c.Slots), append(c.Slots, store.Slot{Name: name})
		}
		if c.Slots[i].Type != "" && c.Slots[i].Example != nil {
			continue
		}
		if err := e.typeSlot(stmt, params, &c.Slots[i]); err != nil {
			return c, fmt.Errorf("%w: %w", ErrCase, err)
		}
		if said, ok := c.Slots[i].Example.(string); ok {
			if err := e.readExample(&c.Slots[i], said); err != nil {
				return c, fmt.Errorf("%w: %w", ErrCase, err)
			}
		}
		if c.Slots[i].Example == nil {
			open[i] = e.examplesFor(ctx, c.Slots[i])
		}
	}
	filled := make(map[string]bool)
	for _, s := range c.Slots {
		for _, part := range parts {
			filled[s.Name+part] = true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(params)) {
		if !filled[p] {
			return c, unfilled(p)
		}
	}
	if c, err = e.tryExamples(ctx, c, open); err != nil {
		return c, err
	}
	return c, e.asksBack(c)
}

// asksBack says which wording of c with slots nobody who writes a value in its place
// would ask: a unit or a name beside it may make another thing of the two.
func (e *Engine) asksBack(c store.Case) error {
	reader := e.snapshot().reader
	for _, w := range c.Wordings {
		k, _ := hearWording(reader, w, &c)
		said := example(w, c.Slots)
		if k.key != "" && !k.own && reader.Read(said).Key() != k.key {
			return fmt.Errorf("%w: %q isn't read as %q with its slots filled, since the words beside a value and the value are read as one, or the value may be several things; write other words beside it, or say another example", ErrCase, said, w)
		}
	}
	return nil
}

// slotTypes are the types of slots; see [store.Slot].
var slotTypes = []string{"string", "integer", "float", "date", "limit", "count", "decade", "year", "month"}

// slotName is what a slot may be called: a parameter of Cypher, written without backquotes.
var slotName = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// isSlot says why a slot that somebody wrote is none.
func isSlot(s store.Slot) error {
	switch {
	case !slotName.MatchString(s.Name):
		return fmt.Errorf("a slot is called %q; use letters, digits and _, such as city", s.Name)
	case !slices.Contains(slotTypes, s.Type):
		return fmt.Errorf("the slot {%s} is of type %q; use %s, or leave it out where the words have {%s}", s.Name, s.Type, strings.Join(slotTypes, ", "), s.Name)
	}
	return nil
}

// unfilled is a parameter that nothing fills.
func unfilled(param string) error {
	return fmt.Errorf("%w: the query uses $%s, and no slot fills it; write {%s} where its value stands in the question", ErrCase, param, param)
}

// bracedIn are the names that stand in braces in a wording.
func bracedIn(wording string) (names []string) {
	for _, part := range strings.Split(wording, "{")[1:] {
		if name, _, closed := strings.Cut(part, "}"); closed {
			names = append(names, name)
		}
	}
	return names
}

// typeSlot says what the values of a slot are, by how the query uses it.
func (e *Engine) typeSlot(stmt *cypher.Statement, params map[string]bool, s *store.Slot) error {
	name := s.Name
	switch {
	case params[name]:
	case params[name+"_from"] && params[name+"_to"]:
		name += "_from"
	case params[name+"_year"] && params[name+"_month"]:
		s.Type = "month"
		return nil
	case len(params) == 0:
		return fmt.Errorf("the words have {%s}, and the query has no $%s: write it where the query has the value", s.Name, s.Name)
	default:
		return fmt.Errorf("the words have {%s}, and the query has no $%s, but $%s: call them the same", s.Name, s.Name, strings.Join(slices.Sorted(maps.Keys(params)), ", $"))
	}
	facts := reading.FactsOf(stmt)
	if slices.ContainsFunc(facts.Limits, func(x cypher.Expr) bool { p, ok := x.(*cypher.Parameter); return ok && p.Name == name }) {
		s.Type = "limit"
		return nil
	}
	i := slices.IndexFunc(facts.Compared, func(c reading.Comparison) bool { return c.Param == name || slices.Contains(c.Params, name) })
	if i < 0 {
		return fmt.Errorf("the query compares $%s with nothing, so it can't be told what {%s} is: compare it with a property, or give the slot with label, property, type and example in a file of cases", name, s.Name)
	}
	if facts.Compared[i].Count {
		s.Type = "count"
		return nil
	}
	owner, typ, err := e.ownerOf(stmt, name, facts.Compared[i].Prop)
	if err != nil {
		return err
	}
	s.Label, s.Property = owner, facts.Compared[i].Prop
	if s.Type != "" {
		return nil
	}
	period := name != s.Name
	switch {
	case typ == "STRING" || typ == "LIST<STRING>" || strings.HasPrefix(typ, "LIST<STRING"):
		s.Type = "string"
		return e.linkedAs(s)
	case typ == "INTEGER" && period:
		s.Type = "decade"
	case typ == "INTEGER", typ == "FLOAT":
		s.Type = strings.ToLower(typ)
	case typ == "DATE" && period:
		s.Type = "year"
		if example, ok := s.Example.(string); ok && strings.Contains(example, "-") || strings.Contains(s.Name, "month") {
			s.Type = "month"
		}
	case typ == "DATE":
		s.Type = "date"
	default:
		return fmt.Errorf("{%s} would be filled by %s.%s, which holds %s: questions fill texts, numbers and dates", s.Name, s.Label, s.Property, typ)
	}
	return nil
}

// ownerOf is the label or type whose property a parameter is compared with, and the
// type of its values.
func (e *Engine) ownerOf(stmt *cypher.Statement, param, property string) (owner, typ string, err error) {
	s := e.snapshot()
	mark := "\x00" + param
	filters, _ := s.checker.Filters(stmt, map[string]any{param: mark})
	of := ""
	if i := slices.IndexFunc(filters, func(f check.Filter) bool { return f.Text == mark }); i >= 0 {
		of, _, _ = strings.Cut(filters[i].Of, ".")
	}
	var owners []string
	for _, u := range s.checker.Uses(cypher.Print(stmt), stmt) {
		if u.Kind == "property" && u.Name == property {
			owners = append(owners, u.Owners...)
		}
	}
	slices.Sort(owners)
	owners = slices.Compact(owners)
	switch {
	case slices.Contains(owners, of):
	case len(owners) > 0:
		of = e.general(owners, property)
	default:
		return "", "", fmt.Errorf("the graph has no property %s that $%s is compared with", property, param)
	}
	return of, typeOf(s.schema, of+"."+property), nil
}

// general is the one of labels under which people name the values of a property.
func (e *Engine) general(labels []string, property string) string {
	for _, v := range e.snapshot().reader.Linker().Values() {
		if v.Property == property && slices.Contains(labels, v.Label) {
			return v.Label
		}
	}
	return labels[0]
}

// linkedAs puts the label under which people name the values of a slot, and says why
// they can't where they don't.
func (e *Engine) linkedAs(s *store.Slot) error {
	for _, v := range e.snapshot().reader.Linker().Values() {
		if v.Property == s.Property && slices.Contains(labelsOf(v), s.Label) {
			s.Label = v.Label
			return nil
		}
	}
	return fmt.Errorf("{%s} would be filled by %s.%s, whose values questions don't name, so nothing could fill it: write linkable: {add: [%s.%s]} in the configuration (precedent schema says why it isn't by itself)", s.Name, s.Label, s.Property, s.Label, s.Property)
}

// examplesFor are values that may fill a slot, in the same order each time.
func (e *Engine) examplesFor(ctx context.Context, s store.Slot) (found []any) {
	switch s.Type {
	case "limit":
		return []any{int64(3)}
	case "count":
		return []any{int64(1), int64(2), int64(0)}
	case "string":
		for _, v := range e.snapshot().reader.Linker().Values() {
			if len(found) < examplesOfOne && v.Label == s.Label && v.Property == s.Property && len(e.snapshot().reader.Linker().Names(v.Value)) == 1 {
				found = append(found, v.Value)
			}
		}
		return found
	}
	pattern := "(n:" + name(s.Label) + ")"
	if e.snapshot().schema.Knows(s.Label, false) && !e.snapshot().schema.Knows(s.Label, true) {
		pattern = "()-[n:" + name(s.Label) + "]->()"
	}
	property := "n." + name(s.Property)
	t, err := e.RunCypher(ctx, store.Query{Text: fmt.Sprintf("MATCH %s WHERE %s IS NOT NULL WITH DISTINCT %s AS v RETURN v ORDER BY v LIMIT %d", pattern, property, property, 4*examplesOfOne)})
	if err != nil {
		return nil
	}
	for i := range min(len(t.Rows), examplesOfOne) {
		at := len(t.Rows)/2 + i/2 // from the middle outwards: much lies on both sides of it
		if i%2 == 1 {
			at = len(t.Rows)/2 - 1 - i/2
		}
		if at < 0 || at >= len(t.Rows) {
			continue
		}
		found = append(found, exampleOf(s.Type, t.Rows[at][0]))
	}
	return found
}

// readExample takes the example of a slot as somebody wrote it.
func (e *Engine) readExample(s *store.Slot, said string) error {
	switch s.Type {
	case "string":
		for _, c := range e.snapshot().reader.Linker().Names(said) {
			if c.Property == s.Property && slices.Contains(append(c.Labels, c.Label), s.Label) {
				s.Example = c.Value
			}
		}
	case "integer", "float", "limit", "count", "year":
		n := plainNumber(json.Number(said))
		if _, isNumber := float(n); !isNumber {
			return fmt.Errorf("the example of {%s} is %q, and $%s is compared with numbers: say one, --example %s=NUMBER", s.Name, said, s.Name, s.Name)
		}
		s.Example = n
	}
	return nil
}

// exampleOf is a value of the graph as a slot of a type has it.
func exampleOf(typ string, v any) any {
	text := fmt.Sprint(v)
	n, isNumber := v.(int64)
	switch {
	case typ == "decade" && isNumber:
		return fmt.Sprintf("%ds", n/10*10)
	case typ == "year" && len(text) >= len("2006"):
		return plainNumber(json.Number(text[:len("2006")]))
	case typ == "month" && len(text) >= len("2006-01"):
		return text[:len("2006-01")]
	case typ == "date":
		return text
	}
	return v
}

// tryExamples fills the slots that lack one with the first examples by which the query
// finds something.
func (e *Engine) tryExamples(ctx context.Context, c store.Case, open map[int][]any) (store.Case, error) {
	if len(open) == 0 {
		return c, nil
	}
	slots := slices.Sorted(maps.Keys(open))
	for _, i := range slots {
		if len(open[i]) == 0 {
			return c, fmt.Errorf("%w: nothing in the graph fills {%s}: say an example, --example %s=VALUE", ErrCase, c.Slots[i].Name, c.Slots[i].Name)
		}
		c.Slots[i].Example = open[i][0]
	}
	if c.EmptyOK {
		return c, nil
	}
	tries := 1
	for _, i := range slots {
		tries *= len(open[i])
	}
	for n := range min(tries, examplesTried) {
		for _, i := range slots { // the first changes fastest
			c.Slots[i].Example = open[i][n%len(open[i])]
			n /= len(open[i])
		}
		t, err := e.Try(ctx, c)
		if err != nil {
			return c, err
		}
		if len(t.Rows) > 0 && !tellsNothing(t.Rows) {
			return c, nil
		}
	}
	said := make([]string, len(slots))
	for k, i := range slots {
		said[k] = "--example " + c.Slots[i].Name + "=VALUE"
	}
	return c, fmt.Errorf("%w: the query finds nothing for the values that were tried: say one that it finds something for, %s; or, if finding nothing is right, say so (empty_ok)", ErrCase, strings.Join(said, " "))
}

// tellsNothing reports whether rows hold nothing, or only numbers that are none.
func tellsNothing(rows [][]any) bool {
	for _, row := range rows {
		for _, v := range row {
			if n, ok := float(v); v != nil && (!ok || n != 0) {
				return false
			}
		}
	}
	return true
}

var errExample = errors.New("an example is written name=value, such as --example city=Berlin")

// Examples reads examples of slots, written name=value.
func Examples(written []string) (slots []store.Slot, err error) {
	for _, w := range written {
		name, value, ok := strings.Cut(w, "=")
		if !ok || !slotName.MatchString(strings.TrimSpace(name)) || strings.TrimSpace(value) == "" {
			return nil, fmt.Errorf("%q: %w", w, errExample)
		}
		slots = append(slots, store.Slot{Name: strings.TrimSpace(name), Example: strings.TrimSpace(value)})
	}
	return slots, nil
}
