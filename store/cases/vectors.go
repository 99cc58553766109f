package cases

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"sync"

	"github.com/philippgille/chromem-go"

	"precedent/store"
)

// A recall holds what Recall needs beside the file.
type recall struct {
	words, frequency, fetch, vector *sql.Stmt
	rarity                          rarity

	hashed   *vectors
	mu       sync.Mutex // guards provider
	provider *provider
}

// vectors are the vectors of one model in memory, following the file.
type vectors struct {
	model string
	mu    sync.RWMutex
	seq   int64 // the last change that is in
	// sets hold, for questions of a language, one vector of each case: of its
	// text in that language, else of the one it has.
	sets map[string]*chromem.Collection
}

func newVectors(model string) *vectors {
	v := &vectors{model: model}
	v.forget()
	return v
}

// forget makes v empty; it follows the file from its beginning.
func (v *vectors) forget() {
	never := func(context.Context, string) ([]float32, error) {
		return nil, fmt.Errorf("vectors are made before they are put in")
	}
	v.seq, v.sets = 0, map[string]*chromem.Collection{}
	for _, language := range languages {
		// Fails for an empty name only.
		v.sets[language], _ = chromem.NewDB().CreateCollection(language, nil, never)
	}
}

// clear is forget, while others use v.
func (v *vectors) clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.forget()
}

// languages are those that function language tells apart.
var languages = []string{"en", "zh"}

// A text is what a vector of a case is made from.
type text struct {
	language, text string
	only           bool // there is none of the case in another language
}

// texts returns one text a language: the question, and the first wording of
// the other language with the examples filled in.
func texts(c store.Case) []text {
	first := text{language: language(c.Question), text: c.Question}
	for _, wording := range c.Wordings {
		if lang := language(wording); lang != first.language {
			return []text{first, {language: lang, text: filled(wording, c.Slots)}}
		}
	}
	first.only = true
	return []text{first}
}

func (t text) hash() int64 {
	h := fnv.New64a()
	h.Write([]byte(t.text))
	return int64(h.Sum64())
}

// document names the vector of a case in a language.
func document(id string, t text) string { return id + "/" + t.language }

// follow brings v up to the file: gone is told each case that changed, and
// vector gives the vectors of those that may be recalled, nil to leave one out.
func (l *Library) follow(ctx context.Context, v *vectors, gone func(id string), vector func(id string, t text) []float32) error {
	last, err := l.watch.last(ctx)
	if err != nil {
		return err
	}
	v.mu.RLock()
	current := v.seq >= last
	v.mu.RUnlock()
	if current {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seq >= last {
		return nil
	}
	next, err := l.eachSince(ctx, v.seq, "WHERE status = 'verified' AND private = 0", func(id string, r *row) {
		v.remove(id)
		gone(id)
		if !r.recallable() {
			return
		}
		for _, t := range texts(r.Case) {
			v.put(id, t, vector(id, t))
		}
	})
	if err == nil {
		v.seq = next
	}
	return err
}

func (v *vectors) remove(id string) {
	for _, set := range v.sets {
		// Fails for no ids or a file only, and here is one id and no file.
		_ = set.Delete(context.Background(), nil, nil, id)
	}
}

// put adds a vector; a zero one is near to nothing and is left out.
func (v *vectors) put(id string, t text, vector []float32) {
	if !usable(vector) {
		return
	}
	for language, set := range v.sets {
		if t.only || language == t.language {
			// Fails for an empty id or vector only.
			_ = set.AddDocument(context.Background(), chromem.Document{ID: id, Embedding: vector})
		}
	}
}

// usable reports whether v has a direction.
func usable(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum > 0 && !math.IsInf(sum, 0) && !math.IsNaN(sum)
}

// A neighbour is a case near to a question.
type neighbour struct {
	id         string
	similarity float64
}

// nearest returns the cases whose vectors are nearest to that of a question, at
// most depth.
func (v *vectors) nearest(ctx context.Context, question string, vector []float32, depth int) ([]neighbour, error) {
	if !usable(vector) {
		return nil, nil
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	set := v.sets[language(question)]
	// Asking chromem for more than there is is an error.
	n := min(depth, set.Count())
	if n == 0 {
		return nil, nil
	}
	results, err := set.QueryEmbedding(ctx, vector, n, nil, nil)
	if err != nil {
		return nil, err
	}
	found := make([]neighbour, 0, n)
	for _, r := range results {
		if r.Similarity <= 0 {
			break
		}
		found = append(found, neighbour{r.ID, float64(r.Similarity)})
	}
	return found, nil
}

// byVectors ranks cases by the provider's vectors if it has one for nearly
// every case and answers now, else by hashed ones.
func (l *Library) byVectors(ctx context.Context, question string, depth int) ([]neighbour, string, error) {
	if p := l.currentProvider(); p != nil {
		near, err := l.byProvider(ctx, p, question, depth)
		if err == nil {
			return near, p.model, nil
		}
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if !errors.Is(err, errIncomplete) {
			l.log.Warn("embedding a question failed; hashed vectors rank instead", "model", p.model, "error", err)
		}
	}
	v := l.recall.hashed
	gone, vector := func(string) {}, func(_ string, t text) []float32 { return Hashed(t.text) }
	if err := l.follow(ctx, v, gone, vector); err != nil {
		return nil, "", err
	}
	near, err := v.nearest(ctx, question, Hashed(question), depth)
	return near, v.model, err
}

func bytesOf(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func vectorOf(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
