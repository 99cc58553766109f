package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"precedent/engine"
	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/text"
)

// A worded is a wording of a verified case, as it is shown and as it is searched.
type worded struct {
	id, language, question, folded string
}

// wordedIn are the wordings of the verified cases in e's library, by id.
func wordedIn(t *testing.T, e *engine.Engine) (all []worded) {
	t.Helper()
	verified, err := e.Library().List(t.Context(), cases.Filter{Status: store.Verified})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(verified, func(a, b store.Case) int { return strings.Compare(a.ID, b.ID) })
	for _, c := range verified {
		for _, w := range c.Wordings {
			if q, err := reading.Fill(w, c.Slots); err == nil {
				all = append(all, worded{c.ID, reading.Language(w), q, text.Fold(q)})
			}
		}
	}
	return all
}

// completed are all questions that Complete has for typed, found in the plainest way.
func completed(all []worded, typed string) []string {
	typed = text.Fold(strings.TrimSpace(typed))
	language := reading.Language(typed)
	var questions []string
	has := make(map[string]bool)
	for _, fits := range []func(folded, typed string) bool{strings.HasPrefix, strings.Contains} {
		for _, w := range all {
			if !has[w.id] && w.language == language && fits(w.folded, typed) {
				questions, has[w.id] = append(questions, w.question), true
			}
		}
	}
	return questions
}

// completesAsPlainly holds Complete against completed for each of typed.
func completesAsPlainly(t *testing.T, e *engine.Engine, all []worded, typed ...string) {
	t.Helper()
	for _, typed := range typed {
		every := completed(all, typed)
		for _, n := range []int{25, 3, 100_000} {
			if got, want := e.Complete(t.Context(), typed, n), every[:min(n, len(every))]; !slices.Equal(got, want) {
				t.Errorf("the first %d of %.100q are\n%.20q\nnot\n%.20q", n, typed, got, want)
			}
		}
	}
}

// hostile is what people may type, besides questions.
var hostile = []string{"", " ", "\n", "\t \r\n", "\x00", "a\x00", "\xff", "\xff\xfe\xfd", "who\xff", "\xe7\x9a", "\u200b", "\u0301", "e\u0301", "{film}", "{", "}", "%s", `"`, "'", "`", "--",
	"who directed\nthe", "的\n", "?\xffw", "?w", "\ufffd", "…", "ﬁlm", "İ", "ß", "ŒUVRE", "ｗｈｏ", "Ｗ", "whо", "導演", "誰", "的", "é", "🎬", "ก็", "각",
	strings.Repeat("a", 4000), strings.Repeat("\n", 4000), strings.Repeat("的", 4000), strings.Repeat("\xff", 4000), strings.Repeat("e\u0301", 2000), strings.Repeat("who directed ", 300)}

// TestComplete completes what people type with the shipped cases.
func TestComplete(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	e := start(t, engine.Shipped.Copy(t))
	all := wordedIn(t, e)
	completesAsPlainly(t, e, all, hostile...)
	completesAsPlainly(t, e, all, "w", "who", "who dir", "WHO DIRECTED ", "  top 5", "directed", "of the", "t", "q", "zzz", "the qx", "who directed inception?", "how many", "movie", "s of the films in",
		"谁", "谁导演", "电影", "評分", "有哪些", "多少部", "电影有多多", "Tom Hanks演", "nolan拍", "《", "？", "?")

	random := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		q := []rune(all[random.IntN(len(all))].question)
		from := random.IntN(len(q)) * random.IntN(2)
		part := string(q[from : from+1+random.IntN(len(q)-from)])
		switch random.IntN(4) {
		case 0:
			part = strings.ToUpper(part)
		case 1:
			part = text.Fold(part)
		case 2:
			part += string(q[random.IntN(len(q))])
		}
		completesAsPlainly(t, e, all, part)
	}
	for _, n := range []int{0, -1} {
		if got := e.Complete(t.Context(), "who", n); len(got) > 0 {
			t.Errorf("%d are %q", n, got)
		}
	}
}

