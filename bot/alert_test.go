package bot_test

import (
	"strings"
	"testing"

	"precedent/bot/slacktest"
	"precedent/engine"
	"precedent/store/cases"
)

// TestAlert tells the curators of cases that the graph lacks what they name, each in a
// direct message, once.
func TestAlert(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace()})
		lacks := []cases.Lack{{Kind: cases.LackLabel, Name: "Film*"}, {Kind: cases.LackForm, Name: "Film.year", Was: "INTEGER", Is: "STRING"}}
		drifted := []cases.Drift{{Case: "c1", Question: "how many <films> are there", Lacks: lacks}}
		told := func(text string) int {
			n := 0
			for _, m := range o.slack.Messages(o.slack.DM(slacktest.Carol)) {
				if strings.Contains(m.Reads(), text) {
					n++
				}
			}
			return n
		}
		for range 2 {
			o.desk.Alert(t.Context(), "shop", "en", engine.Refreshed{Out: drifted, Of: 40})
		}
		o.slack.Await("the curator to be told", func() bool { return told("how many") == 1 })
		for _, text := range []string{"shop", "taken out of use, since the graph no longer has what they name: 1", "the graph no longer has the label Film", "Film.year holds STRING now, which was INTEGER"} {
			if told(text) != 1 {
				t.Errorf("%q is said %d times: %+v", text, told(text), o.slack.Messages(o.slack.DM(slacktest.Carol)))
			}
		}
		o.desk.Alert(t.Context(), "shop", "zh", engine.Refreshed{Stopped: drifted, Of: 4, Silent: []cases.Misread{{Case: "c2", Question: "谁导演了它"}}})
		o.slack.Await("the curator to be told in Chinese", func() bool { return told("1 个（共 4 个）已核实案例") == 1 })
		for _, text := range []string{"图谱不再有标签 Film", "Film.year 现在是 STRING，原来是 INTEGER", "词语的读法变了的已核实案例：1 个", "谁导演了它"} {
			if told(text) != 1 {
				t.Errorf("%q is said %d times", text, told(text))
			}
		}
		o.desk.Alert(t.Context(), "shop", "en", engine.Refreshed{Back: []string{"c1"}})
		o.slack.Await("the curator to be told of what is back", func() bool { return told("in use again") == 1 })
		o.desk.Alert(t.Context(), "shop", "en", engine.Refreshed{})
		if n := len(o.slack.Messages(o.slack.DM(slacktest.Carol))); n != 3 {
			t.Errorf("%d messages", n)
		}
	})
}
