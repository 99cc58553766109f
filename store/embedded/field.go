package embedded

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"precedent/store"
)

// value reads f as column c says. The error says what is wrong with the text
// and what would be right.
func (c *column) value(f field) (any, error) {
	if !c.array {
		return c.item(f.text)
	}
	if f.text == "" {
		return []any{}, nil
	}
	list := make([]any, 0, strings.Count(f.text, ";")+1)
	for part := range strings.SplitSeq(f.text, ";") {
		v, err := c.item(part)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (c *column) item(text string) (any, error) {
	if c.typ == "string" {
		return text, nil
	}
	if c.typ == "char" {
		if utf8.RuneCountInString(text) != 1 {
			return nil, fmt.Errorf("%q is not one character", text)
		}
		return text, nil
	}
	text = strings.TrimSpace(text)
	switch c.typ {
	case "int":
		return whole(text, math.MinInt32, math.MaxInt32, "int; use long for larger numbers")
	case "long":
		return whole(text, math.MinInt64, math.MaxInt64, "long; use string or double")
	case "short":
		return whole(text, math.MinInt16, math.MaxInt16, "short; use int or long")
	case "byte":
		return whole(text, math.MinInt8, math.MaxInt8, "byte; use int or long")
	case "float":
		f, err := strconv.ParseFloat(text, 32)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number such as 7.5", text)
		}
		return f, nil
	case "double":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number such as 7.5", text)
		}
		return f, nil
	case "boolean":
		switch strings.ToLower(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("%q is not true or false", text)
	case "date":
		return anyOf(store.ParseDate(text))
	case "localtime":
		return anyOf(store.ParseLocalTime(text))
	case "time":
		return anyOf(store.ParseTime(text))
	case "localdatetime":
		return anyOf(store.ParseLocalDateTime(text))
	case "datetime":
		if c.zone != "" && !zonedRE.MatchString(text) {
			local, err := store.ParseLocalDateTime(text)
			if err != nil {
				return nil, err
			}
			return anyOf(local.In(c.zone))
		}
		return anyOf(store.ParseDateTime(text))
	case "duration":
		return anyOf(store.ParseDuration(text))
	}
	return c.point(text)
}

var zonedRE = regexp.MustCompile(`T.*(?:Z|[+-][0-9:]+|\])$`)

func anyOf[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

func whole(text string, least, most int64, kind string) (any, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && strings.HasPrefix(text, "+") {
		n, err = strconv.ParseInt(text[1:], 10, 64)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not a whole number", text)
	}
	if n < least || n > most {
		return nil, fmt.Errorf("%s is out of range for %s", text, kind)
	}
	return n, nil
}

// point reads {x: 1, y: 2, crs: cartesian} or {longitude: 12.9, latitude: 56.7}.
func (c *column) point(text string) (any, error) {
	bad := fmt.Errorf("%q is not a point: write {x: 1.5, y: 2} or {longitude: 12.9, latitude: 55.6}", text)
	inner, opened := strings.CutPrefix(text, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if !opened || !closed {
		return nil, bad
	}
	m := map[string]any{}
	if c.crs != "" {
		m["crs"] = c.crs
	}
	for part := range strings.SplitSeq(inner, ",") {
		key, value, ok := strings.Cut(part, ":")
		if !ok {
			return nil, bad
		}
		key, value = strings.ToLower(strings.Trim(strings.TrimSpace(key), `"'`)), strings.Trim(strings.TrimSpace(value), `"'`)
		if key == "crs" {
			m[key] = value
			continue
		}
		f, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, bad
		}
		m[key] = f
	}
	if srid, ok := m["srid"].(float64); ok {
		m["srid"] = int64(srid)
	}
	p, err := pointOf(m)
	if err != nil {
		return nil, fmt.Errorf("%q is not a point: %w", text, err)
	}
	return p, nil
}
