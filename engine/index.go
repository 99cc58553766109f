package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
)

// indexed is a verified case under one of its readings.
type indexed struct {
	c     *store.Case
	names []string // of the case's slots, in the order of the reading's
}

// follow brings the index up to date with the library.
func (e *Engine) follow(ctx context.Context) error {
	e.index.RLock()
	seq := e.seq
	started := e.byKey != nil
	e.index.RUnlock()
	if started {
		if changed, err := e.library.Changed(ctx, seq); err != nil || !changed {
			return err
		}
	}
	changed, next, err := e.library.Since(ctx, seq)
	if err != nil {
		return fmt.Errorf("reading the case library: %w", err)
	}
	reader := e.snapshot().reader
	type keyed struct {
		key string
		in  indexed
	}
	entries := make(map[string][]keyed)
	for _, c := range changed {
		entries[c.ID] = nil
		if c.Status != store.Verified {
			continue
		}
		for _, w := range c.Wordings {
			rd, err := reader.ReadWording(w, c.Slots)
			if err != nil || rd.Key() == "" {
				e.log.Warn("wording without a reading", "case", c.ID, "wording", w, "err", err)
				continue
			}
			if rd.Frame != nil {
				if err := prove(reader, rd, &c); err != nil {
					e.log.Error("words and query don't prove each other; the wording is not used", "case", c.ID, "wording", w, "err", err)
					continue
				}
			}
			names := slotNames(rd)
			if names == nil {
				continue
			}
			entries[c.ID] = append(entries[c.ID], keyed{rd.Key(), indexed{&c, names}})
		}
	}
	e.index.Lock()
	defer e.index.Unlock()
	if e.byKey == nil {
		e.byKey, e.readers, e.cases = make(map[string][]indexed), make(map[string][]string), make(map[string]*store.Case)
	}
	for i := range changed {
		c := &changed[i]
		if delete(e.cases, c.ID); c.Status == store.Verified {
			e.cases[c.ID] = c
		}
	}
	e.shown = slices.Sorted(maps.Keys(e.cases))
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		for _, key := range e.readers[id] {
			e.byKey[key] = slices.DeleteFunc(slices.Clone(e.byKey[key]), func(in indexed) bool { return in.c.ID == id })
			if len(e.byKey[key]) == 0 {
				delete(e.byKey, key)
			}
		}
		delete(e.readers, id)
		for _, k := range entries[id] {
			if slices.Contains(e.readers[id], k.key) {
				continue
			}
			e.readers[id] = append(e.readers[id], k.key)
			e.byKey[k.key] = append(e.byKey[k.key], k.in)
		}
	}
	e.seq = next
	return nil
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

// covering returns the verified case whose reading is key, and how many share it.
func (e *Engine) covering(key string) (indexed, int) {
	e.index.RLock()
	defer e.index.RUnlock()
	found := e.byKey[key]
	if len(found) != 1 {
		return indexed{}, len(found)
	}
	return found[0], 1
}

// fill returns the parameters of a case's query for the slots of a question's reading.
func fillParams(in indexed, slots []reading.Slot) (map[string]any, error) {
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
	if n, ok := v.(int64); ok {
		switch s.Type {
		case "decade":
			params[s.Name+"_from"], params[s.Name+"_to"] = n, n+10
			return
		case "float":
			v = float64(n)
		}
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
