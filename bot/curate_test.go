package bot_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
	"precedent/engine"
	"precedent/engine/modeltest"
	"precedent/store"
	"precedent/store/cases"
)

// page waits for somebody's Home tab to read texts.
func (o *office) page(user string, texts ...string) (v slacktest.View) {
	o.t.Helper()
	o.slack.Await("a home tab with "+strings.Join(texts, ", "), func() bool {
		var ok bool
		v, ok = o.slack.Home(user)
		return ok && !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(reads(v), s) })
	})
	return v
}

func reads(v slacktest.View) string {
	var lines []string
	for _, t := range v.Texts() {
		lines = append(lines, t.Value)
	}
	return strings.Join(lines, "\n")
}

// pressOn presses the nth button of a Home tab that does act.
func (o *office) pressOn(user string, v slacktest.View, act string) {
	o.t.Helper()
	var view struct{ Blocks json.RawMessage }
	if err := json.Unmarshal(v.JSON, &view); err != nil {
		o.t.Fatal(err)
	}
	for _, b := range slackButtons(o.t, view.Blocks) {
		if strings.HasPrefix(b.Value, act) {
			o.slack.Click(slacktest.Click{User: user, View: v.ID, Action: b.Action, Value: b.Value}).AwaitAck()
			return
		}
	}
	o.t.Fatalf("there is no button %s on\n%s", act, reads(v))
}

// status is the status of the only case that asks about thrillers.
func (o *office) status() (c store.Case) {
	o.t.Helper()
	for _, source := range []string{"liked", "repaired"} {
		list, err := o.engine.Library().List(o.t.Context(), cases.Filter{Source: source})
		if err != nil {
			o.t.Fatal(err)
		}
		for _, c := range list {
			if strings.Contains(c.Query, "$country IN m.countries AND m.year >=") {
				return c
			}
		}
	}
	return store.Case{}
}

// wrongFirst is a model whose first draft is refused.
func wrongFirst() func(string) modeltest.Reply {
	return func(prompt string) modeltest.Reply {
		if !strings.Contains(prompt, "durationMinutes") {
			return modeltest.JSON(map[string]any{"action": "query", "query": "MATCH (m:Movie) WHERE m.durationMinutes > 100 RETURN m.title", "params": []any{}})
		}
		return drafted(prompt)
	}
}

// TestHome shows a member and a curator their pages, and has the curator approve,
// edit, reject and put back a case there.
func TestHome(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: wrongFirst(), quorum: 3})
		asked := o.ask(slacktest.Alice, thrillers)
		m := o.answer(asked.TS, thriller, "repaired once")
		o.press(slacktest.Bob, m, "up|")
		o.settled()
		o.slack.OpenHome(slacktest.Alice)
		if page := reads(o.page(slacktest.Alice, "Ask me about the graph", "Questions that verified cases answer", thrillers)); strings.Contains(page, "curator") || strings.Contains(page, "MATCH") {
			t.Errorf("a member's page shows what only curators should see:\n%s", page)
		}
		o.slack.OpenHome(slacktest.Carol)
		page := o.page(slacktest.Carol, "等待审核员处理的案例：1 个", "which French thrillers", "待审核 · 赞成 1，反对 0", "查到 2 条", "1 人问过",
			"模型的第一稿被退回", "durationMinutes", "$country IN m.countries")

		o.pressOn(slacktest.Carol, page, "edit|")
		form := o.slack.AwaitModal(slacktest.Carol)
		if !strings.Contains(string(form.JSON), "修改案例") {
			t.Errorf("the form is %s", form.JSON)
		}
		o.slack.Submit(slacktest.Carol, map[string]string{"query": "MATCH (m:Movie) RETURN m.nonsense AS x"})
		o.page(slacktest.Carol, "案例保持不变", "等待审核员处理的案例：1 个")
		o.pressOn(slacktest.Carol, o.page(slacktest.Carol), "edit|")
		o.slack.AwaitModal(slacktest.Carol)
		o.slack.Submit(slacktest.Carol, map[string]string{"query": strings.Replace(o.status().Query, "ORDER BY", "ORDER BY title,", 1), "why": "by title"})
		o.page(slacktest.Carol, "案例已修改。")

		for _, step := range []struct {
			act, says string
			then      store.Status
		}{{"approve|", "现状态：已核实", store.Verified}, {"undo|", "已撤销，现状态：待审核", store.Candidate}, {"reject|", "现状态：已否决", store.Rejected},
			{"undo|", "已撤销，现状态：待审核", store.Candidate}, {"approve|", "现状态：已核实", store.Verified}} {
			o.pressOn(slacktest.Carol, o.page(slacktest.Carol), step.act)
			page = o.page(slacktest.Carol, step.says, "在这里或频道里问我有关图谱的问题")
			o.settled()
			if c := o.status(); c.Status != step.then {
				t.Errorf("after %s the case is %s", step.act, c.Status)
			}
		}
		if page := reads(page); !strings.Contains(page, "没有等待") {
			t.Errorf("a verified case still waits:\n%s", page)
		}
		// Out of use by a curator's vote, and put back.
		asked = o.slack.Say(slacktest.Bob, o.slack.DM(slacktest.Bob), "", thrillersZh)
		answer := o.slack.AwaitMessage(asked.Channel, says("", thriller, "✓ 已核实的案例"))
		o.settled()
		again := o.ask(slacktest.Carol, thrillers)
		answer = o.answer(again.TS, "✓ verified case")
		o.slack.React(slacktest.Carol, slacktest.General, answer.TS, "thumbsdown")
		o.answer(again.TS, "Taken out of use")
		o.slack.OpenHome(slacktest.Carol)
		o.pressOn(slacktest.Carol, o.page(slacktest.Carol, "已停用", "恢复使用", "弃用"), "approve|")
		o.page(slacktest.Carol, "现状态：已核实")
		o.settled()

		// Members flag what a curator verified: it is kept, and waits no longer.
		for _, user := range []string{slacktest.Alice, slacktest.Bob} {
			o.slack.React(user, slacktest.General, answer.TS, "thumbsdown")
		}
		o.answer(again.TS, "Curators are asked to look at it.")
		o.settled()
		o.slack.OpenHome(slacktest.Carol)
		stale := o.page(slacktest.Carol, "有人提请查看：成员的评价合计 -2；只有审核员能停用它", "保留", "停用")
		o.pressOn(slacktest.Carol, stale, "approve|")
		o.page(slacktest.Carol, "现状态：已核实", "没有等待处理的案例")
		o.settled()
		o.slack.Unreact(slacktest.Carol, slacktest.General, answer.TS, "thumbsdown")
		o.slack.React(slacktest.Carol, slacktest.General, answer.TS, "-1")
		o.slack.Await("it to be taken out again", func() bool {
			n := 0
			for _, m := range o.replies(again.TS) {
				if says("", "Taken out of use")(m) {
					n++
				}
			}
			return n == 2
		})
		o.settled()
		o.slack.OpenHome(slacktest.Carol)
		o.pressOn(slacktest.Carol, o.page(slacktest.Carol, "已停用"), "reject|")
		o.page(slacktest.Carol, "现状态：已弃用", "没有等待处理的案例")
		o.clean()
	})
}

