package bot

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// httpSpace begins the names of all people over HTTP, and of nobody else. It is
// the name of somebody who gives none.
const httpSpace = "http:"

// maxName is how many bytes a name may have, as given and as kept.
const maxName = 200

// HTTPUser is how somebody over HTTP is named who calls himself given:
// "http:ann". Spellings that look the same are one name: letters as compatibility
// and case folding leave them (Unicode's NFKC_Casefold, UAX #31), runs of spaces
// as one, none at either end, nothing that isn't seen. Its error says why
// that can't be a name; it is one for whoever gave it.
func HTTPUser(given string) (string, error) {
	name, err := foldName(given)
	if err != nil {
		return "", err
	}
	return httpSpace + name, nil
}

// HTTPUsers is how a list names people over HTTP: "ann" one of them, "team-*" all
// whose names begin so, "*" all.
func HTTPUsers(entry string) (string, error) {
	begin, open := strings.CutSuffix(entry, "*")
	switch {
	case strings.Contains(begin, "*"):
		return "", errors.New("a * may only stand at its end")
	case strings.HasPrefix(begin, httpSpace):
		return "", fmt.Errorf("write the name alone, without %s", httpSpace)
	case open && begin == "":
		return httpSpace + "*", nil
	case open && strings.TrimSpace(begin) != begin:
		return "", errors.New("a space stands before its *, and names are told apart without such")
	}
	name, err := HTTPUser(begin)
	if open {
		name += "*"
	}
	return name, err
}

// named tells whether a list, as of HTTPUsers, names user.
func named(list []string, user string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		begin, open := strings.CutSuffix(entry, "*")
		return entry == user || open && strings.HasPrefix(user, begin)
	})
}

// foldName is HTTPUser without the space of the names.
func foldName(given string) (string, error) {
	if len(given) > maxName {
		return "", fmt.Errorf("it may have %d bytes", maxName)
	}
	name := strings.TrimSpace(given)
	if i := strings.IndexFunc(name, unnameable); i >= 0 {
		return "", errors.New("it holds a character that isn't written, such as a line's end")
	}
	for range foldRounds {
		folded := cases.Fold().String(norm.NFKC.String(seen(name)))
		name = norm.NFKC.String(strings.ToLower(folded)) // golang.org/x/text v0.43.0 folds Cherokee to the other case, whichever it had
	}
	name = strings.Join(strings.Fields(name), " ")
	switch first := []rune(name + " ")[0]; {
	case name == "":
		return "", errors.New("nothing of it can be seen")
	case len(name) > maxName:
		return "", fmt.Errorf("it may have %d bytes, written out", maxName)
	case unicode.Is(unicode.M, first):
		return "", errors.New("it begins with a mark that belongs to a letter before it")
	}
	return name, nil
}

// foldRounds is how often a name is folded: what folding makes of a letter may fold again.
const foldRounds = 3

// unnameable tells what no name holds: controls, what is private or not assigned,
// and what stands for a broken encoding.
func unnameable(r rune) bool {
	return r == unicode.ReplacementChar || !unicode.IsGraphic(r) && !unseen(r)
}

// unseen tells what takes no room: format characters and the others that
// Unicode has programs ignore that don't know them (Default_Ignorable_Code_Point).
func unseen(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// blankBraille is a pattern without dots: a space that isn't called one.
const blankBraille = '\u2800'

// seen is a name without what takes no room.
func seen(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unseen(r):
			return -1
		case r == blankBraille:
			return ' '
		}
		return r
	}, name)
}
