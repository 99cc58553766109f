package inbox

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"precedent/store/sqlite"
)

// Format is the version of the file's tables. A file of another one is refused.
const Format = 1

// applicationID marks the file as ours (sqlite.org/pragma.html#pragma_application_id): "PreI".
const applicationID = 0x50726549

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
	file sqlite.File
	db   *sql.DB // one connection: SQLite takes one writer anyway
	held *os.File

	readers *sql.DB // who look something up wait for nobody
	turns   turns   // who writes
	coming  coming
	Now     func() time.Time // nil: time.Now; not changed once in use
}

// Open opens the inbox at path, making it and its folder if they aren't there;
// only their owner may read them. Its error wraps ErrFile and says what to do:
// another process has the inbox open, the file or folder can't be written, the
// file isn't an inbox, or a version with another format wrote it.
func Open(ctx context.Context, path string) (*Inbox, error) {
	return open(ctx, path, true)
}

// OpenBeside opens the inbox at path beside the process that answers what is in
// it, to Forget and to Prune. Its error wraps ErrFile and says what to do.
func OpenBeside(ctx context.Context, path string) (*Inbox, error) {
	return open(ctx, path, false)
}

func open(ctx context.Context, path string, alone bool) (*Inbox, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("%w: finding its folder: %w; choose another folder with --data", ErrFile, err)
	}
	b := &Inbox{file: sqlite.File{
		Path: path, ID: applicationID, Format: Format, Schema: schema, Table: "seen",
		Unusable: ErrFile, Busy: ErrFile,
		Older:   "let the version that wrote it answer what is in it, then move the file away",
		Damaged: "move it away: what it held unanswered has to be asked again",
	}}
	if alone {
		err = b.hold()
	}
	if err == nil {
		err = b.connect(ctx)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// hold takes the lock of the process that answers.
func (b *Inbox) hold() (err error) {
	if err := b.file.MakeFolder(); err != nil {
		return err
	}
	b.held, err = lock(b.file.Path + ".lock")
	switch {
	case errors.Is(err, errHeld):
		return fmt.Errorf("%w: %s: %w", ErrFile, b.file.Path, err)
	case err != nil:
		return fmt.Errorf("%w: locking it: %w; choose another folder with --data", ErrFile, err)
	}
	return nil
}

func (b *Inbox) connect(ctx context.Context) (err error) {
	const doing = "opening it"
	if b.db, err = b.file.Open(ctx, nil, "journal_size_limit(16777216)", "cache_size(-1024)", "secure_delete(1)"); err != nil {
		return b.fault(doing, err)
	}
	var mode string
	if err := b.db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return b.fault(doing, err)
	}
	if mode != "wal" {
		return fmt.Errorf("%w: %s can't have a write-ahead log where it is; choose a folder on a local disk with --data", ErrFile, b.file.Path)
	}
	b.readers, err = b.file.Readers(readersMost, "cache_size(-512)")
	return b.fault(doing, err)
}

// readersMost is how many look something up at once.
const readersMost = 2

// Close closes the file and empties its log. What is in the file stays.
func (b *Inbox) Close() (err error) {
	if b.readers != nil {
		err = b.readers.Close() // before the writer, whose log the last to close empties
	}
	if b.db != nil {
		err = errors.Join(err, b.db.Close())
	}
	if b.held == nil {
		return err
	}
	return errors.Join(err, b.held.Close()) // the lock last
}

// together runs do in one transaction: all of it is on the disk when together
// returns nil, and nothing of it otherwise.
func (b *Inbox) together(ctx context.Context, doing string, do func(tx *sql.Tx) error) error {
	if err := b.turns.take(ctx, false); err != nil {
		return b.fault(doing, err)
	}
	defer b.turns.give()
	return b.fault(doing, b.transact(ctx, do))
}

// transact is together for who has the turn.
func (b *Inbox) transact(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (b *Inbox) exec(ctx context.Context, doing, query string, args ...any) error {
	if err := b.turns.take(ctx, false); err != nil {
		return b.fault(doing, err)
	}
	defer b.turns.give()
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
	return fmt.Errorf("%s: %w", doing, b.file.Explain(err))
}

func (b *Inbox) now() int64 {
	if b.Now != nil {
		return b.Now().UnixMilli()
	}
	return time.Now().UnixMilli()
}
