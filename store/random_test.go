package store_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"precedent/store"
	"precedent/store/embedded"
)

// errorIn is the beginning of the error that a difference shows, "" for none.
func errorIn(shown string) string {
	const telling = 60 // bytes
	_, text, _ := strings.Cut(shown, "error: ")
	return text[:min(len(text), telling)]
}

const (
	fewRandom  = 150 // queries of an ordinary run, all of the seed that stays the same
	fixedSeed  = 20261122
	mostShrunk = 12 // queries that differ which are made smaller
)

// Queries of a grammar go alike on the embedded graph and in Neo4j: a few of a seed that
// stays the same, of which what Neo4j says is recorded. On command, many, and as many of a seed that doesn't:
//
//	PRECEDENT_RANDOM=20000 go test ./store -run TestRandomQueries -v -timeout 60m
//	PRECEDENT_RANDOM=500 PRECEDENT_SEED=7 go test ./store -run TestRandomQueries -v
//
// It logs the table of how they went, and what differs, made as small as it still does.
func TestRandomQueries(t *testing.T) {
	n, seed, total := fewRandom, rand.Uint64()>>32, fewRandom
	for name, set := range map[string]func(int){"PRECEDENT_RANDOM": func(v int) { n = v }, "PRECEDENT_SEED": func(v int) { seed = uint64(v) }} {
		if text := os.Getenv(name); text != "" {
			v, err := strconv.Atoi(text)
			if err != nil {
				t.Fatalf("%s=%s is no number", name, text)
			}
			set(v)
			total = 2 * n
		}
	}
	e, err := embedded.Open(os.DirFS(testGraph))
	if err != nil {
		t.Fatal(err)
	}
	r, g := rivalry{e, openRecords(t).witness(os.DirFS(testGraph))}, readGrammar(t, "testdata/grammar.txt")
	count, seen := newTally(), map[string]bool{}
	t.Logf("seed %d", seed)
	for i := range total {
		at := fixedSeed + uint64(i)
		if i >= n {
			at = seed + uint64(i-n)
		}
		text, ordered := g.query(at)
		is, shown := r.judged(t, store.Query{Text: text}, ordered)
		count.add(is, shown)
		if !is.wrong() || len(seen) >= mostShrunk {
			continue
		}
		small := shrunk(text, func(text string) bool {
			now, why := r.judged(t, store.Query{Text: text}, false)
			return now == is && errorIn(why) == errorIn(shown)
		})
		if _, shown := r.judged(t, store.Query{Text: small}, false); !seen[small] {
			seen[small] = true
			t.Errorf("%s (seed %d)\n%s\nwas %s", is, at, shown, text)
		}
	}
	count.tell(t, "random queries")
}
