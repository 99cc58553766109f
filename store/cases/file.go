package cases

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// Format is the version of the file's tables. A file of another format is refused.
// Tables that only add to it are made where they are missing, and change no format.
const Format = 1

// applicationID marks the file as ours (sqlite.org/pragma.html#pragma_application_id): "Prec".
const applicationID = 0x50726563

// busyTimeout is how long a write waits for another process.
const busyTimeout = 5 * time.Second

// How many KiB of pages a connection keeps: a part of the file's size, between a
// least and a most. What it reads again is in the system's cache, a system call away.
const (
	leastPages = 128
	mostPages  = 1536
	pagesPart  = 32
)

//go:embed schema.sql
var schema string

func dsn(path string, writing bool) string {
	pages := int64(leastPages)
	if info, err := os.Stat(path); err == nil && !writing {
		pages = min(max(pages, info.Size()>>10/pagesPart), mostPages)
	}
	q := url.Values{"_pragma": {
		"cache_size(-" + strconv.FormatInt(pages, 10) + ")",
		"busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")",
		"foreign_keys(1)",
	}}
	if writing {
		// FULL: a commit is on the disk before it is acknowledged.
		q["_pragma"] = append(q["_pragma"], "journal_mode(WAL)", "synchronous(FULL)", "journal_size_limit(67108864)")
		q.Set("_txlock", "immediate")
	} else {
		q["_pragma"] = append(q["_pragma"], "query_only(1)")
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: q.Encode()}).String()
}

// establish makes the tables of a new file, or sees that those of an old one are ours.
func (l *Library) establish(ctx context.Context) error {
	return l.inTransaction(ctx, func(w *writing) error {
		var version, application, tables int
		for pragma, into := range map[string]*int{"PRAGMA user_version": &version, "PRAGMA application_id": &application, "SELECT count(*) FROM sqlite_schema": &tables} {
			if err := w.tx.QueryRowContext(ctx, pragma).Scan(into); err != nil {
				return err
			}
		}
		switch {
		case tables == 0 && version == 0:
			if _, err := w.tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, Format)+schema); err != nil {
				return err
			}
		case application != applicationID:
			return fmt.Errorf("%w: %s is a SQLite file of another program; choose another folder with --data", ErrFile, l.path)
		case version > Format:
			return fmt.Errorf("%w: %s was written by a newer version (format %d, this one knows %d); use that version, or another folder with --data", ErrFile, l.path, version, Format)
		case version < Format:
			return fmt.Errorf("%w: %s has format %d and this version needs %d; export the cases with the version that wrote it and import them here", ErrFile, l.path, version, Format)
		}
		if _, err := w.tx.ExecContext(ctx, taughtSchema); err != nil {
			return err
		}
		// On a file that can't be written, BEGIN IMMEDIATE only reads, and says nothing.
		if _, err := w.tx.ExecContext(ctx, "DELETE FROM meta WHERE 0"); err != nil {
			return err
		}
		return l.claim(w)
	})
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
		l.warnings = append(l.warnings, fmt.Sprintf("%s was made for graph %q and is now opened for %q", l.path, graph, l.graph))
		return nil
	}
	return w.setMeta("graph", l.graph)
}

// explain turns what SQLite says into what a person can do about it.
func (l *Library) explain(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		if errors.Is(err, sql.ErrConnDone) || err != nil && err.Error() == "sql: database is closed" {
			return fmt.Errorf("%w: %w", ErrClosed, err)
		}
		return err
	}
	advise := func(kind error, what string) error { return fmt.Errorf("%w: %s %s: %w", kind, l.path, what, e) }
	switch e.Code() & 0xff {
	case codes.SQLITE_NOTADB:
		return advise(ErrFile, "is not a SQLite file; move it away, or choose another folder with --data")
	case codes.SQLITE_CORRUPT:
		return advise(ErrFile, "is damaged; put back a copy of it, or move it away and import the cases again")
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM, codes.SQLITE_AUTH:
		return advise(ErrFile, "or its folder can't be written; give this user write access to both, or choose another folder with --data")
	case codes.SQLITE_FULL:
		return advise(ErrFile, "can't grow: the disk is full; free some space")
	case codes.SQLITE_IOERR:
		return advise(ErrFile, "can't be read or written; look at the disk")
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return advise(ErrBusy, "has been locked by another process for "+busyTimeout.String()+"; try again, or stop that process")
	}
	return err
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
	if s := l.syncing.Load(); s != nil {
		s.want() // it has the lock
	}
	w, err := l.begin(ctx)
	if err != nil {
		return err
	}
	return l.finish(w, do)
}

func (l *Library) begin(ctx context.Context) (*writing, error) {
	tx, err := l.writer.BeginTx(ctx, nil)
	if err != nil {
		return nil, l.explain(err)
	}
	return &writing{ctx: ctx, tx: tx, at: l.now(), ready: map[string]*sql.Stmt{}}, nil
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
