package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
)

// mostDrifted is the largest part of the verified cases, as one in so many, that is
// taken out of use at once: where it is more, something is wrong with the graph, or
// with its address, rather than with the cases.
const mostDrifted = 10

// A drift is what holding the verified cases against a graph that changed found.
type drift struct {
	of    int           // cases that were held
	fresh []cases.Drift // of those that answered before, in the order of their ids
	still []cases.Drift // of those that had stopped before
	back  []string      // cases that were taken out of use and may come back
}

func (d *drift) all() []cases.Drift { return slices.Concat(d.fresh, d.still) }

// stops reports whether they are too many to be taken out of use.
func (d *drift) stops() bool { return (len(d.fresh)+len(d.still))*mostDrifted > d.of }

// hold holds the cases of aside against its graph. A case has drifted where it lacks
// what it didn't lack before; before may be nil.
func (e *Engine) hold(ctx context.Context, aside *Engine, before *snapshot) (*drift, error) {
	d := &drift{}
	after := aside.snapshot()
	forms := retyped(before, after)
	withheld, err := e.library.Withheld(ctx)
	if err != nil {
		return nil, err
	}
	held, _ := aside.verified()
	d.of = len(held)
	for _, c := range held {
		lacks := e.lacks(after, c.Query)
		if was, stopped := withheld[c.ID]; stopped {
			if left := remaining(was.Lacks, after, lacks); left != nil {
				d.still = append(d.still, cases.Drift{Case: c.ID, Question: c.Question, Lacks: left})
				continue
			}
		}
		if before != nil && len(lacks) > 0 {
			had := e.lacks(before, c.Query)
			lacks = slices.DeleteFunc(lacks, func(l cases.Lack) bool { return slices.Contains(had, l) })
		}
		if before == nil {
			lacks = slices.DeleteFunc(lacks, func(l cases.Lack) bool { return !nowhere(after.schema, l) })
		}
		if lacks = append(lacks, e.reformed(before, c.Query, forms)...); len(lacks) > 0 {
			d.fresh = append(d.fresh, cases.Drift{Case: c.ID, Question: c.Question, Lacks: lacks})
		}
	}
	out, missed, err := e.library.Drifted(ctx)
	if err != nil {
		return nil, err
	}
	for i, c := range out {
		if remaining(missed[i], after, e.lacks(after, c.Query)) != nil {
			continue
		}
		if slices.ContainsFunc(missed[i], func(l cases.Lack) bool { return l.Kind == cases.LackPlan }) {
			if _, ok := aside.planned(ctx, &c, after.schema.Hash); !ok {
				continue
			}
		}
		d.back = append(d.back, c.ID)
	}
	return d, nil
}

// lackOf is what a graph lacks by a problem with a query; not ok is a problem of
// another kind.
func lackOf(p store.Problem) (l cases.Lack, ok bool) {
	kind, ok := map[string]cases.LackKind{"label": cases.LackLabel, "type": cases.LackType, "property": cases.LackProperty}[p.Kind]
	return cases.Lack{Kind: kind, Name: p.Name}, ok
}

// lacks are the names and patterns of a query that a schema doesn't have.
func (e *Engine) lacks(s *snapshot, query string) (found []cases.Lack) {
	stmt, err := cypher.Parse(query)
	if err != nil {
		return nil
	}
	done := s.checker.Check(query, stmt, nil)
	for _, p := range done.Problems {
		if l, ok := lackOf(p); ok {
			found = append(found, l)
		} else if p.Kind == "direction" {
			found = append(found, cases.Lack{Kind: cases.LackDirection, Name: p.Name})
		}
	}
	for _, c := range done.Changes {
		if c.Kind == "direction" {
			found = append(found, cases.Lack{Kind: cases.LackDirection, Name: c.Before})
		}
	}
	return found
}

// nowhere reports whether a schema that was read in full has a name on nothing at all.
func nowhere(s *store.Schema, l cases.Lack) bool {
	if s.Sampled {
		return false
	}
	switch l.Kind {
	case cases.LackLabel:
		return !s.Knows(l.Name, true)
	case cases.LackType:
		return !s.Knows(l.Name, false)
	case cases.LackProperty:
		key := l.Name[strings.LastIndex(l.Name, ".")+1:]
		return !slices.ContainsFunc(properties(s), func(p string) bool { return strings.HasSuffix(p, "."+key) })
	}
	return false
}

// remaining are those of was that a graph still lacks; lacks are all that the same
// query lacks of it.
func remaining(was []cases.Lack, now *snapshot, lacks []cases.Lack) (left []cases.Lack) {
	for _, l := range was {
		switch l.Kind {
		case cases.LackForm:
			if typ := typeOf(now.schema, l.Name); typ != "" && typ != l.Was {
				left = append(left, l)
			}
		case cases.LackPlan: // which is found out anew
		default:
			if slices.Contains(lacks, l) {
				left = append(left, l)
			}
		}
	}
	return left
}

// typeOf is the type of the values of Owner.key in a schema; "" if it has none.
func typeOf(s *store.Schema, name string) string { return types(s)[name] }

