package link

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"precedent/store/text"
)

//go:embed common.txt
var commonFile string

// commonWords are words so common that on their own they name no value, in
// order: a third of what a map of them would take.
var commonWords = sync.OnceValue(func() []string {
	list := make([]string, 0, 17_000)
	for line := range strings.Lines(commonFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(line) {
			list = append(list, w)
		}
	}
	slices.Sort(list)
	return list
})

func common(word string) bool {
	_, found := slices.BinarySearch(commonWords(), word)
	return found
}

// IsCommon reports whether a name is words so common that on their own they
// name no value.
func IsCommon(name string) bool {
	ts := unmarked(text.Tokens(name))
	return len(ts) > 0 && isCommon(ts)
}

// isCommon reports whether ts could be ordinary words: a number, a common word,
// two of which one is small, a single Chinese character or a common Chinese word.
func isCommon(ts []text.Token) bool {
	ts = unmarked(ts)
	switch {
	case len(ts) == 1 && (ts[0].Kind == text.Number || ts[0].Kind == text.Han):
		return true
	case len(ts) == 1:
		return len(ts[0].Text) <= 2 || common(ts[0].Text)
	case ts[0].Kind == text.Han:
		return common(text.Key(ts))
	case len(ts) == 2: // "get out" yes, "fight club" no
		return common(ts[0].Text) && common(ts[1].Text) && (isSmall(ts[0].Text) || isSmall(ts[1].Text))
	}
	return false
}

// smallWords stand in any sentence, whatever it is about: pronouns,
// prepositions, auxiliaries, adverbs, quantifiers and what they make with verbs.
var smallWords = wordSet(`a about after again against all alone along also always an and any apart are around as at
	away back be been before behind being below best better between beyond big both but by can could did do does done
	down each either else ever every few first for from get gets go goes gone good got great had has have he her here
	hers him his how i if in inside into is it its just last least less like little long many may me might mine more
	most much must my near never new next no none nor not now of off often old on once one only or other our ours out
	outside over own past same say see set she should since so some soon still such take than that the their theirs
	them then there these they this those through to together too two under until up upon us very was way we well were
	what when where which while who whom whose why will with within without would yes yet you your yours`)

func isSmall(word string) bool { return smallWords[word] }

// IsSmall reports whether a folded word stands in any sentence, whatever it is about.
func IsSmall(word string) bool { return isSmall(word) }

// determiners come before ordinary nouns.
var determiners = wordSet("a an the this that these those my your his her its our their some any no many few several each every another such")

func isDeterminer(word string) bool { return determiners[word] }

func wordSet(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