// TestVerdict votes against an answer with a form: reason and words arrive in the
// vote; a note says what happened, with a button by which curators undo it.
func TestVerdict(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), discord: openGuild(), model: drafted, quorum: 1})
		asked := o.ask(slacktest.Alice, thrillersZh)
		m := o.answer(asked.TS, thriller)
		o.press(slacktest.Bob, m, "down|")
		o.slack.AwaitModal(slacktest.Bob)
		o.slack.Submit(slacktest.Bob, map[string]string{"reason": "wording", "why": "*惊悚*就是 Thriller"})
		o.aside(slacktest.Bob, "谢谢，已记下")
		o.settled()
		c := o.status()
		voted, err := o.engine.Library().VotedOn(t.Context(), c.ID, 9)
		if err != nil || len(voted) != 1 || c.Votes.Down != 1 || c.Status != store.Candidate {
			t.Errorf("the vote came to %+v, %+v, %v", c.Votes, voted, err)
		}
		o.slack.React(slacktest.Bob, slacktest.General, m.TS, "+1::skin-tone-2")
		note := o.answer(asked.TS, "已存为已核实的案例")
		if len(slackButtons(t, note.Blocks)) != 1 {
			t.Errorf("the note has not one button: %s", note.Reads())
		}
		o.press(slacktest.Bob, note, "undo|")
		o.aside(slacktest.Bob, "只有审核员能这样做")
		o.press(slacktest.Carol, note, "undo|")
		o.answer(asked.TS, "已撤销，现状态：待审核")
		o.press(slacktest.Carol, note, "undo|")
		o.aside(slacktest.Carol, "无法撤销")
		o.settled()

		d := o.command("Ann", thrillers, thriller)
		i := o.click("Ben", d, "down|")
		o.discord.Await("a form", func() bool { _, ok := i.Modal(); return ok })
		form, _ := i.Modal()
		if form.Title != "What was wrong?" {
			t.Errorf("the form is %+v", form)
		}
		o.discord.Submit(i, map[string]string{"reason": "wording", "why": "x"})
		o.alone("Ben", "Thank you, noted.")
		o.settled()
		if c := o.status(); c.Status != store.Candidate || c.Votes.Down != 1 {
			t.Errorf("after a form on Discord the case is %s %+v", c.Status, c.Votes)
		}
		o.clean()
	})
}

