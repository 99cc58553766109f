package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"precedent/engine/model"
	"precedent/engine/reading"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/cases"
	"precedent/store/embedded"
	"precedent/store/movies"
	"precedent/store/written"
)

// A Config is everything an Engine can be told.
type Config struct {
	Graph       string        // movies, a folder of CSV files, or a URI of Neo4j; "" is movies
	Neo4j       bolt.Config   // user, password and database for a URI
	Model       *model.Config // nil: no model
	Data        string        // the folder of user data; the graph's own folder is made in it
	Log         *slog.Logger  // nil discards
	Policy      guardrails.Policy
	Quorum      int           // members whose votes promote; 0: curators only
	Hide        []string      // Person.email, :Secret
	Aliases     []string      // further alias files
	Glossaries  []string      // further glossary files
	Linkable    Linking       // properties whose values people name, or don't
	RowsToModel string        // needed or never; "" is needed
	OffTopic    OffTopic      // what turns away what isn't about the graph; "" is OffTopicModel
	Limits      store.Limits  // of one reading of the graph
	Deadline    time.Duration // of one question; 0 is DefaultDeadline
	Compose     bool          // questions whose words have one meaning are answered without a case and without a model
	Verbose     bool          // answers carry their reading
	Name        string        // of the graph, and so of its folder of data, wherever the graph is; "": the address says it
	Refresh     time.Duration // how often what is known of the graph is made fresh; 0: never
	KeptFresh   bool          // somebody calls KeepFresh: what an earlier run read of the graph may do until then, however old it is

	// Placed says where an entry of the configuration stands, such as "hide", 2; nil:
	// nowhere.
	Placed func(path ...any) written.Place

	Now func() time.Time // the clock of questions, in the askers' time zone; nil is time.Now

	// Elsewhere says that Hide, Linkable and the files of words are for several graphs:
	// what names nothing in this one may be right then.
	Elsewhere bool
}

// Defaults of a Config.
const (
	DefaultDeadline = 60 * time.Second
	schemaBudget    = 20 * time.Second
)

// ErrConfig reports a configuration that can't work; its text says what to do.
var ErrConfig = errors.New("configuration")

// Open opens the graph, the library and the model that c names. Warnings are
// sentences for the operator, such as what leaves the house. Errors wrap
// ErrConfig, or those of the store.
func Open(ctx context.Context, c Config) (opened *Engine, warnings []string, err error) {
	return open(ctx, c, false)
}

// Check finds every mistake in the files of words that c names, and in what it says of
// names, as far as the graph can tell. With an error, the graph told nothing; the mistakes are those that
// the files alone show.
func Check(ctx context.Context, c Config) (found written.Mistakes, err error) {
	alone := &Engine{settings: settings{checking: true}}
	if err := alone.openWords(c); err != nil {
		return nil, err
	}
	found, _, err = CheckNames(ctx, c)
	if err != nil {
		found = append(alone.mistakes, reading.Held(alone.written.glossaries, nil)...).InOrder()
	}
	return found, err
}

// CheckNames is Check for a configuration that may name no files of words. idle are
// the entries of hide that match nothing.
func CheckNames(ctx context.Context, c Config) (found written.Mistakes, idle []string, err error) {
	if c.Data, err = os.MkdirTemp("", "precedent-check-"); err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(c.Data)
	c.Model = nil
	e, _, err := open(ctx, c, true)
	if err != nil {
		return nil, nil, err
	}
	return e.mistakes, e.HidesNothing(), e.Close(context.WithoutCancel(ctx))
}

