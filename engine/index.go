package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/movies"
)

// indexed is a verified case under one of its readings.
type indexed struct {
	keyed
	c      *store.Case // as it is asked by this reading
	taught *store.Case // as it was verified
}

// follow brings the index and the aliases up to date with the library.
func (e *Engine) follow(ctx context.Context) error {
	if err := e.followTaught(ctx); err != nil {
		return err
	}
	e.index.RLock()
	seq := e.seq
	e.index.RUnlock()
	if changed, err := e.library.Changed(ctx, seq); err != nil || !changed {
		return err
	}
	e.following.Lock()
	defer e.following.Unlock()
	e.index.RLock()
	seq = e.seq
	e.index.RUnlock()
	ch, err := e.changes(ctx, seq)
	if err == nil {
		e.apply(ch)
	}
	return err
}

// changes are how the library changed.
type changes struct {
	own       []store.Case // that people made, moved or edited
	asShipped []string     // ids of shipped cases that are as they came
	next      int64        // the number of the last change
}

// changes reads how the library changed after seq.
func (e *Engine) changes(ctx context.Context, seq int64) (ch changes, err error) {
	if e.folder == movies.Name {
		ch.own, ch.asShipped, ch.next, err = e.library.OwnSince(ctx, seq)
	} else {
		ch.own, ch.next, err = e.library.Since(ctx, seq)
	}
	if err != nil {
		return ch, fmt.Errorf("reading the case library: %w", err)
	}
	return ch, nil
}

// begin makes the index of what the library holds and the shipped cases that
// nobody moved, edited or removed.
func (e *Engine) begin(ch changes) {
	n := len(ch.own)
	if e.shipped != nil {
		n += len(e.shipped.cases)
		if e.shipped.readings == nil {
			e.shipped.readings = e.readings(e.shipped.cases)
		}
	}
	e.byKey, e.readers, e.cases = make(map[string][]indexed, n), make(map[string][]string, n), make(map[string]*store.Case, n)
	e.doubts = make(map[string][]doubt)
	if e.shipped != nil {
		instead := make(map[string]bool)
		for _, c := range ch.own {
			instead[c.ID] = true
		}
		for i := range e.shipped.cases {
			if c := &e.shipped.cases[i]; !instead[c.ID] {
				e.put(c, e.shipped.readings[i])
			}
		}
	}
	e.apply(ch)
}

// apply brings changes into the index.
func (e *Engine) apply(ch changes) {
	readings := e.readings(ch.own)
	meant := make([][]string, len(ch.own))
	for i := range ch.own {
		meant[i] = e.meaningKeys(&ch.own[i])
	}
	e.index.Lock()
	defer e.index.Unlock()
	for i := range ch.own {
		e.stop(&ch.own[i], meant[i])
		e.drop(ch.own[i].ID)
		e.release(&ch.own[i])
		e.put(&ch.own[i], readings[i])
	}
	for _, id := range ch.asShipped {
		if at, ours := e.shipped.places()[id]; ours && e.cases[id] != &e.shipped.cases[at] {
			e.drop(id)
			e.stop(&e.shipped.cases[at], nil)
			e.put(&e.shipped.cases[at], e.shipped.readings[at])
		}
	}
	e.seq = ch.next
	e.show(ch)
}

// put puts c into the index if it is verified and shows nothing hidden; it must not be in it.
func (e *Engine) put(c *store.Case, h heard) {
	if c.Status != store.Verified || !e.Shows(*c) {
		return
	}
	if _, drifted := e.withheld[c.ID]; drifted {
		return
	}
	e.cases[c.ID] = c
	for _, k := range h.keys {
		e.readers[c.ID] = append(e.readers[c.ID], k.key)
		e.byKey[k.key] = append(e.byKey[k.key], indexed{k, cmp.Or(k.cast, c), c})
	}
	if len(h.doubts) > 0 {
		e.doubts[c.ID] = h.doubts
	}
}

// Shows reports whether a case may be used and shown: it touches no name and no
// value that the operator hides.
func (e *Engine) Shows(c store.Case) bool {
	if e.gate.hide.Nothing() {
		return true
	}
	if !e.gate.judge(c.Query).Allow {
		return false
	}
	s := e.snapshot()
	return !slices.ContainsFunc(c.Slots, func(slot store.Slot) bool { // the value of a node that is hidden as a whole
		example, ok := slot.Example.(string)
		return ok && slot.Label != "" && s.named[slot.Label+"."+slot.Property] && !s.isNamed(example)
	})
}

// verifiedCase is the verified case with an id as the index has it; nil for one that isn't used.
func (e *Engine) verifiedCase(id string) *store.Case {
	e.index.RLock()
	defer e.index.RUnlock()
	return e.cases[id]
}

