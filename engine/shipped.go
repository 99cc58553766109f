package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sync"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/movies"
)

//go:generate go test -count=1 -run ^TestShippedFile$ . -ship

// shipped is what comes with the program for the movie graph, read from
// movies.Shipped, which go generate makes of the YAML files people edit.
type shipped struct {
	digest   string // of the files it was made from
	cases    []store.Case
	readings []heard // of each case, read with the shipped words and nothing hidden; nil if nobody read them yet
	glossary *reading.Glossary
	aliases  []link.Alias

	places func() map[string]int // of cases, by id
}

func newShipped(digest string) *shipped {
	s := &shipped{digest: digest}
	s.places = sync.OnceValue(func() map[string]int {
		at := make(map[string]int, len(s.cases))
		for i, c := range s.cases {
			at[c.ID] = i
		}
		return at
	})
	return s
}

// openShipped reads what comes with the program. Where the YAML files changed
// since movies.Shipped was made, as they do while somebody works on them, it
// reads those, and the readings are missing.
func openShipped() (*shipped, error) {
	digest, err := shippedDigest()
	if err != nil {
		return nil, err
	}
	if s, err := unpack(movies.Shipped); err == nil && s.digest == digest {
		return s, nil
	}
	return parseShipped(digest)
}

// parseShipped reads the YAML files.
func parseShipped(digest string) (*shipped, error) {
	s := newShipped(digest)
	err := eachFile(movies.Cases, func(name string, content []byte) error {
		cs, err := parseCaseFile(name, content, movies.Name)
		for _, c := range cs {
			s.cases = append(s.cases, c.Case)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	g, wrong := reading.ParseGlossary("glossary.yaml", movies.Glossary)
	as, misread := parseAliases("aliases.yaml", movies.Aliases)
	s.glossary = g.Glossary
	for _, a := range as {
		s.aliases = append(s.aliases, a.Alias)
	}
	return s, append(wrong, misread...).Err()
}

// shippedCases are the cases of the movie graph.
func shippedCases() ([]store.Case, error) {
	s, err := openShipped()
	if err != nil {
		return nil, err
	}
	return s.cases, nil
}

// shippedDigest identifies the files that the shipped cases and their readings
// are made from.
func shippedDigest() (string, error) {
	sum := sha256.New()
	for _, files := range []fs.FS{movies.Cases, movies.Graph(), reading.Lexicons()} {
		err := eachFile(files, func(name string, content []byte) error {
			fmt.Fprintf(sum, "%s %d\n", name, len(content))
			sum.Write(content)
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	sum.Write(movies.Glossary)
	sum.Write(movies.Aliases)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// eachFile calls see for each file in files, by name.
func eachFile(files fs.FS, see func(name string, content []byte) error) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return see(name, content)
	})
}
