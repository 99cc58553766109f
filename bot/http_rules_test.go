package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/slacktest"
	"precedent/engine"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/inbox"
)

// A question over HTTP, in a minute of its own or in the one of those before it.
type askedOverHTTP struct {
	user, conversation string
	after              time.Duration // since the question before
	want               int           // status
}

// asks is n questions of the same kind in one minute, of which only the first few are answered.
func asks(answered int, list ...askedOverHTTP) []askedOverHTTP {
	for i := range list {
		list[i].want = http.StatusTooManyRequests
		if i < answered {
			list[i].want = http.StatusOK
		}
	}
	return list
}

// TestHTTPRules asks over HTTP within and beyond what the rules allow.
func TestHTTPRules(t *testing.T) {
	spellings := asks(2, askedOverHTTP{user: "sock1"}, askedOverHTTP{user: "SOCK1"}, askedOverHTTP{user: "sock1 "}, askedOverHTTP{user: "ｓｏｃｋ１"}, askedOverHTTP{user: "so\u200dck1"}, askedOverHTTP{user: "sock1\ufeff"})
	var many []askedOverHTTP
	for i := range 40 {
		many = append(many, askedOverHTTP{user: fmt.Sprint("u", i), conversation: fmt.Sprint("c", i), want: http.StatusOK})
	}
	for _, test := range []struct {
		name  string
		rules bot.Rules
		asked []askedOverHTTP
	}{
		{"per user, in other spellings", bot.Rules{PerUser: 2}, spellings},
		{"per user, in other conversations", bot.Rules{PerUser: 2}, asks(2, askedOverHTTP{"a", "1", 0, 0}, askedOverHTTP{"a", "2", 0, 0}, askedOverHTTP{"a", "3", 0, 0}, askedOverHTTP{"a", "", 0, 0})},
		{"per user, nameless", bot.Rules{PerUser: 2}, asks(2, askedOverHTTP{}, askedOverHTTP{conversation: "c"}, askedOverHTTP{}, askedOverHTTP{conversation: "d"})},
		{"per user, the minute after", bot.Rules{PerUser: 1}, []askedOverHTTP{{"a", "", 0, 200}, {"a", "", 30 * time.Second, 429}, {"a", "", 31 * time.Second, 200}, {"a", "", 0, 429}}},
		{"per user, another goes on", bot.Rules{PerUser: 1}, []askedOverHTTP{{"a", "", 0, 200}, {"a", "", 0, 429}, {"b", "", 0, 200}, {"", "", 0, 200}, {"a", "", 0, 429}}},
		{"per channel, whoever and wherever", bot.Rules{PerChannel: 2}, asks(2, askedOverHTTP{"a", "1", 0, 0}, askedOverHTTP{"b", "2", 0, 0}, askedOverHTTP{"c", "3", 0, 0}, askedOverHTTP{"", "", 0, 0})},
		{"per minute", bot.Rules{PerMinute: 3}, asks(3, askedOverHTTP{"a", "1", 0, 0}, askedOverHTTP{"b", "2", 0, 0}, askedOverHTTP{"", "", 0, 0}, askedOverHTTP{"d", "4", 0, 0}, askedOverHTTP{"a", "5", 0, 0})},
		{"no rules", bot.Rules{}, many},
		{"no rules, one user", bot.Rules{}, slices.Repeat([]askedOverHTTP{{"a", "c", 0, http.StatusOK}}, 100)},
		{"no bound by number", bot.Rules{PerUser: -1, PerChannel: -1, PerMinute: -1}, many},

		{"people of networks alone", bot.Rules{People: []string{"slack:U1", "slack-group:S1", "discord-role:3"}},
			[]askedOverHTTP{{"slack:U1", "", 0, 403}, {"U1", "", 0, 403}, {"slack-group:S1", "", 0, 403}, {"s1", "", 0, 403}, {"3", "", 0, 403}, {"discord-role:3", "", 0, 403}, {"", "", 0, 403}}},
		{"one over HTTP", bot.Rules{People: []string{"slack:U1", "http:ann"}},
			[]askedOverHTTP{{"ann", "", 0, 200}, {"ANN\u200b", "", 0, 200}, {"anna", "", 0, 403}, {"http:ann", "", 0, 403}, {"an", "", 0, 403}, {"аnn", "", 0, 403}, {"", "", 0, 403}, {"*", "", 0, 403}}},
		{"a team over HTTP", bot.Rules{People: []string{"http:team-*"}},
			[]askedOverHTTP{{"team-a", "", 0, 200}, {"TEAM-B", "", 0, 200}, {"team", "", 0, 403}, {"ateam-a", "", 0, 403}, {"http:team-a", "", 0, 403}, {"", "", 0, 403}}},
		{"all over HTTP", bot.Rules{People: []string{"slack:U1", "http:*"}}, []askedOverHTTP{{"ann", "", 0, 200}, {"slack:U1", "", 0, 200}, {"", "", 0, 200}}},
		{"nobody", bot.Rules{People: []string{}}, []askedOverHTTP{{"ann", "", 0, 403}, {"", "", 0, 403}}},

		{"channels of networks alone", bot.Rules{Channels: []string{"slack:C1", "discord:2"}},
			[]askedOverHTTP{{"a", "", 0, 403}, {"a", "slack:C1", 0, 403}, {"a", "C1", 0, 403}, {"", "slack:C1/1.1", 0, 403}, {"", "", 0, 403}}},
		{"HTTP too", bot.Rules{Channels: []string{"slack:C1", "http"}}, []askedOverHTTP{{"a", "", 0, 200}, {"a", "c", 0, 200}, {"", "", 0, 200}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				h := site("")
				h.Desk = &bot.Desk{Rules: test.rules}
				asked := 0
				h.Bot.Ask = func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
					asked++
					return echo(ctx, q, nil)
				}
				handler := h.Handler()
				for i, q := range test.asked {
					time.Sleep(q.after)
					before := asked
					status, body := post(t, handler, "", "/v1/ask", fmt.Sprintf(`{"question":"谁","user":%s,"conversation":%s}`, quoted(q.user), quoted(q.conversation)))
					if status != q.want {
						t.Fatalf("question %d, of %q in %q, got %d %s, want %d", i, q.user, q.conversation, status, body, q.want)
					}
					var a engine.Answer
					if err := json.Unmarshal([]byte(body), &a); err != nil {
						t.Fatal(err)
					}
					kind := map[int]guardrails.Kind{http.StatusTooManyRequests: "limit", http.StatusForbidden: "policy"}[q.want]
					switch {
					case (asked > before) != (q.want == http.StatusOK):
						t.Errorf("question %d was asked %d times", i, asked-before)
					case kind != "" && (a.Route != engine.Refused || a.Refusal == nil || a.Refusal.Kind != kind || a.Text == "" || a.Language != "zh" || a.Rows == nil):
						t.Errorf("question %d is refused so: %s", i, body)
					}
				}
			})
		})
	}
}

