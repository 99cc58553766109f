package engine

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

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
	if err := written.YAML(name, content, &f); err != nil {
		return nil, err
	}
	lines, err := entryLines(name, content)
	if err != nil || len(lines) != len(f) {
		return nil, errors.Join(err, fmt.Errorf("%s: want a list of cases, each with id, query and wordings", name))
	}
	var out []writtenCase
	for i, c := range f {
		if c.ID == "" || strings.TrimSpace(c.Query) == "" || len(c.En)+len(c.Zh) == 0 {
			return nil, fmt.Errorf("%s:%d: case %d (%s): want id, query and at least one wording, under en or zh", name, lines[i], i+1, c.ID)
		}
		k := newShippedCase()
		k.ID, k.Graph, k.Wordings, k.Query, k.Note, k.EmptyOK = c.ID, graph, append(c.En, c.Zh...), strings.TrimSpace(c.Query), c.Note, c.EmptyOK
		k.Slots = append([]store.Slot{}, c.Slots...)
		for j := range k.Slots {
			k.Slots[j].Example = plainExample(k.Slots[j].Example)
		}
		q, err := reading.Fill(k.Wordings[0], k.Slots)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: case %s: %w", name, lines[i], c.ID, err)
		}
		k.Question = q
		out = append(out, writtenCase{Case: k, line: lines[i]})
	}
	return out, nil
}

// entryLines are the lines on which the entries of a YAML list begin.
func entryLines(name string, content []byte) ([]int, error) {
	docs, err := written.Tree(name, content)
	if err != nil {
		return nil, err
	}
	var lines []int
	for _, doc := range docs {
		if list := doc.Content[0]; list.Kind == yaml.SequenceNode {
			for _, entry := range list.Content {
				lines = append(lines, entry.Line)
			}
		}
	}
	return lines, nil
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
