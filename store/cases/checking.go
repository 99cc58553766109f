package cases

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// checkTries bounds how often a promotion starts again because the case
// changed while it was being checked.
const checkTries = 5

// checks are the verdicts on cases as they were at a change.
type checks struct {
	verdicts map[int64]error
	none     bool // there is nothing to check with
}

// A needed says that a case must be checked before the transaction can go on.
type needed struct{ row *row }

func (needed) Error() string { return "the case has to be checked first" }

// A Doubt is a verdict of [Config.Check] that a curator may overrule, with
// Change.AsIs: what a wording is read as and the query don't prove each other.
type Doubt struct {
	Wording string   `json:"wording"`
	Words   []string `json:"words"`         // what the words say, and the query doesn't
	Query   []string `json:"query"`         // what the query says, and the words don't
	Why     string   `json:"why,omitempty"` // in place of both: why they can't be held against each other
}

func (d Doubt) Error() string {
	if d.Why != "" {
		return d.Why
	}
	return fmt.Sprintf("%q and the query don't prove each other: %s", d.Wording, strings.Join(slices.Concat(d.Words, d.Query), "; "))
}

// check returns nil if r passed, an error that wraps [ErrPromotion] if it did
// not, and a needed if nobody has looked yet.
func (p checks) check(r *row) error {
	if p.none {
		return nil
	}
	verdict, known := p.verdicts[r.revision]
	switch {
	case !known:
		return needed{r}
	case verdict != nil:
		return fmt.Errorf("case %q: %w: %w", r.Case.ID, ErrPromotion, verdict)
	}
	return nil
}

// checking runs do in a transaction. Where do needs a case checked, the
// transaction is rolled back, the check runs without the lock, and do starts
// again with its verdict, on what is there by then.
func (l *Library) checking(ctx context.Context, do func(w *writing, passed checks) error) error {
	passed := checks{verdicts: map[int64]error{}, none: l.check == nil}
	for range checkTries {
		err := l.inTransaction(ctx, func(w *writing) error { return do(w, passed) })
		need, ok := errors.AsType[needed](err)
		if !ok {
			return err
		}
		passed.verdicts[need.row.revision] = l.check(ctx, need.row.Case)
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("checking case %q: %w", need.row.Case.ID, err)
		}
	}
	return fmt.Errorf("%w: the case kept changing while it was checked; try again", ErrBusy)
}
