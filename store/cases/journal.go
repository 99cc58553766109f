package cases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"precedent/store"
	"precedent/store/sqlite"
)

// Scopes of a question: whether others were there.
const (
	Public  = "public"
	Private = "private"
)

// An Entry is what the journal keeps of one answer. It holds no rows.
//
// Numbers in Params and links come back as int64 and float64, temporal values
// as their ISO 8601 text.
type Entry struct {
	ID             string             `json:"id"`
	At             time.Time          `json:"at"`
	User           string             `json:"user,omitempty"`
	Scope          string             `json:"scope,omitempty"`
	Conversation   string             `json:"conversation,omitempty"`
	Question       string             `json:"question"`
	Restated       string             `json:"restated,omitempty"`
	Language       string             `json:"language,omitempty"`
	Links          []store.Link       `json:"links,omitempty"`
	Reading        string             `json:"reading,omitempty"`
	Query          string             `json:"query,omitempty"`
	Params         map[string]any     `json:"params,omitempty"`
	Columns        []string           `json:"columns,omitempty"`
	RowCount       int                `json:"row_count"`
	Truncated      bool               `json:"truncated,omitempty"`
	Route          string             `json:"route"`
	CaseID         string             `json:"case,omitempty"`  // the case that answered, or the candidate that the answer became
	ShownCases     []string           `json:"cases,omitempty"` // ids, as shown to the model
	Drafts         []Draft            `json:"drafts,omitempty"`
	Repairs        int                `json:"repairs,omitempty"`
	ModelCalls     int                `json:"model_calls,omitempty"`
	EmbeddingCalls int                `json:"embedding_calls,omitempty"`
	PromptTokens   int                `json:"prompt_tokens,omitempty"`
	ReplyTokens    int                `json:"completion_tokens,omitempty"`
	Timings        map[string]float64 `json:"timings_ms,omitempty"`
	Error          string             `json:"error,omitempty"`
	Cut            []string           `json:"cut,omitempty"` // fields that were too long, by their names here: what is kept of them is a part, or nothing
}

// A Draft is a query from the model and why it was refused, "" if it wasn't.
type Draft struct {
	Query   string `json:"query"`
	Refused string `json:"refused,omitempty"`
}

// routeCase is the route of an answer that a case gave.
const routeCase = "case"

// Bounds of the journal's writer.
const (
	journalQueue = 1024                   // entries waiting; a full queue makes Record wait
	journalBatch = 256                    // entries in one transaction
	journalRest  = 5 * time.Millisecond   // that an entry may wait for others, unless it is waited for
	journalTries = 3                      // of one batch, before it is dropped and logged
	journalPause = 200 * time.Millisecond // between them
)

type journal struct {
	queue   chan queued
	waiting atomic.Int64 // entries recorded and not yet written
	closing sync.RWMutex // held for reading while something is put into queue
	closed  bool
	ended   chan struct{}
}

// A queued is an entry to write, or somebody who waits for those before it.
type queued struct {
	id, conversation, caseID, body string
	use                            bool
	reached                        chan struct{}
}

// Record puts an entry into the journal and returns its id, which it makes if
// there is none. Texts beyond their bounds are cut, and Entry.Cut names them. The
// entry is written in the background within milliseconds; what reads or votes on it
// waits for that. A crash in between loses the entry and nothing else: [Library.Kept]
// waits for the disk. Record waits only when the disk is 1,024 entries behind.
func (l *Library) Record(ctx context.Context, e Entry) (string, error) {
	now := l.now()
	if e.ID == "" {
		e.ID = l.ids.next(now)
	}
	if e.At.IsZero() {
		e.At = now
	}
	if e.Scope != Public && e.Scope != Private && e.Scope != "" {
		return "", fmt.Errorf("recording an answer: unknown scope %q; use public or private", e.Scope)
	}
	e.bound()
	body, err := e.encode()
	if err != nil {
		return "", fmt.Errorf("recording an answer: %w", err)
	}
	return e.ID, l.enqueue(ctx, queued{id: e.ID, conversation: e.Conversation, caseID: e.CaseID, body: body, use: e.Route == routeCase})
}

func (e Entry) encode() (string, error) {
	e.CaseID = "" // kept in a column of its own: an answer may become a case later
	if e.Params != nil {
		e.Params = plain(e.Params).(map[string]any)
	}
	e.Links = slices.Clone(e.Links)
	for i := range e.Links {
		e.Links[i].Value = plain(e.Links[i].Value)
	}
	return encode(e)
}

func (l *Library) enqueue(ctx context.Context, q queued) error {
	j := &l.journal
	j.closing.RLock()
	defer j.closing.RUnlock()
	if j.closed {
		return ErrClosed
	}
	if q.reached == nil {
		j.waiting.Add(1)
	}
	select {
	case j.queue <- q:
		return nil
	case <-ctx.Done():
		if q.reached == nil {
			j.waiting.Add(-1)
		}
		return fmt.Errorf("recording an answer: the disk can't keep up: %w", ctx.Err())
	}
}

