package cases

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"unicode/utf8"

	"precedent/store"
)

// Bounds of what is kept of one answer or vote. What people and models write has
// none of its own.
const (
	maxText   = 2000    // runes of a question, a query, a reason
	maxName   = 200     // bytes of who or where somebody is
	maxValues = 8 << 10 // bytes of all parameters together, as JSON
	maxListed = 64      // links, columns, drafts
)

// cutMark ends a text of which the rest was left out.
const cutMark = "…"

// cut is s, or its first maxText runes and the mark.
func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := 0
	for at := range s {
		if n++; n > maxText {
			return s[:at] + cutMark
		}
	}
	return s
}

// named is the name of a person or place as it is kept: one that is too long is
// told from others by a digest in place of its end.
func named(s string) string {
	if len(s) <= maxName {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	end := cutMark + hex.EncodeToString(sum[:16])
	at := maxName - len(end)
	for !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at] + end
}

// bound cuts what is too long in e, and says so in Cut.
func (e *Entry) bound() {
	e.User, e.Conversation = named(e.User), named(e.Conversation)
	text := func(field string, s *string) {
		if short := cut(*s); short != *s {
			*s = short
			e.mark(field)
		}
	}
	text("question", &e.Question)
	text("restated", &e.Restated)
	text("reading", &e.Reading)
	text("query", &e.Query)
	text("error", &e.Error)
	e.Links = bounded(e, "links", e.Links, func(l *store.Link) {
		text("links", &l.Mention)
		text("links", &l.Label)
		text("links", &l.Property)
		if s, ok := l.Value.(string); ok {
			text("links", &s)
			l.Value = s
		}
	})
	e.Columns = bounded(e, "columns", e.Columns, func(c *string) { text("columns", c) })
	e.Drafts = bounded(e, "drafts", e.Drafts, func(d *Draft) {
		text("drafts", &d.Query)
		text("drafts", &d.Refused)
	})
	e.ShownCases = bounded(e, "cases", e.ShownCases, func(*string) {})
	if e.Params != nil {
		if written, err := encode(plain(e.Params)); err != nil || len(written) > maxValues {
			e.Params = nil
			e.mark("params")
		}
	}
}

// Whole reports whether all that a case could be made of was kept.
func (e Entry) Whole() bool {
	return !slices.ContainsFunc(e.Cut, func(field string) bool {
		return slices.Contains([]string{"question", "restated", "query", "params", "links"}, field)
	})
}

// bounded is a copy of what list begins with, each cut.
func bounded[T any](e *Entry, field string, list []T, cut func(*T)) []T {
	if len(list) > maxListed {
		list = list[:maxListed]
		e.mark(field)
	}
	list = slices.Clone(list)
	for i := range list {
		cut(&list[i])
	}
	return list
}

func (e *Entry) mark(field string) {
	if !slices.Contains(e.Cut, field) {
		e.Cut = append(e.Cut, field)
	}
}
