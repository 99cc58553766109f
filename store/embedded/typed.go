package embedded

import (
	"slices"
	"strings"

	"precedent/store/cypher"
)

// typeOrder is the order in which Neo4j names the parts of a mixed type.
var typeOrder = []string{"BOOLEAN", "STRING", "INTEGER", "FLOAT", "DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME",
	"DURATION", "POINT", "NODE", "RELATIONSHIP", "MAP", "LIST", "PATH"}

func sortByTypeOrder(kinds []string) {
	place := func(k string) int {
		return slices.IndexFunc(typeOrder, func(t string) bool { return k == t || t == "LIST" && strings.HasPrefix(k, t) })
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return place(a) - place(b) })
}

// A typeTest tells whether a value has a type.
type typeTest func(x *exec, v any) bool

var typeSynonyms = map[string]string{
	"BOOL": "BOOLEAN", "BOOLEAN": "BOOLEAN", "STRING": "STRING", "VARCHAR": "STRING",
	"INT": "INTEGER", "INTEGER": "INTEGER", "SIGNED INTEGER": "INTEGER", "FLOAT": "FLOAT", "DATE": "DATE",
	"LOCAL TIME": "LOCAL TIME", "TIME WITHOUT TIMEZONE": "LOCAL TIME", "TIME WITHOUT TIME ZONE": "LOCAL TIME",
	"ZONED TIME": "ZONED TIME", "TIME WITH TIMEZONE": "ZONED TIME", "TIME WITH TIME ZONE": "ZONED TIME",
	"LOCAL DATETIME": "LOCAL DATETIME", "TIMESTAMP WITHOUT TIMEZONE": "LOCAL DATETIME", "TIMESTAMP WITHOUT TIME ZONE": "LOCAL DATETIME",
	"ZONED DATETIME": "ZONED DATETIME", "TIMESTAMP WITH TIMEZONE": "ZONED DATETIME", "TIMESTAMP WITH TIME ZONE": "ZONED DATETIME",
	"DURATION": "DURATION", "POINT": "POINT", "NODE": "NODE", "ANY NODE": "NODE", "VERTEX": "NODE",
	"RELATIONSHIP": "RELATIONSHIP", "ANY RELATIONSHIP": "RELATIONSHIP", "EDGE": "RELATIONSHIP", "MAP": "MAP", "ANY MAP": "MAP", "PATH": "PATH",
}

func (c *compiler) isTyped(s *scope, e *cypher.IsTyped) (expr, error) {
	of, err := c.expr(s, e.X)
	if err != nil {
		return nil, err
	}
	test, err := c.typeTest(e.Type, e.Pos())
	if err != nil {
		return nil, err
	}
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		return test(x, v) != e.Not, err
	}, nil
}

// typeTest reads the name of a type: INTEGER, LIST<STRING NOT NULL>, INTEGER | FLOAT, ….
func (c *compiler) typeTest(text string, at cypher.Pos) (typeTest, error) {
	text = strings.Join(strings.Fields(text), " ")
	if parts := splitTypes(text); len(parts) > 1 {
		var tests []typeTest
		for _, part := range parts {
			t, err := c.typeTest(part, at)
			if err != nil {
				return nil, err
			}
			tests = append(tests, t)
		}
		return func(x *exec, v any) bool { return slices.ContainsFunc(tests, func(t typeTest) bool { return t(x, v) }) }, nil
	}
	text, notNull := strings.CutSuffix(strings.TrimSuffix(text, "!"), " NOT NULL")
	text = strings.TrimSpace(text)
	inner, isList := strings.CutPrefix(strings.Replace(text, "ARRAY", "LIST", 1), "LIST")
	if isList && strings.HasSuffix(inner, ">") {
		inner = strings.TrimSpace(inner)
		item, err := c.typeTest(strings.TrimSpace(inner[1:len(inner)-1]), at)
		if err != nil {
			return nil, err
		}
		return func(x *exec, v any) bool {
			l, ok := v.([]any)
			if !ok {
				return v == nil && !notNull
			}
			return !slices.ContainsFunc(l, func(v any) bool {
				x.tick()
				return !item(x, v)
			})
		}, nil
	}
	switch text {
	case "ANY", "ANY VALUE":
		return func(_ *exec, v any) bool { return v != nil || !notNull }, nil
	case "NULL":
		return func(_ *exec, v any) bool { return v == nil }, nil
	case "NOTHING":
		return func(*exec, any) bool { return false }, nil
	case "PROPERTY VALUE", "ANY PROPERTY VALUE":
		return func(x *exec, v any) bool {
			if v == nil {
				return !notNull
			}
			return x.storable(v)
		}, nil
	}
	want, ok := typeSynonyms[text]
	if !ok {
		return nil, unsupported("the type %s%s", text, c.where(at))
	}
	return func(_ *exec, v any) bool {
		if v == nil {
			return !notNull
		}
		return baseType(v) == want
	}, nil
}

// storable tells whether v can be a property: no node, no map, and if a list, then
// of values of one type, numbers counting as one, without null.
func (x *exec) storable(v any) bool {
	list, ok := v.([]any)
	if !ok {
		return plainType(v) != ""
	}
	for _, item := range list {
		x.tick()
		if t := plainType(item); t == "" || t != plainType(list[0]) {
			return false
		}
	}
	return true
}

// plainType names the type of a value as properties tell them apart, "" for what
// can't be an item of a list that is one.
func plainType(v any) string {
	switch v.(type) {
	case nil, *node, *rel, *path, map[string]any, []any:
		return ""
	case int64:
		return "FLOAT"
	}
	return baseType(v)
}

// splitTypes cuts at each | outside of angle brackets.
func splitTypes(s string) []string {
	var out []string
	depth, start := 0, 0
	for i, r := range s {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	return append(out, s[start:])
}
