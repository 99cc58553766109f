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

	_ "modernc.org/sqlite" // the driver
)

// Format is the version of the file's tables. A file of a later one is refused.
const Format = 1

// applicationID marks the file as ours (sqlite.org/pragma.html#pragma_application_id): "PreI".
const applicationID = 0x50726549

const busyTimeout = 5 * time.Second

//go:embed schema.sql
var schema string

// ErrFile reports that the file can't be used, and why.
var ErrFile = errors.New("the inbox can't be used")

// An Inbox is an open file of events. It is safe for concurrent use, by one
// process at a time: two would both answer.
type Inbox struct {
	db   *sql.DB // one connection: SQLite takes one writer anyway
	held *os.File
	Now  func() time.Time // nil: time.Now; not changed once in use
}

// Open opens the inbox at path, making it and its folder if they aren't there.
// Its error wraps ErrFile and says what to do.
func Open(ctx context.Context, path string) (*Inbox, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w; name another folder with --data", ErrFile, err)
	}
	held, err := hold(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrFile, path, err)
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	// FULL: what Put took is on the disk before the network is told.
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "journal_size_limit(16777216)", "cache_size(-1024)", "secure_delete(1)",
	}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: slashed, RawQuery: q.Encode()}).String())
	if err != nil {
		held.Close()
		return nil, fmt.Errorf("%w: %s: %w", ErrFile, path, err)
	}
	db.SetMaxOpenConns(1)
	b := &Inbox{db: db, held: held}
	if err := b.establish(ctx); err != nil {
		b.Close()
		return nil, fmt.Errorf("%w: %s: %w; name another folder with --data, or move the file away", ErrFile, path, err)
	}
	return b, nil
}

func (b *Inbox) establish(ctx context.Context) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var version, application, tables int
	for pragma, into := range map[string]*int{"PRAGMA user_version": &version, "PRAGMA application_id": &application, "SELECT count(*) FROM sqlite_schema": &tables} {
		if err := tx.QueryRowContext(ctx, pragma).Scan(into); err != nil {
			return err
		}
	}
	switch {
	case tables == 0 && version == 0:
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, Format)+schema); err != nil {
			return err
		}
		return tx.Commit()
	case application != applicationID:
		return errors.New("it is a SQLite file of another program")
	case version != Format:
		return fmt.Errorf("its format is %d, and this program reads %d", version, Format)
	}
	return nil
}

// Close closes the file. What is in it stays.
func (b *Inbox) Close() error {
	return errors.Join(b.db.Close(), b.held.Close())
}

func (b *Inbox) now() int64 {
	if b.Now != nil {
		return b.Now().UnixMilli()
	}
	return time.Now().UnixMilli()
}