// films opens the small graph of films, whose library begins empty.
func films(t *testing.T, data string) *engine.Engine {
	t.Helper()
	e, _, err := engine.Open(t.Context(), engine.Config{Data: data, Graph: "testdata/ask/films"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	return e
}

// keep adds a case with wordings to a library, unchecked.
func keep(t *testing.T, e *engine.Engine, id string, status store.Status, wordings ...string) {
	t.Helper()
	c := store.Case{ID: id, Status: status, Wordings: wordings, Query: "MATCH (f:Film {title: $film}) RETURN f.year",
		Slots: []store.Slot{{Name: "film", Label: "Film", Property: "title", Type: "string", Example: "Amélie"},
			{Name: "star", Label: "Person", Property: "name", Type: "string", Example: "张国荣"}}}
	if _, err := e.Library().Add(t.Context(), c, cases.Change{By: "ann"}); err != nil {
		t.Fatal(err)
	}
}

// TestCompleteRules shows what is offered, and in which order.
func TestCompleteRules(t *testing.T) {
	e := films(t, t.TempDir())
	keep(t, e, "b", store.Verified, "when did {film} come out", "the year of {film}", "{film}是哪年的")
	keep(t, e, "a", store.Verified, "who has seen the year of {film}", "《{film}》哪年上映")
	keep(t, e, "c", store.Verified, "THE YEAR in which {film} was made", "the year that {film} is from")
	keep(t, e, "d", store.Candidate, "the year that waits")
	keep(t, e, "e", store.Quarantined, "the year that is wrong")
	keep(t, e, "f", store.Verified, "the year of {nobody}", "which year, {film}?")
	keep(t, e, "g", store.Verified, "films with {star}")
	for _, test := range []struct {
		why, typed string
		want       []string
	}{
		{"beginnings first, then by id, one wording a case", "the year", []string{"the year of Amélie", "THE YEAR in which Amélie was made", "who has seen the year of Amélie"}},
		{"folded, as are the examples", " the ｙear of AMELIE ", []string{"the year of Amélie", "who has seen the year of Amélie"}},
		{"Chinese to Chinese", "哪年", []string{"《Amélie》哪年上映", "Amélie是哪年的"}},
		{"English to English", "amélie", []string{"who has seen the year of Amélie", "when did Amélie come out", "THE YEAR in which Amélie was made", "which year, Amélie?"}},
		{"a wording's language, not its examples'", "films with", []string{"films with 张国荣"}},
		{"whatever its examples", "张国荣", nil},
		{"not slots", "{film}", nil},
		{"not what fills no slot", "nobody", nil},
		{"not what is not verified", "the year that", []string{"the year that Amélie is from"}},
		{"not across wordings", "amélie the", nil},
	} {
		if got := e.Complete(t.Context(), test.typed, 25); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q completes to %q, not %q", test.why, test.typed, got, test.want)
		}
	}
	if got := e.Complete(t.Context(), "the year", 2); len(got) != 2 {
		t.Errorf("two are %q", got)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got := e.Complete(ended, "the year", 25); len(got) > 0 {
		t.Errorf("to nobody: %q", got)
	}
}

// TestCompleteHostileCases completes with wordings that nobody would write.
func TestCompleteHostileCases(t *testing.T) {
	e := films(t, t.TempDir())
	many := make([]string, cases.MaxWordings)
	for i := range many {
		many[i] = fmt.Sprintf("wording %d of {film}", i)
	}
	for i, wordings := range [][]string{append([]string{"x"}, hostile...), many, {strings.Repeat("who directed ", 10_000)}, {"a\nb", "b\nc"}, {"y"}, {"\xffwho"}, {"who\xff"}} {
		keep(t, e, fmt.Sprint(i), store.Verified, wordings...)
	}
	all := wordedIn(t, e)
	completesAsPlainly(t, e, all, hostile...)
	completesAsPlainly(t, e, all, "b", "a\nb", "\nb", "wording 255", "of am", "x", strings.Repeat("who directed ", 9000), strings.Repeat("directed who ", 9000))
}

// TestCompleteFollows changes a library here, there and with the library alone:
// from then on both programs complete with what it holds.
func TestCompleteFollows(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	data := t.TempDir()
	here, there := films(t, data), films(t, data)
	random := rand.New(rand.NewPCG(3, 4))
	words := []string{"when", "who", "the year", "made", "{film}", "哪年", "谁", "film", "seen", "of"}
	wording := func() string {
		var b strings.Builder
		for range 2 + random.IntN(4) {
			b.WriteString(words[random.IntN(len(words))] + " ")
		}
		return b.String()
	}
	check := func() {
		t.Helper()
		all := wordedIn(t, here)
		for _, e := range []*engine.Engine{here, there} {
			completesAsPlainly(t, e, all, "", "w", "the year", "of am", "made of", "哪", "哪年", "nothing")
		}
	}
	check() // of nothing
	var ids []string
	for i := range 250 {
		lib := []*engine.Engine{here, there}[random.IntN(2)]
		switch at := random.IntN(max(len(ids), 1)); {
		case i < 150 || len(ids) == 0:
			ids = append(ids, fmt.Sprintf("%x", random.Uint32()))
			keep(t, lib, ids[len(ids)-1], store.Verified, wording(), wording(), wording())
		case i < 200 && random.IntN(2) == 0:
			if _, err := lib.Library().AddWording(t.Context(), ids[at], wording(), cases.Change{By: "bob"}); err != nil {
				t.Fatal(err)
			}
		default:
			if _, err := lib.Library().Move(t.Context(), ids[at], store.Quarantined, cases.Change{By: "bob"}); err != nil {
				t.Fatal(err)
			}
			ids = slices.Delete(ids, at, at+1)
		}
		if i%9 == 0 || i > 240 {
			check()
		}
	}
	for _, id := range ids {
		if _, err := here.Library().Move(t.Context(), id, store.Quarantined, cases.Change{By: "bob"}); err != nil {
			t.Fatal(err)
		}
	}
	check() // of nothing again
	keep(t, there, "last", store.Verified, "the year of {film}")
	check()
}

// TestCompleteFollowsShipped takes a shipped case out, puts it back, and changes its words.
func TestCompleteFollowsShipped(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	here, there := two(t, engine.Shipped.Copy(t))
	check := func(want string, is bool) {
		t.Helper()
		all := wordedIn(t, here)
		for _, e := range []*engine.Engine{here, there} {
			completesAsPlainly(t, e, all, "who directed inc", "which director", "谁导演", want)
			if got := e.Complete(t.Context(), want, 1); slices.Equal(got, []string{want}) != is {
				t.Errorf("%q completes to %q", want, got)
			}
		}
	}
	a := here.Ask(t.Context(), engine.Question{Text: directed}, nil)
	if a.Case == nil {
		t.Fatalf("%q is answered by %s", directed, a.Route)
	}
	c, err := here.Library().Case(t.Context(), *a.Case)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := reading.Fill(c.Wordings[0], c.Slots)
	if err != nil {
		t.Fatal(err)
	}
	check(shown, true)
	ch, err := there.Library().Move(t.Context(), c.ID, store.Quarantined, cases.Change{By: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	check(shown, false)
	if _, err := here.Library().Undo(t.Context(), ch.ID, "ann"); err != nil {
		t.Fatal(err)
	}
	check(shown, true)
	c.Wordings = append([]string{"which director is behind {film}"}, c.Wordings...)
	if _, err := here.Edit(t.Context(), c, "ann", "other words"); err != nil {
		t.Fatal(err)
	}
	check("which director is behind Inception", true)
}

// TestCompleteWhileChanging completes while cases come and go, here and there.
func TestCompleteWhileChanging(t *testing.T) {
	data := t.TempDir()
	here, there := films(t, data), films(t, data)
	for i := range 100 {
		keep(t, here, fmt.Sprintf("%02d", i), store.Verified, "the year of {film}", fmt.Sprintf("who made %d", i))
	}
	done := make(chan struct{})
	var people sync.WaitGroup
	for _, e := range []*engine.Engine{here, there, here, there} {
		people.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				got := e.Complete(t.Context(), "who made", 1000)
				if len(got) < 100 || slices.ContainsFunc(got, func(q string) bool { return !strings.HasPrefix(q, "who made ") }) {
					t.Errorf("%d questions: %q", len(got), got)
				}
				if a := e.Ask(t.Context(), engine.Question{Text: "who made"}, nil); a.Route == engine.Fault {
					t.Error(a.Text)
				}
			}
		})
	}
	for i := range 30 {
		lib := []*engine.Engine{here, there}[i%2]
		id := fmt.Sprintf("%02dx", i*3)
		keep(t, lib, id, store.Verified, "who made "+id)
		if i%3 == 0 {
			if _, err := lib.Library().Move(t.Context(), id, store.Quarantined, cases.Change{By: "bob"}); err != nil {
				t.Error(err)
			}
		}
	}
	close(done)
	people.Wait()
	all := wordedIn(t, here)
	completesAsPlainly(t, here, all, "who", "made 8", "")
	completesAsPlainly(t, there, all, "who", "made 8", "")
}

// TestCompleteInTime gives up at different moments: what there is until then is
// what would have come first.
func TestCompleteInTime(t *testing.T) {
	e := films(t, t.TempDir())
	for i := range 300 {
		keep(t, e, fmt.Sprint(i), store.Verified, fmt.Sprintf("tell me who directed {film} %d", i%50), "who directed {film}")
	}
	whole := e.Complete(t.Context(), "who directed", 250)
	before := 0
	for moments := range 10 {
		got := e.Complete(&impatient{Context: t.Context(), moments: moments}, "who directed", 250)
		if len(got) < before || moments == 0 && len(got) > 0 || moments == 3 && (len(got) == 0 || len(got) == len(whole)) || slices.ContainsFunc(got, func(q string) bool { return !strings.HasPrefix(q, "who directed") }) {
			t.Errorf("after %d moments there are %d: %.20q", moments, len(got), got)
		}
		before = len(got)
	}
	if got := e.Complete(&impatient{Context: t.Context(), moments: 1000}, "who directed", 250); !slices.Equal(got, whole) {
		t.Errorf("in time there are %q", got)
	}
}

// impatient is a context that ends once it was asked a few times.
type impatient struct {
	context.Context
	moments int
}

func (i *impatient) Err() error {
	if i.moments--; i.moments < 0 {
		return context.DeadlineExceeded
	}
	return nil
}
