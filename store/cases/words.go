package cases

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Bounds of a search by words. They keep it fast whatever the question, and
// leave out the words that tell least.
const (
	wordingBits = 8       // rowid = number << wordingBits | position
	maxTokens   = 24      // of a question, the rarest ones
	maxShare    = 0.20    // of all wordings that hold a token, beyond which it is left out when others remain
	maxPostings = 5_000   // wordings looked at, summed over the tokens from the rarest on; the rarest counts always
	rarityAge   = 200     // changes after which document frequencies are counted anew
	rarityWords = 100_000 // document frequencies kept
)

var slotInWording = regexp.MustCompile(`\{\w+\}`)

// index puts the wordings of a case that may be recalled into the full-text
// index, and takes out those that no longer may.
func (w *writing) index(before, after *row) error {
	if before.recallable() && after.recallable() && slices.Equal(before.Case.Wordings, after.Case.Wordings) {
		return nil
	}
	if before.recallable() {
		for i := range before.Case.Wordings {
			if _, err := w.exec("DELETE FROM wording_index WHERE rowid = ?", before.number<<wordingBits|int64(i)); err != nil {
				return err
			}
		}
	}
	if !after.recallable() {
		return nil
	}
	for i, wording := range after.Case.Wordings {
		// A slot's place says nothing of the words that will stand there.
		text := strings.Join(tokens(slotInWording.ReplaceAllString(wording, " ")), " ")
		if _, err := w.exec("INSERT INTO wording_index (rowid, tokens) VALUES (?, ?)", after.number<<wordingBits|int64(i), text); err != nil {
			return err
		}
	}
	return nil
}

// A rarity knows in how many wordings a token stands, as of some change.
type rarity struct {
	mu     sync.Mutex
	change int64
	total  int64
	counts map[string]int64
}

// byWords ranks cases by BM25 of their best wording and returns their ids.
func (l *Library) byWords(ctx context.Context, question string, depth int) ([]string, error) {
	chosen, err := l.telling(ctx, distinct(tokens(question)))
	if err != nil || len(chosen) == 0 {
		return nil, err
	}
	match := `"` + strings.Join(chosen, `" OR "`) + `"`
	// A case may stand there with several wordings.
	rows, err := l.recall.words.QueryContext(ctx, match, 4*depth)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		if len(ids) < depth && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}

const wordsQuery = `SELECT c.id FROM (SELECT rowid AS place, rank AS score FROM wording_index WHERE wording_index MATCH ?1 ORDER BY rank LIMIT ?2)
	JOIN cases c ON c.number = place >> 8 ORDER BY score`

// telling returns the tokens worth searching for, the rarest first.
func (l *Library) telling(ctx context.Context, tokens []string) ([]string, error) {
	total, counts, err := l.frequencies(ctx, tokens)
	if err != nil {
		return nil, err
	}
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(t string) bool { return counts[t] == 0 })
	slices.SortStableFunc(tokens, func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
	var chosen []string
	var postings int64
	for _, t := range tokens {
		common := float64(counts[t]) > maxShare*float64(total)
		postings += counts[t]
		if len(chosen) > 0 && (common || len(chosen) >= maxTokens || postings > maxPostings) {
			break
		}
		chosen = append(chosen, t)
	}
	return chosen, nil
}

// frequencies returns how many wordings there are and how many hold each token.
func (l *Library) frequencies(ctx context.Context, tokens []string) (total int64, counts map[string]int64, err error) {
	change, err := l.watch.last(ctx)
	if err != nil {
		return 0, nil, err
	}
	r := &l.recall.rarity
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := r.counts != nil && change-r.change <= min(rarityAge, r.total/20) && len(r.counts) < rarityWords
	if !fresh {
		r.change, r.counts = change, map[string]int64{}
		if err := l.readers.QueryRowContext(ctx, "SELECT count(*) FROM wording_index_docsize").Scan(&r.total); err != nil {
			r.counts = nil
			return 0, nil, err
		}
	}
	counts = make(map[string]int64, len(tokens))
	for _, t := range tokens {
		count, known := r.counts[t]
		if !known {
			if err := l.recall.frequency.QueryRowContext(ctx, t).Scan(&count); err != nil {
				return 0, nil, err
			}
			r.counts[t] = count
		}
		counts[t] = count
	}
	return r.total, counts, nil
}

const frequencyQuery = "SELECT coalesce((SELECT doc FROM wording_terms WHERE term = ?), 0)"
