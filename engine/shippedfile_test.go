package engine

import (
	"flag"
	"os"
	"reflect"
	"testing"

	"precedent/store/movies"
)

var ship = flag.Bool("ship", false, "write ../store/movies/shipped.gz")

// TestShippedFile holds the file of what is shipped against the YAML files and
// the words that it is made from.
func TestShippedFile(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	e := openMovies(t, Shipped.Copy(t))
	digest, err := shippedDigest()
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseShipped(digest)
	if err != nil {
		t.Fatal(err)
	}
	s.readings = e.readings(s.cases)
	want, err := pack(s)
	if err != nil {
		t.Fatal(err)
	}
	if *ship {
		if err := os.WriteFile("../store/movies/shipped.gz", want, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d cases, %d aliases in %d bytes", len(s.cases), len(s.aliases), len(want))
		return
	}
	again, err := unpack(want)
	if err != nil {
		t.Fatal(err)
	}
	again.places, s.places = nil, nil
	for _, part := range [][2]any{{again.cases, s.cases}, {again.readings, s.readings}, {again.aliases, s.aliases}, {again.glossary, s.glossary}} {
		if !reflect.DeepEqual(part[0], part[1]) {
			t.Errorf("packed and unpacked, %T is another", part[0])
		}
	}
	there, err := opened(movies.Shipped)
	if err == nil {
		fresh, _ := opened(want)
		if *there == *fresh {
			return
		}
	}
	t.Errorf("store/movies/shipped.gz is older than what it is made from; run: go generate ./engine")
}

func TestShippedFileDamaged(t *testing.T) {
	for _, content := range [][]byte{nil, []byte("no file"), movies.Shipped[:len(movies.Shipped)/2]} {
		if _, err := unpack(content); err == nil {
			t.Errorf("%d bytes were taken for a file of what is shipped", len(content))
		}
	}
}

// openMovies opens the movie graph with a folder of data and closes it when the test ends.
func openMovies(t testing.TB, data string) *Engine {
	t.Helper()
	e, _, err := Open(t.Context(), Config{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	return e
}
