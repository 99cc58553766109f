package written

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Place is where something stands in a file. Lines and columns count from 1,
// columns in characters; line 0 is the file as a whole, and no file is nowhere.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// before reports whether p stands before o in the same file.
func (p Place) before(o Place) bool {
	return p.Line < o.Line || p.Line == o.Line && p.Column < o.Column
}

// A Level says what a mistake does.
type Level string

// Levels of mistakes.
const (
	Wrong Level = "error"   // the file can't be used as it is
	Idle  Level = "warning" // an entry does nothing, or not what it says
	Note  Level = "note"    // it may be right: elsewhere, or in what wasn't read
)

// A Mistake is something in a file that should be otherwise.
type Mistake struct {
	Place
	Level Level  `json:"level"`
	What  string `json:"what"`
	Cure  string `json:"cure"`

	Unknown string `json:"-"` // the key, where it is one that there isn't
}

// At is a mistake at p, with what to do about it.
func (p Place) At(level Level, cure, what string, args ...any) Mistake {
	return Mistake{Place: p, Level: level, What: fmt.Sprintf(what, args...), Cure: cure}
}

// Error is the place, what is wrong, and the cure.
func (m Mistake) Error() string {
	text := m.What
	if m.Cure != "" {
		text += "; " + m.Cure
	}
	if where := m.Place.String(); where != "" {
		return where + ": " + text
	}
	return text
}

// Mistakes are those of some files. An empty list is no error: see [Mistakes.Err].
type Mistakes []Mistake

// Bounds of mistakes.
const (
	maxMistakes = 1000 // that are looked for in a file
	maxTold     = 20   // in the text of an error
)

// Error is a line for each mistake, as far as an error should go.
func (ms Mistakes) Error() string { return strings.Join(ms.Lines(), "\n") }

// Lines are those of [Mistakes.Error].
func (ms Mistakes) Lines() (lines []string) {
	for i, m := range ms {
		if i == maxTold && len(ms) > maxTold+1 {
			lines = append(lines, fmt.Sprintf("and %d more; mend these first", len(ms)-i))
			break
		}
		lines = append(lines, m.Error())
	}
	return lines
}

// Err is ms as an error, nil where there is none.
func (ms Mistakes) Err() error {
	if len(ms) == 0 {
		return nil
	}
	return ms
}

// Of are the mistakes of a level.
func (ms Mistakes) Of(level Level) Mistakes {
	return slices.DeleteFunc(slices.Clone(ms), func(m Mistake) bool { return m.Level != level })
}

// InOrder are ms as they stand in their files, each once.
func (ms Mistakes) InOrder() Mistakes {
	out := slices.Clone(ms)
	slices.SortStableFunc(out, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.Compact(out)
}

// Full reports whether no more mistakes need be looked for.
func (ms Mistakes) Full() bool { return len(ms) >= maxMistakes }
