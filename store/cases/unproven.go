package cases

import (
	"context"
	_ "embed"
	"errors"

	"precedent/store/sqlite"
)

//go:embed unproven.sql
var unprovenSchema string

// MaxUnproven is how many unproven votes are kept of one answer.
const MaxUnproven = 100

// keep keeps an unproven vote on an answer in place of the one of that name
// before it. Beyond [MaxUnproven] names it keeps none.
func (w *writing) keep(b Ballot) error {
	if b.Value == None {
		_, err := w.exec("DELETE FROM unproven WHERE answer = ? AND user = ?", b.Answer, b.User)
		return err
	}
	_, err := w.exec(`INSERT INTO unproven (answer, user, at, value, reason, why) SELECT ?1, ?2, ?3, ?4, ?5, ?6
		WHERE (SELECT count(*) FROM unproven WHERE answer = ?1 AND user <> ?2) < ?7
		ON CONFLICT DO UPDATE SET at = excluded.at, value = excluded.value, reason = excluded.reason, why = excluded.why`,
		b.Answer, b.User, w.at.UnixMicro(), b.Value, b.Reason, b.Why, MaxUnproven)
	return err
}

// heedNobody keeps an unproven vote and says how the case stands, which stays so.
func (l *Library) heedNobody(w *writing, b Ballot, done *Outcome) error {
	if err := w.keep(b); err != nil || done.Case == "" {
		return err
	}
	r, err := find(w.ctx, w.tx, done.Case)
	if errors.Is(err, ErrUnknownCase) {
		done.Case = ""
		return nil
	}
	if err != nil {
		return err
	}
	answers, err := w.answering(r)
	if err != nil {
		return err
	}
	done.Case, done.Before, done.After = answers.Case.ID, answers.Case.Status, answers.Case.Status
	done.Tally, err = tally(w.ctx, w.tx, r.Case.ID)
	return err
}

// unproven counts the unproven votes on the answers of a case.
func unproven(ctx context.Context, in sqlite.Querier, id string) (n int, err error) {
	err = in.QueryRowContext(ctx, "SELECT count(DISTINCT user) FROM unproven JOIN journal ON id = answer WHERE case_id = ?", id).Scan(&n)
	return n, err
}
