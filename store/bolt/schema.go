package bolt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/store"
)

// schemaBudget is the budget where none is given.
const schemaBudget = 30 * time.Second

// Schema describes the graph with what every Neo4j 5 has: no APOC. Labels and
// types come with exact counts. Properties and triples of those with at most
// Config.ScanLimit members are read in full, smallest first, each within its
// share of the time left; of others, and where a share runs out, a sample of
// Config.SampleSize is read and the schema is Sampled. Types are named as
// valueType() names them, without NOT NULL. Samples are the most
// frequent values, equally frequent ones in Cypher's order. The user may lack the
// right to see indexes: then there are none. What Config.Hide names is neither
// listed nor counted nor sampled; LabelSets are read only where it names something.
func (g *Graph) Schema(ctx context.Context, budget time.Duration) (*store.Schema, error) {
	return g.SchemaAgain(ctx, budget, nil, nil)
}

// SchemaAgain is Schema, but that it takes from before what is the same. A type is
// read again too where a label is that it may lead from or to.
func (g *Graph) SchemaAgain(ctx context.Context, budget time.Duration, before *store.Schema, same func(part string) bool) (*store.Schema, error) {
	r := g.reader(budget)
	if before != nil && !before.Sampled {
		r.before, r.same = before, same
	}
	if err := r.read(ctx); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", g.explainError(ctx, err))
	}
	r.schema.Hash = r.schema.ComputeHash()
	g.schema.Store(r.schema)
	return r.schema, nil
}

func (g *Graph) reader(budget time.Duration) *schemaReader {
	if budget <= 0 {
		budget = schemaBudget
	}
	return &schemaReader{graph: g, budget: budget, until: time.Now().Add(budget), unique: map[uniqueKey]bool{}, schema: &store.Schema{}, hide: store.NewHidden(g.config.Hide)}
}

// A schemaReader reads one schema.
type schemaReader struct {
	graph  *Graph
	budget time.Duration
	before *store.Schema          // nil: all is read
	same   func(part string) bool // which parts are as they were then
	until  time.Time
	left   int // readings still to come, which share the time
	unique map[uniqueKey]bool
	schema *store.Schema
	hide   store.Hidden
}

type uniqueKey struct {
	nodes          bool
	name, property string
}

func (r *schemaReader) read(ctx context.Context) error {
	labels, types, err := r.vocabulary(ctx)
	if err != nil {
		return err
	}
	if !r.hide.Nothing() {
		if err := r.labelSets(ctx); err != nil {
			return err
		}
	}
	for _, name := range labels {
		n, known, err := r.size(ctx, "MATCH "+r.node("n", name)+" RETURN count(n)")
		if err != nil {
			return err
		}
		if n > 0 || !known { // a name outlives its last node
			r.schema.Labels = append(r.schema.Labels, store.Label{Name: name, Count: n})
		}
	}
	for _, name := range types {
		n, known, err := r.size(ctx, "MATCH "+r.node("", "")+"-[r:"+quote(name)+"]->"+r.node("", "")+" RETURN count(r)")
		if err != nil {
			return err
		}
		if n > 0 || !known {
			r.schema.Types = append(r.schema.Types, store.RelType{Name: name, Count: n})
		}
	}
	return r.readParts(ctx)
}

// vocabulary reads the names of labels and types, and the indexes, without what is
// hidden, and notes what of that there is.
func (r *schemaReader) vocabulary(ctx context.Context) (labels, types []string, err error) {
	r.left = 1 // the first questions may use all the time
	if labels, err = r.names(ctx, "CALL db.labels()"); err != nil {
		return nil, nil, err
	}
	if types, err = r.names(ctx, "CALL db.relationshipTypes()"); err != nil {
		return nil, nil, err
	}
	if err := r.indexes(ctx); err != nil {
		return nil, nil, err
	}
	return r.leaveOut(ctx, labels, types)
}

