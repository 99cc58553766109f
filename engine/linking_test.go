package engine

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"precedent/engine/link"
	"precedent/engine/reading"
)

// Floors of linking on testdata/linking.jsonl.
const (
	leastPrecision = .98
	leastRecall    = .90
)

// A linkingLine is a question and every value of the shipped graph that it names.
type linkingLine struct {
	ID       string      `json:"id"`
	Kind     string      `json:"kind"` // how the values are named: exact, alias, folded, typo, zh, mixed; none names nothing
	Question string      `json:"question"`
	Links    []namedLink `json:"links"`
}

// A namedLink is a value that a question names.
type namedLink struct {
	Label    string `json:"label"`
	Property string `json:"property"`
	Value    string `json:"value"`
}

// linkingScore counts links. A mention with several candidates is one link.
type linkingScore struct{ expected, returned, found int }

func (s linkingScore) precision() float64 { return share(s.found, s.returned) }
func (s linkingScore) recall() float64    { return share(s.found, s.expected) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// TestLinking holds the links that a reading rests on to the two floors. Weak
// mentions count as not returned.
func TestLinking(t *testing.T) {
	e, _, err := Open(t.Context(), Config{Data: Shipped.Copy(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	reader := e.snapshot().reader
	var kinds []string
	scores := make(map[string]*linkingScore)
	var all, first linkingScore
	for _, line := range linkingLines(t) {
		if scores[line.Kind] == nil {
			kinds = append(kinds, line.Kind)
			scores[line.Kind] = new(linkingScore)
		}
		rd := reader.Read(line.Question)
		s, missing, wrong := scoreMentions(rd.Mentions, line.Links)
		for _, m := range missing {
			t.Logf("%s: %q: missing %s.%s %q", line.ID, line.Question, m.Label, m.Property, m.Value)
		}
		for _, m := range wrong {
			t.Logf("%s: %q: %q is no %s.%s %v (%s)", line.ID, line.Question, m.Candidates[0].Mention, m.Candidates[0].Label, m.Candidates[0].Property, m.Candidates[0].Value, m.Candidates[0].How)
		}
		scores[line.Kind].add(s)
		all.add(s)
		first.add(scoreShown(rd, line.Links))
	}
	for _, k := range kinds {
		t.Logf("%-7s precision %.3f, recall %.3f of %d", k, scores[k].precision(), scores[k].recall(), scores[k].expected)
	}
	t.Logf("all     precision %.4f (floor %.2f), recall %.4f (floor %.2f): %d expected, %d returned, %d found",
		all.precision(), leastPrecision, all.recall(), leastRecall, all.expected, all.returned, all.found)
	t.Logf("as shown in an answer's links: precision %.4f, recall %.4f", first.precision(), first.recall())
	if all.precision() < leastPrecision {
		t.Errorf("precision %.4f is below %.2f", all.precision(), leastPrecision)
	}
	if all.recall() < leastRecall {
		t.Errorf("recall %.4f is below %.2f", all.recall(), leastRecall)
	}
}

func (s *linkingScore) add(o linkingScore) {
	s.expected += o.expected
	s.returned += o.returned
	s.found += o.found
}

// scoreMentions pairs mentions with expected links, one to one: a mention is
// right if an expected value is among its candidates.
func scoreMentions(mentions []link.Mention, expected []namedLink) (s linkingScore, missing []namedLink, wrong []link.Mention) {
	missing = slices.Clone(expected)
	s.expected = len(expected)
	for _, m := range mentions {
		if m.Weak {
			continue
		}
		s.returned++
		i := slices.IndexFunc(missing, func(l namedLink) bool {
			return slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool { return l.is(c.Label, c.Property, c.Value) })
		})
		if i < 0 {
			wrong = append(wrong, m)
			continue
		}
		s.found++
		missing = slices.Delete(missing, i, i+1)
	}
	return s, missing, wrong
}

// scoreShown scores the one value per mention that an answer shows.
func scoreShown(rd reading.Reading, expected []namedLink) (s linkingScore) {
	missing := slices.Clone(expected)
	s.expected = len(expected)
	for _, shown := range linksOf(rd) {
		s.returned++
		if i := slices.IndexFunc(missing, func(l namedLink) bool { return l.is(shown.Label, shown.Property, shown.Value) }); i >= 0 {
			s.found++
			missing = slices.Delete(missing, i, i+1)
		}
	}
	return s
}

// is reports whether a link names l: the same value under the same property,
// or a place both as a film's country and as a person's place of birth.
func (l namedLink) is(label, property string, value any) bool {
	return l.Value == value && (l.Label == label && l.Property == property || isPlace(l.Label+"."+l.Property) && isPlace(label+"."+property))
}

func isPlace(property string) bool {
	return property == "Movie.countries" || property == "Person.bornIn"
}

// linkingLines reads the test set and holds it to its own rules: enough lines
// of each kind, no question twice, links exactly where the kind has some.
func linkingLines(t *testing.T) []linkingLine {
	f, err := os.Open("testdata/linking.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []linkingLine
	count := make(map[string]int)
	seen := make(map[string]bool)
	in := bufio.NewScanner(f)
	for in.Scan() {
		var l linkingLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatalf("line %d: %v", len(lines)+1, err)
		}
		if seen[l.Question] || (l.Kind == "none") != (len(l.Links) == 0) {
			t.Errorf("%s: %q stands twice or has links that its kind doesn't", l.ID, l.Question)
		}
		seen[l.Question] = true
		count[l.Kind]++
		lines = append(lines, l)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	named := len(lines) - count["none"]
	if named < 520 || count["none"] < 100 || float64(count["exact"]) > .3*float64(named) {
		t.Errorf("%d lines with mentions, %d of them exact, %d without; want 520, at most 30 %%, 100", named, count["exact"], count["none"])
	}
	for _, k := range []string{"alias", "folded", "typo", "zh", "mixed"} {
		if count[k] < 60 {
			t.Errorf("%d lines of kind %s; want 60", count[k], k)
		}
	}
	return lines
}