// types are those of the values of each property, as Owner.key.
func types(s *store.Schema) map[string]string {
	all := make(map[string]string)
	each(s, func(owner string, p store.Property) { all[owner+"."+p.Name] = p.Type })
	return all
}

// mixed is the type of a property whose values are of several.
const mixed = "ANY"

// widened are types whose values compare with those of another as before.
var widened = map[[2]string]bool{{"INTEGER", "FLOAT"}: true, {"FLOAT", "INTEGER"}: true}

// retyped are the properties whose values are of another type than before.
func retyped(before, after *snapshot) map[string]cases.Lack {
	if before == nil {
		return nil
	}
	was, is := types(before.schema), types(after.schema)
	found := make(map[string]cases.Lack)
	for name, typ := range was {
		if now := is[name]; now != "" && now != typ && now != mixed && typ != mixed && !widened[[2]string{typ, now}] {
			found[name] = cases.Lack{Kind: cases.LackForm, Name: name, Was: typ, Is: now}
		}
	}
	return found
}

// reformed are the retyped properties that a query reads.
func (e *Engine) reformed(before *snapshot, query string, forms map[string]cases.Lack) (found []cases.Lack) {
	if len(forms) == 0 {
		return nil
	}
	stmt, err := cypher.Parse(query)
	if err != nil {
		return nil
	}
	for _, u := range before.checker.Uses(query, stmt) {
		for _, owner := range u.Owners {
			if l, ok := forms[owner+"."+u.Name]; ok && !slices.Contains(found, l) {
				found = append(found, l)
			}
		}
	}
	return found
}

// withhold keeps cases out of the index, though they are verified.
func (e *Engine) withhold(list []cases.Drift) {
	e.index.Lock()
	defer e.index.Unlock()
	e.withheld = make(map[string]cases.Drift, len(list))
	for _, d := range list {
		e.drop(d.Case)
		e.withheld[d.Case] = d
	}
	e.shown = nil
	e.show(changes{})
}

// release puts an end to withholding a case that was changed, and lacks nothing any more.
func (e *Engine) release(c *store.Case) {
	if d, ok := e.withheld[c.ID]; ok {
		if now := e.snapshot(); remaining(d.Lacks, now, e.lacks(now, c.Query)) == nil {
			delete(e.withheld, c.ID)
		}
	}
}

// Bounds of asking a graph to plan the queries of all cases.
const (
	explainWorkers = 4
	explainTime    = 30 * time.Second
)

// explainAll has the graph plan the queries of the cases that answer, after it
// changed; those that it doesn't take are withheld too. A graph that can't be asked
// says nothing about them.
func (e *Engine) explainAll(ctx context.Context, d *drift) {
	ctx, cancel := context.WithTimeout(ctx, explainTime)
	defer cancel()
	hash := e.snapshot().schema.Hash
	held, _ := e.verified()
	next := make(chan *store.Case)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range explainWorkers {
		wg.Go(func() {
			for c := range next {
				if l, ok := e.planned(ctx, c, hash); !ok {
					mu.Lock()
					d.fresh = append(d.fresh, cases.Drift{Case: c.ID, Question: c.Question, Lacks: []cases.Lack{l}})
					mu.Unlock()
				}
			}
		})
	}
	for _, c := range held {
		if ctx.Err() != nil {
			break
		}
		next <- c
	}
	close(next)
	wg.Wait()
	slices.SortFunc(d.fresh, func(a, b cases.Drift) int { return strings.Compare(a.Case, b.Case) })
	e.withhold(d.all())
}

// planned asks the graph to plan the query of a case; not ok says what is wrong with it.
func (e *Engine) planned(ctx context.Context, c *store.Case, hash string) (l cases.Lack, ok bool) {
	problems, err := e.explain(ctx, store.Query{Text: c.Query, Params: exampleParams(*c)}, hash)
	if errors.Is(err, store.ErrQuery) && !errors.Is(err, store.ErrTooLarge) {
		return cases.Lack{Kind: cases.LackPlan, Name: err.Error()}, false
	}
	for _, p := range problems {
		if l, lacks := lackOf(p); lacks {
			return l, false
		}
	}
	return l, true
}

// settleDrift takes out of use what drifted, or none of it where that is too much, and
// takes back what may come back.
func (e *Engine) settleDrift(ctx context.Context, d *drift, done *Refreshed) (err error) {
	all := d.all()
	stopped := []cases.Drift(nil)
	if d.stops() {
		stopped = all
	}
	was, err := e.library.Withheld(ctx)
	if err != nil {
		return err
	}
	if len(was)+len(stopped) > 0 {
		if err := e.library.Withhold(ctx, stopped); err != nil {
			return fmt.Errorf("keeping which cases don't answer: %w", err)
		}
	}
	if len(d.back) > 0 {
		if done.Back, err = e.library.TakeBack(ctx, d.back); err != nil {
			return fmt.Errorf("taking cases back into use: %w", err)
		}
	}
	switch {
	case len(stopped) > 0:
		done.Stopped = stopped
	case len(all) > 0:
		done.Out = all
		if _, err := e.library.TakeOut(ctx, all); err != nil {
			return fmt.Errorf("taking cases out of use: %w", err)
		}
	}
	return e.follow(ctx)
}
