package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
)

// Bounds of pulling the values that people name.
const (
	maxValues   = 200_000          // distinct values of a property; a property of more is left to the database's full-text index
	valuesBytes = 512 << 20        //
	valuesTime  = 30 * time.Second // for one property
)

// values pulls the values of the linkable properties, each under the most
// general label that holds it. named are the properties that were pulled.
func (e *Engine) values(ctx context.Context, s *store.Schema, g *reading.Glossary) (out []link.Value, named map[string]bool, err error) {
	size := make(map[string]int64)
	for _, l := range s.Labels {
		size[l.Name] = l.Count
	}
	linkable := linkable(s, g)
	isLinkable := make(map[string]bool)
	named = make(map[string]bool)
	for _, p := range linkable {
		isLinkable[p.Name] = true
	}
	type key struct{ label, prop, value string }
	at := make(map[key]int)
	for _, p := range linkable {
		label, prop, _ := strings.Cut(p.Name, ".")
		text := fmt.Sprintf("MATCH (n:%s) WHERE n.%s IS NOT NULL RETURN DISTINCT n.%s AS v, labels(n) AS l", name(label), name(prop), name(prop))
		if strings.HasPrefix(p.Type, "LIST") {
			text = fmt.Sprintf("MATCH (n:%s) UNWIND n.%s AS v RETURN DISTINCT v, labels(n) AS l", name(label), name(prop))
		}
		t, err := e.gate.run(ctx, store.Query{Text: text}, store.Limits{Rows: maxValues, Bytes: valuesBytes, Memory: valuesBytes, Timeout: valuesTime})
		if errors.Is(err, store.ErrTimeout) || errors.Is(err, store.ErrTooLarge) {
			e.log.Warn("values not pulled", "property", p.Name, "err", err)
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("reading the values of %s: %w", p.Name, err)
		}
		if t.Truncated {
			e.log.Warn("too many values to link by name", "property", p.Name, "limit", maxValues)
			continue
		}
		named[p.Name] = true
		sep := g.Properties[p.Name].Parts
		for _, row := range t.Rows {
			v, ok := row[0].(string)
			if !ok || v == "" {
				continue
			}
			labels := texts(row[1])
			// nodes with a more general label are named under that
			if slices.ContainsFunc(labels, func(l string) bool {
				return isLinkable[l+"."+prop] && (size[l] > size[label] || size[l] == size[label] && l < label)
			}) {
				continue
			}
			parts := []string{v}
			if sep != "" {
				parts = strings.Split(v, sep)
			}
			for _, v := range parts {
				k := key{label, prop, v}
				i, seen := at[k]
				if !seen {
					i = len(out)
					at[k] = i
					out = append(out, link.Value{Label: label, Property: prop, Value: v})
				}
				for _, l := range labels {
					if !slices.Contains(out[i].Labels, l) {
						out[i].Labels = append(out[i].Labels, l)
					}
				}
			}
		}
	}
	return out, named, e.roles(ctx, g, s, out)
}

// roles marks the values of names that are those of roles, too.
func (e *Engine) roles(ctx context.Context, g *reading.Glossary, s *store.Schema, values []link.Value) error {
	named := make(map[string]bool)
	for _, typ := range s.Types {
		for _, p := range typ.Properties {
			if _, ok := g.Properties[typ.Name+"."+p.Name]; !ok || p.Type != "STRING" {
				continue
			}
			text := fmt.Sprintf("MATCH ()-[r:%s]->() WHERE r.%s IS NOT NULL RETURN DISTINCT r.%s AS v", name(typ.Name), name(p.Name), name(p.Name))
			t, err := e.gate.run(ctx, store.Query{Text: text}, store.Limits{Rows: maxValues, Bytes: valuesBytes, Memory: valuesBytes, Timeout: valuesTime})
			if err != nil && !errors.Is(err, store.ErrTimeout) && !errors.Is(err, store.ErrTooLarge) {
				return fmt.Errorf("reading the values of %s.%s: %w", typ.Name, p.Name, err)
			}
			for _, row := range t.Rows {
				if v, ok := row[0].(string); ok {
					named[v] = true
				}
			}
		}
	}
	for i := range values {
		values[i].Role = named[values[i].Value]
	}
	return nil
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
