package cases_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"precedent/store"
	"precedent/store/cases"
)

func recalled(t testing.TB, lib *cases.Library, question string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, m := range must[[]cases.Match](t)(lib.Recall(t.Context(), question, 5)) {
		found[m.Case.ID] = true
	}
	return found
}

// topics are five cases that have little in common.
func topics() []store.Case {
	var cs []store.Case
	for id, wordings := range map[string][]string{
		"actors":    {"who acted in {title}", "{title}有哪些演员"},
		"directors": {"who directed {title}", "《{title}》是谁导演的"},
		"longest":   {"the longest movie", "哪部电影片长最长"},
		"revenue":   {"top {n} films by box office", "票房最高的{n}部电影"},
		"genres":    {"how many comedies were released in {year}", "{year}年上映了多少部喜剧"},
	} {
		cs = append(cs, store.Case{ID: id, Wordings: wordings, Query: "RETURN 1", Status: store.Verified, Slots: []store.Slot{
			{Name: "title", Type: "string", Example: "The Matrix"}, {Name: "n", Type: "count", Example: int64(5)}, {Name: "year", Type: "integer", Example: int64(1999)}}})
	}
	return cs
}

func TestRecallFindsTheNearest(t *testing.T) {
	lib := open(t, cases.Config{})
	must[[]store.Case](t)(lib.AddAll(t.Context(), topics(), ann))
	for question, want := range map[string]string{
		"Who DIRECTED Inception?":              "directors",
		"which actors acted in Titanic":        "actors",
		"what is the longest film":             "longest",
		"biggest box office films":             "revenue",
		"how many comedy movies in 2001":       "genres",
		"盗梦空间是谁导演的":                            "directors",
		"票房最高的十部片子":                            "revenue",
		"2010年一共上映了多少喜剧":                       "genres",
		"片长最长的电影是哪部":                           "longest",
		"ｗｈｏ ｄｉｒｅｃｔｅｄ it":                      "directors",
		"\"who\" AND directed OR (x NEAR y) *": "directors",
	} {
		matches := must[[]cases.Match](t)(lib.Recall(t.Context(), question, 2))
		if len(matches) == 0 || matches[0].Case.ID != want {
			t.Errorf("%q recalls %+v, want %s first", question, matches, want)
			continue
		}
		m := matches[0]
		if m.Model != cases.HashedModel || m.Score <= 0 || m.Score > 2.0/61 || m.VectorRank == 0 && m.BM25Rank == 0 {
			t.Errorf("%q: match %+v", question, m)
		}
	}
	for _, question := range []string{"", "?!", "\x00\xff", "zzzzqq"} {
		must[[]cases.Match](t)(lib.Recall(t.Context(), question, 3))
	}
	if matches := must[[]cases.Match](t)(lib.Recall(t.Context(), "films", 100)); len(matches) > 5 {
		t.Errorf("%d matches of 5 cases", len(matches))
	}
}

func TestRecallFollowsTheCases(t *testing.T) {
	lib := open(t, cases.Config{})
	ctx := t.Context()
	const question = "films Tom Hanks was in since 2000"
	expect := func(when string, want bool) {
		t.Helper()
		if got := recalled(t, lib, question)["films"]; got != want {
			t.Errorf("%s: recalled %v, want %v", when, got, want)
		}
	}
	expect("empty", false)
	c := films()
	c.Status = store.Candidate
	must[store.Case](t)(lib.Add(ctx, c, ann))
	expect("candidate", false)
	must[cases.Change](t)(lib.Move(ctx, "films", store.Verified, ann))
	expect("verified", true)
	must[cases.Change](t)(lib.Move(ctx, "films", store.Quarantined, ann))
	expect("quarantined", false)
	must[cases.Change](t)(lib.UndoLast(ctx, "films", "ann"))
	expect("undone", true)
	edited := films()
	edited.Question, edited.Wordings = "totally different", []string{"totally different"}
	must[store.Case](t)(lib.Replace(ctx, edited, ann))
	if m := must[[]cases.Match](t)(lib.Recall(ctx, question, 1)); len(m) > 0 && (m[0].BM25Rank > 0 || m[0].Similarity > 0.3) {
		t.Errorf("reworded: recalled as %+v", m[0])
	}
	must[cases.Change](t)(lib.UndoLast(ctx, "films", "ann"))
	must[cases.Change](t)(lib.Move(ctx, "films", store.Retired, ann))
	expect("retired", false)
}

