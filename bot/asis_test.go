package bot_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/engine"
	"precedent/engine/modeltest"
)

// What people ask, and a query that says more than they do.
const (
	longOnes   = "thrillers from 1995 longer than 2 hours"
	longOnesZh = "1995年片长超过2小时的惊悚片"
)

func saysMore(string) modeltest.Reply {
	return modeltest.JSON(map[string]any{"action": "query",
		"query":  "MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: $genre}) WHERE m.year = $year AND m.runtime > $minutes RETURN m.title AS title ORDER BY title LIMIT 50",
		"params": []map[string]any{{"name": "genre", "value": "Thriller"}, {"name": "year", "value": 1995}, {"name": "minutes", "value": 120}}})
}

// keptAsIs has somebody ask, with no model, what was kept: its words answer, and no others.
func (o *office) keptAsIs(words, others string) {
	o.t.Helper()
	if a := o.engine.Ask(o.t.Context(), engine.Question{Text: words, NoModel: "none"}, nil); a.Route != engine.ByCase || len(a.Doubts) > 0 {
		o.t.Errorf("%q: %s %s", words, a.Route, a.Text)
	}
	if a := o.engine.Ask(o.t.Context(), engine.Question{Text: others, NoModel: "none"}, nil); a.Route == engine.ByCase {
		o.t.Errorf("%q is answered by the case of other words: %s", others, a.Text)
	}
}

// TestAsIsOnSlack has curators approve an answer whose query says more than the words:
// they are shown both sides, and keep it as it is. Who is no curator can't. It is undone
// as every change is.
func TestAsIsOnSlack(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: saysMore, quorum: 3})
		asked := o.ask(slacktest.Alice, longOnes)
		m := o.answer(asked.TS, "Se7en", "written now")
		o.press(slacktest.Carol, m, "up|")
		doubt := o.answer(asked.TS, "and the query don't prove each other", "By the query: the query has a LIMIT, the words none", "Keep as it is", "LIMIT 50")
		if strings.Contains(doubt.Reads(), "By the words") {
			t.Errorf("a side that has nothing to say is shown: %s", doubt.Reads())
		}
		o.press(slacktest.Bob, doubt, "asis|")
		o.settled()
		if a := o.engine.Ask(t.Context(), engine.Question{Text: longOnes, NoModel: "none"}, nil); a.Route == engine.ByCase {
			t.Error("somebody who is no curator kept it")
		}
		o.press(slacktest.Carol, doubt, "asis|")
		o.settled()
		o.keptAsIs(longOnes, "thrillers from 1996 longer than 2 hours")
		o.slack.OpenHome(slacktest.Carol)
		o.page(slacktest.Carol, "没有等待处理的案例")
		o.clean()
	})
}

// TestAsIsOnDiscord is the same in Chinese, where a curator has a role.
func TestAsIsOnDiscord(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, discord: openGuild(), model: saysMore, quorum: 3})
		asked := o.mention("Ann", longOnesZh)
		m := o.reply(asked, "Se7en")
		o.click("Fay", m, "up|")
		doubt := o.reply(asked, "与查询对不上", "按查询：查询有 LIMIT，问法没有", "一字不差")
		o.click("Ann", doubt, "asis|")
		o.click("Fay", doubt, "asis|")
		o.settled()
		o.keptAsIs(longOnesZh, "1996年片长超过2小时的惊悚片")
		o.clean()
	})
}

// TestAsIsOverHTTP keeps an answer as it is by a curator's vote, and refuses a member's.
func TestAsIsOverHTTP(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: saysMore, quorum: 3})
		h := &bot.HTTP{Bot: o.bot, Desk: o.desk, Token: "s3cret"}
		post := func(body string) (int, string) {
			r := httptest.NewRequest(http.MethodPost, "/v1/vote", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer s3cret")
			w := httptest.NewRecorder()
			h.Handler().ServeHTTP(w, r)
			return w.Code, w.Body.String()
		}
		a := o.bot.Answer(t.Context(), bot.Message{User: "http:u", Text: longOnes}, nil)
		for _, step := range []struct {
			body, says string
			code       int
		}{
			{`{"answer":"` + a.ID + `","vote":"up"}`, `"doubt":{"wording":`, 200},
			{`{"answer":"` + a.ID + `","vote":"up","as_is":true,"user":"u"}`, "curator's", 400},
			{`{"answer":"` + a.ID + `","vote":"down","as_is":true}`, "curator's", 400},
			{`{"answer":"` + a.ID + `","vote":"up","as_is":true}`, `"after":"verified"`, 200},
		} {
			if code, says := post(step.body); code != step.code || !strings.Contains(says, step.says) {
				t.Errorf("%s: %d %s, want %d with %s", step.body, code, says, step.code, step.says)
			}
		}
		o.keptAsIs(longOnes, "thrillers from 1996 longer than 2 hours")
	})
}
