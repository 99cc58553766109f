package guardrails_test

import (
	"os"
	"strings"
	"testing"

	"precedent/guardrails"
	"precedent/store/text"
)

// movieWords stands for the glossary of a movie graph.
var movieWords = strings.Fields(`movie movies film films actor actors actress director directors directed
	genre genres rating ratings rated released release title titles tagline taglines runtime budget budgets
	revenue plot character characters role roles acted starred cast user users person persons people votes
	imdbrating imdb reviewed reviewers reviews collection collections production language languages country
	countries video videos subscription subscriptions born poster comedies comedy drama thriller biography
	电影 影片 演员 导演 主演 评分 类型 年份 片长 票房 上映 角色 出演 片`)

// domainIn is what a linker would put into Asked.Domain.
func domainIn(question string, words []string) []string {
	var found []string
	key := " " + text.KeyOf(question) + " "
	for _, w := range words {
		if text.IsHan(w) && strings.Contains(key, w) || strings.Contains(key, " "+w+" ") {
			found = append(found, w)
		}
	}
	return found
}

// TestOffTopicFile counts refusals of the shared chat messages, links withheld.
func TestOffTopicFile(t *testing.T) {
	type tally struct{ refused, of int }
	counts := map[bool]map[string]*tally{true: {}, false: {}}
	show := os.Getenv("GUARDRAILS_SHOW") == "1"
	for _, row := range shared(t, "offtopic.csv") {
		q, label := row["question"], row["label"]
		half := counts[developed(q)]
		group := "unwanted"
		if label == "on_topic" || label == "other_graph" {
			group = label
		}
		refusal := onMovies.Question(guardrails.Asked{Text: q, Domain: domainIn(q, movieWords)})
		for _, g := range []string{group, "  " + label} {
			if half[g] == nil {
				half[g] = &tally{}
			}
			half[g].of++
			if refusal != nil {
				half[g].refused++
			}
		}
		if group == "on_topic" && refusal != nil {
			t.Errorf("on_topic refused: %s\n\t%s", q, refusal)
		}
		if show && developed(q) && (group == "unwanted") == (refusal == nil) {
			t.Logf("%s: %s\n\t%v", label, q, refusal)
		}
	}
	for developed, name := range map[bool]string{true: "developed on", false: "only counted"} {
		for label, c := range counts[developed] {
			t.Logf("%s %s: %d of %d refused", name, label, c.refused, c.of)
		}
		if c := counts[developed]["unwanted"]; c.refused*100 < c.of*90 {
			t.Errorf("%s: only %d of %d unwanted messages refused", name, c.refused, c.of)
		}
	}
}

// TestFairQuestions runs fair questions over seven graphs with nothing known of
// them: no link, no glossary.
func TestFairQuestions(t *testing.T) {
	const most = 2 // per thousand
	refused, of := 0, 0
	for _, name := range []string{"text2cypher_pairs.csv", "text2cypher_pairs_extra.csv"} {
		for _, row := range shared(t, name) {
			of++
			if r := (guardrails.Policy{}).Question(guardrails.Asked{Text: row["question"]}); r != nil {
				refused++
				t.Logf("%s: %s\n\t%s", row["database"], row["question"], r)
			}
		}
	}
	t.Logf("%d of %d fair questions refused", refused, of)
	if refused*1000 > of*most {
		t.Errorf("%d of %d fair questions refused, more than %d in a thousand", refused, of, most)
	}
}

// TestOwnMessages runs messages of our own, fair ones behind greetings too.
func TestOwnMessages(t *testing.T) {
	for _, file := range []struct {
		name string
		fair bool
	}{{"testdata/fair.txt", true}, {"testdata/unwanted.txt", false}} {
		lines, err := os.ReadFile(file.name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(lines)) {
			q := strings.TrimSpace(line)
			if strings.HasPrefix(q, "#") {
				continue
			}
			openings := []string{""}
			if file.fair {
				openings = []string{"", "Hello! ", "thanks, ", "你好，", "你好，请问"}
			}
			for _, opening := range openings {
				asked := guardrails.Asked{Text: opening + q, Domain: domainIn(q, movieWords)}
				if r := onMovies.Question(asked); (r == nil) != file.fair {
					t.Errorf("%s: %s%s: %v", file.name, opening, q, r)
				}
			}
		}
	}
}
