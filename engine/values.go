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
	valuesBytes = 512 << 20        // of one property
	valuesTime  = 30 * time.Second // for one property
	allTime     = 60 * time.Second // for all
)

// valueLimits bound one query for values.
func valueLimits(left time.Duration) store.Limits {
	return store.Limits{Rows: maxValues, Bytes: valuesBytes, Memory: valuesBytes, Timeout: min(valuesTime, left)}
}

// values pulls the values of the linkable properties, each under the most
// general label that holds it. What couldn't be pulled is no longer linkable,
// and all says why.
func (e *Engine) values(ctx context.Context, s *store.Schema, g *reading.Glossary, all []Linkable) ([]link.Value, error) {
	c := collected{at: make(map[valueKey]int), size: make(map[string]int64), linkable: make(map[string]bool), glossary: g}
	types := types(s)
	for _, l := range s.Labels {
		c.size[l.Name] = l.Count
	}
	for _, l := range all {
		c.linkable[l.Name()] = l.As != ""
	}
	until := time.Now().Add(allTime)
	for i := range all {
		l := &all[i]
		if l.As == "" {
			continue
		}
		if _, isLabel := c.size[l.Owner]; !isLabel {
			c.ofType(s, *l)
			continue
		}
		text := fmt.Sprintf("MATCH (n:%s) WHERE n.%s IS NOT NULL RETURN DISTINCT n.%s AS v, labels(n) AS l", name(l.Owner), name(l.Property), name(l.Property))
		if strings.HasPrefix(types[l.Name()], "LIST") {
			text = fmt.Sprintf("MATCH (n:%s) UNWIND n.%s AS v RETURN DISTINCT v, labels(n) AS l", name(l.Owner), name(l.Property))
		}
		t, err := e.gate.run(ctx, store.Query{Text: text}, valueLimits(max(time.Until(until), time.Millisecond)))
		switch {
		case ctx.Err() == nil && (errors.Is(err, store.ErrTimeout) || errors.Is(err, store.ErrTooLarge)):
			l.As, l.Why = "", "its values can't be read in time"
			e.log.Warn("values not pulled", "property", l.Name(), "err", err)
		case err != nil:
			return nil, fmt.Errorf("reading the values of %s: %w", l.Name(), err)
		case t.Truncated:
			l.As, l.Why = "", fmt.Sprintf("more than %d values", maxValues)
			e.log.Warn("too many values to link by name", "property", l.Name(), "limit", maxValues)
		default:
			c.rows(l.Owner, l.Property, t.Rows)
		}
	}
	held := make(map[string]int)
	for _, v := range c.values {
		for _, label := range labelsOf(v) {
			held[label+"."+v.Property]++
		}
	}
	for i := range all {
		if all[i].As != "" {
			all[i].Values = held[all[i].Name()]
		}
	}
	return c.values, e.roles(ctx, g, s, c.values)
}

// collected are values on their way into a linker.
type collected struct {
	values   []link.Value
	at       map[valueKey]int
	size     map[string]int64 // of labels
	linkable map[string]bool  // as Owner.property
	glossary *reading.Glossary
}

type valueKey struct{ label, prop, value string }

// rows takes the values of a label's property, each with the labels of who has it.
func (c *collected) rows(label, prop string, rows [][]any) {
	sep := c.glossary.Properties[label+"."+prop].Parts
	slices.SortStableFunc(rows, func(a, b []any) int { // as no graph promises
		x, _ := a[0].(string)
		y, _ := b[0].(string)
		return strings.Compare(x, y)
	})
	for _, row := range rows {
		v, ok := row[0].(string)
		if !ok || v == "" {
			continue
		}
		labels := texts(row[1])
		slices.Sort(labels)
		// nodes with a more general label are named under that
		if slices.ContainsFunc(labels, func(l string) bool {
			return c.linkable[l+"."+prop] && (c.size[l] > c.size[label] || c.size[l] == c.size[label] && l < label)
		}) {
			continue
		}
		parts := []string{v}
		if sep != "" {
			parts = strings.Split(v, sep)
		}
		for _, v := range parts {
			c.add(label, prop, v, labels)
		}
	}
}

// ofType takes the values of a relationship type's property, all of which the
// schema has.
func (c *collected) ofType(s *store.Schema, l Linkable) {
	each(s, func(owner string, p store.Property) {
		if owner != l.Owner || p.Name != l.Property {
			return
		}
		if p.Items != nil {
			p = *p.Items
		}
		for _, v := range p.Samples {
			if v, ok := v.(string); ok && v != "" {
				c.add(owner, p.Name, v, []string{owner})
			}
		}
	})
}

func (c *collected) add(label, prop, value string, labels []string) {
	k := valueKey{label, prop, value}
	i, seen := c.at[k]
	if !seen {
		i = len(c.values)
		c.at[k] = i
		c.values = append(c.values, link.Value{Label: label, Property: prop, Value: value})
	}
	for _, l := range labels {
		if !slices.Contains(c.values[i].Labels, l) {
			c.values[i].Labels = append(c.values[i].Labels, l)
		}
	}
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
			t, err := e.gate.run(ctx, store.Query{Text: text}, valueLimits(valuesTime))
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
