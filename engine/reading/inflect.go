package reading

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"precedent/engine/link"
)

// What names of a schema are called in the plural, and as verbs. A form that
// isn't sure is left out: rules make candidates, and the list of common words
// (engine/link/common.txt) or inflect.txt says which are words.

//go:embed inflect.txt
var inflectFile string

// irregular are the forms of words that the rules don't make.
type irregular struct {
	plural map[string]string   // child → children
	verb   map[string][]string // any form → all forms, the base first
	names  []string            // that properties which name things end with
}

var irregulars = sync.OnceValue(func() irregular {
	irr := irregular{plural: make(map[string]string), verb: make(map[string][]string)}
	for line := range strings.Lines(inflectFile) {
		line, _, _ = strings.Cut(line, "#")
		kind, rest, _ := strings.Cut(line, ":")
		forms := strings.Fields(rest)
		switch {
		case kind == "plural" && len(forms) == 2:
			irr.plural[forms[0]] = forms[1]
		case kind == "name":
			irr.names = append(irr.names, forms...)
		case kind == "verb" && len(forms) > 1:
			for _, form := range forms {
				irr.verb[form] = forms
			}
		}
	}
	return irr
})

// isEnglish reports whether the rules are for a word at all.
func isEnglish(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}

// plurals are the plural of what a name says; none where its last word is none of ours.
func plurals(said string) []string {
	before, last := "", said
	if i := strings.LastIndexByte(said, ' '); i >= 0 {
		before, last = said[:i+1], said[i+1:]
	}
	if !isEnglish(last) {
		return nil
	}
	if p, ok := irregulars().plural[last]; ok {
		return []string{before + p}
	}
	return []string{before + withS(last)}
}

// withS is a noun's plural or a verb's third person, by the rules of spelling.
func withS(word string) string {
	switch {
	case strings.HasSuffix(word, "y") && len(word) > 1 && !isVowel(word[len(word)-2]):
		return word[:len(word)-1] + "ies"
	case strings.HasSuffix(word, "s"), strings.HasSuffix(word, "x"), strings.HasSuffix(word, "z"), strings.HasSuffix(word, "ch"), strings.HasSuffix(word, "sh"):
		return word + "es"
	}
	return word + "s"
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// verbs are a relationship type's words, with its first word in the other forms of
// the verb that it is, if it is one: acted in, act in, acts in.
func verbs(said string) []string {
	first, rest, _ := strings.Cut(said, " ")
	out := []string{said}
	for _, form := range verbForms(first) {
		if s := strings.TrimSpace(form + " " + rest); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// minVerb is how many letters a verb has at least, but for irregular ones.
const minVerb = 3

// verbForms are the base, the third person and the past of the verb that word is
// a form of.
func verbForms(word string) []string {
	if !isEnglish(word) || len(word) < minVerb {
		return nil
	}
	base := word
	if _, ok := irregulars().verb[word]; !ok {
		base = baseOf(word)
	}
	if base == "" {
		return nil
	}
	if forms, ok := irregulars().verb[base]; ok {
		if slices.ContainsFunc(forms[1:], func(f string) bool { return strings.HasSuffix(f, "s") }) {
			return forms
		}
		return append(slices.Clone(forms), withS(forms[0]))
	}
	forms := []string{base, withS(base)}
	for _, past := range pasts(base) {
		if link.IsCommon(past) || past == word {
			return append(forms, past)
		}
	}
	return forms
}

// baseOf is the base of a verb's third person or past, "" where it isn't known.
func baseOf(word string) string {
	var may []string
	if stem, ok := strings.CutSuffix(word, "ied"); ok {
		may = append(may, stem+"y")
	} else if stem, ok := strings.CutSuffix(word, "ed"); ok && len(stem) > 1 {
		n := len(stem)
		doubled := stem[n-1] == stem[n-2]
		short := n > 2 && !isVowel(stem[n-1]) && isVowel(stem[n-2]) && !isVowel(stem[n-3]) // rat: its past would be ratted
		switch {
		case doubled:
			may = append(may, stem, stem[:n-1])
		case short:
			may = append(may, stem+"e", stem)
		default:
			may = append(may, stem, stem+"e")
		}
	} else if stem, ok := strings.CutSuffix(word, "ies"); ok {
		may = append(may, stem+"y")
	} else if stem, ok := strings.CutSuffix(word, "s"); ok && !strings.HasSuffix(stem, "s") {
		may = append(may, stem, strings.TrimSuffix(stem, "e"))
	}
	for _, base := range may {
		if len(base) >= minVerb && link.IsCommon(base) {
			return base
		}
	}
	return ""
}

// pasts are what a verb's past may be.
func pasts(base string) []string {
	n := len(base)
	switch {
	case base[n-1] == 'e':
		return []string{base + "d"}
	case base[n-1] == 'y' && !isVowel(base[n-2]):
		return []string{base[:n-1] + "ied"}
	}
	return []string{base + base[n-1:] + "ed", base + "ed"}
}

// Says reports whether word tells somebody who knows a name of the schema
// (a label, a type, Label.property) more than the name does.
func Says(word, name string) bool {
	if _, property, ok := strings.Cut(name, "."); ok {
		name = property
	}
	own := Spoken(name)
	return word != own && !slices.Contains(plurals(own), word) && !slices.Contains(verbs(own), word)
}

// Continuous are the forms of a verb's base that end in -ing, as far as rules make them
// and the list of common words knows them.
func Continuous(base string) (out []string) {
	if !isEnglish(base) {
		return nil
	}
	may := []string{base + "ing"}
	if stem, ok := strings.CutSuffix(base, "e"); ok {
		may = []string{stem + "ing", base + "ing"}
	} else {
		may = append(may, base+base[len(base)-1:]+"ing")
	}
	for _, form := range may {
		if link.IsCommon(form) {
			return []string{form}
		}
	}
	return may[:1]
}

// Pasts are the past and the participle of the verb that word is a form of, as far as
// they are known.
func Pasts(word string) []string {
	forms := verbForms(word)
	if len(forms) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(forms[1:]), func(f string) bool { return f == withS(forms[0]) || strings.HasSuffix(f, "s") })
}

// VerbForms are the base, the third person and the past of the verb that word is a form
// of; none where it isn't known to be one.
func VerbForms(word string) []string { return verbForms(word) }
