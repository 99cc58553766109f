package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
	"precedent/store/disktest"
)

// readiness is what /readyz says.
func (s *serving) readiness() (status int, ready struct {
	Status string
	Error  struct{ Kind, Message string }
	Parts  []bot.Finding
}) {
	s.t.Helper()
	at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(s.said.String())
	if at == "" {
		return 0, ready
	}
	a, err := http.Get(at + "/readyz")
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	if err := json.NewDecoder(a.Body).Decode(&ready); err != nil {
		s.t.Fatal(err)
	}
	return a.StatusCode, ready
}

// wrong are the parts that are down.
func (s *serving) wrong() (list []bot.Finding) {
	_, ready := s.readiness()
	return slices.DeleteFunc(ready.Parts, func(f bot.Finding) bool { return f.State != bot.Wrong })
}

func (s *serving) await(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	s.t.Fatalf("no %s; serve said:\n%s", what, s.said)
}

// TestOneNetworkAlone serves with a good Slack and a Discord token that isn't known:
// Slack is answered, /readyz and doctor say what is down, and Discord is there as
// soon as it knows the token.
func TestOneNetworkAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	workspace := slacktest.Start(t, slacktest.Options{Patience: patience})
	discord := discordtest.Start(t, discordtest.Settings{Patience: patience})
	discord.AddUser("Ann")
	env := []string{"SLACK_API_URL=" + workspace.APIURL, "SLACK_BOT_TOKEN=" + workspace.BotToken, "SLACK_APP_TOKEN=" + workspace.AppToken,
		"DISCORD_API_URL=" + discord.APIURL(), "DISCORD_TOKEN=wrong.token", "PRECEDENT_HTTP=127.0.0.1:0"}
	s := serves(t, env...)
	workspace.AwaitSocket()
	directs := func(m slacktest.Message) bool { return strings.Contains(m.Reads(), "Wachowski") }
	asked := workspace.Say(slacktest.Alice, slacktest.General, "", "@precedent who directed The Matrix?")
	workspace.AwaitMessage(slacktest.General, func(m slacktest.Message) bool { return m.Thread == asked.TS && directs(m) })
	s.await("word of Discord alone", func() bool {
		down := s.wrong()
		return len(down) > 0 && !slices.ContainsFunc(down, func(f bot.Finding) bool {
			return !strings.HasPrefix(f.Part, "Discord") || !strings.Contains(f.Cure, "DISCORD_TOKEN") || f.Since.IsZero()
		})
	})
	if status, ready := s.readiness(); status != http.StatusServiceUnavailable || ready.Error.Kind != "part" || !strings.Contains(ready.Error.Message, "Discord") {
		t.Errorf("/readyz says %d %+v", status, ready)
	}
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	doctor := exec.Command(path, "doctor", "--json", "--data", t.TempDir(), "--http", strings.TrimPrefix(regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(s.said.String()), "http://"))
	doctor.Env = append([]string{"HOME=" + s.data, "PATH=" + os.Getenv("PATH")}, env[:3]...)
	out, _ := doctor.Output()
	if !strings.Contains(string(out), `"part":"serve: Discord","state":"wrong"`) {
		t.Errorf("doctor says\n%s", out)
	}
	if n := strings.Count(s.said.String(), "application's page Bot"); n != 1 {
		t.Errorf("the cure is %d times in the log", n)
	}

	discord.ResetToken("wrong.token") // the same works now
	discord.AwaitConnected(1)
	discord.Say("Ann", discord.General, "<@"+discord.BotID+"> who directed The Matrix?")
	discord.AwaitMessage(discord.General, func(m discordtest.Message) bool { return strings.Contains(m.Text(), "Wachowski") })
	s.await("readiness", func() bool { status, ready := s.readiness(); return status == http.StatusOK && ready.Status == "ready" })

	workspace.Revoke("token_revoked")
	workspace.Drop()
	s.await("word of Slack alone", func() bool { down := s.wrong(); return len(down) == 1 && down[0].Part == "Slack" })
	discord.Say("Ann", discord.General, "<@"+discord.BotID+"> who directed Alien?")
	discord.AwaitMessage(discord.General, func(m discordtest.Message) bool { return strings.Contains(m.Text(), "Ridley Scott") })
}

