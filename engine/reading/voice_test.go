package reading_test

import (
	"strings"
	"testing"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
)

// TestParts looks for the end of a relationship at which the words put Ann or Bob: "start",
// "end", or "" where they leave it open.
func TestParts(t *testing.T) {
	s := &store.Schema{
		Labels: []store.Label{{Name: "Person", Count: 9, Properties: []store.Property{{Name: "name", Type: "STRING"}}}},
	}
	for _, rel := range []string{"REPORTS_TO", "MANAGED_BY", "CITES", "PARENT_OF", "HAS_PARENT", "LED", "带教", "汇报给"} {
		s.Types = append(s.Types, store.RelType{Name: rel, Count: 5})
		s.Relationships = append(s.Relationships, store.Relation{Start: "Person", Type: rel, End: "Person", Count: 5})
	}
	values := []link.Value{{Label: "Person", Property: "name", Value: "Ann Holm", Labels: []string{"Person"}}, {Label: "Person", Property: "name", Value: "孟晓东", Labels: []string{"Person"}}}
	r, err := reading.New(reading.DefaultGlossary(s), s, values, nil)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(`
REPORTS_TO | Who reports to Ann Holm? | end
REPORTS_TO | Who does Ann Holm report to? | start
REPORTS_TO | To whom does Ann Holm report? | start
REPORTS_TO | How many people report to Ann Holm? | end
REPORTS_TO | How many reports does Ann Holm have? | end
REPORTS_TO | the people that Ann Holm reports to | start
REPORTS_TO | Who is Ann Holm's boss? |
REPORTS_TO | Ann Holm's reports |
REPORTS_TO | the reports of Ann Holm |
MANAGED_BY | Who is managed by Ann Holm? | end
MANAGED_BY | Who is Ann Holm managed by? | start
MANAGED_BY | Who manages Ann Holm? | start
MANAGED_BY | Who does Ann Holm manage? | end
CITES | What does Ann Holm cite? | start
CITES | people citing Ann Holm | end
CITES | How often has Ann Holm been cited? | end
CITES | people cited by Ann Holm | start
CITES | people that were cited with Ann Holm |
PARENT_OF | Who is the parent of Ann Holm? | end
PARENT_OF | Whose parent is Ann Holm? |
PARENT_OF | Who is Ann Holm the parent of? | start
HAS_PARENT | Who is the parent of Ann Holm? | start
LED | Who led Ann Holm? | end
LED | Who was Ann Holm led by? | end
LED | Who was led by Ann Holm? | start
带教 | 孟晓东带教过哪些人？ | start
带教 | 孟晓东是被谁带教的？ | end
带教 | 被孟晓东带教的人 | start
带教 | 谁带教了孟晓东？ | end
带教 | 孟晓东的带教老师是谁 |
汇报给 | 谁汇报给孟晓东 | end
汇报给 | 孟晓东向谁汇报 | start
汇报给 | 向孟晓东汇报的人 | end
CITES | 哪些人引用了孟晓东？ | end
CITES | 孟晓东引用了哪些人？ | start
CITES | 孟晓东被哪些人引用？ |
CITES | 孟晓东的上级是谁？ |
CITES | 孟晓东手下有哪些人？ |
`) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		f := strings.Split(line, "|")
		rel, question, want := strings.TrimSpace(f[0]), strings.TrimSpace(f[1]), strings.TrimSpace(f[2])
		got := ""
		for _, p := range r.Parts(question, r.Read(question).Mentions, rel) {
			if got = "end"; p.Start {
				got = "start"
			}
		}
		if got != want {
			t.Errorf("%s: %s: %q, want %q", rel, question, got, want)
		}
	}
}