// TestCurateOnDiscord works off the queue there, and curates from a message.
func TestCurateOnDiscord(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, discord: openGuild(), model: drafted, quorum: 3})
		m := o.command("Ann", thrillers, thriller)
		o.discord.React("Ben", m, "👍🏿")
		o.tally(1, 0)
		member := o.discord.Run("Ben", o.discord.General, "cases")
		o.discord.Await("a refusal", func() bool { m, ok := member.Response(); return ok && tells("Only curators can do that")(m) })
		if r, _ := member.Response(); !r.Ephemeral() {
			t.Error("the refusal is public")
		}
		run := o.discord.Run("Fay", o.discord.General, "cases")
		o.discord.Await("the queue", func() bool {
			m, ok := run.Response()
			return ok && tells("which French thrillers", "MATCH", "finds 2 rows")(m)
		})
		item, _ := run.Response()
		if !item.Ephemeral() {
			t.Error("the queue is public")
		}
		i := o.click("Fay", item, "edit|")
		o.discord.Await("a form", func() bool { _, ok := i.Modal(); return ok })
		o.discord.Submit(i, map[string]string{"why": "looked at"})
		o.alone("Fay", "The case is changed.")
		o.click("Fay", item, "approve|")
		o.alone("Fay", "Now verified · by")
		o.settled()
		if c := o.status(); c.Status != store.Verified {
			t.Errorf("the case is %s", c.Status)
		}
		found := o.reply(o.mention("Cem", thrillersZh), "✓ 已核实的案例")
		on := o.discord.RunOn("Fay", found, "Curate case")
		o.discord.Await("the case", func() bool { m, ok := on.Response(); return ok && tells("MATCH", "verified")(m) })
		shown, _ := on.Response()
		o.click("Fay", shown, "reject|")
		o.alone("Fay", "Now out of use · by")
		o.click("Fay", shown, "reject|") // of when it was verified
		o.alone("Fay", "Nothing is changed: since you saw it, the case became out of use.")
		o.settled()
		if c := o.status(); c.Status != store.Quarantined {
			t.Errorf("the second press made the case %s", c.Status)
		}
		stranger := o.discord.RunOn("Fay", o.mention("Cem", "hi"), "Curate case")
		o.discord.Await("a word", func() bool { m, ok := stranger.Response(); return ok && tells("no longer know that answer")(m) })
		o.settled()
		o.clean()
	})
}

// TestClosedChannel asks where not all of the workspace may read: a curator has to
// approve the text first.
func TestClosedChannel(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), model: drafted, quorum: 1})
		const closed = "C1CLOSED"
		o.slack.AddChannel(slacktest.Channel{ID: closed, Name: "board", Kind: "private_channel", Members: []string{slacktest.Alice, slacktest.Bob, o.slack.BotUser}})
		asked := o.slack.Say(slacktest.Alice, closed, "", "@precedent "+thrillers)
		m := o.slack.AwaitMessage(closed, says(asked.TS, thriller))
		o.settled()
		o.slack.React(slacktest.Bob, closed, m.TS, "+1")
		o.slack.Await("the vote", func() bool { return acked(o.slack) })
		o.settled()
		if c := o.status(); c.Votes.Up != 1 || c.Status != store.Candidate {
			t.Errorf("what was asked in a private channel is %s before a curator saw it", c.Status)
		}
		o.clean()
	})
}

// TestPrivateWords asks in private: nothing of it is seen by others before a
// curator approves its text.
func TestPrivateWords(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, slack: openWorkspace(), discord: openGuild(), model: drafted, quorum: 1})
		dm := o.slack.DM(slacktest.Alice)
		o.slack.Say(slacktest.Alice, dm, "", thrillers)
		m := o.slack.AwaitMessage(dm, says("", thriller))
		o.settled()
		o.press(slacktest.Alice, m, "up|")
		o.settled()
		// A second person asks the same in private, and is for it: the quorum is there.
		dmBob := o.slack.DM(slacktest.Bob)
		o.slack.Say(slacktest.Bob, dmBob, "", thrillers)
		m = o.slack.AwaitMessage(dmBob, says("", thriller))
		o.settled()
		o.press(slacktest.Bob, m, "up|")
		o.settled()
		if c := o.status(); c.Status != store.Candidate {
			t.Errorf("what was asked in private is %s before a curator saw it", c.Status)
		}
		hidden := func() string {
			i := o.discord.Type("Ann", o.discord.General, "ask", "question", question("which French"))
			i.Await()
			all := fmt.Sprint(i.Choices(), o.engine.Examples("en", 1000))
			o.slack.OpenHome("U0BOB")
			all += strings.ReplaceAll(reads(o.page(slacktest.Bob)), "Your latest questions:\n• "+thrillers, "")
			a := o.engine.Ask(t.Context(), engine.Question{Text: "which French films are long thrillers of 1950"}, nil)
			return all + fmt.Sprint(a.Cases, a.Suggestions)
		}
		if all := hidden(); strings.Contains(all, thrillers) {
			t.Errorf("others see %s", all)
		}
		o.slack.OpenHome(slacktest.Carol)
		page := o.page(slacktest.Carol, thrillers, "来自私下提问")
		o.pressOn(slacktest.Carol, page, "approve|")
		o.page(slacktest.Carol, "现状态：已核实")
		o.settled()
		i := o.discord.Type("Ann", o.discord.General, "ask", "question", question("which French"))
		i.Await()
		if !slices.ContainsFunc(i.Choices(), func(c discordtest.Choice) bool { return strings.Contains(c.Name, "French") }) {
			t.Errorf("once approved it is still not offered: %v", i.Choices())
		}
		o.clean()
	})
}
