package engine

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sameQuestion lists pairs of texts that share a reading and ask the same,
// though their golds differ: one returns films and the other their titles, one
// takes the first day of 2000 to be after 2000, or one says Actor for who acted.
var sameQuestion = [][2]string{
	{"Show the top 5 movies with a budget greater than 100 million USD.", "What are the names of the top 5 movies with a budget over 100 million dollars?"},
	{"What are the top 5 movies with a budget over $100 million?", "What are the names of the top 5 movies with a budget over 100 million dollars?"},
	{"List the names of the top 3 users who have rated the most movies.", "Which 3 users have rated the most movies?"},
	{"List top 5 actors by number of movies acted in.", "Which 5 actors have acted in the most movies?"},
	{"Which movies have a runtime greater than 120 minutes and were released after 2000?", "What movies have a runtime longer than 120 minutes and were released after 2000?"},
}

// TestCollisions reads every question about the two movie graphs of the shared
// pairs. Two texts collide if they share a reading, its values included, and
// their golds ask for different things: a case for one would answer the other.
func TestCollisions(t *testing.T) {
	t.Parallel()
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	reader := e.snapshot().reader
	texts, golds := moviePairs(t)
	accepted := make(map[[2]string]bool)
	for _, pair := range sameQuestion {
		if golds[pair[0]] == nil || golds[pair[1]] == nil {
			t.Errorf("%q and %q: no such pair in the shared file", pair[0], pair[1])
		}
		accepted[pair], accepted[[2]string{pair[1], pair[0]}] = true, true
	}
	byReading := make(map[string][]string) // texts by reading
	framed, pairs, same, collisions := 0, 0, 0, 0
	for _, text := range texts {
		rd := reader.Read(text)
		if rd.Frame != nil {
			framed++
		}
		var key strings.Builder
		key.WriteString(rd.Key())
		for _, s := range rd.Slots {
			key.WriteString(fmt.Sprintf(" %T %v", s.Value, s.Value))
		}
		for _, other := range byReading[key.String()] {
			pairs++
			switch {
			case shareGold(golds[text], golds[other]):
				same++
			case !accepted[[2]string{other, text}]:
				collisions++
				t.Errorf("collision: %s\n\t%q: %s\n\t%q: %s", key.String(), other, golds[other][0], text, golds[text][0])
			}
		}
		byReading[key.String()] = append(byReading[key.String()], text)
	}
	t.Logf("%d texts, %d with a frame; %d of all %d pairs share a reading and its values, %d of them a gold; %d collisions",
		len(texts), framed, pairs, len(texts)*(len(texts)-1)/2, same, collisions)
}

// moviePairs returns the distinct questions about the two movie graphs, in the
// file's order, and the golds of each as one line in one kind of quotes.
func moviePairs(t *testing.T) (texts []string, golds map[string][]string) {
	rows := sharedPairs(t)
	golds = make(map[string][]string)
	for _, row := range rows {
		database, question, query := row[0], row[1], row[2]
		if database != "movies" && database != "recommendations" {
			continue
		}
		if golds[question] == nil {
			texts = append(texts, question)
		}
		golds[question] = append(golds[question], strings.ReplaceAll(strings.Join(strings.Fields(query), " "), "'", `"`))
	}
	return texts, golds
}

func shareGold(a, b []string) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// sharedPairs reads the shared question/Cypher pairs, without their header.
func sharedPairs(t *testing.T) [][]string {
	t.Helper()
	dir := os.Getenv("PRECEDENT_SHARED")
	if dir == "" {
		root, err := filepath.Abs(".")
		for err == nil && root != filepath.Dir(root) {
			if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
				break
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared")
	}
	f, err := os.Open(filepath.Join(dir, "data", "text2cypher_pairs.csv"))
	if err != nil {
		t.Skipf("SKIPPED, no shared data: %v (set PRECEDENT_SHARED to the folder that holds data/)", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}
