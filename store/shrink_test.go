package store_test

import (
	"reflect"
	"slices"

	"precedent/store/cypher"
)

// mostTries is how many smaller queries are tried, all in all.
const mostTries = 250

// shrunk is the smallest query it finds, by leaving out one part of text after the
// other, that still does.
func shrunk(text string, still func(text string) bool) string {
	tree, err := cypher.Parse(text)
	if err != nil {
		return text
	}
	tries := 0
	for i := 0; tries < mostTries; {
		smaller := cypher.Clone(tree)
		cuts := cutsOf(smaller)
		if i >= len(cuts) {
			break
		}
		cuts[i]()
		next := printed(smaller)
		if i++; next == "" || len(next) >= len(text) {
			continue
		}
		again, err := cypher.Parse(next)
		if err != nil {
			continue
		}
		if tries++; still(next) {
			tree, text, i = again, next, 0
		}
	}
	return text
}

// printed is the text of a tree, "" where it isn't whole any more.
func printed(tree *cypher.Statement) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return cypher.Print(tree)
}

// optional are the fields of nodes that may be nil.
var optional = []string{"Where", "Skip", "Limit", "Else", "Props", "Labels", "Types", "Length", "Map", "From", "To"}

// cutsOf are the ways to leave something out of a tree, the large ones first.
func cutsOf(tree *cypher.Statement) []func() {
	var cuts []func()
	queue := []reflect.Value{reflect.ValueOf(tree)}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				queue = append(queue, v.Elem())
			}
		case reflect.Slice:
			cuts = append(cuts, sliceCuts(v)...)
			for i := range v.Len() {
				queue = append(queue, v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				field, name := v.Field(i), v.Type().Field(i).Name
				cuts = append(cuts, fieldCuts(field, name)...)
				queue = append(queue, field)
			}
		}
	}
	return cuts
}

// sliceCuts leaves out one item, or a relationship with the node behind it.
func sliceCuts(v reflect.Value) (cuts []func()) {
	width := 1
	if v.Type().Elem() == reflect.TypeFor[cypher.Element]() {
		width = 2
	}
	if v.Type().Elem().Kind() == reflect.String || v.Type().Elem().Kind() == reflect.Bool {
		return nil
	}
	for i := 0; i+width <= v.Len(); i++ {
		cuts = append(cuts, func() {
			v.Set(reflect.AppendSlice(v.Slice3(0, i, i), v.Slice(i+width, v.Len())))
		})
	}
	return cuts
}

// fieldCuts leaves a field empty, or puts a part of an expression in its place.
func fieldCuts(field reflect.Value, name string) (cuts []func()) {
	if slices.Contains(optional, name) && (field.Kind() == reflect.Interface || field.Kind() == reflect.Pointer) && !field.IsNil() {
		cuts = append(cuts, func() { field.SetZero() })
	}
	if (name == "Distinct" || name == "Optional" || name == "Desc") && field.Kind() == reflect.Bool && field.Bool() {
		cuts = append(cuts, func() { field.SetBool(false) })
	}
	if field.Type() != reflect.TypeFor[cypher.Expr]() || field.IsNil() {
		return cuts
	}
	within := field.Interface().(cypher.Expr)
	cypher.Walk(within, func(n cypher.Node) bool {
		if e, ok := n.(cypher.Expr); ok && n != cypher.Node(within) {
			cuts = append(cuts, func() { field.Set(reflect.ValueOf(e)) })
		}
		return true
	})
	for _, value := range []any{nil, true, int64(1), "a"} {
		if _, simple := within.(*cypher.Literal); !simple {
			cuts = append(cuts, func() { field.Set(reflect.ValueOf(&cypher.Literal{Value: value})) })
		}
	}
	return cuts
}
