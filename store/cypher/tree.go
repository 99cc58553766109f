package cypher

import (
	"math"
	"reflect"
)

// Clone copies s with everything below it, so that one can be edited without the other.
func Clone(s *Statement) *Statement {
	return clone(reflect.ValueOf(s)).Interface().(*Statement)
}

func clone(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
		c := reflect.New(v.Type()).Elem()
		if v.Kind() == reflect.Pointer {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(clone(v.Elem()))
		} else {
			c.Set(clone(v.Elem()))
		}
		return c
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(clone(v.Index(i)))
		}
		return c
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			c.Field(i).Set(clone(v.Field(i)))
		}
		return c
	}
	return v
}

var positionType = reflect.TypeFor[At]()

// EqualTrees reports whether a and b are the same query: the same tree, but
// for positions and the source text of items. A missing list equals an empty
// one, and NaN equals NaN.
func EqualTrees(a, b *Statement) bool {
	return equal(reflect.ValueOf(a), reflect.ValueOf(b))
}

func equal(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Interface:
		return a.IsNil() && b.IsNil() || !a.IsNil() && !b.IsNil() && equal(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		item := a.Type() == reflect.TypeFor[Item]()
		for i := range a.NumField() {
			field := a.Type().Field(i)
			if field.Type == positionType || item && field.Name == "Text" {
				continue
			}
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float()) || math.IsNaN(a.Float()) && math.IsNaN(b.Float())
	}
	return a.Equal(b)
}

var exprType = reflect.TypeFor[Expr]()

// Rewrite replaces every expression of s by what f makes of it, in place; what f
// puts there is looked into, too.
func Rewrite(s *Statement, f func(Expr) Expr) {
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				visit(v.Elem())
			}
		case reflect.Interface:
			if v.IsNil() {
				return
			}
			if v.Type() == exprType && v.CanSet() {
				v.Set(reflect.ValueOf(f(v.Interface().(Expr))))
			}
			visit(v.Elem())
		case reflect.Struct:
			for _, field := range v.Fields() {
				visit(field)
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		}
	}
	visit(reflect.ValueOf(s))
}
