package text

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Look is what a text is by its form alone, in any script.
type Look int

// Looks of texts. What nobody calls a thing by comes first.
const (
	EmailLook   Look = iota // ann@example.com, alone or within a text
	PhoneLook               // +44 7700 900123, 025-83006901, 123-45-6789
	KeyLook                 // a hash, a token, a UUID, the number of a card or an identity card
	AddressLook             // https://example.com
	MomentLook              // 2024-05-01, 10:30
	ProseLook               // sentences
	NameLook                // a few words, mostly letters: Anna Keller, 上海, in transit
	CodeLook                // what else is short: SO-1001, P0, v2.0, 622287528077
	looks
)

// String names a look in the plural, for people.
func (l Look) String() string {
	return [...]string{"e-mail addresses", "phone numbers", "keys", "web addresses", "dates", "long texts", "names", "codes"}[l]
}

// Bounds of looks.
const (
	maxNameRunes = 80 // longer texts are prose, as are those of more words or Chinese characters than follow
	maxNameWords = 10
	maxNameHan   = 30
	minPhone     = 7 // digits
	minPhoneBare = 9 // digits of one with a single separator
	maxPhone     = 15
	minHash      = 16  // characters
	minToken     = 20  // characters
	minSwitches  = 4   // changes between letters and digits in a token
	minCard      = 16  // digits
	nameLetters  = .65 // of the characters of a name
)

var (
	emailForm  = regexp.MustCompile(`[^\s@<>"',;:()]+@[\pL\d-]+(\.[\pL\d-]+)+`)
	momentForm = regexp.MustCompile(`^(\d{4}[-/.年]\d{1,2}([-/.月]\d{1,2}日?|月)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})([T ,]*\d{1,2}:\d{2}.*)?$|^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$`)
	phoneForm  = regexp.MustCompile(`^(\+|\(|\d)[\d\s()/-]*\d(\s*(x|ext\.?)\s*\d+)?$|^\+[\d\s().-]+\d$`)
	mobileForm = regexp.MustCompile(`^1[3-9]\d{9}$`) // of China: ITU-T E.164 country code 86, national numbers of 11 digits
	yearsForm  = regexp.MustCompile(`^(1[89]|20)\d\d\s*-\s*(1[89]|20)\d\d$`)
	hashForm   = regexp.MustCompile(`^[0-9a-fA-F][0-9a-fA-F-]*$`)
	tokenForm  = regexp.MustCompile(`^[\w+/=.:~-]+$`)
	secretForm = regexp.MustCompile(`^(sk-|pk_|sk_|rk_|ghp_|gho_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|eyJ)[\w+/=.-]{12,}$`)
	identity   = regexp.MustCompile(`^\d{17}[\dXx]$`) // GB 11643-1999
)

// LookOf is what s looks like. White space around it doesn't count.
func LookOf(s string) Look {
	s = strings.TrimSpace(s)
	runes := utf8.RuneCountInString(s)
	switch {
	case strings.ContainsRune(s, '@') && emailForm.MatchString(s):
		return EmailLook
	case strings.Contains(s, "://") || strings.HasPrefix(strings.ToLower(s), "www."):
		return AddressLook
	case momentForm.MatchString(s):
		return MomentLook
	case isKey(s, runes):
		return KeyLook
	case isPhone(s):
		return PhoneLook
	}
	letters, han, seen := 0, 0, 0
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			continue
		case unicode.Is(unicode.Han, r):
			han++
		}
		seen++
		if unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) {
			letters++
		}
	}
	words := len(strings.Fields(s))
	switch {
	case runes > maxNameRunes || words > maxNameWords || han > maxNameHan || strings.ContainsAny(s, "。！？") && han > 1 || strings.Contains(s, "\n"):
		return ProseLook
	case letters > 1 && float64(letters) >= nameLetters*float64(seen):
		return NameLook
	}
	return CodeLook
}

// Tells reports whether a text of this look may be somebody's own: it stays out of
// prompts unless it is allowed.
func (l Look) Tells() bool { return l == EmailLook || l == PhoneLook || l == KeyLook }

func isPhone(s string) bool {
	if mobileForm.MatchString(s) {
		return true
	}
	if !phoneForm.MatchString(s) || yearsForm.MatchString(s) {
		return false
	}
	digits := countDigits(s)
	separators := len(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })) - 1
	switch {
	case digits < minPhone || digits > maxPhone || strings.HasPrefix(s, "978-") || strings.HasPrefix(s, "979-"): // ISBN
		return false
	case s[0] == '+':
		return true
	case separators == 0:
		return s[0] == '('
	case separators == 1:
		return s[0] == '0' || s[0] == '(' || digits >= minPhoneBare
	}
	return true
}

func isKey(s string, runes int) bool {
	digits := countDigits(s)
	switch {
	case secretForm.MatchString(s) || identity.MatchString(s):
		return true
	case digits >= minCard && strings.Trim(s, "0123456789 -") == "":
		return true
	case runes >= minHash && digits > 0 && digits < runes && hashForm.MatchString(s) && strings.Trim(s, "0123456789-") != "":
		return true
	}
	return runes >= minToken && tokenForm.MatchString(s) && switches(s) >= minSwitches
}

func countDigits(s string) (n int) {
	for _, r := range s {
		if '0' <= r && r <= '9' {
			n++
		}
	}
	return n
}

// switches counts how often letters and digits follow each other directly.
func switches(s string) (n int) {
	before := rune(0)
	for _, r := range s {
		kind := rune(0)
		switch {
		case unicode.IsDigit(r):
			kind = '0'
		case unicode.IsLetter(r):
			kind = 'a'
		}
		if kind != before && kind != 0 && before != 0 {
			n++
		}
		before = kind
	}
	return n
}

// Looks counts texts by what they look like.
type Looks [looks]int

// LooksOf counts the texts among values.
func LooksOf(values []any) (l Looks) {
	for _, v := range values {
		if s, ok := v.(string); ok && strings.TrimSpace(s) != "" {
			l[LookOf(s)]++
		}
	}
	return l
}

// Seen is how many texts were counted.
func (l Looks) Seen() (n int) {
	for _, c := range l {
		n += c
	}
	return n
}

// Share is how many of the texts have one of these looks, from 0 to 1; 0 of none.
func (l Looks) Share(of ...Look) float64 {
	n := 0
	for look, c := range l {
		if slices.Contains(of, Look(look)) {
			n += c
		}
	}
	return float64(n) / float64(max(l.Seen(), 1))
}
