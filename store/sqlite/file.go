package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A File is a SQLite file of ours, and what is said where it can't be used.
type File struct {
	Path   string // absolute
	ID     int32  // marks the file as ours (sqlite.org/pragma.html#pragma_application_id)
	Format int    // the version of its tables
	Schema string // makes the tables of a new file
	Table  string // one of them

	Unusable error  // wrapped by the errors of this package
	Busy     error  // wrapped instead of Unusable where another process has the file locked
	Older    string // what to do about a file of an older format
	Damaged  string // what to do about a damaged file
}

// busyTimeout is how long a connection waits for another process.
const busyTimeout = 5 * time.Second

// MakeFolder makes the file's folder if it isn't there. Only its owner may look
// into it. Its error wraps Unusable and says what to do.
func (f *File) MakeFolder() error {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return fmt.Errorf("%w: making its folder: %w; choose another folder with --data", f.Unusable, err)
	}
	return nil
}

// Open opens the file, making it and its folder if they aren't there, and
// returns its one connection that writes: transactions take the lock as they
// begin. pragmas are set for the connection, such as secure_delete(1). settle,
// if there is one, brings the tables up to date, and with it a new file is made
// whole or not at all. Where the folder's file system allows, the file has a
// write-ahead log from then on.
//
// Its error wraps Unusable or Busy and says what to do: the file or folder can't
// be written, another program made the file, or a version with another format.
func (f *File) Open(ctx context.Context, settle func(tx *sql.Tx) error, pragmas ...string) (*sql.DB, error) {
	if err := f.make(); err != nil {
		return nil, err
	}
	// FULL: a commit is on the disk before it is acknowledged.
	db, err := f.connect("immediate", "synchronous(FULL)", pragmas)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // writers queue here, not in SQLite
	if err = f.establish(ctx, db, settle); err == nil {
		// Not before it is known to be ours: it changes the file.
		_, err = db.ExecContext(ctx, "PRAGMA journal_mode(WAL)")
	}
	if err != nil {
		db.Close()
		return nil, f.Explain(err)
	}
	return db, nil
}

// Readers returns at most n connections to a file that is open, which can't write.
func (f *File) Readers(n int, pragmas ...string) (*sql.DB, error) {
	db, err := f.connect("deferred", "query_only(1)", pragmas)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// make makes the file and its folder if they aren't there.
func (f *File) make() error {
	if err := f.MakeFolder(); err != nil {
		return err
	}
	// SQLite would make it readable by all; its companions get the file's mode.
	file, err := os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: making it: %w; choose another folder with --data", f.Unusable, err)
	}
	return file.Close()
}

func (f *File) connect(lock, mode string, pragmas []string) (*sql.DB, error) {
	q := url.Values{"_txlock": {lock}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), mode}}
	q["_pragma"] = append(q["_pragma"], pragmas...)
	path := filepath.ToSlash(f.Path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: q.Encode()}).String())
}

func (f *File) establish(ctx context.Context, db *sql.DB, settle func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f.recognise(ctx, tx); err != nil {
		return err
	}
	if settle != nil {
		if err := settle(tx); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// recognise makes the tables of a new file, or sees that those of an old one are ours.
func (f *File) recognise(ctx context.Context, tx *sql.Tx) error {
	var version, id, tables int
	err := tx.QueryRowContext(ctx, "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version, pragma_application_id").
		Scan(&version, &id, &tables)
	if err != nil {
		return err
	}
	switch {
	case tables == 0 && version == 0:
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", f.ID, f.Format)+f.Schema)
	case id != int(f.ID):
		err = fmt.Errorf("%w: %s is a SQLite file of another program; choose another folder with --data", f.Unusable, f.Path)
	case version > f.Format:
		err = fmt.Errorf("%w: %s was written by a newer version (format %d, this one knows %d); use that version, or another folder with --data", f.Unusable, f.Path, version, f.Format)
	case version < f.Format:
		err = fmt.Errorf("%w: %s has format %d and this version needs %d; %s", f.Unusable, f.Path, version, f.Format, f.Older)
	default:
		// On a file that can't be written, BEGIN IMMEDIATE only reads, and says nothing.
		_, err = tx.ExecContext(ctx, "DELETE FROM "+f.Table+" WHERE 0")
	}
	return err
}
