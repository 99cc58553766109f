package cases

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/philippgille/chromem-go"

	"precedent/store"
	"precedent/store/sqlite"
)

// DefaultQuorum is how many members' votes promote a candidate unless a team says otherwise.
const DefaultQuorum = 3

// A Config says where the library is and how it decides.
type Config struct {
	Path   string           // the file; it and its folder are made if missing
	Graph  string           // whose cases these are; "" takes cases of any graph
	Quorum int              // members whose votes promote a candidate; 0: curators only
	Log    *slog.Logger     // nil: nothing is logged
	Now    func() time.Time // nil: time.Now

	// Check is asked before a case is verified by a vote or a move, never
	// while the file is locked. Its error keeps the case as it is and is told
	// to who voted, but for a [Duplicate], which says whose wording the case is
	// to be. nil: no check.
	Check func(ctx context.Context, c store.Case) error

	// KeyOf is the key of a case that is added and isn't verified, as in
	// [Asked.Key]; "" for none. nil: none has one.
	KeyOf func(c store.Case) string

	// Embed turns text into a vector of a provider's model, named Model.
	// nil: [Hashed] alone. Cases without a vector of the model get one in the
	// background; until all have one, and whenever Embed fails, Hashed ranks.
	Embed        chromem.EmbeddingFunc
	Model        string
	EmbedWorkers int // calls of Embed in the background at a time; 0: 4
}

// A Library is an open case library. It is safe for concurrent use.
type Library struct {
	file     sqlite.File
	graph    string
	quorum   int
	log      *slog.Logger
	clock    func() time.Time
	check    func(ctx context.Context, c store.Case) error
	keyOf    func(c store.Case) string
	warnings []string
	ids      ids

	writer  *sql.DB // one connection: writers queue here, not in SQLite
	readers *sql.DB
	watch   watch
	journal journal
	recall  recall
	syncing atomic.Pointer[syncing]

	background       context.Context
	stopBackground   context.CancelFunc
	backgroundEnding sync.WaitGroup
}

// readerConnections bounds how many reads run at a time; each holds up to mostPages of pages.
const readerConnections = 3

// Open opens the library at c.Path, making it if it isn't there. Its error
// wraps [ErrFile] and says what to do: the folder or file can't be written,
// the file isn't a case library, or a newer version wrote it.
func Open(ctx context.Context, c Config) (*Library, error) {
	if c.Path == "" {
		return nil, fmt.Errorf("opening the case library: %w: Path is empty", ErrFile)
	}
	if c.Quorum < 0 {
		return nil, fmt.Errorf("opening the case library: quorum is %d; use 0 for curators only, or a positive number", c.Quorum)
	}
	if (c.Embed == nil) != (c.Model == "") {
		return nil, fmt.Errorf("opening the case library: Embed and Model go together; one of them is missing")
	}
	path, err := filepath.Abs(c.Path)
	if err != nil {
		return nil, fmt.Errorf("opening the case library: %w", err)
	}
	l := &Library{file: file(path), graph: c.Graph, quorum: c.Quorum, log: c.Log, clock: c.Now, check: c.Check, keyOf: c.KeyOf}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	if l.clock == nil {
		l.clock = time.Now
	}
	l.background, l.stopBackground = context.WithCancel(context.WithoutCancel(ctx))
	if err := l.open(ctx); err != nil {
		l.shut()
		return nil, err
	}
	l.startJournal()
	l.startRecall(c)
	return l, nil
}

func (l *Library) open(ctx context.Context) error {
	if err := l.openWriter(ctx); err != nil {
		return err
	}
	folder := filepath.Dir(l.file.Path)
	if kind := networkKind(folder); kind != "" {
		l.warnings = append(l.warnings, fmt.Sprintf("%s is on a network file system (%s): SQLite's locks don't hold there and cases may be lost; put --data on a local disk", folder, kind))
	}
	if err := l.openReaders(); err != nil {
		return err
	}
	if err := l.watch.start(ctx, l.readers); err != nil {
		return l.explain(err)
	}
	return l.explain(l.prepareRecall(ctx))
}

// Warnings returns sentences about how the file is kept that its owner should
// know: none when all is well.
func (l *Library) Warnings() []string { return slices.Clone(l.warnings) }

// Path returns the absolute path of the file.
func (l *Library) Path() string { return l.file.Path }

// Close writes what is waiting and closes the file. Later calls fail.
func (l *Library) Close() error {
	l.stopBackground()
	err := l.stopJournal()
	l.backgroundEnding.Wait()
	if s := l.syncing.Load(); s != nil && err == nil {
		err = s.err
	}
	if shut := l.shut(); err == nil {
		err = shut
	}
	return err
}

func (l *Library) shut() (err error) {
	l.stopBackground()
	l.watch.stop()
	for _, db := range []*sql.DB{l.readers, l.writer} {
		if db == nil {
			continue
		}
		if e := db.Close(); err == nil {
			err = e
		}
	}
	return err
}

// Integrity reads the whole file and returns an error that says what is
// damaged. It takes about a second for 100 MB.
func (l *Library) Integrity(ctx context.Context) error {
	var verdict string
	if err := l.readers.QueryRowContext(ctx, "PRAGMA integrity_check(5)").Scan(&verdict); err != nil {
		return l.explain(err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s is damaged: %s; put back a copy of it", ErrFile, l.file.Path, verdict)
	}
	rows, err := l.readers.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return l.explain(err)
	}
	defer rows.Close()
	if rows.Next() {
		return fmt.Errorf("%w: %s is damaged: a row points to one that isn't there; put back a copy of it", ErrFile, l.file.Path)
	}
	return l.explain(rows.Err())
}

func (l *Library) now() time.Time { return l.clock().UTC().Truncate(time.Microsecond) }
