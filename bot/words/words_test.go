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
