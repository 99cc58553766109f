package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// EncodeValue returns the JSON of a value of a [Table]. Integers and finite
// floats are numbers, and a float keeps a point or an exponent (8.0); the other
// floats are "NaN", "Infinity" and "-Infinity". Nodes are
// {"labels","properties"}, relationships {"type","properties"}, paths
// {"nodes","relationships"}, points {"srid","x","y"[,"z"]}, temporal values
// ISO 8601 strings. Keys of maps are sorted. An error says which type of Go has
// no form.
func EncodeValue(v any) ([]byte, error) { return appendJSON(nil, v) }

// EncodeRows returns the JSON of a table's rows, a list of lists of values.
func EncodeRows(rows [][]any) ([]byte, error) {
	b := []byte{'['}
	var err error
	for i, row := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendJSON(b, row); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func (n Node) MarshalJSON() ([]byte, error)          { return appendJSON(nil, n) }
func (r Relationship) MarshalJSON() ([]byte, error)  { return appendJSON(nil, r) }
func (p Path) MarshalJSON() ([]byte, error)          { return appendJSON(nil, p) }
func (p Point) MarshalJSON() ([]byte, error)         { return appendJSON(nil, p) }
func (d Date) MarshalJSON() ([]byte, error)          { return appendJSON(nil, d) }
func (t LocalTime) MarshalJSON() ([]byte, error)     { return appendJSON(nil, t) }
func (t Time) MarshalJSON() ([]byte, error)          { return appendJSON(nil, t) }
func (d LocalDateTime) MarshalJSON() ([]byte, error) { return appendJSON(nil, d) }
func (d DateTime) MarshalJSON() ([]byte, error)      { return appendJSON(nil, d) }
func (d Duration) MarshalJSON() ([]byte, error)      { return appendJSON(nil, d) }

func appendJSON(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case int64:
		return strconv.AppendInt(b, v, 10), nil
	case int:
		return strconv.AppendInt(b, int64(v), 10), nil
	case float64:
		return append(b, floatJSON(v)...), nil
	case string:
		return appendText(b, v)
	case []any:
		return appendList(b, v)
	case map[string]any:
		return appendMap(b, v)
	case Node:
		labels := v.Labels
		if labels == nil {
			labels = []string{}
		}
		return appendFields(b, "labels", labels, "properties", v.Properties)
	case []string:
		items := make([]any, len(v))
		for i, s := range v {
			items[i] = s
		}
		return appendList(b, items)
	case Relationship:
		return appendFields(b, "type", v.Type, "properties", v.Properties)
	case Path:
		nodes, rels := make([]any, len(v.Nodes)), make([]any, len(v.Relationships))
		for i, n := range v.Nodes {
			nodes[i] = n
		}
		for i, r := range v.Relationships {
			rels[i] = r
		}
		return appendFields(b, "nodes", nodes, "relationships", rels)
	case Point:
		if v.ThreeD() {
			return appendFields(b, "srid", v.SRID, "x", v.X, "y", v.Y, "z", v.Z)
		}
		return appendFields(b, "srid", v.SRID, "x", v.X, "y", v.Y)
	case Date, LocalTime, Time, LocalDateTime, DateTime, Duration:
		return appendText(b, v.(fmt.Stringer).String())
	}
	return nil, fmt.Errorf("encoding a value: %T is no type of a graph", v)
}

// ThreeD tells whether p has a Z.
func (p Point) ThreeD() bool { return p.SRID == 4979 || p.SRID == 9157 }

func appendFields(b []byte, pairs ...any) ([]byte, error) {
	var err error
	b = append(b, '{')
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, '"'), pairs[i].(string)...)
		b = append(b, `":`...)
		if b, err = appendJSON(b, pairs[i+1]); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendList(b []byte, items []any) ([]byte, error) {
	var err error
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendJSON(b, item); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendMap(b []byte, m map[string]any) ([]byte, error) {
	var err error
	b = append(b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendText(b, k); err != nil {
			return nil, err
		}
		b = append(b, ':')
		if b, err = appendJSON(b, m[k]); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendText(b []byte, s string) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return nil, fmt.Errorf("encoding a text: %w", err)
	}
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...), nil
}

func floatJSON(f float64) string {
	switch {
	case math.IsNaN(f):
		return `"NaN"`
	case math.IsInf(f, 1):
		return `"Infinity"`
	case math.IsInf(f, -1):
		return `"-Infinity"`
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
