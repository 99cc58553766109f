package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"precedent/store"
	"precedent/store/text"
)

// Bounds of looking up what a question names and nobody has heard of.
const (
	wordsBetween = time.Minute      // between two look-ups
	wordsTime    = time.Second      // for one
	wordsRefresh = 10 * time.Second // for reading the graph anew, once something was found
	mostNames    = 3                // names of one question
	mostWords    = 6                // of one name
	mostLookedAt = 16               // properties in which they are looked for
)

// learns reports whether the graph has been read anew, since it has a value that the
// question names and nobody here had heard of: added while we ran, that is. It is
// looked for no more often than once a minute, in the properties whose values are
// known by name; of a graph in files, these tell by themselves whether they changed.
func (a *asking) learns(ctx context.Context) bool {
	if a.source.pulse == nil || a.every == 0 || a.rd.Frame != nil || a.covered(a.Restated, a.rd) {
		return false
	}
	names := a.unheard()
	if len(names) == 0 || !a.fresh.mayLook() {
		return false
	}
	if a.source.away && !a.hasOne(ctx, names) {
		return false
	}
	within, cancel := context.WithTimeout(ctx, wordsRefresh)
	defer cancel()
	done, err := a.Refresh(within, a.source.away)
	if err != nil {
		a.log.Warn("reading the graph anew for a name that it has now", "err", err)
	}
	return done.Changed
}

// unheardLiterals has the graph looked at soon where a query of the model's found
// rows by a value that nobody here has heard of: the graph has it, and memory hasn't.
func (a *asking) unheardLiterals(q store.Query, t store.Table) {
	if a.wrote == "" || !a.source.away || a.every == 0 || len(t.Rows) == 0 || len(a.named) == 0 {
		return
	}
	for _, v := range q.Params {
		if s, ok := v.(string); ok && looksNamed(s) && !a.isNamed(s) && a.fresh.mayLook() {
			a.askFresh()
			return
		}
	}
}

// mayLook reports whether a name may be looked up now.
func (f *freshness) mayLook() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) < wordsBetween {
		return false
	}
	f.looked = time.Now()
	return true
}

// unheard are the names in a question that nothing explains: what is quoted, begins
// with a capital, holds a digit, or is Chinese.
func (a *asking) unheard() (names []string) {
	unread := make(map[string]bool)
	for _, w := range a.rd.Unread {
		for _, t := range text.Tokens(w) {
			unread[t.Text] = true
		}
	}
	ts := text.Tokens(a.q.Text)
	for i := 0; i < len(ts) && len(names) < mostNames; i++ {
		if !unread[ts[i].Text] {
			continue
		}
		end := i + 1
		for end < len(ts) && end-i < mostWords && unread[ts[end].Text] {
			end++
		}
		said := a.q.Text[ts[i].Start:ts[end-1].End]
		if ts[i].Quote > 0 || looksNamed(said) {
			names = append(names, said)
		}
		i = end
	}
	return names
}

func looksNamed(said string) bool {
	return strings.ContainsFunc(said, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) || unicode.Is(unicode.Han, r) })
}

// hasOne looks whether the graph has a value called so.
func (a *asking) hasOne(ctx context.Context, names []string) bool {
	var parts []string
	for _, property := range slices.Sorted(maps.Keys(a.named)) {
		label, key, _ := strings.Cut(property, ".")
		if !a.schema.Knows(label, true) || len(parts) == mostLookedAt {
			continue
		}
		parts = append(parts, fmt.Sprintf("MATCH (n:%s) WHERE n.%s IN $names RETURN 1 AS found LIMIT 1", name(label), name(key)))
	}
	if parts == nil {
		return false
	}
	list := make([]any, len(names))
	for i, n := range names {
		list[i] = n
	}
	t, ok := a.probe(ctx, store.Query{Text: strings.Join(parts, " UNION ALL "), Params: map[string]any{"names": list}}, 1, wordsTime)
	return ok && len(t.Rows) > 0
}
