package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"precedent/bot/slacktest"
	"precedent/engine/modeltest"
)

// withHistory are the scopes of a bot that may look for its own messages.
var withHistory = append(slices.Clone(slacktest.DefaultScopes), "channels:history", "groups:history")

// thriller is a question that no case covers, with a year and minutes of its own.
func thriller(n int) string {
	return fmt.Sprintf("which French thrillers since %d are over %d minutes", 1900+n%100, 90+n/100)
}

var thrillerWords = regexp.MustCompile(`which French thrillers since (\d+) are over (\d+) minutes`)

// thrillerModel writes the query for whichever of them is asked, after a while.
func thrillerModel(t testing.TB, delay time.Duration) *modeltest.Server {
	return modeltest.Respond(t, func(prompt string) modeltest.Reply {
		asked := thrillerWords.FindAllStringSubmatch(prompt, -1)
		if asked == nil {
			return modeltest.Status(500, "the prompt has no question")
		}
		last := asked[len(asked)-1]
		year, _ := strconv.Atoi(last[1])
		minutes, _ := strconv.Atoi(last[2])
		r := modeltest.JSON(map[string]any{"action": "query",
			"query": `MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: $genre})
WHERE $country IN m.countries AND m.year >= $year AND m.runtime > $minutes
RETURN m.title AS title, m.year AS year
ORDER BY year, title`,
			"params": []map[string]any{{"name": "genre", "value": "Thriller"}, {"name": "country", "value": "France"}, {"name": "year", "value": year}, {"name": "minutes", "value": minutes}}})
		r.Delay = delay
		return r
	})
}

// onSlack starts the program on a workspace.
func onSlack(t testing.TB, workspace *slacktest.Server, model *modeltest.Server, env ...string) *serving {
	return serves(t, append([]string{"SLACK_API_URL=" + workspace.APIURL, "SLACK_BOT_TOKEN=" + workspace.BotToken, "SLACK_APP_TOKEN=" + workspace.AppToken,
		"OPENAI_BASE_URL=" + model.URL, "OPENAI_MODEL=test", "PRECEDENT_CURATORS=slack:" + slacktest.Carol}, env...)...)
}

// isAnswer tells whether a message of the bot is an answer, not a sign of work.
func isAnswer(m slacktest.Message) bool {
	return strings.Contains(m.Reads(), "written now") || strings.Contains(m.Reads(), "verified case")
}

// TestKilledOnSlack kills the program fifty times at some moment of a question,
// and starts it again. No question is lost; how many are answered twice is said.
func TestKilledOnSlack(t *testing.T) {
	if testing.Short() {
		t.Skip("fifty starts")
	}
	const kills = 50
	workspace := slacktest.Start(t, slacktest.Options{Scopes: withHistory, Patience: 3 * time.Minute})
	model := thrillerModel(t, 30*time.Millisecond)
	begun := time.Now()
	s := onSlack(t, workspace, model)
	workspace.AwaitSocket()
	first := workspace.Say(slacktest.Alice, slacktest.General, "", "@precedent "+thriller(kills))
	workspace.AwaitMessage(slacktest.General, func(m slacktest.Message) bool { return m.Thread == first.TS && isAnswer(m) })
	took := time.Since(begun) // from the start to an answer
	rng := rand.New(rand.NewPCG(3, 4))
	var asked []slacktest.Message
	for i := range kills {
		workspace.AwaitSocket()
		channel := fmt.Sprintf("C%d", i%10)
		workspace.AddChannel(slacktest.Channel{ID: channel, Name: strings.ToLower(channel), Kind: "public_channel", Members: []string{slacktest.Alice, workspace.BotUser}})
		asked = append(asked, workspace.Say(slacktest.Alice, channel, "", "@precedent "+thriller(i)))
		time.Sleep(time.Duration(rng.Float64() * 1.3 * float64(took))) // the moment of the kill
		s.kill()
		s.start()
	}
	workspace.AwaitSocket()
	answers := func(q slacktest.Message) int {
		return len(slices.DeleteFunc(workspace.Posted(q.Channel), func(m slacktest.Message) bool { return m.Thread != q.TS || !isAnswer(m) }))
	}
	for _, q := range asked {
		workspace.Await("an answer to "+q.Text, func() bool { return answers(q) > 0 })
	}
	twice := 0
	for _, q := range asked {
		if answers(q) > 1 {
			twice++
		}
	}
	t.Logf("%d kills: %d questions, all answered, %d of them twice", kills, len(asked), twice)
	s.stop()
}

