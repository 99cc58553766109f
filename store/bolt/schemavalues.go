package bolt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"precedent/store"
)

// A valuesReader reads what values the properties of one label or type have.
type valuesReader struct {
	*schemaReader
	owner string
	match string // all nodes or relationships, as x
	some  string // a sample of them
	shown string // the condition that v, under key k of x, is there to see
	full  bool   // all may be read, where few enough have the property
}

// A text is a property of strings, or of lists of them.
const (
	aText       = "STRING"
	listOfTexts = "LIST<STRING>"
)

// read sets Distinct, Samples, Looks and Items of all. A property that too many
// have is looked at in a sample; if that has few different strings, its strings
// are counted after all.
func (v *valuesReader) read(ctx context.Context, all []store.Property) error {
	var counted, sampled, items []*store.Property
	for i := range all {
		p := &all[i]
		if v.full && p.Present <= v.graph.config.CountValues {
			counted = append(counted, p)
		} else {
			sampled = append(sampled, p)
		}
		if p.Type == listOfTexts && p.Present <= v.graph.config.CountValues {
			p.Items = &store.Property{Name: p.Name, Type: aText, Distinct: -1}
			items = append(items, p.Items)
		}
	}
	match := v.some
	if v.full {
		match = v.match
	}
	if err := errors.Join(v.values(ctx, match, v.full, false, counted), v.values(ctx, v.some, false, false, sampled), v.values(ctx, match, v.full, true, items)); err != nil {
		return err
	}
	var few []*store.Property
	for _, p := range sampled {
		if v.full && p.Type == aText && len(p.Samples) > 0 && len(p.Samples) <= fewInSample && p.Looks.Seen() <= fewInSample {
			few = append(few, p)
		}
	}
	return v.values(ctx, v.match, true, false, few)
}

// fewInSample is how many different strings a sample has at most where all are worth counting.
const fewInSample = 50

// values reads the values of properties in match, or those of the items of their
// lists; all says that match leaves none out.
func (v *valuesReader) values(ctx context.Context, match string, all, items bool, ps []*store.Property) error {
	if len(ps) == 0 {
		return nil
	}
	keys := make([]string, len(ps))
	for i, p := range ps {
		keys[i] = "[" + literal(p.Name) + "," + map[bool]string{true: "true", false: "false"}[p.Type == aText] + "]"
	}
	unwind := ""
	if items {
		unwind = " UNWIND v AS item WITH k, texts, item AS v"
	}
	rows, err := v.rows(ctx, match+" UNWIND ["+strings.Join(keys, ",")+"] AS key WITH x, key[0] AS k, key[1] AS texts, x[key[0]] AS v"+v.shown+unwind+
		" WITH k, texts, v, count(*) AS n ORDER BY n DESC, v WITH k, texts, collect(v) AS vs, sum(n) AS present"+
		fmt.Sprintf(" RETURN k, size(vs), CASE WHEN texts AND size(vs) <= %[1]d THEN vs ELSE vs[..%[2]d] END,"+
			" [i IN range(0, %[1]d - 1) WHERE texts AND size(vs) > %[1]d | vs[toInteger(i * size(vs) / %[1]d)]], present", store.MaxListed, store.MaxSamples))
	if errors.Is(err, store.ErrTimeout) {
		v.stop(v.owner, store.StopTime, 0)
		return nil
	}
	for _, row := range rows {
		i := slices.IndexFunc(ps, func(p *store.Property) bool { return p.Name == row[0] })
		p := ps[i]
		if all {
			p.Distinct, _ = row[1].(int64)
		}
		if items {
			p.Present, _ = row[4].(int64)
		}
		values, _ := row[2].([]any)
		spread, _ := row[3].([]any)
		if len(spread) == 0 {
			spread = nil
		}
		p.SetSamples(values, spread)
	}
	return err
}
