package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"precedent/store"
	"precedent/store/cases"
)

// A Replayed is what replaying one case with its example found.
type Replayed struct {
	Case     string     `json:"id"`
	Question string     `json:"question"`
	Result   ReplayKind `json:"result"`
	Why      string     `json:"why,omitempty"`
	Rows     int        `json:"rows"`

	lacks  []cases.Lack
	digest string // of the rows
	out    bool   // it was out of use for what the graph lacked
}

// ReplayKind is what became of a case.
type ReplayKind string

// Kinds of what becomes of a case that is replayed. Only one that Fails is taken out
// of use, and only one that was and Passes comes back.
const (
	Passes    ReplayKind = "passes"
	Fails     ReplayKind = "fails"     // the policy or the graph refuses it, or it names what the graph lacks
	Empties   ReplayKind = "empty"     // it finds nothing, which isn't said to be right
	Differs   ReplayKind = "different" // it finds other rows than at the last replay
	Unreached ReplayKind = "unreached" // the graph didn't answer, or not in time
)

// A Replay counts what replaying all cases found, and says what was done.
type Replay struct {
	Of      int                `json:"verified"`
	Kinds   map[ReplayKind]int `json:"results"`
	Out     []string           `json:"out"`     // taken out of use
	Back    []string           `json:"back"`    // in use again
	Stopped bool               `json:"stopped"` // more than one in ten fails: nothing was taken out, and none of those answers
}

// replayedName is the file in a graph's folder of data with a digest of the rows that
// each case found at the last replay.
const replayedName = "replayed.json"

// Replay runs the query of every verified case with its example values, workers at a
// time, and of those that were taken out of use for what the graph lacked. each is
// told what became of one, one after the other, in the order in which they end.
func (e *Engine) Replay(ctx context.Context, workers int, each func(r Replayed, done, of int)) (sum Replay, err error) {
	if err := e.follow(ctx); err != nil {
		return sum, err
	}
	all, err := e.replayed(ctx)
	if err != nil {
		return sum, err
	}
	for _, r := range all {
		if r.Status == store.Verified {
			sum.Of++
		}
	}
	before := e.readReplayed()
	found := e.replayEach(ctx, all, workers, before, each)
	if err := ctx.Err(); err != nil {
		return sum, err
	}
	return sum, e.settleReplay(ctx, found, &sum)
}

// A replaying is a case that is to be replayed, and what the graph lacked of it when it
// was last held against that.
type replaying struct {
	*store.Case
	was []cases.Lack
}

