package cases

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"precedent/store"
	"precedent/store/sqlite"
)

// Forgotten stands where a user was named who is forgotten. Votes have it with
// something random behind it, so that each still counts as one user's.
const Forgotten = "forgotten"

// pruneStep is how many answers are pruned in one transaction; between, others get their turn.
const pruneStep = 500

// Forget takes a user out of the library, in one transaction, and rewrites the
// file so that nothing of it is left in there. n counts what changed: answers,
// votes, cases and changes.
//
// Of the user's answers the ids, routes, times and counts stay, and neither
// question nor query. Cases that only this user asked go with their history
// where nobody has approved the text: all that are private, and candidates that
// nobody else voted on. So do aliases that only this user taught, until a curator
// approves them. Other cases stay with their words; where they or their
// history name the user as author, curator or voter, they say [Forgotten].
// Votes count on, so tallies stay, but their words go; should the user come
// back, that is somebody new. Where a case is public that the user asked in private
// first, its history has the public words instead. The reasons of changes stay
// as they were written.
//
// If the file can't be rewritten, n is what was forgotten and the error says
// why its free space may still hold it; Forget may be called again.
func (l *Library) Forget(ctx context.Context, user string) (n int64, err error) {
	switch user {
	case "":
		return 0, fmt.Errorf("forgetting a user: none is named; name one as `cases history` does, like slack:U012AB3CD")
	case ByTheMembers, ByTheProgram, Forgotten:
		return 0, fmt.Errorf("forgetting a user: %q is nobody's name; name one as `cases history` does, like slack:U012AB3CD", user)
	}
	user = named(user)
	if err := l.flush(ctx); err != nil {
		return 0, fmt.Errorf("forgetting a user: %w", err)
	}
	err = l.inTransaction(ctx, func(w *writing) error {
		n = 0
		blanked, err := w.blank("json_extract(body, '$.user') = ?1", user)
		if err != nil {
			return err
		}
		n += blanked
		return w.openChanges(func() error {
			removed, err := w.removeAskedBy(user)
			if err != nil {
				return err
			}
			untaught, err := w.removeTaughtBy(user)
			if err != nil {
				return err
			}
			if err := w.publishHistory(user); err != nil {
				return err
			}
			renamed, err := w.rename(user, Forgotten+" "+strings.ToLower(rand.Text()[:8]))
			n += removed + untaught + renamed
			return err
		})
	})
	if err != nil {
		return 0, fmt.Errorf("forgetting a user: %w", err)
	}
	if err := l.rewrite(ctx); err != nil {
		return n, fmt.Errorf("forgetting a user: it is done, but the file's free space may hold traces: %w", err)
	}
	return n, nil
}

// Prune removes the answers of before a time from the journal, and rewrites the
// file if there were any. Of answers that people voted on the ids stay, as with
// [Library.Forget], and so do all votes, cases, and who asked which case: these
// decide what becomes of cases. n counts the answers. A vote on an answer that
// was removed is refused with [ErrUnknownAnswer].
//
// Other writers get their turn meanwhile. What was pruned before an error stays so.
func (l *Library) Prune(ctx context.Context, before time.Time) (n int64, err error) {
	if err := l.flush(ctx); err != nil {
		return 0, fmt.Errorf("pruning the journal: %w", err)
	}
	old, voted := "unixepoch(json_extract(body, '$.at'), 'subsec') < ?1", "EXISTS (SELECT 1 FROM ballots WHERE answer = id)"
	at := float64(before.UnixMilli()) / 1000
	steps := []func(w *writing) (int64, error){
		func(w *writing) (int64, error) {
			return sqlite.Changed(w.exec("DELETE FROM journal WHERE number IN (SELECT number FROM journal WHERE "+old+" AND NOT "+voted+" LIMIT ?2)", at, pruneStep))
		},
		func(w *writing) (int64, error) {
			return w.blank(old+" AND "+voted+" AND coalesce(json_extract(body, '$.user'), '') <> '"+Forgotten+"' LIMIT ?2", at, pruneStep)
		},
	}
	for _, step := range steps {
		for done := int64(pruneStep); done == pruneStep; n += done {
			err := l.inTransaction(ctx, func(w *writing) (err error) {
				done, err = step(w)
				return err
			})
			if err != nil {
				return n, fmt.Errorf("pruning the journal: %w", err)
			}
		}
	}
	if n == 0 {
		return 0, nil
	}
	if err := l.rewrite(ctx); err != nil {
		return n, fmt.Errorf("pruning the journal: it is done, but the file's free space may hold traces: %w", err)
	}
	return n, nil
}

// blank takes what was said out of the entries that meet a condition.
func (w *writing) blank(condition string, args ...any) (int64, error) {
	blanks := map[int64]string{}
	err := sqlite.Each(w.ctx, w.tx, func(scan func(...any) error) (err error) {
		var number int64
		var body string
		if err := scan(&number, &body); err != nil {
			return err
		}
		var e Entry
		if err := decode(body, &e); err != nil {
			return fmt.Errorf("reading the journal: %w", err)
		}
		blanks[number], err = e.blank().encode()
		return err
	}, "SELECT number, body FROM journal WHERE "+condition, args...)
	if err != nil {
		return 0, err
	}
	for number, body := range blanks {
		if _, err := w.exec("UPDATE journal SET conversation = '', body = ? WHERE number = ?", body, number); err != nil {
			return 0, err
		}
	}
	return int64(len(blanks)), nil
}