// TestHTTPWaits says when to ask again.
func TestHTTPWaits(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := site(secret)
		h.Desk = &bot.Desk{Rules: bot.Rules{PerUser: 1}}
		addr, _ := served(t, h)
		w := dial(t, addr)
		w.say(asking("x"))
		w.hear()
		time.Sleep(20 * time.Second)
		w.say(asking("x"))
		res, err := http.ReadResponse(w.buf, nil)
		if err != nil || res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "41" {
			t.Errorf("got %+v, %v", res, err)
		}
	})
}

// TestHTTPTokens uses up the model's share over HTTP: cases go on answering, and
// what was spent outlives the program.
func TestHTTPTokens(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules bot.Rules
		users []string // who ask after ann has; the last has none left
	}{
		{"of a user", bot.Rules{UserTokens: 100}, []string{"bob", "ann"}},
		{"of a user, spelt otherwise", bot.Rules{UserTokens: 100}, []string{"bob", "ＡＮＮ\u200b"}},
		{"of all over HTTP", bot.Rules{ChannelTokens: 100}, []string{"bob"}},
		{"of all over HTTP, nameless", bot.Rules{ChannelTokens: 100}, []string{""}},
		{"of all", bot.Rules{Tokens: 100}, []string{"bob"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				path, later := filepath.Join(t.TempDir(), "inbox"), time.Duration(0)
				ask := func(user string) (spent string) {
					t.Helper()
					in, err := inbox.Open(t.Context(), path)
					if err != nil {
						t.Fatal(err)
					}
					defer in.Close()
					in.Now = func() time.Time { return time.Now().Add(later) }
					h := site("")
					h.Desk = &bot.Desk{Inbox: in, Rules: test.rules}
					h.Bot.Ask = func(ctx context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
						a := echo(ctx, q, nil)
						a.PromptTokens, a.CompletionTokens = 90, 30
						spent = q.NoModel
						return a
					}
					if status, body := post(t, h.Handler(), "", "/v1/ask", `{"question":"x","user":`+quoted(user)+`}`); status != http.StatusOK {
						t.Errorf("%s got %d %s", user, status, body)
					}
					return spent
				}
				if spent := ask("ann"); spent != "" {
					t.Errorf("at first ann was told %q", spent)
				}
				for i, user := range test.users {
					last := i == len(test.users)-1
					if spent := ask(user); (spent != "") != last || last && !strings.Contains(spent, "00:00 UTC") {
						t.Errorf("%q was told %q", user, spent)
					}
				}
				later = 24 * time.Hour
				if spent := ask("ann"); spent != "" {
					t.Errorf("the day after ann was told %q", spent)
				}
			})
		})
	}
}