// TestRefusedByAll has every network refuse the bot from the start, with nothing
// else to serve: that is said, and the program ends.
func TestRefusedByAll(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	workspace := slacktest.Start(t, slacktest.Options{})
	discord := discordtest.Start(t, discordtest.Settings{})
	slack := []string{"SLACK_API_URL=" + workspace.APIURL, "SLACK_BOT_TOKEN=xoxb-wrong", "SLACK_APP_TOKEN=" + workspace.AppToken}
	chat := []string{"DISCORD_API_URL=" + discord.APIURL(), "DISCORD_TOKEN=wrong.token"}
	for name, test := range map[string]struct{ env, says []string }{
		"Slack":             {slack, []string{"SLACK_BOT_TOKEN", "invalid_auth", "copy the Bot User OAuth Token"}},
		"Slack's app token": {[]string{slack[0], "SLACK_BOT_TOKEN=" + workspace.BotToken, "SLACK_APP_TOKEN=xapp-wrong"}, []string{"SLACK_APP_TOKEN", "invalid_auth"}},
		"Discord":           {chat, []string{"DISCORD_TOKEN"}},
		"Discord's address": {[]string{"DISCORD_API_URL=nowhere", chat[1]}, []string{"DISCORD_API_URL"}},
		"both":              {slices.Concat(slack, chat), []string{"SLACK_BOT_TOKEN", "DISCORD_TOKEN"}},
	} {
		t.Run(name, func(t *testing.T) {
			path, err := built()
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			cmd := exec.CommandContext(t.Context(), path, "serve", "--graph", "movies", "--data", dir)
			cmd.Env = append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}, test.env...)
			var said bytes.Buffer
			cmd.Stderr = &said
			done := make(chan error, 1)
			go func() { done <- cmd.Run() }()
			select {
			case <-done:
			case <-time.After(patience):
				t.Fatal("it goes on")
			}
			if code := cmd.ProcessState.ExitCode(); code != exitFault {
				t.Errorf("exit %d", code)
			}
			for _, text := range test.says {
				if !strings.Contains(said.String(), text) {
					t.Errorf("it doesn't say %q:\n%s", text, &said)
				}
			}
		})
	}
}

// TestFullDisk fills the disk under a program that serves: whoever asks is told, in
// Chinese too, /readyz says what to do, and once there is room all is answered.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	workspace := slacktest.Start(t, slacktest.Options{Patience: patience})
	dir := disktest.Small(t, "32768")
	s := &serving{t: t, data: dir, env: []string{"SLACK_API_URL=" + workspace.APIURL, "SLACK_BOT_TOKEN=" + workspace.BotToken,
		"SLACK_APP_TOKEN=" + workspace.AppToken, "PRECEDENT_HTTP=127.0.0.1:0"}}
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, "ask", "--graph", "movies", "--data", dir, "who directed The Matrix?").CombinedOutput(); err != nil { // the shipped cases are brought in
		t.Fatalf("%v: %s", err, out)
	}
	s.start()
	t.Cleanup(s.stop)
	s.await("readiness", func() bool { status, _ := s.readiness(); return status == http.StatusOK })
	says := func(thread, text string) func(slacktest.Message) bool {
		return func(m slacktest.Message) bool { return m.Thread == thread && strings.Contains(m.Reads(), text) }
	}
	before := workspace.Say(slacktest.Alice, slacktest.General, "", "@precedent who directed The Matrix?")
	workspace.AwaitMessage(slacktest.General, says(before.TS, "Wachowski"))
	room := disktest.Fill(t, dir)
	asked := workspace.Say(slacktest.Alice, slacktest.General, "", "@precedent who directed Alien?")
	zh := workspace.Say(slacktest.Bob, slacktest.General, "", "@precedent 诺兰导演了哪些电影")
	workspace.AwaitMessage(slacktest.General, says(asked.TS, "my disk takes nothing"))
	workspace.AwaitMessage(slacktest.General, says(zh.TS, "我的磁盘写不进去"))
	s.await("word of the disk", func() bool {
		down := s.wrong()
		return len(down) == 2 && strings.Contains(down[0].Cure+down[1].Cure, "free some space")
	})
	room()
	workspace.AwaitMessage(slacktest.General, says(asked.TS, "Ridley Scott"))
	workspace.AwaitMessage(slacktest.General, says(zh.TS, "Inception"))
	s.await("readiness", func() bool { status, _ := s.readiness(); return status == http.StatusOK })
	for _, q := range []slacktest.Message{asked, zh} {
		n := 0
		for _, m := range workspace.Posted(slacktest.General) {
			if m.Thread == q.TS {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d messages to one question\n%s", n, workspace.Show())
		}
	}
}
