package cases

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"precedent/store"
)

// A Lack is something that a case needs of its graph, and that the graph no longer has.
type Lack struct {
	Kind LackKind `json:"kind"`
	Name string   `json:"name"`          // of the label, the type, the property (Label.key), or the pattern as it is printed
	Was  string   `json:"was,omitempty"` // of a property with other values: the type of them, when the case was held against the graph
	Is   string   `json:"is,omitempty"`  // and the one now
}

// LackKind is what is lacking.
type LackKind string

// Kinds of what a graph may lack.
const (
	LackLabel     LackKind = "label"
	LackType      LackKind = "type"
	LackProperty  LackKind = "property"
	LackDirection LackKind = "direction" // no such pattern is in the graph any more
	LackForm      LackKind = "form"      // the property is there, with values of another type
	LackPlan      LackKind = "plan"      // the graph doesn't plan the query any more
)

// String says a lack in words that people may read.
func (l Lack) String() string {
	switch l.Kind {
	case LackLabel:
		return fmt.Sprintf("the graph no longer has the label %s", l.Name)
	case LackType:
		return fmt.Sprintf("the graph no longer has the relationship type %s", l.Name)
	case LackProperty:
		return fmt.Sprintf("the graph no longer has the property %s", l.Name)
	case LackForm:
		return fmt.Sprintf("%s holds %s now, which was %s", l.Name, l.Is, l.Was)
	case LackDirection:
		return fmt.Sprintf("the graph no longer has the pattern %s", l.Name)
	}
	return fmt.Sprintf("the graph doesn't take the query any more: %s", l.Name)
}

// A Drift is a case that names what its graph lacks.
type Drift struct {
	Case     string `json:"id"`
	Question string `json:"question"`
	Lacks    []Lack `json:"lacks"`
}

// Why says it in words that people may read.
func (d Drift) Why() string {
	said := make([]string, len(d.Lacks))
	for i, l := range d.Lacks {
		said[i] = l.String()
	}
	return strings.Join(said, "; ")
}

// A Misread is a verified case whose words are read otherwise now than its query goes.
type Misread struct {
	Case     string `json:"id"`
	Question string `json:"question"`
	Doubt    Doubt  `json:"doubt"`   // of the first such wording
	Answers  bool   `json:"answers"` // it still answers what is asked with exactly its words
}

// drifted is what a row keeps of a case that the program took out of use: who
// had verified it, and what is to be there before it comes back.
type drifted struct {
	Lacks []Lack     `json:"lacks"`
	By    string     `json:"by"`
	At    *time.Time `json:"at,omitempty"`
}

// TakeOut quarantines verified cases that name what the graph lacks. Whoever moves
// or undoes that decides; else they come back with [Library.TakeBack]. Those that are
// not verified any more are left alone.
func (l *Library) TakeOut(ctx context.Context, list []Drift) (taken int, err error) {
	err = l.inTransaction(ctx, func(w *writing) error {
		for _, d := range list {
			before, err := find(w.ctx, w.tx, d.Case)
			if err != nil || before.Case.Status != store.Verified {
				continue
			}
			after := before.clone()
			ch := Change{By: ByTheProgram, Why: d.Why(), Auto: true}
			after.become(store.Quarantined, ch, w.at)
			after.Drifted = &drifted{Lacks: d.Lacks, By: before.Case.VerifiedBy, At: before.Case.VerifiedAt}
			if _, err := w.saveMerging(before, after, ch, 0, cause{}); err != nil {
				return err
			}
			taken++
		}
		return nil
	})
	return taken, err
}

// BackWhy is why a case that was taken out of use is in use again.
const BackWhy = "the graph has again what it lacked"

// TakeBack verifies cases again that TakeOut quarantined, as they were verified before.
func (l *Library) TakeBack(ctx context.Context, ids []string) (back []string, err error) {
	err = l.inTransaction(ctx, func(w *writing) error {
		for _, id := range ids {
			before, err := find(w.ctx, w.tx, id)
			if err != nil || before.Drifted == nil || before.Case.Status != store.Quarantined {
				continue
			}
			after := before.clone()
			ch := Change{By: ByTheProgram, Why: BackWhy, Auto: true}
			after.become(store.Verified, ch, w.at)
			after.Case.VerifiedBy, after.Case.VerifiedAt = before.Drifted.By, before.Drifted.At
			if _, err := w.saveMerging(before, after, ch, 0, cause{}); err != nil {
				return err
			}
			back = append(back, id)
		}
		return nil
	})
	return back, err
}

// Drifted are the cases that TakeOut quarantined and nobody moved since, with what
// the graph lacked, in the order they were added.
func (l *Library) Drifted(ctx context.Context) (found []store.Case, lacks [][]Lack, err error) {
	if err := l.synced(ctx); err != nil {
		return nil, nil, err
	}
	err = l.eachRow(ctx, l.readers, func(_ string, r *row) {
		if r != nil && r.Drifted != nil && !r.broken {
			found, lacks = append(found, r.Case), append(lacks, r.Drifted.Lacks)
		}
	}, "SELECT id, "+rowColumns+" FROM cases WHERE status = ? AND instr(body, '\"drifted\":') > 0 ORDER BY number", store.Quarantined)
	return found, lacks, l.explain(err)
}

// withheldName is the row of meta that holds what [Library.Withhold] keeps.
const withheldName = "withheld"

// Withhold keeps which verified cases don't answer, since the graph lacks what they
// name, though they were too many to be taken out of use. It replaces those of before.
func (l *Library) Withhold(ctx context.Context, list []Drift) error {
	if list == nil {
		list = []Drift{}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return l.inTransaction(ctx, func(w *writing) error { return w.setMeta(withheldName, string(text)) })
}

// Withheld are those of the last Withhold, by id.
func (l *Library) Withheld(ctx context.Context) (map[string]Drift, error) {
	text, err := l.kept(ctx, withheldName)
	if err != nil || text == "" {
		return nil, err
	}
	var list []Drift
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("reading which cases are withheld: %w", err)
	}
	found := make(map[string]Drift, len(list))
	for _, d := range list {
		found[d.Case] = d
	}
	return found, nil
}

// heldName is the row of meta that holds what [Library.KeepHeld] keeps.
const heldName = "held"

// KeepHeld keeps the hash of the schema against which all verified cases were held
// last, and Held is that.
func (l *Library) KeepHeld(ctx context.Context, hash string) error {
	return l.inTransaction(ctx, func(w *writing) error { return w.setMeta(heldName, hash) })
}

// Held is what [Library.KeepHeld] kept last.
func (l *Library) Held(ctx context.Context) (hash string, err error) { return l.kept(ctx, heldName) }

// kept is a row of meta; "" for none.
func (l *Library) kept(ctx context.Context, name string) (text string, err error) {
	err = l.readers.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE name = ?), '')", name).Scan(&text)
	return text, l.explain(err)
}

// Flag has curators look at cases for a reason, and no longer at those that were
// flagged for it before. One that is flagged for another keeps that.
func (l *Library) Flag(ctx context.Context, why string, ids []string) error {
	if len(ids) == 0 {
		var some bool
		err := l.readers.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM cases WHERE flag <> '' AND flag = ?)", cut(why)).Scan(&some)
		if err != nil || !some {
			return l.explain(err)
		}
	}
	return l.inTransaction(ctx, func(w *writing) error {
		if _, err := w.exec("UPDATE cases SET flag = '' WHERE flag = ?", cut(why)); err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := w.exec("UPDATE cases SET flag = ? WHERE id = ? AND flag = ''", cut(why), id); err != nil {
				return err
			}
		}
		return nil
	})
}
