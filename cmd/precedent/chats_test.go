package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
	"precedent/engine/modeltest"
)

// A serving is the program at work, as `precedent serve` runs it.
type serving struct {
	t    testing.TB
	data string
	env  []string
	cmd  *exec.Cmd
	said *tail
}

// tail is what the program wrote to standard error.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *tail) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *tail) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// serves starts the program with env over a data folder of its own.
func serves(t testing.TB, env ...string) *serving {
	t.Helper()
	s := &serving{t: t, data: t.TempDir(), env: env}
	s.start()
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			t.Logf("the program said:\n%s", s.said)
		}
	})
	return s
}

func (s *serving) start() {
	s.t.Helper()
	path, err := built()
	if err != nil {
		s.t.Fatal(err)
	}
	if s.said == nil {
		s.said = &tail{}
	}
	s.cmd = exec.Command(path, "serve", "--graph", "movies", "--data", s.data)
	s.cmd.Env = append([]string{"HOME=" + s.data, "PATH=" + os.Getenv("PATH"), "LANG=en_GB.UTF-8"}, s.env...)
	s.cmd.Stderr = s.said
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
}

// stop ends the program as an operator does, and sees that it ends well.
func (s *serving) stop() {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Signal(syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			s.t.Errorf("serve ended with %v", err)
		}
	case <-time.After(3 * time.Minute):
		s.cmd.Process.Kill()
		s.t.Error("serve didn't end")
	}
	s.cmd = nil
}

// kill ends the program as a power cut does.
func (s *serving) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
	s.cmd = nil
}

// goroutines ends the program with SIGQUIT, at which it tells of all that it has
// (package os/signal, "Default behavior of signals in Go programs").
func (s *serving) goroutines() int {
	s.cmd.Process.Signal(syscall.SIGQUIT)
	s.cmd.Wait()
	s.cmd = nil
	return len(goroutine.FindAllString(s.said.String(), -1))
}

var goroutine = regexp.MustCompile(`(?m)^goroutine [1-9]\d* .*\[`)

// What colleagues ask in the stories below: no shipped case covers it, and words
// of both languages mean the same.
const (
	thrillers   = "which French thrillers since 1950 are over 100 minutes"
	thrillersZh = "1950年以来有哪些超过100分钟的法国惊悚片"
	found       = "Mulholland Drive"
)

// thrillerDraft is the model's query for it.
func thrillerDraft() modeltest.Reply {
	return modeltest.JSON(map[string]any{"action": "query",
		"query": `MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: $genre})
WHERE $country IN m.countries AND m.year >= $year AND m.runtime > $minutes
RETURN m.title AS title, m.year AS year
ORDER BY year, title`,
		"params": []map[string]any{{"name": "genre", "value": "Thriller"}, {"name": "country", "value": "France"}, {"name": "year", "value": 1950}, {"name": "minutes", "value": 100}}})
}

// TestSlack tells the life of a case on Slack: asked, answered by the model,
// liked by three, reused in other words and in Chinese, taken out of use by a
// curator, asked of the model again.
func TestSlack(t *testing.T) {
	workspace := slacktest.Start(t, slacktest.Options{Patience: patience})
	for _, id := range []string{"U1", "U2", "U3", "U4"} {
		workspace.AddUser(slacktest.User{ID: id, Name: strings.ToLower(id)})
		workspace.Join(id, slacktest.General)
	}
	model := modeltest.New(t, thrillerDraft(), thrillerDraft())
	s := serves(t, "SLACK_API_URL="+workspace.APIURL, "SLACK_BOT_TOKEN="+workspace.BotToken, "SLACK_APP_TOKEN="+workspace.AppToken,
		"OPENAI_BASE_URL="+model.URL, "OPENAI_MODEL=test", "PRECEDENT_CURATORS=slack:"+slacktest.Carol)
	workspace.AwaitSocket()

	says := func(thread, text string) func(slacktest.Message) bool {
		return func(m slacktest.Message) bool { return m.Thread == thread && strings.Contains(m.Reads(), text) }
	}
	asked := workspace.Say(slacktest.Alice, slacktest.General, "", "@precedent "+thrillers)
	answer := workspace.AwaitMessage(slacktest.General, says(asked.TS, found))
	if !strings.Contains(answer.Reads(), "written now by the model") {
		t.Errorf("the model's answer reads\n%s", answer.Reads())
	}
	for _, user := range []string{"U1", "U2"} {
		workspace.React(user, slacktest.General, answer.TS, "+1")
	}
	workspace.Click(slacktest.Click{User: "U3", Channel: slacktest.General, TS: answer.TS, Action: button(t, answer.Blocks, "up|")})
	workspace.AwaitMessage(slacktest.General, says(asked.TS, "this is now a verified case"))

	for _, question := range []string{"French thrillers from 1950 on that are longer than 100 minutes?", thrillersZh} {
		asked = workspace.Say("U4", slacktest.General, "", "@precedent "+question)
		answer = workspace.AwaitMessage(slacktest.General, says(asked.TS, found))
		if read := answer.Reads(); !strings.Contains(read, "✓") {
			t.Errorf("%q wasn't answered by the case:\n%s", question, read)
		}
	}
	if n := model.Calls(); n != 1 {
		t.Errorf("the model was called %d times, want once", n)
	}

	workspace.React(slacktest.Carol, slacktest.General, answer.TS, "-1::skin-tone-3")
	workspace.AwaitMessage(slacktest.General, says(asked.TS, "已停用"))
	asked = workspace.Say(slacktest.Bob, slacktest.General, "", "@precedent "+thrillers)
	workspace.AwaitMessage(slacktest.General, says(asked.TS, "written now by the model"))
	if n := model.Calls(); n != 2 {
		t.Errorf("the model was called %d times, want twice", n)
	}
	for _, v := range workspace.Violations() {
		t.Error(v)
	}
	s.stop()
}

