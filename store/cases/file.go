package cases

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"time"

	"precedent/store/sqlite"
)

// Format is the version of the file's tables. A file of another format is refused.
// Tables that only add to it are made where they are missing, and change no format.
const Format = 1

// applicationID marks the file as ours (sqlite.org/pragma.html#pragma_application_id): "Prec".
const applicationID = 0x50726563

// How many KiB of pages a connection keeps: a part of the file's size, between a
// least and a most. What it reads again is in the system's cache, a system call away.
const (
	leastPages = 128
	mostPages  = 1536
	pagesPart  = 32
)

// openTries is how often opening waits for another program, each time for as
// long as SQLite does.
const openTries = 6

//go:embed schema.sql
var schema string

// file is the library's, at path.
func file(path string) sqlite.File {
	return sqlite.File{
		Path: path, ID: applicationID, Format: Format, Schema: schema, Table: "meta",
		Unusable: ErrFile, Busy: ErrBusy,
		Older:   "export the cases with the version that wrote it and import them here",
		Damaged: "put back a copy of it, or move it away and import the cases again",
	}
}

// openWriter opens the connection that writes. Another program may be bringing
// in what ships, in one piece.
func (l *Library) openWriter(ctx context.Context) (err error) {
	settle := func(tx *sql.Tx) error { return l.settle(l.in(ctx, tx)) }
	for tries := 1; ; tries++ {
		l.writer, err = l.file.Open(ctx, settle, cacheSize(leastPages), "foreign_keys(1)", "journal_size_limit(67108864)")
		if !errors.Is(err, ErrBusy) || tries == openTries || ctx.Err() != nil {
			return err
		}
	}
}

func (l *Library) openReaders() error {
	info, err := os.Stat(l.file.Path)
	if err != nil {
		return err
	}
	pages := min(max(leastPages, info.Size()>>10/pagesPart), mostPages)
	l.readers, err = l.file.Readers(readerConnections+1, cacheSize(pages)) // one is the watch's for good
	return err
}

func cacheSize(pages int64) string { return fmt.Sprintf("cache_size(-%d)", pages) }

// settle adds the tables that came later, and writes down whose cases the file holds.
func (l *Library) settle(w *writing) error {
	if _, err := w.tx.ExecContext(w.ctx, taughtSchema+unprovenSchema); err != nil {
		return err
	}
	return l.claim(w)
}

// claim writes down whose cases the file holds, and warns when it held another graph's.
func (l *Library) claim(w *writing) error {
	if l.graph == "" {
		return nil
	}
	graph, err := w.meta("graph")
	if err != nil || graph == l.graph {
		return err
	}
	if graph != "" {
		l.warnings = append(l.warnings, fmt.Sprintf("%s was made for graph %q and is now opened for %q", l.file.Path, graph, l.graph))
		return nil
	}
	return w.setMeta("graph", l.graph)
}

// explain turns what SQLite says into what a person can do about it.
func (l *Library) explain(err error) error {
	if errors.Is(err, sql.ErrConnDone) || err != nil && err.Error() == "sql: database is closed" {
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return l.file.Explain(err)
}

// A writing is one transaction that holds the write lock.
type writing struct {
	ctx   context.Context
	tx    *sql.Tx
	at    time.Time
	ready map[string]*sql.Stmt
}

// inTransaction runs do and commits, or rolls back if do fails. When it
// returns nil, what do wrote is on the disk.
func (l *Library) inTransaction(ctx context.Context, do func(w *writing) error) error {
	l.hurrySync()
	w, err := l.begin(ctx)
	if err != nil {
		return err
	}
	return l.finish(w, do)
}

// loosely is inTransaction for what may be lost to a power cut, and to nothing else:
// a program that is killed has left it with the system. The next transaction of
// another kind takes it to the disk (sqlite.org/pragma.html#pragma_synchronous, WAL).
func (l *Library) loosely(ctx context.Context, do func(w *writing) error) error {
	l.hurrySync()
	conn, err := l.writer.Conn(ctx)
	if err != nil {
		return l.explain(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous(NORMAL)"); err != nil {
		return l.explain(err)
	}
	defer func() {
		if _, err := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA synchronous(FULL)"); err != nil {
			l.log.Error("asking SQLite for full synchronisation again", "error", err)
			conn.Raw(func(any) error { return driver.ErrBadConn }) // another connection will have it
		}
	}()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return l.explain(err)
	}
	return l.finish(l.in(ctx, tx), do)
}

// hurrySync has a Sync in the background begin, which has the lock.
func (l *Library) hurrySync() {
	if s := l.syncing.Load(); s != nil {
		s.want()
	}
}

func (l *Library) begin(ctx context.Context) (*writing, error) {
	tx, err := l.writer.BeginTx(ctx, nil)
	if err != nil {
		return nil, l.explain(err)
	}
	return l.in(ctx, tx), nil
}

func (l *Library) in(ctx context.Context, tx *sql.Tx) *writing {
	return &writing{ctx: ctx, tx: tx, at: l.now(), ready: map[string]*sql.Stmt{}}
}

func (l *Library) finish(w *writing, do func(w *writing) error) error {
	defer w.tx.Rollback()
	if err := do(w); err != nil {
		return l.explain(err)
	}
	return l.explain(w.tx.Commit())
}

func (w *writing) prepared(query string) (*sql.Stmt, error) {
	if s := w.ready[query]; s != nil {
		return s, nil
	}
	s, err := w.tx.PrepareContext(w.ctx, query)
	if err == nil {
		w.ready[query] = s
	}
	return s, err
}

func (w *writing) exec(query string, args ...any) (sql.Result, error) {
	s, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(w.ctx, args...)
}

// has reports whether a query gives a row.
func (w *writing) has(query string, args ...any) (there bool, err error) {
	s, err := w.prepared("SELECT EXISTS (" + query + ")")
	if err == nil {
		err = s.QueryRowContext(w.ctx, args...).Scan(&there)
	}
	return there, err
}

func (w *writing) queryRow(query string, args ...any) *sql.Row {
	return w.tx.QueryRowContext(w.ctx, query, args...)
}

func (w *writing) meta(name string) (value string, err error) {
	err = w.queryRow("SELECT value FROM meta WHERE name = ?", name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func (w *writing) setMeta(name, value string) error {
	_, err := w.exec("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
	return err
}
