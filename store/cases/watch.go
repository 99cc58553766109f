package cases

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"precedent/store"
	"precedent/store/sqlite"
)

// A watch tells cheaply whether cases changed, through this process or
// another: PRAGMA data_version moves when another connection commits
// (sqlite.org/pragma.html#pragma_data_version), and ours never writes.
type watch struct {
	mu      sync.Mutex
	conn    *sql.Conn
	version *sql.Stmt
	latest  *sql.Stmt
	seen    int64 // data_version when heads was read
	heads   heads
}

// heads are the numbers of the last changes: of cases, and of what people taught.
type heads struct{ cases, taught int64 }

func (w *watch) start(ctx context.Context, db *sql.DB) (err error) {
	if w.conn, err = db.Conn(ctx); err != nil {
		return err
	}
	if w.version, err = w.conn.PrepareContext(ctx, "PRAGMA data_version"); err != nil {
		return err
	}
	w.latest, err = w.conn.PrepareContext(ctx, "SELECT (SELECT coalesce(max(seq), 0) FROM changes), (SELECT coalesce(max(seq), 0) FROM taught_changes)")
	w.seen = -1
	return err
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn == nil {
		return
	}
	// A statement left open would keep the file open, and the last to close
	// couldn't put the write-ahead log back into it.
	for _, s := range []*sql.Stmt{w.version, w.latest} {
		if s != nil {
			s.Close()
		}
	}
	w.conn.Close()
	w.conn = nil
}

// last returns the number of the last change of a case.
func (w *watch) last(ctx context.Context) (int64, error) {
	h, err := w.latestHeads(ctx)
	return h.cases, err
}

// latestHeads returns the numbers of the last changes. It doesn't listen to
// ctx: the answer takes microseconds.
func (w *watch) latestHeads(ctx context.Context) (heads, error) {
	ctx = context.WithoutCancel(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn == nil {
		return heads{}, ErrClosed
	}
	var version int64
	if err := w.version.QueryRowContext(ctx).Scan(&version); err != nil {
		return heads{}, err
	}
	if version != w.seen {
		// The version first: a commit in between is seen again next time.
		if err := w.latest.QueryRowContext(ctx).Scan(&w.heads.cases, &w.heads.taught); err != nil {
			return heads{}, err
		}
		w.seen = version
	}
	return w.heads, nil
}

// Changed reports whether any case changed after seq, which came from
// [Library.Since]. It is cheap enough to ask before every question.
func (l *Library) Changed(ctx context.Context, seq int64) (bool, error) {
	last, err := l.watch.last(ctx)
	return last > seq, l.explain(err)
}

// Since returns the cases that changed after seq as they are now, and the
// number to ask with next time. Since 0 returns every case. A case that is no
// longer there comes with its ID and status retired only.
func (l *Library) Since(ctx context.Context, seq int64) (changed []store.Case, next int64, err error) {
	next, err = l.eachSince(ctx, seq, "", func(id string, r *row) { changed = append(changed, caseNow(id, r)) })
	return changed, next, err
}

// caseNow is a changed case as it is now, r being nil for one that is gone.
func caseNow(id string, r *row) store.Case {
	if r == nil {
		return store.Case{ID: id, Status: store.Retired}
	}
	return r.Case
}

// changedSince are the ids of cases that changed after some change. NOT INDEXED
// has SQLite begin there, and not go through the index of all changes.
const changedSince = "(SELECT DISTINCT case_id AS changed FROM changes NOT INDEXED WHERE seq > ?)"

// eachSince calls see for each case that changed after seq, with a nil row for
// one that is gone. From 0 on, only those that also meet the condition.
func (l *Library) eachSince(ctx context.Context, seq int64, condition string, see func(id string, r *row)) (next int64, err error) {
	query, args := "SELECT id, "+rowColumns+" FROM cases "+condition+" ORDER BY number", []any{}
	if seq > 0 {
		query = "SELECT changed, " + rowColumns + " FROM " + changedSince + " LEFT JOIN cases ON id = changed ORDER BY number"
		args = append(args, seq)
	}
	return l.since(ctx, seq, func(tx *sql.Tx) error { return l.eachRow(ctx, tx, see, query, args...) })
}

// since runs do on what is there at the change next, unless that is seq.
func (l *Library) since(ctx context.Context, seq int64, do func(tx *sql.Tx) error) (next int64, err error) {
	tx, err := l.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return seq, l.explain(err)
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM changes").Scan(&next); err != nil {
		return seq, l.explain(err)
	}
	if next == seq {
		return seq, nil
	}
	return next, l.explain(do(tx))
}

// eachRow calls see for each row of a query of an id and rowColumns, with a
// nil row where those are null.
func (l *Library) eachRow(ctx context.Context, in sqlite.Querier, see func(id string, r *row), query string, args ...any) error {
	return sqlite.Each(ctx, in, func(scan func(...any) error) error {
		var id string
		r, err := scanRow(func(columns ...any) error { return scanIfThere(scan, &id, columns) })
		if err != nil && !errors.Is(err, errGone) {
			return err
		}
		if r != nil && r.broken {
			l.log.Error("a case was altered in the file, and isn't used; edit it, or promote it again", "case", id)
		}
		see(id, r)
		return nil
	}, query, args...)
}

var errGone = errors.New("the case is gone")

// scanIfThere scans an id and the columns of its row, or returns errGone if they are null.
func scanIfThere(scan func(...any) error, id *string, columns []any) error {
	err := scan(append([]any{id}, columns...)...)
	if err == nil {
		return nil
	}
	var number sql.NullInt64
	nulls := []any{id, &number}
	for range columns[1:] {
		nulls = append(nulls, new(any))
	}
	if scan(nulls...) == nil && !number.Valid {
		return errGone
	}
	return err
}
