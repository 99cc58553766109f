package bolt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"precedent/store"
)

// relations reads which labels t joins: in full where t is small enough, else
// from counts that the database keeps, and where those don't say, a sample.
func (r *schemaReader) relations(ctx context.Context, t store.RelType) ([]store.Relation, error) {
	const pairs = " UNWIND labels(a) AS s UNWIND labels(b) AS e RETURN s, e, count(*)"
	match := "MATCH " + r.node("a", "") + "-[r:" + quote(t.Name) + "]->" + r.node("b", "")
	if t.Count <= r.graph.config.ScanLimit {
		rows, err := r.rows(ctx, match+pairs)
		if err == nil || !errors.Is(err, store.ErrTimeout) {
			return relationsOf(t.Name, rows), err
		}
	}
	known, complete, err := r.keptCounts(ctx, t)
	if err != nil || complete {
		return known, err
	}
	r.stop(t.Name, store.StopScan, r.graph.config.SampleSize)
	rows, err := r.rows(ctx, fmt.Sprintf("%s WITH a, b LIMIT %d", match, r.graph.config.SampleSize)+pairs)
	if errors.Is(err, store.ErrTimeout) {
		return known, nil
	}
	for _, sampled := range relationsOf(t.Name, rows) {
		if !slices.ContainsFunc(known, func(k store.Relation) bool { return k.Start == sampled.Start && k.End == sampled.End }) {
			known = append(known, sampled)
		}
	}
	return known, err
}

func relationsOf(name string, rows [][]any) []store.Relation {
	var all []store.Relation
	for _, row := range rows {
		start, _ := row[0].(string)
		end, _ := row[1].(string)
		n, _ := row[2].(int64)
		all = append(all, store.Relation{Start: start, Type: name, End: end, Count: n})
	}
	return all
}

// keptCounts reads the relations of t from the count store, which knows how many
// relationships of a type leave and reach each label, without reading any. Where
// all of them leave one label, or all reach one, that tells the count of each
// pair with it; complete tells whether that is so for all pairs.
func (r *schemaReader) keptCounts(ctx context.Context, t store.RelType) (known []store.Relation, complete bool, err error) {
	leaving, reaching := map[string]int64{}, map[string]int64{}
	for _, l := range r.schema.Labels {
		for pattern, counts := range map[string]map[string]int64{
			r.node("", l.Name) + "-[r:" + quote(t.Name) + "]->" + r.node("", ""): leaving,
			r.node("", "") + "-[r:" + quote(t.Name) + "]->" + r.node("", l.Name): reaching,
		} {
			n, err := r.count(ctx, "MATCH "+pattern+" RETURN count(r)")
			if errors.Is(err, store.ErrTimeout) {
				return known, false, nil
			}
			if err != nil {
				return nil, false, err
			}
			if n > 0 {
				counts[l.Name] = n
			}
		}
	}
	complete = true
	for start, out := range leaving {
		for end, in := range reaching {
			switch t.Count {
			case out:
				known = append(known, store.Relation{Start: start, Type: t.Name, End: end, Count: in})
			case in:
				known = append(known, store.Relation{Start: start, Type: t.Name, End: end, Count: out})
			default:
				complete = false
			}
		}
	}
	return known, complete, nil
}

// properties reads the properties of what pattern calls x.
func (r *schemaReader) properties(ctx context.Context, pattern, name string, nodes bool, count int64) ([]store.Property, error) {
	match, full := "MATCH "+pattern, count <= r.graph.config.ScanLimit
	facts := " UNWIND keys(x) AS k WITH x, k, x[k] AS v" + r.shown(name, nodes) + " RETURN k, count(*), collect(DISTINCT valueType(v)), min(v), max(v) ORDER BY k"
	var rows [][]any
	err := error(nil)
	if full {
		rows, err = r.rows(ctx, match+facts)
		if full = !errors.Is(err, store.ErrTimeout); !full {
			r.stop(name, store.StopTime, 0)
		}
	} else {
		r.stop(name, store.StopScan, r.graph.config.SampleSize)
	}
	some := match + fmt.Sprintf(" WITH x LIMIT %d", r.graph.config.SampleSize)
	if !full {
		rows, err = r.rows(ctx, some+facts)
	}
	if errors.Is(err, store.ErrTimeout) {
		r.stop(name, store.StopTime, 0)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []store.Property
	for _, row := range rows {
		p := store.Property{Distinct: -1}
		p.Name, _ = row[0].(string)
		p.Present, _ = row[1].(int64)
		p.Type = oneType(texts(row[2]))
		p.Unique = r.unique[uniqueKey{nodes, name, p.Name}]
		if hasRange(p.Type) {
			p.Min, p.Max = row[3], row[4]
		}
		all = append(all, p)
	}
	v := valuesReader{schemaReader: r, owner: name, match: match, some: some, shown: r.shown(name, nodes), full: full}
	return all, v.read(ctx, all)
}

// oneType names the type of a property whose values have these types, as
// valueType() names them: "STRING NOT NULL", "LIST<INTEGER NOT NULL> NOT NULL".
func oneType(types []string) string {
	for i, t := range types {
		types[i] = strings.ReplaceAll(t, " NOT NULL", "")
	}
	slices.Sort(types)
	types = slices.Compact(types)
	if len(types) > 1 { // an empty list fits a list of anything
		types = slices.DeleteFunc(types, func(t string) bool {
			return t == "LIST<NOTHING>" && slices.ContainsFunc(types, func(u string) bool { return u != t && strings.HasPrefix(u, "LIST<") })
		})
	}
	switch {
	case len(types) != 1:
		return "ANY"
	case types[0] == "LIST<NOTHING>":
		return "LIST<ANY>"
	}
	return types[0]
}

// hasRange tells whether Min and Max are given for a type: numbers and temporal
// values, durations by Cypher's order.
func hasRange(typ string) bool {
	switch typ {
	case "INTEGER", "FLOAT", "DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME", "DURATION":
		return true
	}
	return false
}