// drop takes a case out of the index, if it is in it.
func (e *Engine) drop(id string) {
	for _, key := range e.readers[id] {
		// Cloned, since what covering and checkPromotion took out is still looked at.
		e.byKey[key] = slices.DeleteFunc(slices.Clone(e.byKey[key]), func(in indexed) bool { return in.c.ID == id })
		if len(e.byKey[key]) == 0 {
			delete(e.byKey, key)
		}
	}
	delete(e.readers, id)
	delete(e.cases, id)
	delete(e.doubts, id)
}

// fewChanges is how many changed cases are put in their places one by one.
const fewChanges = 64

// show keeps the cases in order after some changed.
func (e *Engine) show(ch changes) {
	if len(e.shown) == 0 || len(ch.own)+len(ch.asShipped) > fewChanges {
		e.shown = slices.SortedFunc(maps.Values(e.cases), func(a, b *store.Case) int { return strings.Compare(a.ID, b.ID) })
		return
	}
	ids := slices.Clone(ch.asShipped)
	for _, c := range ch.own {
		ids = append(ids, c.ID)
	}
	shown := slices.Clone(e.shown) // which is still looked at
	for _, id := range ids {
		at, there := byID(shown, id)
		if there {
			shown = slices.Delete(shown, at, at+1)
		}
		if c := e.cases[id]; c != nil {
			shown = slices.Insert(shown, at, c)
		}
	}
	e.shown = shown
}

// byID is the place of a case among others in the order of their ids, and
// whether it is there.
func byID(cases []*store.Case, id string) (at int, there bool) {
	return slices.BinarySearchFunc(cases, id, func(c *store.Case, id string) int { return strings.Compare(c.ID, id) })
}

// verified are the verified cases in the order of their ids, and up to which change
// of the library. They stay as they are: look at them without the lock.
func (e *Engine) verified() (cases []*store.Case, seq int64) {
	e.index.RLock()
	defer e.index.RUnlock()
	return e.shown, e.seq
}

// readings are how each of cs is asked, on all processors but where others are answered meanwhile.
func (e *Engine) readings(cs []store.Case) []heard {
	reader := e.snapshot().reader
	found := make([]heard, len(cs))
	var next atomic.Int64
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	if e.gently {
		workers = 1
	}
	for range min(workers, len(cs)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(cs); i = next.Add(1) - 1 {
				found[i] = hear(reader, &cs[i])
			}
		})
	}
	wg.Wait()
	return found
}

// slotNames are the case's names of the reading's slots; nil if a slot of the
// reading stands in no slot of the case.
func slotNames(rd reading.Reading) []string {
	names := []string{}
	for _, s := range rd.Slots {
		if s.Name == "" {
			return nil
		}
		names = append(names, s.Name)
	}
	return names
}

// prove holds a framed wording against the case's query.
func prove(r *reading.Reader, rd reading.Reading, c *store.Case) error {
	names := slotNames(rd)
	if names == nil {
		return fmt.Errorf("a value in the words is no slot of the case")
	}
	stmt, err := cypher.Parse(c.Query)
	if err != nil {
		return err
	}
	return r.Prove(rd.Frame, names, stmt)
}

// fill returns the parameters of a case's query for the slots of a question's reading.
func fillParams(in indexed, slots []reading.Slot) (map[string]any, error) {
	if in.own {
		return exampleParams(*in.c), nil
	}
	if len(slots) != len(in.names) {
		return nil, fmt.Errorf("%d values for %d slots", len(slots), len(in.names))
	}
	params := make(map[string]any)
	for i, name := range in.names {
		j := slices.IndexFunc(in.c.Slots, func(s store.Slot) bool { return s.Name == name })
		if j < 0 {
			return nil, fmt.Errorf("no slot %s", name)
		}
		setParam(params, in.c.Slots[j], slots[i].Value)
	}
	return params, nil
}

// setParam puts the value of slot s where the query looks for it.
func setParam(params map[string]any, s store.Slot, v any) {
	if f, ok := v.(float64); ok && s.Type != "float" && f == float64(int64(f)) {
		v = int64(f)
	}
	if p, ok := periodOf(s.Type, v); ok {
		params[s.Name+"_from"], params[s.Name+"_to"] = p.first, p.next
		if s.Type == "month" {
			params[s.Name+"_year"], params[s.Name+"_month"], _ = numbersOf(p)
		}
		return
	}
	if n, ok := v.(int64); ok && s.Type == "float" {
		v = float64(n)
	}
	params[s.Name] = v
}

// exampleParams are the parameters of a case's query for its own examples.
func exampleParams(c store.Case) map[string]any {
	params := make(map[string]any)
	for _, s := range c.Slots {
		v := s.Example
		if s.Type == "decade" {
			v = reading.DecadeOf(fmt.Sprint(v))
		}
		setParam(params, s, v)
	}
	return params
}
