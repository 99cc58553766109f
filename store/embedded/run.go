package embedded

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"precedent/store"
	"precedent/store/cypher"
)

var _ store.Graph = (*Graph)(nil)

// A statement is compiled text.
type statement struct {
	body     *body
	needs    map[string]int // parameters, with the position of the first use
	problems []problemAt
}

// statements keeps the compiled statements used last.
type statements struct {
	mu     sync.Mutex
	byText map[string]*cached
	clock  int64
}

type cached struct {
	st   *statement
	used int64
}

const (
	maxCached     = 256   // statements
	maxCachedText = 20000 // bytes of a text worth keeping
)

func (s *statements) get(text string) *statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.byText[text]; c != nil {
		s.clock++
		c.used = s.clock
		return c.st
	}
	return nil
}

func (s *statements) put(text string, st *statement) {
	if len(text) > maxCachedText {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byText == nil {
		s.byText = map[string]*cached{}
	}
	if len(s.byText) >= maxCached {
		oldest, least := "", s.clock+1
		for t, c := range s.byText {
			if c.used < least {
				oldest, least = t, c.used
			}
		}
		delete(s.byText, oldest)
	}
	s.clock++
	s.byText[text] = &cached{st, s.clock}
}

// compile parses and plans a query, or finds what it made of the text before.
func (g *Graph) compile(text string) (*statement, error) {
	if st := g.cache.get(text); st != nil {
		return st, nil
	}
	tree, err := cypher.Parse(text)
	if err != nil {
		if e, ok := errors.AsType[*cypher.Error](err); ok && e.Kind == cypher.Unsupported {
			return nil, unsupported("%v", err)
		}
		return nil, fmt.Errorf("%w: %w", store.ErrQuery, err)
	}
	c := &compiler{g: g, text: text, needs: map[string]int{}}
	b, err := c.statement(tree, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	st := &statement{b, c.needs, c.problems}
	g.cache.put(text, st)
	return st, nil
}

// Run reads q; see [store.Graph]. Rows come in the same order each time. A query
// that would hold more than limits.Memory ends with an error that wraps
// store.ErrTooLarge; one whose ctx or time ends stops within a few milliseconds,
// wherever it is.
func (g *Graph) Run(ctx context.Context, q store.Query, limits store.Limits) (table store.Table, err error) {
	limits = limits.WithDefaults()
	if err := g.open(); err != nil {
		return store.Table{}, err
	}
	st, err := g.compile(q.Text)
	if err != nil {
		return store.Table{}, err
	}
	start := time.Now()
	x := &exec{g: g, now: q.Now, budget: budget{ctx: ctx, deadline: start.Add(limits.Timeout), granted: grantBytes, most: limits.Memory}}
	if x.now.IsZero() {
		x.now = start.UTC()
	}
	defer func() {
		x.end()
		switch r := recover().(type) {
		case nil:
		case *halt:
			table, err = store.Table{}, r.err
		default:
			panic(r)
		}
	}()
	x.look()
	if x.params, err = params(q.Params, st.needs); err != nil {
		return store.Table{}, err
	}
	out := exporter{x: x, limits: limits}
	table.Columns = slices.Clone(st.body.columns)
	table.Problems = g.absent(st.problems)
	err = st.body.run(x, nil, func(r row) error {
		if len(table.Rows) == limits.Rows || out.bytes > limits.Bytes {
			table.Truncated = true
			return errEnough
		}
		x.hold(listBytes + slotBytes*len(r))
		values := make([]any, len(r))
		for i, v := range r {
			values[i] = out.value(v, 0)
		}
		table.Rows = append(table.Rows, values)
		return nil
	})
	table.Shortened = out.shortened
	if err != nil && err != errEnough {
		return store.Table{}, err
	}
	return table, nil
}

func (g *Graph) open() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return fmt.Errorf("%w: it was closed", store.ErrUnavailable)
	}
	return nil
}

// Close ends the use of g.
func (g *Graph) Close(context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	return nil
}

// params turns parameters into values of the graph; all that the statement
// names must be there.
func params(given map[string]any, needs map[string]int) (map[string]any, error) {
	out := make(map[string]any, len(needs))
	for _, name := range sortedNames(needs) {
		v, ok := given[name]
		if !ok {
			return nil, queryError("Expected parameter(s): %s", name)
		}
		value, err := fromParam(v)
		if err != nil {
			return nil, queryError("parameter $%s: %v", name, err)
		}
		out[name] = value
	}
	return out, nil
}

// fromParam takes the values of a [store.Table], and Go's other numbers and
// typed lists and maps of such.
func fromParam(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string, store.Point,
		store.Date, store.LocalTime, store.Time, store.LocalDateTime, store.DateTime, store.Duration:
		return v, nil
	case int:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case float32:
		return float64(v), nil
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			var err error
			if out[i], err = fromParam(item); err != nil {
				return nil, err
			}
		}
		return out, nil
	case []string:
		return toList(v)
	case []int64:
		return toList(v)
	case []int:
		return toList(v)
	case []float64:
		return toList(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			var err error
			if out[k], err = fromParam(item); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("a Go %T is no value of a graph: use int64, float64, string, bool, []any, map[string]any or a temporal value of package store", v)
}

func toList[T any](items []T) (any, error) {
	out := make([]any, len(items))
	for i, item := range items {
		v, err := fromParam(item)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// An exporter turns values of a row into values of a table, which the run holds.
type exporter struct {
	x         *exec
	limits    store.Limits
	shortened int
	bytes     int
}

func (e *exporter) value(v any, depth int) any {
	if depth > deepest {
		panic(&halt{queryError("a value nests lists or maps more than %d deep", maxDepth)})
	}
	e.x.tick()
	e.x.hold(itemBytes(v))
	e.bytes += slotBytes
	switch v := v.(type) {
	case string:
		return e.text(v)
	case []any:
		items := v
		if len(items) > e.limits.List {
			items = items[:e.limits.List]
			e.shortened++
		}
		out := make([]any, len(items))
		for i, item := range items {
			out[i] = e.value(item, depth+1)
		}
		return out
	case map[string]any:
		return e.mapOf(v, depth)
	case *node:
		n := e.x.g.storeNode(v)
		n.Properties = e.mapOf(n.Properties, depth)
		return n
	case *rel:
		r := e.x.g.storeRel(v)
		r.Properties = e.mapOf(r.Properties, depth)
		return r
	case *path:
		return e.pathOf(v, depth)
	}
	return v
}

func (e *exporter) text(s string) string {
	if len(s) > e.limits.Text {
		e.x.work(len(s))
		if cut := firstRunes(s, e.limits.Text); len(cut) < len(s) {
			s = strings.Clone(cut)
			e.shortened++
		}
	}
	e.x.hold(len(s))
	e.bytes += len(s)
	return s
}

func (e *exporter) mapOf(m map[string]any, depth int) map[string]any {
	e.x.hold(mapBytes(len(m)))
	out := make(map[string]any, len(m))
	for _, k := range sortedKeys(m) {
		e.bytes += len(k)
		out[k] = e.value(m[k], depth+1)
	}
	return out
}

func (e *exporter) pathOf(p *path, depth int) any {
	var out store.Path
	for _, n := range p.nodes {
		out.Nodes = append(out.Nodes, e.value(n, depth+1).(store.Node))
	}
	for _, r := range p.rels {
		out.Relationships = append(out.Relationships, e.value(r, depth+1).(store.Relationship))
	}
	return out
}

func nodeID(id int32) string { return "n" + strconv.Itoa(int(id)) }
func relID(id int32) string  { return "r" + strconv.Itoa(int(id)) }
