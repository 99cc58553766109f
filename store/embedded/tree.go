package embedded

import (
	"reflect"

	"precedent/store/cypher"
)

var (
	atType = reflect.TypeFor[cypher.At]()
)

// sameExpr tells whether two expressions are written alike, positions and
// spacing aside.
func sameExpr(a, b cypher.Expr) bool { return same(reflect.ValueOf(a), reflect.ValueOf(b)) }

func same(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if f.Type == atType || f.Name == "Text" {
				continue
			}
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// walk calls visit for every part of a tree, the tree itself first; visit
// returns false to leave out what is below.
func walk(n cypher.Node, visit func(cypher.Node) bool) {
	if n == nil {
		return
	}
	walkValue(reflect.ValueOf(n), visit)
}

func walkValue(v reflect.Value, visit func(cypher.Node) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walkValue(v.Elem(), visit)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		if n, ok := v.Interface().(cypher.Node); ok && !visit(n) {
			return
		}
		walkValue(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Type != atType {
				walkValue(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.String || v.Type().Elem().Kind() == reflect.Bool {
			return
		}
		for i := range v.Len() {
			walkValue(v.Index(i), visit)
		}
	}
}