// flush returns when every entry recorded so far is written.
func (l *Library) flush(ctx context.Context) error {
	if l.journal.waiting.Load() == 0 {
		return nil
	}
	reached := make(chan struct{})
	if err := l.enqueue(ctx, queued{reached: reached}); err != nil {
		return err
	}
	select {
	case <-reached:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Kept returns nil once the entry of an answer is on the disk, together with all
// that were recorded at the same time. Its error wraps [ErrUnknownAnswer] where the
// entry couldn't be written, or ctx's where that took too long.
func (l *Library) Kept(ctx context.Context, id string) error {
	if err := l.flush(ctx); err != nil {
		return fmt.Errorf("keeping an answer: %w", err)
	}
	var there int
	err := l.readers.QueryRowContext(ctx, "SELECT 1 FROM journal WHERE id = ?", id).Scan(&there)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("keeping an answer: %w", unknownAnswer(id))
	}
	return l.explain(err)
}

func (l *Library) startJournal() {
	l.journal.queue, l.journal.ended = make(chan queued, journalQueue), make(chan struct{})
	go l.keepJournal()
}

func (l *Library) stopJournal() error {
	j := &l.journal
	j.closing.Lock()
	already := j.closed
	j.closed = true
	j.closing.Unlock()
	if already {
		return ErrClosed
	}
	close(j.queue)
	<-j.ended
	return nil
}

// keepJournal writes what is queued, as much as there is in one transaction. What
// nobody waits for may stay for journalRest, so that more comes with it.
func (l *Library) keepJournal() {
	defer close(l.journal.ended)
	for first := range l.journal.queue {
		batch := []queued{first}
		rest := time.After(journalRest)
		for more := true; more && len(batch) < journalBatch; {
			if batch[len(batch)-1].reached != nil { // somebody waits
				rest = nil
			}
			var q queued
			if q, more = l.another(rest); more {
				batch = append(batch, q)
			}
		}
		l.writeBatch(batch)
	}
}

// another is what is queued next, at the latest when rest comes; nil waits for nothing.
func (l *Library) another(rest <-chan time.Time) (q queued, ok bool) {
	if rest == nil {
		select {
		case q, ok = <-l.journal.queue:
		default:
		}
		return q, ok
	}
	select {
	case q, ok = <-l.journal.queue:
	case <-rest:
	}
	return q, ok
}

func (l *Library) writeBatch(batch []queued) {
	for len(batch) > 0 && batch[0].reached != nil { // all before them is on the disk
		close(batch[0].reached)
		batch = batch[1:]
	}
	var err error
	for try := range journalTries {
		if try > 0 {
			time.Sleep(journalPause)
		}
		if err = l.tryBatch(batch); err == nil {
			break
		}
	}
	written := 0
	for _, q := range batch {
		switch {
		case q.reached != nil:
			close(q.reached)
			continue
		case err != nil:
			l.log.Error("an answer was not written to the journal; votes on it will be refused", "answer", q.id, "error", err)
		}
		written++
	}
	l.journal.waiting.Add(int64(-written))
}

func (l *Library) tryBatch(batch []queued) error {
	if !slices.ContainsFunc(batch, func(q queued) bool { return q.reached == nil }) {
		return nil
	}
	// Not the question's context: its answer may have been told already.
	return l.loosely(context.Background(), func(w *writing) error {
		for _, q := range batch {
			if q.reached != nil {
				continue
			}
			n, err := sqlite.Changed(w.exec("INSERT INTO journal (id, conversation, case_id, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING", q.id, q.conversation, q.caseID, q.body))
			if err != nil {
				return err
			}
			if n == 0 {
				l.log.Error("an answer with this id is in the journal already; the first one stays", "answer", q.id)
				continue
			}
			if q.use && q.caseID != "" {
				if _, err := w.exec("UPDATE cases SET uses = uses + 1 WHERE id = ?", q.caseID); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Entry returns what the journal keeps of an answer. Its error wraps [ErrUnknownAnswer].
func (l *Library) Entry(ctx context.Context, id string) (Entry, error) {
	if err := l.flush(ctx); err != nil {
		return Entry{}, err
	}
	e, err := scanEntry(l.readers.QueryRowContext(ctx, "SELECT case_id, body FROM journal WHERE id = ?", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return Entry{}, unknownAnswer(id)
	}
	return e, l.explain(err)
}

func unknownAnswer(id string) error {
	return fmt.Errorf("answer %q: %w; its id stands under the answer, and `ask --json` has it as id", id, ErrUnknownAnswer)
}

// Conversation returns the newest n answers of a conversation, oldest first.
func (l *Library) Conversation(ctx context.Context, conversation string, n int) ([]Entry, error) {
	entries, err := l.newest(ctx, n, "conversation = ?", named(conversation))
	slices.Reverse(entries)
	return entries, err
}

// VotedOn returns the answers of a case that people voted on, n at most, newest first.
func (l *Library) VotedOn(ctx context.Context, id string, n int) ([]Entry, error) {
	return l.newest(ctx, n, "id IN (SELECT answer FROM ballots WHERE case_id = ?)", id)
}

// newest returns the newest n entries that meet a condition with one value, newest first.
func (l *Library) newest(ctx context.Context, n int, condition, value string) ([]Entry, error) {
	if err := l.flush(ctx); err != nil {
		return nil, err
	}
	entries, err := sqlite.All(ctx, l.readers, scanEntry, "SELECT case_id, body FROM journal WHERE "+condition+" ORDER BY number DESC LIMIT ?", value, max(n, 0))
	return entries, l.explain(err)
}

func scanEntry(scan func(...any) error) (e Entry, err error) {
	var caseID, body string
	if err := scan(&caseID, &body); err != nil {
		return e, err
	}
	if err := decode(body, &e); err != nil {
		return e, fmt.Errorf("reading the journal: %w", err)
	}
	e.CaseID = caseID
	for k, v := range e.Params {
		e.Params[k] = lively(v)
	}
	for i := range e.Links {
		e.Links[i].Value = lively(e.Links[i].Value)
	}
	return e, nil
}
