package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// lively turns decoded JSON into values of a graph: a number with a point or
// exponent is a float, any other an integer of 64 bits, which it must fit.
func lively(v any) (_ any, err error) {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			f, err := v.Float64()
			if err != nil {
				return nil, fmt.Errorf("%s is beyond the range of a float", v)
			}
			return f, nil
		}
		n, err := v.Int64()
		if err != nil {
			return nil, fmt.Errorf("%s is beyond the range of an integer (64 bits)", v)
		}
		return n, nil
	case []any:
		for i := range v {
			if v[i], err = lively(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = lively(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