// BenchmarkCrowd has 100 people ask 1,000 questions in 50 channels within a
// minute of a model that takes 800 ms. It reports the bot's own share of the
// time to each answer, and its memory.
func BenchmarkCrowd(b *testing.B) {
	const (
		people, channels, questions = 100, 50, 1000
		span, thinking              = time.Minute, 800 * time.Millisecond
	)
	for b.Loop() {
		workspace := slacktest.Start(b, slacktest.Options{Scopes: withHistory, Patience: 3 * time.Minute})
		members := []string{workspace.BotUser}
		for i := range people {
			members = append(members, fmt.Sprintf("U%d", i))
			workspace.AddUser(slacktest.User{ID: members[i+1], Name: strings.ToLower(members[i+1])})
		}
		for i := range channels {
			workspace.AddChannel(slacktest.Channel{ID: fmt.Sprintf("C%d", i), Name: fmt.Sprintf("c%d", i), Kind: "public_channel", Members: members})
		}
		s := onSlack(b, workspace, thrillerModel(b, thinking))
		workspace.AwaitSocket()
		type said struct {
			channel, ts string
			at          time.Time
		}
		var asked []said
		begun := time.Now()
		for i := range questions {
			time.Sleep(time.Until(begun.Add(span * time.Duration(i) / questions)))
			channel := fmt.Sprintf("C%d", i%channels)
			at := time.Now()
			m := workspace.Say(members[1+i%people], channel, "", "@precedent "+thriller(i))
			asked = append(asked, said{channel, m.TS, at})
		}
		type place struct{ channel, ts string }
		thread := make(map[place]string)
		answered := make(map[place]int)
		workspace.Await("all answers", func() bool {
			clear(answered)
			for i := range channels {
				channel := fmt.Sprintf("C%d", i)
				for _, m := range workspace.Posted(channel) {
					if thread[place{channel, m.TS}] = m.Thread; isAnswer(m) {
						answered[place{channel, m.Thread}]++
					}
				}
			}
			return len(answered) >= questions
		})
		done := make(map[place]time.Time)
		for _, c := range workspace.Calls("") {
			at := place{c.Args["channel"], c.Args["thread_ts"]}
			if c.Method == "chat.update" {
				at.ts = thread[place{at.channel, c.Args["ts"]}]
			}
			if c.Error == "" && (c.Method == "chat.update" || c.Method == "chat.postMessage") {
				done[at] = c.At
			}
		}
		var own []float64
		twice := 0
		for _, q := range asked {
			own = append(own, float64(done[place{q.channel, q.ts}].Sub(q.at)-thinking)/float64(time.Millisecond))
			if answered[place{q.channel, q.ts}] > 1 {
				twice++
			}
		}
		slices.Sort(own)
		report(b, own[len(own)/2], "own-p50-ms")
		report(b, own[len(own)*95/100], "own-p95-ms")
		report(b, float64(twice), "answered-twice")
		report(b, float64(len(answered)), "answered")
		report(b, (&running{cmd: s.cmd}).peak(b), "VmHWM-MiB")
		limited := slices.DeleteFunc(workspace.Calls(""), func(c slacktest.Call) bool { return c.Error != "ratelimited" })
		report(b, float64(len(limited)), "429s")
		s.stop()
	}
}

// BenchmarkConversations has 10,000 conversations on Slack one after the other,
// a question of each, and reports the memory that the program holds (VmRSS)
// after the first thousand and after the last.
func BenchmarkConversations(b *testing.B) {
	const talks, channels, batch = 10_000, 5_000, 500
	for b.Loop() {
		workspace := slacktest.Start(b, slacktest.Options{Patience: 3 * time.Minute})
		for i := range channels {
			workspace.AddChannel(slacktest.Channel{ID: fmt.Sprintf("C%d", i), Name: fmt.Sprintf("c%d", i), Kind: "public_channel", Members: []string{slacktest.Alice, workspace.BotUser}})
		}
		config := filepath.Join(b.TempDir(), "config.yaml")
		if err := os.WriteFile(config, []byte("limits: {per_user: -1, per_channel: -1, per_minute: -1}\n"), 0o600); err != nil {
			b.Fatal(err)
		}
		s := onSlack(b, workspace, modeltest.New(b), "PRECEDENT_CONFIG="+config)
		workspace.AwaitSocket()
		for i := range talks {
			workspace.Say(slacktest.Alice, fmt.Sprintf("C%d", i%channels), "", "@precedent who directed Heat?")
			if i%batch != batch-1 {
				continue
			}
			workspace.Await("answers", func() bool { return len(workspace.Calls("chat.postMessage")) > i })
			if i+1 == talks/10 {
				report(b, resident(b, s.cmd.Process.Pid), "MiB-after-1000")
			}
		}
		report(b, resident(b, s.cmd.Process.Pid), "MiB-after-10000")
		s.stop()
	}
}

// resident is the memory that a process holds, in MiB.
func resident(b *testing.B, pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); f[0] == "VmRSS:" {
			kib, _ := strconv.ParseFloat(f[1], 64)
			return kib / 1024
		}
	}
	return 0
}
