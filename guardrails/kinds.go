package guardrails

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// kindsFile lists the kinds of words by which a wording is read.
//
//go:embed kinds.txt
var kindsFile string

// A wordKind is a kind of kinds.txt, where each is told.
type wordKind string

const (
	currencyWord    wordKind = "currency"
	linkWord        wordKind = "link"
	wordSuffix      wordKind = "suffix"
	roleWord        wordKind = "role"
	pronounWord     wordKind = "pronoun"
	possessiveWord  wordKind = "possessive"
	abbreviatedWord wordKind = "abbreviated"
	belongsWord     wordKind = "belongs"
	articleWord     wordKind = "article"

	aboutWord   wordKind = "about"
	boundWord   wordKind = "bound"
	boundedWord wordKind = "bounded"
	rangeWord   wordKind = "range"
	placingWord wordKind = "placing"
	periodWord  wordKind = "period"
	unitWord    wordKind = "unit"
	wholeWord   wordKind = "whole"
	apieceWord  wordKind = "apiece"
	exactlyWord wordKind = "exactly"
	victoryWord wordKind = "victory"
	counterWord wordKind = "counter"

	numberWord     wordKind = "number"
	spanWord       wordKind = "span"
	ordinalWord    wordKind = "ordinal"
	partWord       wordKind = "part"
	timesWord      wordKind = "times"
	scaleWord      wordKind = "scale"
	manyWord       wordKind = "many"
	ordinalEnding  wordKind = "ending"
	portionWord    wordKind = "portion"
	foldWord       wordKind = "fold"
	multipleWord   wordKind = "multiple"
	hourWord       wordKind = "hour"
	minuteWord     wordKind = "minute"
	monthWord      wordKind = "month"
	monthShortWord wordKind = "monthshort"

	lastingWord wordKind = "lasting"
	monthlyWord wordKind = "monthly"
	sizeWord    wordKind = "size"
	massWord    wordKind = "mass"
	lengthWord  wordKind = "length"
	volumeWord  wordKind = "volume"
	energyWord  wordKind = "energy"
	powerWord   wordKind = "power"
	moneyWord   wordKind = "money"
	quarterWord wordKind = "quarter"
	betweenWord wordKind = "between"

	hanDigit       wordKind = "digit"
	hanPlace       wordKind = "place"
	hanContracted  wordKind = "contracted"
	hanMeasure     wordKind = "measure"
	hanQuantifying wordKind = "quantifying"
	hanUncertain   wordKind = "uncertain"
	hanSeveral     wordKind = "several"
)

// theKinds has the words of each kind with their values, 1 where none is given.
var theKinds = sync.OnceValue(func() map[wordKind]map[string]float64 {
	kinds := map[wordKind]map[string]float64{}
	for line := range strings.Lines(kindsFile) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, words, ok := strings.Cut(line, ": ")
		name, number, valued := strings.Cut(head, " ")
		value := 1.0
		var err error
		if valued {
			value, err = strconv.ParseFloat(number, 64)
		}
		if !ok || err != nil {
			panic(fmt.Sprintf("kinds.txt: %q", line))
		}
		kind := wordKind(name)
		if kinds[kind] == nil {
			kinds[kind] = map[string]float64{}
		}
		for word := range strings.FieldsSeq(words) {
			kinds[kind][word] = value
		}
	}
	return kinds
})

// has reports whether a folded word is of the kind.
func (k wordKind) has(word string) bool {
	_, ok := theKinds()[k][word]
	return ok
}

// of is the value of a folded word, 0 if it isn't of the kind.
func (k wordKind) of(word string) float64 { return theKinds()[k][word] }

// ends reports whether a word ends in one of the kind.
func (k wordKind) ends(word string) bool {
	for ending := range theKinds()[k] {
		if strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

// isHanNumeral reports whether a character is a digit or a place of Chinese numerals.
func isHanNumeral(character string) bool { return hanDigit.has(character) || hanPlace.has(character) }
