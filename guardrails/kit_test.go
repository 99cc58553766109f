package guardrails_test

import (
	"crypto/sha256"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"precedent/guardrails"
	"precedent/store/movies"
	"precedent/store/text"
)

// onMovies judges questions to a movie graph.
var onMovies = guardrails.Policy{Lists: guardrails.With(movies.OffTopicEnglish, movies.OffTopicChinese)}

// commonWords are those of the linker's list.
var commonWords = sync.OnceValue(func() map[string]bool {
	b, err := os.ReadFile("../engine/link/common.txt")
	if err != nil {
		panic(err)
	}
	words := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		if !strings.HasPrefix(line, "#") {
			for word := range strings.FieldsSeq(line) {
				words[word] = true
			}
		}
	}
	return words
})

// isCommon does for one word what the engine does with that list.
func isCommon(name string) bool {
	ts := text.Tokens(name)
	switch {
	case len(ts) == 0:
		return false
	case len(ts) == 1 && (ts[0].Kind != text.Word || len(ts[0].Text) <= 2):
		return true
	case len(ts) == 1 || ts[0].Kind == text.Han:
		return commonWords()[text.Key(ts)]
	}
	return false
}

// shared returns the rows of a shared regression file by column, or skips.
func shared(t testing.TB, name string) []map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(sharedFolder(t), "data", name))
	if err != nil {
		t.Skipf("NOT MEASURED: the shared regression files are missing (set PRECEDENT_SHARED): %v", err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// sharedFolder is $PRECEDENT_SHARED, else ../shared beside the repository.
func sharedFolder(t testing.TB) string {
	if folder := os.Getenv("PRECEDENT_SHARED"); folder != "" {
		return folder
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return filepath.Join(folder, "..", "shared")
		}
		if folder == filepath.Dir(folder) {
			t.Skip("NOT MEASURED: no go.mod above the test")
		}
		folder = filepath.Dir(folder)
	}
}

// developed reports whether a row belongs to the half on which the word lists
// were written; the other half was only counted.
func developed(question string) bool {
	return sha256.Sum256([]byte(question))[0]%2 == 0
}
