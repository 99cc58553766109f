package engine

import (
	"fmt"
	"strings"
	"time"

	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/movies"
	"precedent/store/written"
)

// A caseFile is a YAML file of cases that curators read and edit.
type caseFile []struct {
	ID      string       `yaml:"id"`
	Query   string       `yaml:"query"`
	Slots   []store.Slot `yaml:"slots"`
	En      []string     `yaml:"en"`
	Zh      []string     `yaml:"zh"`
	Note    string       `yaml:"note"`
	EmptyOK bool         `yaml:"empty_ok"`
}

// parseCaseFile reads the cases in a YAML file; name is for errors, which begin
// with name:line.
func parseCaseFile(name string, content []byte, graph string) ([]writtenCase, error) {
	var f caseFile
	doc, wrong := written.Parse(name, content)
	if err := append(wrong, doc.Into(&f)...).InOrder().Err(); err != nil {
		return nil, err
	}
	var out []writtenCase
	for i, c := range f {
		if c.ID == "" || strings.TrimSpace(c.Query) == "" || len(c.En)+len(c.Zh) == 0 {
			return nil, fmt.Errorf("%s:%d: case %d (%s): want id, query and at least one wording, under en or zh", name, doc.At(i).Line, i+1, c.ID)
		}
		k := newShippedCase()
		k.ID, k.Graph, k.Wordings, k.Query, k.Note, k.EmptyOK = c.ID, graph, append(c.En, c.Zh...), strings.TrimSpace(c.Query), c.Note, c.EmptyOK
		k.Slots = append([]store.Slot{}, c.Slots...)
		for j := range k.Slots {
			k.Slots[j].Example = plainExample(k.Slots[j].Example)
		}
		q, err := reading.Fill(k.Wordings[0], k.Slots)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: case %s: %w", name, doc.At(i).Line, c.ID, err)
		}
		k.Question = q
		out = append(out, writtenCase{Case: k, line: doc.At(i).Line})
	}
	return out, nil
}

// newShippedCase is what is the same in all shipped cases.
func newShippedCase() store.Case {
	return store.Case{Graph: movies.Name, Status: store.Verified, Author: "precedent", Source: "shipped", VerifiedBy: "precedent", Created: shippedAt, VerifiedAt: &shippedAt}
}

// shippedAt dates the cases that come with the program; they are older than
// anything a user does.
var shippedAt = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// plainExample is an example as JSON would give it back.
func plainExample(v any) any {
	switch v := v.(type) {
	case uint64:
		return int64(v)
	case int:
		return int64(v)
	}
	return v
}
