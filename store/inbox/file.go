package inbox

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// Format is the version of the file's tables. A file of another one is refused.
const Format = 1

// applicationID marks the file as ours (sqlite.org/pragma.html#pragma_application_id): "PreI".
const applicationID = 0x50726549

// busyTimeout is how long a write waits for somebody who looks into the file by other means.
const busyTimeout = 5 * time.Second

//go:embed schema.sql
var schema string

// Errors of this package. They are wrapped with what happened; test with errors.Is.
var (
	ErrFile    = errors.New("the inbox can't be used")
	ErrUnknown = errors.New("it isn't known")
)

// errHeld reports a lock that another process has.
var errHeld = errors.New("another `precedent serve` uses it; stop that one, or choose another folder with --data")

// An Inbox is an open file of events. It is safe for concurrent use, by one
// process at a time: two would both answer.
type Inbox struct {
	path string
	db   *sql.DB // one connection: SQLite takes one writer anyway
	held *os.File
	Now  func() time.Time // nil: time.Now; not changed once in use
}

// Open opens the inbox at path, making it and its folder if they aren't there;
// only their owner may read them. Its error wraps ErrFile and says what to do:
// another process has the inbox open, the file or folder can't be written, the
// file isn't an inbox, or a version with another format wrote it.
func Open(ctx context.Context, path string) (*Inbox, error) {
	refuse := func(doing string, err error) (*Inbox, error) {
		return nil, fmt.Errorf("%w: %s: %w; choose another folder with --data", ErrFile, doing, err)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return refuse("finding its folder", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return refuse("making its folder", err)
	}
	b := &Inbox{path: path}
	switch b.held, err = hold(path + ".lock"); {
	case errors.Is(err, errHeld):
		return nil, fmt.Errorf("%w: %s: %w", ErrFile, path, err)
	case err != nil:
		return refuse("locking it", err)
	}
	if err := b.open(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// OpenBeside opens the inbox at path beside the process that answers what is in
// it, to Forget and to Prune. Its error wraps ErrFile and says what to do.
func OpenBeside(ctx context.Context, path string) (*Inbox, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("%w: finding its folder: %w; choose another folder with --data", ErrFile, err)
	}
	b := &Inbox{path: path}
	if err := b.open(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func (b *Inbox) open(ctx context.Context) error {
	// SQLite would make it readable by all; its companions get the file's mode.
	file, err := os.OpenFile(b.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case err == nil:
		file.Close()
	case !os.IsExist(err):
		return fmt.Errorf("%w: making it: %w; choose another folder with --data", ErrFile, err)
	}
	slashed := filepath.ToSlash(b.path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	// FULL: what Put took is on the disk before the network is told.
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"synchronous(FULL)", "journal_size_limit(16777216)", "cache_size(-1024)", "secure_delete(1)",
	}}
	if b.db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: slashed, RawQuery: q.Encode()}).String()); err != nil {
		return b.fault("opening it", err)
	}
	b.db.SetMaxOpenConns(1)
	if err := b.together(ctx, "opening it", func(tx *sql.Tx) error { return b.establish(ctx, tx) }); err != nil {
		return err
	}
	// Not before it is known to be ours: it changes the file.
	var mode string
	if err := b.db.QueryRowContext(ctx, "PRAGMA journal_mode(WAL)").Scan(&mode); err != nil {
		return b.fault("opening it", err)
	}
	if mode != "wal" {
		return fmt.Errorf("%w: %s can't have a write-ahead log where it is; choose a folder on a local disk with --data", ErrFile, b.path)
	}
	return nil
}

// establish makes the tables of a new file, or sees that those of an old one are ours.
func (b *Inbox) establish(ctx context.Context, tx *sql.Tx) error {
	var version, application, tables int
	for pragma, into := range map[string]*int{"PRAGMA user_version": &version, "PRAGMA application_id": &application, "SELECT count(*) FROM sqlite_schema": &tables} {
		if err := tx.QueryRowContext(ctx, pragma).Scan(into); err != nil {
			return err
		}
	}
	switch {
	case tables == 0 && version == 0:
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, Format)+schema)
		return err
	case application != applicationID:
		return fmt.Errorf("%w: %s is a SQLite file of another program; choose another folder with --data", ErrFile, b.path)
	case version > Format:
		return fmt.Errorf("%w: %s was written by a newer version (format %d, this one knows %d); use that version, or another folder with --data", ErrFile, b.path, version, Format)
	case version < Format:
		return fmt.Errorf("%w: %s has format %d and this version needs %d; let the version that wrote it answer what is in it, then move the file away", ErrFile, b.path, version, Format)
	}
	// On a file that can't be written, BEGIN IMMEDIATE only reads, and says nothing.
	_, err := tx.ExecContext(ctx, "DELETE FROM seen WHERE 0")
	return err
}

// Close closes the file and empties its log. What is in the file stays.
func (b *Inbox) Close() (err error) {
	if b.db != nil {
		err = b.db.Close()
	}
	if b.held == nil {
		return err
	}
	return errors.Join(err, b.held.Close()) // the lock last
}

// together runs do in one transaction: all of it is on the disk when together
// returns nil, and nothing of it otherwise.
func (b *Inbox) together(ctx context.Context, doing string, do func(tx *sql.Tx) error) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return b.fault(doing, err)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return b.fault(doing, err)
	}
	return b.fault(doing, tx.Commit())
}

func (b *Inbox) exec(ctx context.Context, doing, query string, args ...any) error {
	_, err := b.db.ExecContext(ctx, query, args...)
	return b.fault(doing, err)
}

// empty empties the write-ahead log: what was written over is in it still.
func (b *Inbox) empty(ctx context.Context, doing string) error {
	return b.exec(ctx, doing, "PRAGMA wal_checkpoint(TRUNCATE)")
}

// fault says what was being done, and turns what SQLite says into what a person can do about it.
func (b *Inbox) fault(doing string, err error) error {
	if err == nil || errors.Is(err, ErrFile) {
		return err
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return fmt.Errorf("%s: %w", doing, err)
	}
	advice := "look at the disk"
	switch e.Code() & 0xff {
	case codes.SQLITE_NOTADB:
		advice = "it is not a SQLite file; move it away, or choose another folder with --data"
	case codes.SQLITE_CORRUPT:
		advice = "it is damaged; move it away: what it held unanswered has to be asked again"
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM, codes.SQLITE_AUTH:
		advice = "it or its folder can't be written; give this user write access to both, or choose another folder with --data"
	case codes.SQLITE_FULL:
		advice = "the disk is full; free some space"
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		advice = "another program has had it locked for " + busyTimeout.String() + "; stop that one"
	case codes.SQLITE_IOERR:
	default:
		return fmt.Errorf("%s: %w", doing, err)
	}
	return fmt.Errorf("%s: %w: %s: %w: %s", doing, ErrFile, b.path, err, advice)
}

func (b *Inbox) now() int64 {
	if b.Now != nil {
		return b.Now().UnixMilli()
	}
	return time.Now().UnixMilli()
}
