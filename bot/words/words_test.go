package words_test

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	"precedent/bot/words"
)

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?\.?\d*([a-z])`)

// verbs are what a sentence is filled with, in the order of its arguments where it says so.
func verbs(text string) []string {
	var out []string
	for _, m := range verb.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+m[2])
	}
	slices.Sort(out)
	return out
}

// TestComplete checks that each language has every sentence, filled with the
// same things.
func TestComplete(t *testing.T) {
	for _, language := range words.Languages {
		w := words.In(language)
		if w.Language != language {
			t.Fatalf("In(%q) is %q", language, w.Language)
		}
		compare(t, language, reflect.ValueOf(*words.In("en")), reflect.ValueOf(*w))
	}
}

func compare(t *testing.T, path string, en, other reflect.Value) {
	switch en.Kind() {
	case reflect.Struct:
		for i := range en.NumField() {
			compare(t, path+"."+en.Type().Field(i).Name, en.Field(i), other.Field(i))
		}
	case reflect.Map:
		for _, key := range en.MapKeys() {
			if !other.MapIndex(key).IsValid() {
				t.Errorf("%s has no %s", path, key)
				continue
			}
			compare(t, path+"."+key.String(), en.MapIndex(key), other.MapIndex(key))
		}
		if en.Len() != other.Len() {
			t.Errorf("%s has %d entries, want %d", path, other.Len(), en.Len())
		}
	case reflect.String:
		if other.String() == "" {
			t.Errorf("%s is empty", path)
		}
		if a, b := verbs(en.String()), verbs(other.String()); !slices.Equal(a, b) {
			t.Errorf("%s is filled with %q, in English with %q", path, b, a)
		}
	}
}

func TestFor(t *testing.T) {
	for text, want := range map[string]string{"who directed it": "en", "谁导演的": "zh", "Inception的导演": "zh", "": "en", "？": "en"} {
		if got := words.For(text).Language; got != want {
			t.Errorf("For(%q) is %s, want %s", text, got, want)
		}
	}
}

// TestBecause says the library's reasons as people should read them.
func TestBecause(t *testing.T) {
	for reason, want := range map[string][2]string{
		`members' votes are at -2; curators decide`: {"members' votes are at -2; curators decide", "成员的评价合计 -2；由审核员决定"},
		`3 for it besides who asked, 0 against; it was asked in private, so a curator has to approve its text`: {
			"3 for it besides who asked, 0 against; it was asked in private, so a curator has to approve its text", "除提问者外 3 人赞成，0 人反对；它来自私下提问，文字须经审核员通过"},
		`case "abc": a case can't be moved that way: it is quarantined and can't become quarantined`: {
			"it is quarantined and can't become quarantined", "当前状态（已停用）不能变为 已停用"},
		`case "abc": the case did not pass the checks: case: the query finds nothing for its own example; if that is right, say so (empty_ok)`: {
			"the query finds nothing for its own example; if that is right, say so (empty_ok)", "查询按示例什么也查不到；如果这是对的，请注明 empty_ok"},
		`change 7 of case "abc": can't be undone: it was undone already or changed again since (change 8 by slack:U1); undo that first`: {
			"it was undone already or changed again since (change 8 by slack:U1); undo that first", "它已经撤销过，或之后又有改动（第 8 次改动，slack:U1）；请先撤销那一次"},
		`"100%s %d" is a word that questions are made of`: {`"100%s %d" is a word that questions are made of`, `"100%s %d" 是提问本身要用的词`},
		"something that nobody foresaw":                   {"something that nobody foresaw", "something that nobody foresaw"},
		"":                                                {"", ""},
	} {
		for i, language := range []string{"en", "zh"} {
			if got := words.In(language).Because(reason); got != want[i] {
				t.Errorf("%s: %q is told as %q, want %q", language, reason, got, want[i])
			}
		}
	}
}
