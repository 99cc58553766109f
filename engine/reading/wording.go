package reading

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"precedent/store"
)

// A span is where a slot's example stands in a filled wording, in bytes.
type span struct {
	slot       store.Slot
	start, end int
}

// Fill returns wording with each {name} replaced by the slot's example.
func Fill(wording string, slots []store.Slot) (string, error) {
	s, _, err := fill(wording, slots)
	return s, err
}

func fill(wording string, slots []store.Slot) (string, []span, error) {
	var b strings.Builder
	var spans []span
	for rest := wording; ; {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String(), spans, nil
		}
		name, tail, closed := strings.Cut(after, "}")
		i := slices.IndexFunc(slots, func(s store.Slot) bool { return s.Name == name })
		if !closed || i < 0 {
			return "", nil, fmt.Errorf("wording %q: {%s} is no slot of the case; its slots are %s", wording, name, names(slots))
		}
		example := spelled(slots[i].Example)
		if joins(b.String(), example) {
			b.WriteByte(' ')
		}
		start := b.Len()
		b.WriteString(example)
		spans = append(spans, span{slots[i], start, b.Len()})
		if joins(example, tail) {
			b.WriteByte(' ')
		}
		rest = tail
	}
}

// Reslot returns wording with further slots in the places of values: at are named, and
// stand where [Reader.ReadWording] found them.
func Reslot(wording string, slots []store.Slot, at []Slot) (string, error) {
	filled, spans, err := fill(wording, slots)
	if err != nil {
		return "", err
	}
	for _, s := range at {
		spans = append(spans, span{store.Slot{Name: s.Name}, s.Start, s.End})
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	var b strings.Builder
	done := 0
	for _, s := range spans {
		if s.start < done {
			return "", fmt.Errorf("wording %q: two slots in one place", wording)
		}
		b.WriteString(filled[done:s.start] + "{" + s.slot.Name + "}")
		done = s.end
	}
	return b.String() + filled[done:], nil
}

// spelled is an example as people write it: a number in all its digits.
func spelled(example any) string {
	if f, ok := example.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(example)
}

// joins reports whether two texts written together would make one word.
func joins(before, after string) bool {
	l, _ := utf8.DecodeLastRuneInString(before)
	r, _ := utf8.DecodeRuneInString(after)
	word := func(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r) }
	return before != "" && after != "" && word(l) && word(r)
}

func names(slots []store.Slot) string {
	if len(slots) == 0 {
		return "none"
	}
	var ns []string
	for _, s := range slots {
		ns = append(ns, s.Name)
	}
	return strings.Join(ns, ", ")
}