// replayed are the cases to replay, in the order of their ids.
func (e *Engine) replayed(ctx context.Context) (all []replaying, err error) {
	verified, _ := e.verified()
	for _, c := range verified {
		all = append(all, replaying{Case: c})
	}
	e.index.RLock()
	withheld := maps.Clone(e.withheld)
	e.index.RUnlock()
	for id, d := range withheld {
		if c, err := e.library.Case(ctx, id); err == nil && c.Status == store.Verified {
			all = append(all, replaying{&c, d.Lacks})
		}
	}
	out, lacks, err := e.library.Drifted(ctx)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if e.Shows(out[i]) {
			all = append(all, replaying{&out[i], lacks[i]})
		}
	}
	slices.SortFunc(all, func(a, b replaying) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// replayEach replays cases, workers at a time.
func (e *Engine) replayEach(ctx context.Context, all []replaying, workers int, before map[string]string, each func(Replayed, int, int)) (found []Replayed) {
	next := make(chan replaying)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range min(max(workers, 1), max(len(all), 1)) {
		wg.Go(func() {
			for c := range next {
				r := e.replayOne(ctx, c, before[c.ID])
				mu.Lock()
				found = append(found, r)
				if each != nil {
					each(r, len(found), len(all))
				}
				mu.Unlock()
			}
		})
	}
	for _, c := range all {
		if ctx.Err() != nil {
			break
		}
		next <- c
	}
	close(next)
	wg.Wait()
	return found
}

// replayOne replays a case, of whose rows there was a digest; "" for none.
func (e *Engine) replayOne(ctx context.Context, c replaying, before string) Replayed {
	r := Replayed{Case: c.ID, Question: c.Question, Result: Passes, out: c.Status != store.Verified}
	fails := func(lacks ...cases.Lack) Replayed {
		r.Result, r.lacks = Fails, lacks
		r.Why = cases.Drift{Lacks: lacks}.Why()
		return r
	}
	s := e.snapshot()
	if v := e.gate.judge(c.Query); !v.Allow {
		return fails(cases.Lack{Kind: cases.LackPlan, Name: v.Reason})
	}
	lacks := e.lacks(s, c.Query)
	if left := remaining(c.was, s, lacks); left != nil {
		return fails(left...)
	}
	if lacks = slices.DeleteFunc(lacks, func(l cases.Lack) bool { return !nowhere(s.schema, l) }); len(lacks) > 0 {
		return fails(lacks...)
	}
	if l, ok := e.planned(ctx, c.Case, s.schema.Hash); !ok {
		return fails(l)
	}
	t, err := e.Try(ctx, *c.Case)
	switch {
	case errors.Is(err, store.ErrQuery) && !errors.Is(err, store.ErrTooLarge), errors.Is(err, store.ErrUnsupported):
		return fails(cases.Lack{Kind: cases.LackPlan, Name: err.Error()})
	case err != nil:
		r.Result, r.Why = Unreached, err.Error()
		return r
	}
	for _, p := range t.Problems {
		return fails(cases.Lack{Kind: cases.LackPlan, Name: p.Message})
	}
	r.Rows, r.digest = len(t.Rows), digestRows(t.Rows)
	switch {
	case len(t.Rows) == 0 && !c.EmptyOK:
		r.Result, r.Why = Empties, "it finds nothing for its own example"
	case before != "" && before != r.digest:
		r.Result, r.Why = Differs, "it finds other rows than at the last replay"
	}
	return r
}

// digestRows tells one set of rows from another, in whatever order they come.
func digestRows(rows [][]any) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		line, err := store.EncodeRows([][]any{row})
		if err != nil {
			line = fmt.Append(nil, row...)
		}
		lines[i] = string(line)
	}
	slices.Sort(lines)
	return digest(strings.Join(lines, "\n"))
}

// settleReplay takes out of use what fails, and takes back what passes again.
func (e *Engine) settleReplay(ctx context.Context, found []Replayed, sum *Replay) error {
	sum.Kinds, sum.Out, sum.Back = map[ReplayKind]int{}, []string{}, []string{}
	d := &drift{of: sum.Of}
	digests := make(map[string]string, len(found))
	for _, r := range found {
		digests[r.Case] = r.digest
		switch {
		case r.out && r.Result != Fails && r.Result != Unreached:
			d.back = append(d.back, r.Case)
		case !r.out:
			sum.Kinds[r.Result]++
			if r.Result == Fails {
				d.fresh = append(d.fresh, cases.Drift{Case: r.Case, Question: r.Question, Lacks: r.lacks})
			}
		}
	}
	slices.SortFunc(d.fresh, func(a, b cases.Drift) int { return strings.Compare(a.Case, b.Case) })
	e.withhold(d.fresh)
	if err := e.letIn(ctx); err != nil {
		return err
	}
	var done Refreshed
	if err := e.settleDrift(ctx, d, &done); err != nil {
		return err
	}
	for _, o := range done.Out {
		sum.Out = append(sum.Out, o.Case)
	}
	sum.Back, sum.Stopped = append(sum.Back, done.Back...), len(done.Stopped) > 0
	e.writeReplayed(digests)
	return nil
}

// letIn puts the verified cases into the index that aren't withheld any more.
func (e *Engine) letIn(ctx context.Context) error {
	e.following.Lock()
	defer e.following.Unlock()
	there, err := e.changes(ctx, 0)
	if err != nil {
		return err
	}
	e.apply(there)
	return nil
}

func (e *Engine) readReplayed() map[string]string {
	found := make(map[string]string)
	text, err := os.ReadFile(filepath.Join(e.path, replayedName))
	if err != nil || json.Unmarshal(text, &found) != nil {
		return map[string]string{}
	}
	return found
}

func (e *Engine) writeReplayed(digests map[string]string) {
	text, err := json.Marshal(digests)
	if err == nil {
		err = writeWhole(filepath.Join(e.path, replayedName), text)
	}
	if err != nil {
		e.log.Warn("keeping what the cases found; the next replay has nothing to compare with", "err", err)
	}
}