// open is Open. Where it is only to check, mistakes are no errors, and nothing is made
// ready to answer.
func open(ctx context.Context, c Config, checking bool) (opened *Engine, warnings []string, err error) {
	e := &Engine{settings: settings{
		placed: c.Placed, checking: checking, log: cmp.Or(c.Log, slog.New(slog.DiscardHandler)), policy: c.Policy, limits: c.Limits, deadline: cmp.Or(c.Deadline, DefaultDeadline),
		composes: c.Compose, verbose: c.Verbose, rowsToModel: c.RowsToModel != "never", offTopic: cmp.Or(c.OffTopic, OffTopicModel), linking: c.Linkable, every: c.Refresh, now: c.Now,
	}}
	if e.now == nil {
		e.now = time.Now
	}
	if e.placed == nil {
		e.placed = func(...any) written.Place { return written.Place{} }
	}
	e.policy.Hide = c.Hide
	switch c.RowsToModel {
	case "", "needed", "never":
	default:
		return nil, nil, fmt.Errorf("%w: rows_to_model is %q: want needed or never", ErrConfig, c.RowsToModel)
	}
	if !slices.Contains([]OffTopic{OffTopicStrict, OffTopicModel, OffTopicOff}, e.offTopic) {
		return nil, nil, fmt.Errorf("%w: off_topic is %q: want strict, model or off", ErrConfig, c.OffTopic)
	}
	defer func() {
		if err != nil {
			opened, warnings, err = nil, nil, errors.Join(err, e.Close(context.WithoutCancel(ctx)))
		}
	}()
	if c.Model != nil {
		if e.model, err = model.New(*c.Model); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrConfig, err)
		}
		warnings = append(warnings, e.leaving()...)
	}
	there, err := e.openParts(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	if e.shipped != nil || slices.Contains(c.Glossaries, movies.Name) {
		e.policy.Lists = guardrails.With(movies.OffTopicEnglish, movies.OffTopicChinese)
	}
	if err := e.first(ctx, c); err != nil {
		return nil, nil, err
	}
	e.mistakes = append(e.mistakes, e.mistaken(c.Elsewhere)...).InOrder()
	if checking {
		return e, nil, nil
	}
	if wrong := e.mistakes.Of(written.Wrong).Err(); wrong != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrConfig, wrong)
	}
	warnings = append(warnings, e.mistakes.Lines()...)
	if e.snapshot().schema.Sampled {
		warnings = append(warnings, "the schema was read in part: "+stopped(e.snapshot().schema)+"; names may be missing from it")
	}
	e.begin(there)
	e.reread(e.snapshot().taught) // shipped readings know nothing of it
	said, err := e.settle(ctx)
	if err != nil {
		return nil, nil, err
	}
	warnings = append(warnings, said...)
	warnings = append(warnings, e.claim(c.Data)...)
	if e.shipped != nil {
		if err := e.library.SyncInBackground(ctx, e.shipped.cases, e.shipped.digest); err != nil {
			return nil, nil, fmt.Errorf("bringing in the shipped cases: %w", err)
		}
	}
	warnings = append(warnings, e.library.Warnings()...)
	return e, warnings, nil
}

// openParts opens the graph, the words and the library, and reads what the
// library holds. With the movie graph this is done side by side.
func (e *Engine) openParts(ctx context.Context, c Config) (there changes, err error) {
	graph := func() error { return e.openGraph(ctx, c) }
	words := func() error { return e.openWords(c) }
	library := func() (err error) {
		if err = e.openLibrary(ctx, c); err == nil {
			there, err = e.changes(ctx, 0)
		}
		return err
	}
	if c.Graph == "" || c.Graph == movies.Name { // which goes by no other name
		e.name, e.folder = movies.Name, movies.Name
		err = together(graph, words, library)
		return there, err
	}
	name := func() error { return e.goBy(c.Name) }
	for _, open := range []func() error{words, graph, name, library} { // whose folder is known once the graph is open
		if err := open(); err != nil {
			return there, err
		}
	}
	return there, nil
}

