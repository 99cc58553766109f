package inbox

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"precedent/store/sqlite"
)

// Forget removes what a user did, what was said to them, their votes and what
// they spent, from the file and its log; removed counts that. What isn't done
// yet goes as well. Where the network tells of it again, it is new. An answer that
// they voted on keeps that somebody's vote on it was forgotten, as one of user "".
func (b *Inbox) Forget(ctx context.Context, user string) (removed int64, err error) {
	const doing = "forgetting a user"
	if user == "" {
		return 0, fmt.Errorf("%s: no user is named; name one as the chat does, like slack:U012AB3CD", doing)
	}
	err = b.together(ctx, doing, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO votes (answer, user, value, at) SELECT answer, '', '', at FROM votes WHERE user = ? ON CONFLICT DO NOTHING", user); err != nil {
			return err
		}
		for _, query := range []string{"DELETE FROM events WHERE user = ?", "DELETE FROM shown WHERE user = ?", "DELETE FROM votes WHERE user = ?", "DELETE FROM spent WHERE who = ?"} {
			n, err := sqlite.Changed(tx.ExecContext(ctx, query, user))
			if err != nil {
				return err
			}
			removed += n
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return removed, b.empty(ctx, doing)
}

// pruneStep is how many rows are removed at a time; between, others get their turn.
const pruneStep = 500

// Prune removes what was done, said, voted or spent before a time, and empties
// the log. What isn't done stays, with where it is shown, and so does the last
// message heard in each channel. An event that is put again after Prune removed
// it is new.
func (b *Inbox) Prune(ctx context.Context, before time.Time) error {
	const doing = "removing what is old"
	for _, query := range []string{
		"DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE done > 0 AND done < ?1 LIMIT ?2)",
		`DELETE FROM shown WHERE (chat, channel, message, lone) IN (SELECT chat, channel, message, lone FROM shown s WHERE at < ?1
			AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = s.event AND e.done = 0) LIMIT ?2)`,
		"DELETE FROM votes WHERE (answer, user) IN (SELECT answer, user FROM votes WHERE at < ?1 LIMIT ?2)",
	} {
		for removed := int64(pruneStep); removed == pruneStep; {
			err := b.together(ctx, doing, func(tx *sql.Tx) (err error) {
				removed, err = sqlite.Changed(tx.ExecContext(ctx, query, before.UnixMilli(), pruneStep))
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	if err := b.exec(ctx, doing, "DELETE FROM spent WHERE day < ?", day(before)); err != nil {
		return err
	}
	return b.empty(ctx, doing)
}