// blank is e without what was said and by whom.
func (e Entry) blank() Entry {
	return Entry{
		ID: e.ID, At: e.At, User: Forgotten, Scope: e.Scope, Language: e.Language, Route: e.Route,
		RowCount: e.RowCount, Truncated: e.Truncated, Repairs: e.Repairs, ModelCalls: e.ModelCalls, EmbeddingCalls: e.EmbeddingCalls,
		PromptTokens: e.PromptTokens, ReplyTokens: e.ReplyTokens, Timings: e.Timings,
	}
}

// openChanges lets do change the histories, which are append-only but for this.
func (w *writing) openChanges(do func() error) error {
	triggers := map[string]string{}
	err := sqlite.Each(w.ctx, w.tx, func(scan func(...any) error) error {
		var name, text string
		err := scan(&name, &text)
		triggers[name] = text
		return err
	}, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('changes', 'taught_changes')")
	if err != nil {
		return err
	}
	for name := range triggers {
		if _, err := w.tx.ExecContext(w.ctx, "DROP TRIGGER "+name); err != nil {
			return err
		}
	}
	if err := do(); err != nil {
		return err
	}
	for _, text := range triggers {
		if _, err := w.tx.ExecContext(w.ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// removeAskedBy removes the cases that only this user asked and whose text
// nobody has approved. None of them was ever recalled as it is now.
func (w *writing) removeAskedBy(user string) (n int64, err error) {
	const theirs = `SELECT id FROM cases c
		WHERE (private = 1 OR status = ?2 AND NOT EXISTS (SELECT 1 FROM ballots b WHERE b.case_id = c.id AND b.user <> ?1))
			AND EXISTS (SELECT 1 FROM askers a WHERE a.case_id = c.id AND a.user = ?1)
			AND NOT EXISTS (SELECT 1 FROM askers a WHERE a.case_id = c.id AND a.user <> ?1)`
	for _, query := range []string{
		"UPDATE journal SET case_id = '' WHERE case_id IN (" + theirs + ")",
		"DELETE FROM changes WHERE case_id IN (" + theirs + ")",
		"DELETE FROM cases WHERE id IN (" + theirs + ")", // and askers and vectors with them
	} {
		if n, err = sqlite.Changed(w.exec(query, user, store.Candidate)); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// publishHistory puts the words of public cases that a user asked in place of
// the private ones that they had before.
func (w *writing) publishHistory(user string) error {
	for _, column := range []string{"before", "after"} {
		_, err := w.exec(fmt.Sprintf(`UPDATE changes SET %s = json_set(%[1]s, '$.case.question', json_extract(c.body, '$.case.question'),
				'$.case.wordings', json_extract(c.body, '$.case.wordings'), '$.case.slots', json_extract(c.body, '$.case.slots'))
			FROM cases c JOIN askers a ON a.case_id = c.id AND a.user = ?1
			WHERE c.id = changes.case_id AND c.private = 0 AND json_extract(changes.%[1]s, '$.private')`, column), user)
		if err != nil {
			return err
		}
	}
	return nil
}

// rename puts other names where a user is named: [Forgotten], and where users
// are told apart, other.
func (w *writing) rename(user, other string) (n int64, err error) {
	queries := []string{
		"UPDATE askers SET user = ?2 WHERE user = ?1",
		"UPDATE ballots SET user = ?2, why = '' WHERE user = ?1",
		"UPDATE unproven SET user = ?2, why = '' WHERE user = ?1",
		"UPDATE changes SET voter = ?2 WHERE voter = ?1",
		"UPDATE changes SET by = ?3 WHERE by = ?1",
		"UPDATE teachers SET user = ?2 WHERE user = ?1",
		"UPDATE taught SET by = ?3 WHERE by = ?1",
		"UPDATE taught_changes SET by = ?3 WHERE by = ?1",
	}
	for _, column := range []string{"cases.body", "changes.before", "changes.after"} {
		table, column, _ := strings.Cut(column, ".")
		for _, path := range []string{"'$.case.author'", "'$.case.verified_by'"} {
			queries = append(queries, fmt.Sprintf("UPDATE %s SET %s = json_set(%[2]s, %[3]s, ?3) WHERE json_extract(%[2]s, %[3]s) = ?1", table, column, path))
		}
	}
	for _, query := range queries {
		renamed, err := sqlite.Changed(w.exec(query, user, other, Forgotten))
		if err != nil {
			return 0, err
		}
		n += renamed
	}
	return n, nil
}

// rewrite leaves in the file and its log what is in the tables, and nothing else.
func (l *Library) rewrite(ctx context.Context) error {
	for _, query := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := l.writer.ExecContext(ctx, query); err != nil {
			return l.explain(err)
		}
	}
	return nil
}
