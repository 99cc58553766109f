package cases

import (
	"errors"
	"fmt"
	"slices"

	"precedent/store"
)

// A Duplicate is a verdict of [Config.Check]: the case asks what a verified
// case asks, in other words, with the same query. Its words become wordings of
// that case, and it is retired; undoing that takes them back.
type Duplicate struct {
	Of       string   // the id of the verified case
	Wordings []string // with the slots of that case
}

func (d Duplicate) Error() string {
	return fmt.Sprintf("it asks what case %s asks, with the same query", d.Of)
}

// promote verifies a case that was checked, or makes it wordings of the case
// that it duplicates.
func (l *Library) promote(w *writing, r *row, ch Change, backing Backing, by cause, passed checks) (Change, error) {
	asked := r.clone()
	asked.Case.AsIs = asked.Case.AsIs || ch.AsIs
	err := passed.check(asked)
	dup, is := errors.AsType[Duplicate](err)
	if !is {
		if err != nil {
			return ch, err
		}
		return w.move(r, store.Verified, ch, backing, by)
	}
	merged := r.clone()
	merged.become(store.Retired, ch, w.at)
	merged.Backing, merged.Touched, merged.Into, merged.Given = backing, true, dup.Of, dup.Wordings
	if merged.Why == "" {
		merged.Why = "another wording of case " + dup.Of
	}
	ch.Why = merged.Why
	return w.saveMerging(r, merged, ch, 0, by)
}

// saveMerging is save for a case that becomes wordings of another, or no
// longer is: those wordings come and go with it.
func (w *writing) saveMerging(before, after *row, ch Change, undoes int64, by cause) (Change, error) {
	var was, is row
	if before != nil {
		was = *before
	}
	if after != nil {
		is = *after
	}
	if was.Into != is.Into {
		if err := w.reword(was.Into, was.Given, nil, ch); err != nil {
			return ch, err
		}
		if err := w.reword(is.Into, nil, is.Given, ch); err != nil {
			return ch, err
		}
	}
	return w.save(before, after, ch, undoes, by)
}

// reword takes wordings from a case and gives it others; "" is no case.
func (w *writing) reword(id string, without, with []string, ch Change) error {
	if id == "" {
		return nil
	}
	r, err := find(w.ctx, w.tx, id)
	if errors.Is(err, ErrUnknownCase) && len(with) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	after := r.clone()
	after.Case.Wordings = slices.DeleteFunc(after.Case.Wordings, func(s string) bool { return slices.Contains(without, s) })
	for _, s := range with {
		if !slices.Contains(after.Case.Wordings, s) {
			after.Case.Wordings = append(after.Case.Wordings, s)
		}
	}
	switch n := len(after.Case.Wordings); {
	case slices.Equal(after.Case.Wordings, r.Case.Wordings):
		return nil
	case n == 0:
		return fmt.Errorf("case %q: %w: no wording would be left", id, ErrCase)
	case n > MaxWordings:
		return fmt.Errorf("case %q: %w: it has %d wordings and that is the most", id, ErrPromotion, MaxWordings)
	case len(with) > 0 && r.Case.Status != store.Verified:
		return fmt.Errorf("case %q: %w: it is no longer verified; try again", id, ErrPromotion)
	}
	after.Touched = true
	why := "other words for it"
	if len(without) > 0 {
		why = "took the other words back"
	}
	_, err = w.save(r, after, Change{By: ch.By, Why: why}, 0, cause{})
	return err
}

// answering is the case that answers for r: the one it became wordings of, or itself.
func (w *writing) answering(r *row) (*row, error) {
	if r.Into == "" {
		return r, nil
	}
	into, err := find(w.ctx, w.tx, r.Into)
	if errors.Is(err, ErrUnknownCase) {
		return r, nil
	}
	return into, err
}
