package reading

import (
	"slices"
	"strings"
	"testing"
)

func TestVerbs(t *testing.T) {
	for said, want := range map[string]string{
		"acted in": "acted in, act in, acts in", "handled": "handled, handle, handles", "handles": "handles, handle, handled", "shipped": "shipped, ship, ships",
		"created": "created, create, creates", "rated": "rated, rate, rates", "carried by": "carried by, carry by, carries by", "supplies": "supplies, supply, supplied",
		"contains": "contains, contain, contained", "assigned to": "assigned to, assign to, assigns to", "uses": "uses, use, used", "has role": "has role, have role, had role",
		"wrote": "wrote, write, written, writes", "produced": "produced, produce, produces", "treated": "treated, treat, treats", "planned": "planned, plan, plans",
		"called": "called, call, calls", "managed": "managed, manage, manages", "filed in": "filed in, file in, files in", "stored": "stored, store, stores", "joined": "joined, join, joins",
		"in genre": "in genre", "负责": "负责", "brmpfed": "brmpfed", "sits": "sits, sit", "ed": "ed", "bus": "bus",
	} {
		got := strings.Join(verbs(said), ", ")
		if got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

func TestPlurals(t *testing.T) {
	for one, want := range map[string]string{"movie": "movies", "country": "countries", "day": "days", "person": "people", "drop off point": "drop off points", "branch": "branches", "address": "addresses", "客户": "", "staff": "staff"} {
		if got := strings.Join(plurals(one), ", "); got != want {
			t.Errorf("%s: %s, want %s", one, got, want)
		}
	}
}

func TestSays(t *testing.T) {
	for _, name := range []string{"Order.status status", "ACTED_IN act in", "DIRECTED directed", "Country countries", "Film.imdbRating imdb rating", "客户 客户"} {
		name, word, _ := strings.Cut(name, " ")
		if Says(word, name) {
			t.Errorf("%q says something of %s", word, name)
		}
	}
	if !Says("box office", "Movie.revenue") || !Says("票房", "Movie.revenue") || !Says("actor", "ACTED_IN") {
		t.Error("a word says nothing")
	}
	if !slices.Contains(verbs("handles"), "handle") {
		t.Error("no handle")
	}
}
