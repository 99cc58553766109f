package cases

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"precedent/store"
	"precedent/store/sqlite"
)

//go:embed taught.sql
var taughtSchema string

// A Taught is another name for a value of the graph that somebody taught. It
// prints as a line of `cases aliases --json`.
type Taught struct {
	ID       string       `json:"id"`   // begins with TaughtPrefix
	Name     string       `json:"name"` // as typed
	Label    string       `json:"label"`
	Property string       `json:"property"`
	Value    string       `json:"value"`  // as stored in the graph
	Status   store.Status `json:"status"` // candidate, verified or rejected
	By       string       `json:"by"`     // who taught it first
	Teachers int          `json:"teachers"`
	Answer   string       `json:"answer"`  // that it was taught on
	Private  bool         `json:"private"` // taught in private only and not approved: its text is for curators alone
	Note     string       `json:"note"`    // what a curator should mind, one of the notes
	At       time.Time    `json:"at"`

	DecidedBy string     `json:"decided_by"` // of the last decision; "" if there was none
	DecidedAt *time.Time `json:"decided_at"`
	Why       string     `json:"why"`

	Key string `json:"-"` // the folded name: what makes two names the same
}

// TaughtPrefix begins the id of every taught alias and of no case that the program made.
const TaughtPrefix = "alias-"

// Notes of a taught alias.
const (
	NoteCommon = "common" // the name is made of everyday words; it is kept, for a curator to judge
	NoteNear   = "near"   // the name is spelt much like that of another value, for which it would no longer be taken; it is kept
	NoteKnown  = "known"  // the name means the value already; not kept
	NoteTaken  = "taken"  // the name means another value already, which Value is; not kept
)

// MaxTaught is how many candidates of one user may wait for a decision.
const MaxTaught = 50

// Errors of what people teach; test with errors.Is.
var (
	ErrTaught        = errors.New("not a usable alias")
	ErrUnknownTaught = errors.New("no such alias")
	ErrTaughtFull    = errors.New("too many aliases wait for a decision")
)

const taughtColumns = `id, key, name, label, property, value, status, taught.by, answer, private, note, taught.at,
	(SELECT count(*) FROM teachers WHERE alias = id),
	coalesce(d.by, ''), coalesce(d.at, 0), coalesce(d.why, '')
	FROM taught LEFT JOIN taught_changes d ON d.seq = (SELECT max(seq) FROM taught_changes WHERE alias = id AND was <> '')`

func scanTaught(scan func(...any) error) (t Taught, err error) {
	var at, decided int64
	err = scan(&t.ID, &t.Key, &t.Name, &t.Label, &t.Property, &t.Value, &t.Status, &t.By, &t.Answer, &t.Private, &t.Note, &at, &t.Teachers, &t.DecidedBy, &decided, &t.Why)
	t.At = time.UnixMicro(at).UTC()
	if decided != 0 {
		when := time.UnixMicro(decided).UTC()
		t.DecidedAt = &when
	}
	return t, err
}

// Teach keeps t as a candidate and returns it as kept, or returns the alias
// that has its name and value already, whatever its status. Who teaches it is
// remembered. A candidate known from private conversations only takes the words
// of the first public one. Its error wraps [ErrTaught] where name or value are
// missing, [ErrTaughtFull] where the user has [MaxTaught] candidates waiting.
func (l *Library) Teach(ctx context.Context, t Taught) (kept Taught, err error) {
	if t.Key == "" || t.Name == "" || t.Label == "" || t.Property == "" || t.Value == "" {
		return kept, fmt.Errorf("keeping an alias: %w: it needs a name and a value", ErrTaught)
	}
	if len(t.Name) > maxName {
		return kept, fmt.Errorf("keeping an alias: %w: a name may have %d bytes", ErrTaught, maxName)
	}
	t.By = named(t.By)
	err = l.inTransaction(ctx, func(w *writing) error {
		found, err := scanTaught(w.queryRow("SELECT "+taughtColumns+" WHERE key = ? AND label = ? AND property = ? AND value = ?", t.Key, t.Label, t.Property, t.Value).Scan)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			found.ID, err = l.newTaught(w, t)
		case err == nil && found.Private && !t.Private && found.Status == store.Candidate:
			_, err = w.exec("UPDATE taught SET name = ?, by = ?, answer = ?, private = 0 WHERE id = ?", t.Name, t.By, t.Answer, found.ID)
		}
		if err != nil {
			return err
		}
		if _, err := w.exec("INSERT INTO teachers (alias, user) VALUES (?, ?) ON CONFLICT DO NOTHING", found.ID, t.By); err != nil {
			return err
		}
		kept, err = oneTaught(w.ctx, w.tx, found.ID)
		return err
	})
	if err != nil {
		return kept, fmt.Errorf("keeping an alias: %w", err)
	}
	return kept, nil
}