func TestHashed(t *testing.T) {
	cosine := func(a, b string) (dot float64) {
		for i, x := range cases.Hashed(a) {
			dot += float64(x) * float64(cases.Hashed(b)[i])
		}
		return dot
	}
	for _, text := range []string{"who directed The Matrix", "诺兰拍过几部科幻片", "é", "한국 영화"} {
		if got := cosine(text, text); math.Abs(got-1) > 1e-5 {
			t.Errorf("%q has length %v", text, got)
		}
	}
	if got := cases.Hashed("?!"); slices.ContainsFunc(got, func(x float32) bool { return x != 0 }) || len(got) != cases.HashedDims {
		t.Error("a text without words is not zero")
	}
	for _, test := range []struct{ same, other, than string }{
		{"Films by Nolan", "film by NOLAN", "films by Scott"},
		{"评分最高的电影", "评分最高的片子", "最长的电影"},
		{"Amélie", "ａｍｅｌｉｅ", "Amadeus"},
	} {
		if cosine(test.same, test.other) <= cosine(test.same, test.than) {
			t.Errorf("%q is nearer to %q than to %q", test.same, test.than, test.other)
		}
	}
	if !slices.Equal(cases.Hashed("films")[:8], cases.Hashed("FILM")[:8]) {
		t.Error("case and plural matter")
	}
}

func TestProvider(t *testing.T) {
	lib := open(t, cases.Config{})
	ctx := t.Context()
	must[[]store.Case](t)(lib.AddAll(ctx, topics(), ann))
	var down atomic.Bool
	var calls atomic.Int64
	embed := func(_ context.Context, text string) ([]float32, error) {
		calls.Add(1)
		if down.Load() {
			return nil, errors.New("over quota")
		}
		return append(cases.Hashed(text), 1), nil // not of length 1, and other dimensions than Hashed
	}
	model := func() string {
		t.Helper()
		matches := must[[]cases.Match](t)(lib.Recall(ctx, "who directed Inception", 3))
		if len(matches) == 0 || matches[0].Case.ID != "directors" {
			t.Fatalf("recalled %+v", matches)
		}
		return matches[0].Model
	}
	wait := func(what string, until func() bool) {
		t.Helper()
		for range 500 {
			if until() {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("never happened: " + what)
	}
	lib.UseEmbeddings("provider-1", embed, 2)
	wait("the provider ranks", func() bool { return model() == "provider-1" })
	if n := calls.Load(); n < 10 {
		t.Errorf("%d calls for 5 cases in 2 languages", n)
	}
	down.Store(true)
	if got := model(); got != cases.HashedModel {
		t.Errorf("while the provider is down %s ranks", got)
	}
	down.Store(false)
	must[cases.Change](t)(lib.Move(ctx, "directors", store.Quarantined, ann))
	if recalled(t, lib, "who directed Inception")["directors"] {
		t.Error("a quarantined case is recalled by the provider's vectors")
	}
	must[cases.Change](t)(lib.UndoLast(ctx, "directors", "ann"))
	if got := model(); got != "provider-1" {
		t.Errorf("after it %s ranks", got)
	}

	check(t, lib.Close())
	before := calls.Load()
	again := open(t, cases.Config{Path: lib.Path(), Embed: embed, Model: "provider-1"})
	lib = again
	wait("the provider ranks after opening again", func() bool { return model() == "provider-1" })
	must[store.Case](t)(lib.Add(ctx, store.Case{ID: "new", Question: "brand new wording", Query: "RETURN 1", Status: store.Verified}, ann))
	if !recalled(t, lib, "brand new wording")["new"] {
		t.Error("a case without a vector yet is not recalled")
	}
	if stored := calls.Load() - before; stored > 400 {
		t.Errorf("%d calls after opening again: kept vectors are made anew", stored)
	}
}