// TestOneCount counts questions of chats and of HTTP together, and apart where
// they are other people's.
func TestOneCount(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{slack: openWorkspace(), tune: func(d *bot.Desk) { d.Rules = bot.Rules{PerUser: 2, PerMinute: 4} }})
		h := (&bot.HTTP{Bot: o.bot, Desk: o.desk, Log: o.log()}).Handler()
		over := func(user string) int {
			status, _ := post(t, h, "", "/v1/ask", fmt.Sprintf(`{"question":%q,"user":%q}`, covered, user))
			return status
		}
		for range 2 {
			if got := over("slack:" + slacktest.Alice); got != http.StatusOK {
				t.Errorf("over HTTP somebody got %d", got)
			}
		}
		if got := over("slack:" + slacktest.Alice); got != http.StatusTooManyRequests {
			t.Errorf("the third got %d", got)
		}
		for range 2 { // she isn't who called themselves so
			o.answer(o.ask(slacktest.Alice, covered).TS, film)
		}
		o.settled()
		if got := over("ann"); got != http.StatusTooManyRequests {
			t.Errorf("the fifth of all got %d", got)
		}
		o.answer(o.ask(slacktest.Bob, covered).TS, "That was a lot of questions")
		o.clean()
	})
}

// TestUnproven has people over HTTP vote in every way that could count: it does
// only where somebody vouches for them.
func TestUnproven(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		o := opened(t, setting{graph: movies, model: drafted, quorum: 2})
		site := func(token string, trust ...string) http.Handler {
			return (&bot.HTTP{Bot: o.bot, Token: token, Trust: trust, Log: o.log()}).Handler()
		}
		ask := func(h http.Handler, token, question string) (a engine.Answer) {
			t.Helper()
			status, body := post(t, h, token, "/v1/ask", fmt.Sprintf(`{"question":%q,"user":"asker"}`, question))
			if err := json.Unmarshal([]byte(body), &a); status != http.StatusOK || err != nil {
				t.Fatalf("asking: %d %s", status, body)
			}
			return a
		}
		var answer string
		vote := func(h http.Handler, token, user, value string) (done engine.Voted) {
			t.Helper()
			status, body := post(t, h, token, "/v1/vote", fmt.Sprintf(`{"answer":%q,"vote":%q,"user":%s}`, answer, value, quoted(user)))
			if err := json.Unmarshal([]byte(body), &done); status != http.StatusOK || err != nil {
				t.Fatalf("%q voting %s: %d %s", user, value, status, body)
			}
			return done
		}
		standing := func(id string) (cases.Standing, store.Status) {
			t.Helper()
			s, err := o.engine.Library().Standing(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			c, err := o.engine.Library().Case(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return s, c.Status
		}

		bare, untrusting, trusting := site(""), site(secret), site(secret, "http:ann", "http:team-*")
		socks := []string{"sock1", "sock1 ", "SOCK1", "sock1\u200b", "sock2", "sock3", "ｓｏｃｋ４", "slack:U1", "slack:U2", "discord:1", "terminal:ada", "http:ann", "http:team-a", "team", "аnn", "members"}
		answer = ask(bare, "", thrillers).ID
		for _, h := range []struct {
			http.Handler
			token, because string
		}{{bare, "", "without PRECEDENT_HTTP_TOKEN"}, {untrusting, secret, "nobody vouches for"}, {trusting, secret, "nobody vouches for"}} {
			for _, user := range socks {
				done := vote(h, h.token, user, "up")
				if done.Case != nil || done.After != "" || !strings.Contains(done.Reason, "counts for nothing") || !strings.Contains(done.Reason, h.because) {
					t.Errorf("%q is told %+v", user, done)
				}
			}
		}
		if list, err := o.engine.Library().List(t.Context(), cases.Filter{Status: store.Candidate}); err != nil || len(list) != 0 {
			t.Errorf("unproven votes made the candidates %v, %v", list, err)
		}
		if done := vote(bare, "", "ann", "up"); done.Case != nil { // the name that is trusted, without the token
			t.Errorf("without a token ann is told %+v", done)
		}

		// Those who are vouched for make a case of it, in spite of all the others.
		done := vote(trusting, secret, "Ann", "up")
		if done.Case == nil || done.After != store.Candidate {
			t.Fatalf("ann is told %+v", done)
		}
		id := *done.Case
		for range 3 {
			vote(trusting, secret, "ＡＮＮ\u200b", "up")
		}
		if s, status := standing(id); status != store.Candidate || s.Tally.Up != 1 || s.Tally.Supporters != 1 || s.Unproven == 0 {
			t.Errorf("after ann's vote it is %s, %+v", status, s)
		}
		for _, user := range socks {
			if done := vote(untrusting, secret, user, "down"); done.Before != store.Candidate || done.After != store.Candidate || done.Case == nil || *done.Case != id {
				t.Errorf("%q is told %+v", user, done)
			}
			vote(bare, "", user, "up")
		}
		vote(bare, "", "ann", "none") // nobody takes her vote back
		vote(bare, "", "ann", "down")
		if done := vote(trusting, secret, "team-7", "up"); done.After != store.Verified || done.By != cases.ByTheMembers {
			t.Errorf("the second to be vouched for is told %+v", done)
		}

		// Nor do the others take it out of use, or flag it.
		for _, h := range []http.Handler{bare, untrusting, trusting} {
			token := secret
			if h == bare {
				token = ""
			}
			for _, user := range socks {
				if done := vote(h, token, user, "down"); done.After != store.Verified || done.Flagged {
					t.Errorf("%q is told %+v", user, done)
				}
			}
		}
		if s, status := standing(id); status != store.Verified || s.Flag != "" || s.Tally.Up != 2 || s.Tally.Down != 0 {
			t.Errorf("in the end it is %s, %+v", status, s)
		}
		if a := ask(bare, "", thrillers); a.Route != engine.ByCase {
			t.Errorf("the question is answered by %s", a.Route)
		}

		// Whoever holds the token curates, and nobody without one.
		for _, body := range []string{`{"answer":%q,"vote":"down"}`, `{"answer":%q,"vote":"down","role":"curator"}`, `{"answer":%q,"vote":"down","user":"ann","role":"curator"}`,
			`{"answer":%q,"vote":"none","role":"curator","user":"team-7"}`, `{"answer":%q,"vote":"up","user":"","role":""}`} {
			if status, text := post(t, bare, "", "/v1/vote", fmt.Sprintf(body, answer)); status != http.StatusForbidden || !strings.Contains(text, "PRECEDENT_HTTP_TOKEN") {
				t.Errorf("without a token %s got %d %s", body, status, text)
			}
			if status, text := post(t, untrusting, "", "/v1/vote", fmt.Sprintf(body, answer)); status != http.StatusUnauthorized {
				t.Errorf("without presenting the token %s got %d %s", body, status, text)
			}
		}
		status, text := post(t, untrusting, secret, "/v1/vote", fmt.Sprintf(`{"answer":%q,"vote":"down","user":"Cat","role":"curator"}`, answer))
		if status != http.StatusOK || !strings.Contains(text, `"after":"quarantined","by":"http:cat"`) {
			t.Errorf("a curator with the token got %d %s", status, text)
		}
	})
}