// button is the action of the button that does act.
func button(t testing.TB, blocks json.RawMessage, act string) string {
	t.Helper()
	var list []struct {
		Elements []struct {
			Value  string
			Action string `json:"action_id"`
		}
	}
	if err := json.Unmarshal(blocks, &list); err == nil || len(list) > 0 {
		for _, b := range list {
			for _, e := range b.Elements {
				if strings.HasPrefix(e.Value, act) {
					return e.Action
				}
			}
		}
	}
	t.Fatalf("there is no button %s in %s", act, blocks)
	return ""
}

// TestDiscord tells the same on Discord, beginning with /ask in Chinese.
func TestDiscord(t *testing.T) {
	discord := discordtest.Start(t, discordtest.Settings{Patience: patience})
	for _, name := range []string{"Ann", "Ben", "Cem", "Dee", "Eva"} {
		discord.AddUser(name)
	}
	keeper := discord.AddRole("keepers")
	discord.AddUser("Fay", keeper)
	model := modeltest.New(t, thrillerDraft(), thrillerDraft())
	s := serves(t, "DISCORD_API_URL="+discord.APIURL(), "DISCORD_TOKEN=fake.token",
		"OPENAI_BASE_URL="+model.URL, "OPENAI_MODEL=test", "PRECEDENT_CURATORS=discord-role:"+keeper)
	discord.AwaitConnected(1)

	says := func(text string) func(discordtest.Message) bool {
		return func(m discordtest.Message) bool { return strings.Contains(m.Text(), text) }
	}
	run := discord.Run("Ann", discord.General, "ask", discordtest.Option{Name: "question", Value: thrillersZh})
	discord.Await("the answer", func() bool { m, ok := run.Response(); return ok && says(found)(m) })
	answer, _ := run.Response()
	if text := answer.Text(); !strings.Contains(text, found) || !strings.Contains(text, "模型刚写的查询") {
		t.Errorf("the model's answer reads\n%s", text)
	}
	discord.React("Ben", answer, "👍")
	discord.React("Cem", answer, "👍🏽")
	discord.Click("Dee", answer, "👍 对")
	discord.AwaitMessage(discord.General, says("已存为已核实的案例"))

	discord.Say("Eva", discord.General, "<@"+discord.BotID+"> "+thrillers)
	answer = discord.AwaitMessage(discord.General, says("✓ verified case"))
	if !strings.Contains(answer.Text(), found) {
		t.Errorf("the case's answer reads\n%s", answer.Text())
	}
	if n := model.Calls(); n != 1 {
		t.Errorf("the model was called %d times, want once", n)
	}

	discord.React("Fay", answer, "👎")
	discord.AwaitMessage(discord.General, says("Taken out of use"))
	again := discord.Run("Ben", discord.General, "ask", discordtest.Option{Name: "question", Value: thrillers})
	discord.Await("an answer by the model", func() bool { m, ok := again.Response(); return ok && says("written now by the model")(m) })
	discord.Clean(t)
	s.stop()
}