func (l *Library) newTaught(w *writing, t Taught) (id string, err error) {
	var waiting int
	err = w.queryRow("SELECT count(*) FROM taught JOIN teachers ON alias = id WHERE user = ? AND status = ?", t.By, store.Candidate).Scan(&waiting)
	if err != nil {
		return "", err
	}
	if waiting >= MaxTaught {
		return "", fmt.Errorf("%w: %d by %q; a curator decides on them with `cases aliases`", ErrTaughtFull, waiting, t.By)
	}
	id = TaughtPrefix + l.ids.next(w.at)
	_, err = w.exec("INSERT INTO taught (id, key, name, label, property, value, status, by, answer, private, note, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		id, t.Key, t.Name, t.Label, t.Property, t.Value, store.Candidate, t.By, t.Answer, t.Private, t.Note, w.at.UnixMicro())
	if err != nil {
		return "", err
	}
	return id, w.taughtChange(id, Change{By: t.By, Why: "taught", To: store.Candidate})
}

func (w *writing) taughtChange(id string, ch Change) error {
	_, err := w.exec("INSERT INTO taught_changes (at, alias, by, why, was, became) VALUES (?, ?, ?, ?, ?, ?)", w.at.UnixMicro(), id, named(ch.By), cut(ch.Why), ch.From, ch.To)
	return err
}

// oneTaught returns an alias. Its error wraps [ErrUnknownTaught].
func oneTaught(ctx context.Context, in sqlite.Querier, id string) (Taught, error) {
	t, err := scanTaught(in.QueryRowContext(ctx, "SELECT "+taughtColumns+" WHERE id = ?", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return t, unknownTaught(id)
	}
	return t, err
}

func unknownTaught(id string) error {
	return fmt.Errorf("alias %q: %w; `cases aliases` shows the ids", id, ErrUnknownTaught)
}

// DecideTaught moves an alias to verified or rejected, from whatever it was,
// and returns it. Verified, its text is public. To decide as it is decided
// changes nothing. Its error wraps [ErrUnknownTaught], or [ErrMove] where
// another value has the name by an alias that is verified.
func (l *Library) DecideTaught(ctx context.Context, id string, to store.Status, ch Change) (t Taught, err error) {
	if to != store.Verified && to != store.Rejected {
		return t, fmt.Errorf("alias %q: %w: it can become verified or rejected, not %q", id, ErrMove, to)
	}
	err = l.inTransaction(ctx, func(w *writing) (err error) {
		if t, err = oneTaught(w.ctx, w.tx, id); err != nil || t.Status == to {
			return err
		}
		if to == store.Verified {
			other, err := scanTaught(w.queryRow("SELECT "+taughtColumns+" WHERE key = ? AND status = ?", t.Key, to).Scan)
			if err == nil {
				return fmt.Errorf("alias %q: %w: %q is taught for %s already (%s); reject that first", id, ErrMove, t.Name, other.Value, other.ID)
			}
			if !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		if _, err := w.exec("UPDATE taught SET status = ?, private = private AND ? WHERE id = ?", to, to != store.Verified, id); err != nil {
			return err
		}
		ch.From, ch.To = t.Status, to
		if err := w.taughtChange(id, ch); err != nil {
			return err
		}
		t, err = oneTaught(w.ctx, w.tx, id)
		return err
	})
	return t, err
}

// Taught returns the aliases of a status, "" for all, in the order in which
// they were taught.
func (l *Library) Taught(ctx context.Context, status store.Status) ([]Taught, error) {
	found, err := sqlite.All(ctx, l.readers, scanTaught, "SELECT "+taughtColumns+" WHERE ?1 = '' OR status = ?1 ORDER BY number", status)
	return found, l.explain(err)
}

// OneTaught returns an alias. Its error wraps [ErrUnknownTaught].
func (l *Library) OneTaught(ctx context.Context, id string) (Taught, error) {
	t, err := oneTaught(ctx, l.readers, id)
	return t, l.explain(err)
}

// TaughtHistory returns who taught an alias, and who decided on it and why,
// oldest first. Its error wraps [ErrUnknownTaught].
func (l *Library) TaughtHistory(ctx context.Context, id string) ([]Change, error) {
	read := func(scan func(...any) error) (ch Change, err error) {
		var at int64
		err = scan(&ch.ID, &at, &ch.Case, &ch.By, &ch.Why, &ch.From, &ch.To)
		ch.At = time.UnixMicro(at).UTC()
		return ch, err
	}
	changes, err := sqlite.All(ctx, l.readers, read, "SELECT seq, at, alias, by, why, was, became FROM taught_changes WHERE alias = ? ORDER BY seq", id)
	if err == nil && len(changes) == 0 {
		err = unknownTaught(id)
	}
	return changes, l.explain(err)
}

// TaughtSince returns the verified aliases and the number to ask with next
// time, where anything was taught or decided after seq, in this process or
// another; else changed is false. It is cheap enough to ask before every question.
func (l *Library) TaughtSince(ctx context.Context, seq int64) (verified []Taught, next int64, changed bool, err error) {
	last, err := l.watch.latestHeads(ctx)
	if err != nil || last.taught == seq {
		return nil, seq, false, l.explain(err)
	}
	// What is taught between the two is seen again next time.
	verified, err = l.Taught(ctx, store.Verified)
	return verified, last.taught, true, err
}

// removeTaughtBy removes the aliases that only this user taught and whose text
// nobody has approved.
func (w *writing) removeTaughtBy(user string) (n int64, err error) {
	const theirs = `SELECT id FROM taught t WHERE (private = 1 OR status = ?2)
		AND EXISTS (SELECT 1 FROM teachers WHERE alias = t.id AND user = ?1) AND NOT EXISTS (SELECT 1 FROM teachers WHERE alias = t.id AND user <> ?1)`
	for _, query := range []string{
		"DELETE FROM taught_changes WHERE alias IN (" + theirs + ")",
		"DELETE FROM taught WHERE id IN (" + theirs + ")", // and teachers with them
	} {
		if n, err = sqlite.Changed(w.exec(query, user, store.Candidate)); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// IsTaught reports whether an id is that of a taught alias.
func IsTaught(id string) bool { return strings.HasPrefix(id, TaughtPrefix) }
