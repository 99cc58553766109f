package slack_test

import (
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

// history is the app to which the operator has granted channels' history.
var history = slacktest.Options{
	Scopes: append([]string{"channels:history", "groups:history"}, slacktest.DefaultScopes...),
	Events: append([]string{"message.channels", "message.groups"}, slacktest.DefaultEvents...),
}

// settled waits until everything sent so far was acknowledged.
func (w *world) settled() {
	w.t.Helper()
	w.Await("all acknowledged", func() bool {
		for _, d := range w.Deliveries() {
			if !d.Acked() {
				return false
			}
		}
		return true
	})
}

func TestOneQuestionFromTwoEvents(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, history)
		m := w.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		w.settled()
		if all := w.all(); len(all) != 1 || all[0].ID != "slack:C0GENERAL/"+m.TS || all[0].MidThread {
			t.Errorf("heard %+v", all)
		}
		w.clean()
	})
}

func TestFollowUpWithoutMention(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, history)
		root := w.Say(slacktest.Alice, slacktest.General, "", "what a film")
		w.Say(slacktest.Bob, slacktest.General, root.TS, "which one?")
		w.Say(slacktest.Bob, slacktest.General, root.TS, "@precedent who made it?")
		h := w.hears(0)
		if !h.MidThread || h.Place.Thread != root.TS {
			t.Errorf("in mid-thread %+v", h)
		}
		above, err := w.bot.Above(t.Context(), h.Place, 6)
		if err != nil || strings.Join(above, "|") != "what a film|which one?" {
			t.Errorf("above: %q, %v", above, err)
		}
		if above, _ := w.bot.Above(t.Context(), h.Place, 1); len(above) != 1 || above[0] != "which one?" {
			t.Errorf("the last above: %q", above)
		}
		w.post(h.Place, bot.Card{Text: "Mann."})
		w.Say(slacktest.Bob, slacktest.General, root.TS, "<@"+slacktest.Alice+"> see?")
		w.Say(slacktest.Alice, slacktest.General, root.TS, "and when?")
		if f := w.hears(1); f.Text != "and when?" || f.Conversation != h.Conversation {
			t.Errorf("follow-up %+v", f)
		}
		w.settled()
		if n := len(w.all()); n != 2 {
			t.Errorf("heard %d things", n)
		}
		w.clean()
	})
}

// A restarted bot knows from the core in which threads it has answered.
func TestFollowUpAfterRestart(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, history)
		root := w.Say(slacktest.Alice, slacktest.General, "", "hello")
		w.recent = []bot.Place{{Chat: "slack", Channel: slacktest.General, Thread: root.TS}}
		w.run()
		w.Say(slacktest.Alice, slacktest.General, root.TS, "and when?")
		w.hears(0)
	})
}

func TestEditedAndDeleted(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, history)
		m := w.Say(slacktest.Alice, slacktest.General, "", "@precedent films of Man")
		w.hears(0)
		w.Edit(slacktest.General, m.TS, "@precedent films of Mann")
		e := w.hears(1)
		if e.Kind != bot.Amended || !strings.HasPrefix(e.ID, "slack:C0GENERAL/"+m.TS+"@") || e.Text != "films of Mann" || e.Place.Message != m.TS ||
			e.Place.Thread != m.TS || e.User != slacktest.Alice {
			t.Errorf("amended %+v", e)
		}
		w.Delete(slacktest.General, m.TS)
		d := w.hears(2)
		if d.Kind != bot.Withdrawn || d.ID != "slack:C0GENERAL/"+m.TS+"@gone" || d.Place.Message != m.TS || d.Text != "" {
			t.Errorf("withdrawn %+v", d)
		}
		other := w.Say(slacktest.Bob, slacktest.General, "", "lunch?")
		w.Edit(slacktest.General, other.TS, "lunch now?")
		w.Edit(slacktest.General, other.TS, "@precedent lunch?")
		if q := w.hears(3); q.Kind != bot.Amended && q.Kind != bot.Asked || q.Text != "lunch?" {
			t.Errorf("called by an edit %+v", q)
		}
		w.settled()
		asked := 0
		for _, h := range w.all() {
			if h.ID == "slack:C0GENERAL/"+other.TS {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("the edit that calls the bot asks %d times", asked)
		}
		w.clean()
	})
}

func TestNobodyElseIsHeard(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, history)
		w.SayAsBot(slacktest.General, "<@U0BOT> hello from a bot")
		w.Say(slacktest.Alice, slacktest.General, "", "nothing for you")
		at := w.post(bot.Place{Channel: slacktest.General}, bot.Card{Text: "the bot itself"})
		theirs := w.Say(slacktest.Alice, slacktest.General, "", "mine")
		w.React(slacktest.Bob, slacktest.General, theirs.TS, "+1")
		w.React(slacktest.Bob, slacktest.General, at.Message, "eyes")
		w.AddUser(slacktest.User{ID: "U0ROBOT", Name: "robot", Bot: true})
		w.React("U0ROBOT", slacktest.General, at.Message, "+1")
		w.React(w.BotUser, slacktest.General, at.Message, "+1")
		w.Send(map[string]any{"type": "message", "subtype": "channel_join", "channel": slacktest.General, "user": slacktest.Bob, "ts": "1700000000.000001", "text": "<@U0BOT> has joined"})
		w.Send(map[string]any{"type": "app_mention", "channel": slacktest.General, "user": w.BotUser, "ts": "1700000000.000002", "text": "<@U0BOT> me"})
		w.Send(map[string]any{"type": "channel_created", "channel": map[string]any{"id": "C9"}})
		w.Send(map[string]any{"type": "app_home_opened", "user": slacktest.Bob, "tab": "messages", "channel": "D1", "event_ts": "1700000000.000003"})
		w.settled()
		if all := w.all(); len(all) != 0 {
			t.Errorf("heard %+v", all)
		}
		w.clean()
	})
}