// together runs functions side by side and joins their errors.
func together(do ...func() error) error {
	errs := make([]error, len(do))
	var wg sync.WaitGroup
	for i, do := range do {
		wg.Go(func() { errs[i] = do() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// leaving says what the model's endpoint gets to see.
func (e *Engine) leaving() []string {
	if e.model.Name() == "" && e.model.EmbeddingName() == "" {
		return nil
	}
	what := "questions, the names of the schema, sample values, linked values and similar cases"
	if e.rowsToModel {
		what += "; rows of an answer where they need words"
	} else {
		what = "questions, the names of the schema, linked values and similar cases; never rows or sample values"
	}
	return []string{fmt.Sprintf("%s gets: %s", e.model, what)}
}

// openGraph opens the graph that c.Graph names.
func (e *Engine) openGraph(ctx context.Context, c Config) error {
	switch name := c.Graph; {
	case name == "" || name == movies.Name:
		g, err := embedded.Open(movies.Graph(), c.Hide...)
		if err != nil {
			return fmt.Errorf("opening the movie graph: %w", err)
		}
		e.gate = newGate(g, e.policy, false)
	case strings.Contains(name, "://"):
		n := c.Neo4j
		n.URI, n.Hide = name, c.Hide
		g, err := bolt.Open(ctx, n)
		if errors.Is(err, bolt.ErrAddress) {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
		if err != nil {
			return fmt.Errorf("opening the graph: %w", err)
		}
		e.gate, e.name, e.folder = newGate(g, e.policy, true), g.Name(), "neo4j-"+digest(name+"\x00"+n.Database)
		e.source = source{pulse: e.gate.pulse, away: true}
	default:
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() {
			return fmt.Errorf("%w: graph %.200q is neither \"movies\", nor a folder of CSV files, nor a URI such as neo4j://localhost:7687", ErrConfig, name)
		}
		e.source = folderSource(name, e.policy)
		if e.gate, err = e.source.open(); err != nil {
			return err
		}
		full, err := filepath.Abs(name)
		if err != nil {
			full = name
		}
		e.name, e.folder = filepath.Base(full), filepath.Base(full)+"-"+digest(full)
	}
	e.gate.now = e.now
	return nil
}

// folderSource is a folder of CSV files.
func folderSource(name string, p guardrails.Policy) source {
	in := func(do func(fs.FS) error) error {
		folder, err := os.OpenRoot(name) // no link leads out of it
		if err != nil {
			return fmt.Errorf("%w: the graph's folder can't be read: %w; set --graph right", ErrConfig, err)
		}
		defer folder.Close()
		return do(folder.FS())
	}
	return source{
		look: lookAtFiles,
		pulse: func(context.Context) (pulse store.Pulse, err error) {
			err = in(func(files fs.FS) (err error) { pulse, err = embedded.Pulse(files); return err })
			return pulse, err
		},
		open: func() (opened *gate, err error) {
			err = in(func(files fs.FS) error {
				g, err := embedded.Open(files, p.Hide...)
				if err != nil {
					return fmt.Errorf("opening the graph in %s: %w", name, err)
				}
				opened = newGate(g, p, false)
				return nil
			})
			return opened, err
		},
	}
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}

// openLibrary opens the case library of the graph.
func (e *Engine) openLibrary(ctx context.Context, c Config) error {
	folder := filepath.Join(c.Data, e.folder)
	e.path = folder
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("%w: the data folder %s can't be made: %w; name another with --data", ErrConfig, folder, err)
	}
	cfg := cases.Config{Path: filepath.Join(folder, "cases.db"), Graph: e.name, Quorum: c.Quorum, Log: e.log, Check: e.checkMove, KeyOf: e.keyOf}
	if e.model != nil && e.model.EmbeddingName() != "" {
		cfg.Embed, cfg.Model = e.embed, e.model.EmbeddingName()
	}
	lib, err := cases.Open(ctx, cfg)
	if err != nil {
		return fmt.Errorf("opening the case library: %w", err)
	}
	e.library = lib
	return nil
}

// embedding is the key in a context under which the time of embedding is added up.
type embedding struct{}

// embed is the model's Embed; its time counts as the model's.
func (e *Engine) embed(ctx context.Context, text string) ([]float32, error) {
	if spent, ok := ctx.Value(embedding{}).(*float64); ok {
		defer since(spent, time.Now())
	}
	return e.model.Embed(ctx, text)
}
