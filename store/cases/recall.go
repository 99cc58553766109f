package cases

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"precedent/store"
)

// Numbers of recall.
const (
	// fusion is k of reciprocal rank fusion (Cormack, Clarke, Büttcher:
	// Reciprocal Rank Fusion outperforms Condorcet and individual Rank
	// Learning Methods, SIGIR 2009).
	fusion = 60
	// recallDepth is how many cases each ranking contributes at least.
	recallDepth = 50
)

// A Match is a recalled case.
type Match struct {
	Case       store.Case
	Score      float64 // the sum of 1/(60+rank) over the rankings it is in
	BM25Rank   int     // from 1; 0 if no wording shares a word with the question
	VectorRank int     // from 1; 0 if it isn't among the nearest
	Similarity float64 // cosine of the vectors, 0 if VectorRank is 0
	Model      string  // whose vectors ranked: Config.Model, or HashedModel
}

// Recall returns the at most n cases nearest to a question, the nearest first:
// verified ones that everybody may see. They are ranked by the words of their
// wordings (BM25) and by the vectors of their questions, and the two rankings
// fused. A provider that fails is left out for this question, never an error.
func (l *Library) Recall(ctx context.Context, question string, n int) ([]Match, error) {
	if n <= 0 {
		return nil, nil
	}
	if err := l.synced(ctx); err != nil {
		return nil, err
	}
	depth := max(recallDepth, 2*n)
	var words []string
	var wordsErr error
	var searching sync.WaitGroup
	searching.Go(func() { words, wordsErr = l.byWords(ctx, question, depth) })
	near, model, err := l.byVectors(ctx, question, depth)
	searching.Wait()
	if wordsErr != nil {
		return nil, fmt.Errorf("recalling cases by their words: %w", l.explain(wordsErr))
	}
	if err != nil {
		return nil, fmt.Errorf("recalling cases by their vectors: %w", l.explain(err))
	}
	return l.fetch(ctx, fuse(words, near, model), n)
}

// Sharing returns the ids of at most n verified cases that everybody may see and in
// whose wordings words of the text stand, by BM25, the best first.
func (l *Library) Sharing(ctx context.Context, words string, n int) ([]string, error) {
	if err := l.synced(ctx); err != nil {
		return nil, err
	}
	ids, err := l.byWords(ctx, words, n)
	if err != nil {
		return nil, fmt.Errorf("finding cases by their words: %w", l.explain(err))
	}
	return ids, nil
}

func (l *Library) prepareRecall(ctx context.Context) (err error) {
	for into, query := range map[**sql.Stmt]string{
		&l.recall.words:     wordsQuery,
		&l.recall.frequency: frequencyQuery,
		&l.recall.vector:    vectorQuery,
		&l.recall.fetch:     "SELECT " + rowColumns + " FROM cases WHERE id = ?",
	} {
		if *into, err = l.readers.PrepareContext(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// fuse merges two rankings; only the ID of each case is filled in.
func fuse(words []string, near []neighbour, model string) []*Match {
	byID := map[string]*Match{}
	match := func(id string) *Match {
		if byID[id] == nil {
			byID[id] = &Match{Case: store.Case{ID: id}, Model: model}
		}
		return byID[id]
	}
	for i, id := range words {
		m := match(id)
		m.BM25Rank = i + 1
		m.Score += 1 / float64(fusion+i+1)
	}
	for i, near := range near {
		m := match(near.id)
		m.VectorRank, m.Similarity = i+1, near.similarity
		m.Score += 1 / float64(fusion+i+1)
	}
	return slices.SortedFunc(maps.Values(byID), func(a, b *Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Case.ID, b.Case.ID))
	})
}

// fetch reads the first n matches that may be recalled still.
func (l *Library) fetch(ctx context.Context, ranked []*Match, n int) ([]Match, error) {
	found := make([]Match, 0, min(n, len(ranked)))
	for _, m := range ranked {
		if len(found) == n {
			break
		}
		r, err := scanRow(l.recall.fetch.QueryRowContext(ctx, m.Case.ID).Scan)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return nil, l.explain(err)
		case r.recallable():
			m.Case = r.Case
			found = append(found, *m)
		}
	}
	return found, nil
}