// readParts reads triples, then properties, from small to large.
func (r *schemaReader) readParts(ctx context.Context) error {
	s := r.schema
	slices.SortFunc(s.Labels, func(a, b store.Label) int { return cmp.Compare(a.Count, b.Count) })
	slices.SortFunc(s.Types, func(a, b store.RelType) int { return cmp.Compare(a.Count, b.Count) })
	r.left = 2*len(s.Types) + len(s.Labels)
	for _, t := range s.Types {
		relations, kept := r.keptRelations(t.Name)
		if !kept {
			var err error
			if relations, err = r.relations(ctx, t); err != nil {
				return err
			}
		}
		s.Relationships = append(s.Relationships, relations...)
		r.left--
	}
	for i, l := range s.Labels {
		if properties, kept := r.keptLabel(l.Name); kept {
			s.Labels[i].Properties = properties
			r.left--
			continue
		}
		var err error
		if s.Labels[i].Properties, err = r.properties(ctx, r.node("x", l.Name), l.Name, true, l.Count); err != nil {
			return err
		}
		r.left--
	}
	for i, t := range s.Types {
		if properties, kept := r.keptType(t.Name); kept {
			s.Types[i].Properties = properties
			r.left--
			continue
		}
		var err error
		if s.Types[i].Properties, err = r.properties(ctx, r.node("", "")+"-[x:"+quote(t.Name)+"]->"+r.node("", ""), t.Name, false, t.Count); err != nil {
			return err
		}
		r.left--
	}
	slices.SortFunc(s.Labels, func(a, b store.Label) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Types, func(a, b store.RelType) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Relationships, func(a, b store.Relation) int {
		return cmp.Or(strings.Compare(a.Start, b.Start), strings.Compare(a.Type, b.Type), strings.Compare(a.End, b.End))
	})
	return nil
}

// indexes reads indexes and which properties are unique.
func (r *schemaReader) indexes(ctx context.Context) error {
	rows, err := r.rows(ctx, "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state WHERE state = 'ONLINE' "+
		"RETURN name, type, entityType, labelsOrTypes, properties ORDER BY name")
	if err != nil && !errors.Is(err, store.ErrDenied) {
		return err
	}
	for _, row := range rows {
		name, _ := row[0].(string)
		kind, _ := row[1].(string)
		r.schema.Indexes = append(r.schema.Indexes, store.Index{
			Name: name, Type: kind, OnNodes: row[2] == "NODE", Labels: texts(row[3]), Properties: texts(row[4]),
		})
	}
	rows, err = r.rows(ctx, "SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties")
	if err != nil && !errors.Is(err, store.ErrDenied) {
		return err
	}
	for _, row := range rows {
		kind, _ := row[0].(string)
		names, properties := texts(row[2]), texts(row[3])
		if len(names) == 1 && len(properties) == 1 && (strings.Contains(kind, "UNIQUENESS") || strings.HasSuffix(kind, "_KEY")) {
			r.unique[uniqueKey{row[1] == "NODE", names[0], properties[0]}] = true
		}
	}
	return nil
}

// rows runs a question within its share of the time.
func (r *schemaReader) rows(ctx context.Context, query string) ([][]any, error) {
	limits := store.Limits{Rows: maxNames, List: maxNames, Text: 1 << 20, Bytes: 64 << 20}
	left := time.Until(r.until)
	if left <= 0 {
		return nil, &failure{store.ErrTimeout, "the time for the schema ran out; give it a larger budget", context.DeadlineExceeded}
	}
	limits.Timeout = max(left/time.Duration(max(r.left, 1)), leastShare)
	t, err := r.graph.Run(ctx, store.Query{Text: query}, limits)
	if ctx.Err() != nil {
		return nil, ctx.Err() // not only a share: the caller's time is up
	}
	if t.Truncated || t.Shortened > 0 {
		r.stop("", store.StopScan, maxNames)
	}
	return t.Rows, err
}

const (
	maxNames   = 100_000               // labels, types, indexes or properties; beyond, the schema is Sampled
	leastShare = 50 * time.Millisecond // that any question gets before the time is up
)

func (r *schemaReader) names(ctx context.Context, query string) ([]string, error) {
	rows, err := r.rows(ctx, query)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i], _ = row[0].(string)
	}
	slices.Sort(names)
	return names, nil
}

// count runs a question whose answer is one number.
func (r *schemaReader) count(ctx context.Context, query string) (int64, error) {
	rows, err := r.rows(ctx, query)
	if err != nil {
		return 0, err
	}
	n, _ := rows[0][0].(int64)
	return n, nil
}

// size is count, but that the time runs out only makes the schema Sampled.
func (r *schemaReader) size(ctx context.Context, query string) (n int64, known bool, err error) {
	n, err = r.count(ctx, query)
	if errors.Is(err, store.ErrTimeout) {
		r.stop("", store.StopTime, 0)
		return 0, false, nil
	}
	return n, err == nil, err
}

// stop notes that part was not read in full. at is the limit; StopTime has the budget's.
func (r *schemaReader) stop(part string, limit store.StopLimit, at int64) {
	if limit == store.StopTime {
		at = r.budget.Milliseconds()
	}
	r.schema.Sampled = true
	if s := (store.Stop{Part: part, Limit: limit, At: at}); !slices.Contains(r.schema.Stops, s) {
		r.schema.Stops = append(r.schema.Stops, s)
	}
}

func texts(v any) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, item := range list {
		out[i], _ = item.(string)
	}
	return out
}

func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
