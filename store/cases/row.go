package cases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"precedent/store"
	"precedent/store/sqlite"
)

// A Backing is who stands behind a case's status. It decides what members' votes may do to it.
type Backing string

// Those who can stand behind a case.
const (
	ByNobody   Backing = ""
	ByShipping Backing = "shipped"
	ByCurator  Backing = "curator"
	ByMembers  Backing = "members"
)

// A row is a case as it is kept. Votes and uses are counted beside it.
type row struct {
	Case    store.Case `json:"case"`
	Key     string     `json:"key,omitempty"`
	Private bool       `json:"private,omitempty"`
	Backing Backing    `json:"backing,omitempty"`
	Touched bool       `json:"touched,omitempty"` // people moved or edited it: shipping a new version leaves it alone
	Held    bool       `json:"held,omitempty"`    // somebody undid what members' votes did: from now on they only flag
	Why     string     `json:"why,omitempty"`     // of the last change of status

	Drifted *drifted `json:"drifted,omitempty"` // the program took it out of use, and brings it back

	Into  string   `json:"into,omitempty"`  // the case whose wordings its words became
	Given []string `json:"given,omitempty"` // those wordings

	number   int64
	revision int64
	flag     string
	broken   bool // it was altered in the file, and counts as quarantined
}

// recallable reports whether others may be shown the case.
func (r *row) recallable() bool {
	return r != nil && r.Case.Status == store.Verified && !r.Private
}

// sealed is the condition of a row that is as the last change of its case left it.
// Changes are append-only, so a query that was altered in the file, or that the
// case had once, is not the one that was verified.
const sealed = "coalesce((SELECT seq = cases.revision AND after = cases.body FROM changes WHERE case_id = cases.id ORDER BY seq DESC LIMIT 1), 0)"

const rowColumns = "number, body, revision, flag, uses, up, down, " + sealed

func scanRow(scan func(...any) error) (*row, error) {
	var r row
	var body, flag string
	var number, revision, uses int64
	var up, down int
	var whole bool
	if err := scan(&number, &body, &revision, &flag, &uses, &up, &down, &whole); err != nil {
		return nil, err
	}
	if err := r.decode(body); err != nil {
		return nil, err
	}
	r.number, r.revision, r.flag = number, revision, flag
	r.Case.Uses, r.Case.Votes, r.Case.Private = uses, store.Votes{Up: up, Down: down}, r.Private
	if !whole && (r.Case.Status == store.Verified || r.Case.Status == store.Candidate) { // votes would verify a candidate
		r.Case.Status, r.broken = store.Quarantined, true
	}
	return &r, nil
}

func scanText(scan func(...any) error) (text string, err error) {
	err = scan(&text)
	return text, err
}

func (r *row) encode() (string, error) {
	c := *r
	c.Case.Votes, c.Case.Uses, c.Case.Private = store.Votes{}, 0, false
	c.Case.Slots = make([]store.Slot, len(r.Case.Slots))
	for i, s := range r.Case.Slots {
		s.Example = plain(s.Example)
		c.Case.Slots[i] = s
	}
	return encode(c)
}

func (r *row) decode(body string) error {
	if err := decode(body, r); err != nil {
		return fmt.Errorf("reading a stored case: %w", err)
	}
	for i := range r.Case.Slots {
		s := &r.Case.Slots[i]
		s.Example = lively(s.Example)
		if n, whole := s.Example.(int64); whole && s.Type == "float" {
			s.Example = float64(n)
		}
	}
	return nil
}

// clone returns a copy that shares nothing that a change touches.
func (r *row) clone() *row {
	c := *r
	c.Case.Wordings = append([]string(nil), r.Case.Wordings...)
	c.Case.Slots = append([]store.Slot(nil), r.Case.Slots...)
	return &c
}

// become sets the status, and says since when and by whom a verified case is verified.
func (r *row) become(to store.Status, ch Change, at time.Time) {
	r.Case.Status, r.Why, r.Drifted = to, cut(ch.Why), nil
	r.Case.VerifiedBy, r.Case.VerifiedAt = "", nil
	if to == store.Verified {
		r.Case.VerifiedBy, r.Case.VerifiedAt = named(ch.By), &at
	}
}

// MaxWordings is the most wordings of one case.
const MaxWordings = 256

// prepare fills in what may be left out of a case that is added or edited,
// and says what is wrong with it.
func (l *Library) prepare(c store.Case, now time.Time) (store.Case, error) {
	refuse := func(format string, args ...any) (store.Case, error) {
		return c, fmt.Errorf("case %q: %w: %s", c.ID, ErrCase, fmt.Sprintf(format, args...))
	}
	if len(c.Wordings) == 0 && strings.TrimSpace(c.Question) != "" {
		c.Wordings = []string{c.Question}
	}
	if c.Question == "" && len(c.Wordings) > 0 {
		c.Question = filled(c.Wordings[0], c.Slots)
	}
	switch {
	case strings.TrimSpace(c.Question) == "":
		return refuse("it has no question; give question or wordings")
	case strings.TrimSpace(c.Query) == "":
		return refuse("it has no query")
	case len(c.Wordings) > MaxWordings:
		return refuse("it has %d wordings; %d is the most, split it", len(c.Wordings), MaxWordings)
	case l.graph != "" && c.Graph != "" && c.Graph != l.graph:
		return refuse("it is for graph %q and this library is for %q; change its graph field to use it here", c.Graph, l.graph)
	}
	switch c.Status {
	case "":
		c.Status = store.Candidate
	case store.Candidate, store.Verified, store.Quarantined, store.Rejected, store.Retired:
	default:
		return refuse("unknown status %q; use candidate, verified, quarantined, rejected or retired", c.Status)
	}
	if c.Graph == "" {
		c.Graph = l.graph
	}
	if c.Created.IsZero() {
		c.Created = now
	}
	if c.ID == "" {
		c.ID = l.ids.next(now)
	}
	return c, nil
}

// filled puts the slots' examples into a wording.
func filled(wording string, slots []store.Slot) string {
	for _, s := range slots {
		if s.Example != nil {
			wording = strings.ReplaceAll(wording, "{"+s.Name+"}", fmt.Sprint(s.Example))
		}
	}
	return wording
}

// Errors of this package. They are wrapped with what happened; test with errors.Is.
var (
	ErrCase          = errors.New("not a usable case")
	ErrDuplicate     = errors.New("there is a case with this id already")
	ErrUnknownCase   = errors.New("no such case")
	ErrUnknownAnswer = errors.New("no such answer")
	ErrMove          = errors.New("a case can't be moved that way")
	ErrUndo          = errors.New("can't be undone")
	ErrPromotion     = errors.New("the case did not pass the checks")
	ErrBallot        = errors.New("not a usable vote")
	ErrFile          = errors.New("the case library can't be used")
	ErrBusy          = errors.New("the case library is busy")
	ErrClosed        = errors.New("the case library is closed")
)

// find returns the row of a case. Its error wraps [ErrUnknownCase].
func find(ctx context.Context, in sqlite.Querier, id string) (*row, error) {
	r, err := scanRow(in.QueryRowContext(ctx, "SELECT "+rowColumns+" FROM cases WHERE id = ?", id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, unknownCase(id)
	}
	return r, err
}

func unknownCase(id string) error {
	return fmt.Errorf("case %q: %w; `cases list` shows the ids", id, ErrUnknownCase)
}