func TestReactions(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		at := w.post(bot.Place{Channel: slacktest.General}, bot.Card{Text: "A"})
		for i, c := range []struct {
			emoji, want string
		}{{"+1", "up"}, {"thumbsup", "up"}, {"-1::skin-tone-6", "down"}, {"thumbsdown", "down"}} {
			w.React(slacktest.Alice, slacktest.General, at.Message, c.emoji)
			if h := w.hears(i); h.Text != c.want || h.Place.Message != at.Message || h.Place.Channel != slacktest.General || h.At.IsZero() {
				t.Errorf("%s: %+v", c.emoji, h)
			}
		}
		w.clean()
	})
}

func TestDirectThread(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		dm := w.DM(slacktest.Alice)
		w.Say(slacktest.Alice, dm, "", "q")
		h := w.hears(0)
		at := w.post(h.Place, bot.Card{Text: "A", Carries: h.ID, Buttons: []bot.Button{{ID: "up|1", Label: "Right"}}})
		if found, ok, err := w.bot.Find(t.Context(), h.Place, h.ID); err != nil || !ok || found != at {
			t.Errorf("found %+v %v %v, posted at %+v", found, ok, err, at)
		}
		w.Click(slacktest.Click{User: slacktest.Alice, Channel: dm, TS: at.Message, Action: "up|1"}).AwaitAck()
		if p := w.hears(1); p.Place.Token != "" || p.Place.User != "" || p.Place.Thread != "" || p.Conversation != h.Conversation || !p.Private {
			t.Errorf("pressed %+v", p)
		}
		w.Say(slacktest.Alice, dm, at.Message, "and?")
		f := w.hears(2)
		if f.Conversation != "slack:"+dm+"/"+at.Message || f.Place.Thread != at.Message || !f.MidThread {
			t.Errorf("in a thread %+v", f)
		}
		w.clean()
	})
}

func TestReadableText(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		for i, c := range []struct{ text, want string }{
			{"<@U0BOT> films by <@U1|ann>, <@U2>", "films by @ann, @U2"},
			{"hey <@U0BOT|precedent>, in <#C1|films> or <#C2>?", "hey , in #films or #C2?"},
			{"<@U0BOT> see <https://a.example/x?a=1&amp;b=2|the site> and <https://b.example>", "see the site and https://b.example"},
			{"<@U0BOT> ask <mailto:a@b.example|a@b.example> &lt;b&gt; &amp;amp;", "ask a@b.example <b> &amp;"},
			{"<@U0BOT> <!here> <!subteam^S1|@directors> <!date^1^{date}|Monday> a &lt; b", "@here @directors Monday a < b"},
			{"<@U0BOT>\n1. who\n2.   when", "1. who\n2. when"},
			{"<@U0BOT>", ""},
		} {
			w.Send(map[string]any{"type": "app_mention", "channel": slacktest.General, "user": slacktest.Alice, "ts": "170000000" + string(rune('0'+i)) + ".000001", "text": c.text})
			if h := w.hears(i); h.Text != c.want {
				t.Errorf("%q reads %q, want %q", c.text, h.Text, c.want)
			}
		}
	})
}

func TestMember(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, slacktest.Options{})
		w.SetGroup("S1", slacktest.Alice)
		for user, want := range map[string]bool{slacktest.Alice: true, slacktest.Bob: false} {
			if got, err := w.bot.Member(t.Context(), bot.Place{}, user, "S1"); err != nil || got != want {
				t.Errorf("%s: %v, %v", user, got, err)
			}
		}
		if n := len(w.Calls("usergroups.users.list")); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

func TestAttach(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := open(t, history)
		m := w.Say(slacktest.Alice, slacktest.General, "", "q")
		at := w.post(bot.Place{Channel: slacktest.General, Thread: m.TS}, bot.Card{Text: "A", Carries: "slack:x"})
		if err := w.bot.Attach(t.Context(), at, bot.File{Name: "answer.csv", Type: "text/csv", Alt: "all rows", Body: []byte("a,b\n")}); err != nil {
			t.Fatal(err)
		}
		last := w.Posted(slacktest.General)[1]
		if f, _ := w.File(last.Files[0]); string(f.Content) != "a,b\n" || f.Name != "answer.csv" || last.Thread != m.TS {
			t.Errorf("file %+v in %+v", f, last)
		}
		to := bot.Place{Channel: slacktest.General, Thread: m.TS}
		if found, ok, err := w.bot.Find(t.Context(), to, "slack:x"); err != nil || !ok || found.Message != at.Message {
			t.Errorf("found %+v %v %v", found, ok, err)
		}
		if _, ok, err := w.bot.Find(t.Context(), to, "slack:y"); err != nil || ok {
			t.Errorf("found what isn't there: %v %v", ok, err)
		}
		w.clean()
	})
}

func TestManyInOrder(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		w := start(t, slacktest.Options{})
		dm := w.DM(slacktest.Alice)
		const n = 60
		for i := range n {
			w.Say(slacktest.Alice, dm, "", "q"+string(rune('A'+i)))
		}
		w.hears(n - 1)
		for i, h := range w.all() {
			if h.Text != "q"+string(rune('A'+i)) {
				t.Fatalf("%d is %q", i, h.Text)
			}
		}
		w.settled()
		if since := time.Since(w.all()[0].At); since > 10*time.Second || since < 0 {
			t.Errorf("heard at %v", w.all()[0].At)
		}
		w.clean()
	})
}
