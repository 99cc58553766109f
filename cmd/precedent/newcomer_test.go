package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
	"precedent/engine/modeltest"
)

// A newcomer has set everything up, over the fakes.
type newcomer struct {
	t       *testing.T
	data    string
	env     map[string]string
	args    []string
	binary  string
	slack   *slacktest.Server
	discord *discordtest.Server
	model   *modeltest.Server
}

const modelKey = "sk-right-and-secret"

// atlas is a graph that opens sooner than the movies.
var atlas = map[string]string{
	"cities.csv":    "name:ID(City),:LABEL\nOslo,City\nBergen,City\n",
	"countries.csv": "name:ID(Country),:LABEL\nNorway,Country\n",
	"in.csv":        ":START_ID(City),:END_ID(Country),:TYPE\nOslo,Norway,IN\nBergen,Norway,IN\n",
}

// prepared are folders with the atlas and with a case for it.
func prepared(t *testing.T) (graph, data string) {
	t.Helper()
	graph, data = t.TempDir(), t.TempDir()
	for name, text := range atlas {
		if err := os.WriteFile(filepath.Join(graph, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	n := &newcomer{t: t, data: data, env: map[string]string{"PRECEDENT_GRAPH": graph}}
	if out, err := n.command("cases", "add", "how many cities are there", "MATCH (c:City) RETURN count(c) AS cities").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return graph, data
}

// begins sets everything up over the fakes: with the movies, or with a graph and
// the data of prepared.
func begins(t *testing.T, s slacktest.Options, d discordtest.Settings, folders ...string) *newcomer {
	t.Helper()
	ready := modeltest.JSON(map[string]string{"word": "ready"})
	n := &newcomer{t: t, data: t.TempDir(), slack: slacktest.Start(t, s), discord: discordtest.Start(t, d), model: modeltest.New(t)}
	n.model.Script(ready, ready)
	n.ordered()
	n.env = map[string]string{
		"SLACK_API_URL": n.slack.APIURL, "SLACK_BOT_TOKEN": n.slack.BotToken, "SLACK_APP_TOKEN": n.slack.AppToken,
		"DISCORD_API_URL": n.discord.APIURL(), "DISCORD_TOKEN": "fake.token",
		"OPENAI_BASE_URL": n.model.URL, "OPENAI_API_KEY": modelKey, "OPENAI_MODEL": "test", "OPENAI_EMBEDDING_MODEL": "vectors",
		"PRECEDENT_CURATORS": "slack:" + slacktest.Carol, "PRECEDENT_GRAPH": "movies", "PRECEDENT_HTTP": "127.0.0.1:0",
	}
	if len(folders) == 2 {
		n.env["PRECEDENT_GRAPH"] = folders[0]
		if err := os.CopyFS(n.data, os.DirFS(folders[1])); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// ordered takes the fakes' locks once. Who asks them is another process, so that
// nothing else orders what they were made of before what they are asked.
func (n *newcomer) ordered() {
	if n.slack != nil {
		n.slack.Sockets()
	}
	if n.discord != nil {
		n.discord.Connected()
	}
}

// command is the program, to be run with the newcomer's environment.
func (n *newcomer) command(args ...string) *exec.Cmd {
	n.t.Helper()
	path := n.binary
	if path == "" {
		var err error
		if path, err = built(); err != nil {
			n.t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(n.t.Context(), path, append(args, n.args...)...)
	cmd.Env = []string{"HOME=" + n.data, "PRECEDENT_DATA=" + n.data, "PATH=" + os.Getenv("PATH"), "LANG=en_GB.UTF-8"}
	for name, value := range n.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// doctor runs precedent doctor --json, and holds its exit code against what it finds.
func (n *newcomer) doctor() []bot.Finding {
	n.t.Helper()
	return n.found(n.command("doctor", "--json"))
}

func (n *newcomer) found(cmd *exec.Cmd) (found []bot.Finding) {
	n.t.Helper()
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	code, err := 0, cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		code = ended.ExitCode()
	} else if err != nil {
		n.t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var f bot.Finding
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			n.t.Fatalf("%q: %v", line, err)
		}
		found = append(found, f)
		if (f.State == bot.Wrong || f.State == bot.Doubtful) && f.Cure == "" {
			n.t.Errorf("no cure is named for %+v", f)
		}
	}
	want := exitOK
	if slices.ContainsFunc(found, func(f bot.Finding) bool { return f.State == bot.Wrong }) {
		want = exitFault
	}
	if code != want || said.Len() > 0 || len(found) == 0 {
		n.t.Errorf("exit %d, want %d; on standard error: %s", code, want, &said)
	}
	for _, secret := range []string{n.slack.BotToken, n.slack.AppToken, "fake.token", modelKey, n.env["NEO4J_PASSWORD"], n.env["DISCORD_TOKEN"], n.env["SLACK_BOT_TOKEN"]} {
		if secret != "" && strings.Contains(out.String(), secret) {
			n.t.Errorf("a secret is shown: %s", &out)
		}
	}
	return found
}

// sick are the findings that are neither fine nor not set up.
func sick(found []bot.Finding) []bot.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f bot.Finding) bool { return f.State == bot.Fine || f.State == bot.Absent })
}

// closedPort is an address where nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// instead has Discord answer one path otherwise.
func (n *newcomer) instead(path string, change func(body []byte) []byte) {
	n.t.Helper()
	to, err := url.Parse(n.discord.URL)
	if err != nil {
		n.t.Fatal(err)
	}
	through := httputil.NewSingleHostReverseProxy(to)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, path) {
			through.ServeHTTP(w, r)
			return
		}
		kept := httptest.NewRecorder()
		through.ServeHTTP(kept, r)
		w.Write(change(kept.Body.Bytes()))
	}))
	n.t.Cleanup(s.Close)
	n.env["DISCORD_API_URL"] = strings.Replace(n.discord.APIURL(), n.discord.URL, s.URL, 1)
}

// serves runs precedent serve until the test ends.
func (n *newcomer) serves() {
	n.t.Helper()
	cmd := n.command("serve")
	said := &tail{}
	cmd.Stderr = said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { // the test's context has ended
		cmd.Wait()
		if n.t.Failed() {
			n.t.Logf("serve said: %s", said)
		}
	})
	if n.env["SLACK_BOT_TOKEN"] != "" {
		n.slack.AwaitSocket()
	}
	if n.env["DISCORD_TOKEN"] != "" {
		n.discord.AwaitConnected(1)
	}
}

// text runs precedent doctor as people do.
func (n *newcomer) text() string {
	n.t.Helper()
	out, err := n.command("doctor").Output()
	if err != nil {
		n.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestNewcomerOnSlack follows README's "In Slack", with an app as the manifest
// has it and nothing else set up.
func TestNewcomerOnSlack(t *testing.T) {
	n := &newcomer{t: t, data: t.TempDir()}
	manifest, err := n.command("doctor", "--slack-manifest").Output()
	if err != nil {
		t.Fatal(err)
	}
	var app struct {
		Features struct {
			Commands  []struct{ Command string } `json:"slash_commands"`
			Shortcuts []struct {
				CallbackID string `json:"callback_id"`
			}
			Home struct {
				Home     bool `json:"home_tab_enabled"`
				Messages bool `json:"messages_tab_enabled"`
			} `json:"app_home"`
		}
		OAuth struct {
			Scopes struct{ Bot []string }
		} `json:"oauth_config"`
		Settings struct {
			Events struct {
				Bot []string `json:"bot_events"`
			} `json:"event_subscriptions"`
			Socket bool `json:"socket_mode_enabled"`
		}
	}
	if err := json.Unmarshal(manifest, &app); err != nil {
		t.Fatal(err)
	}
	if len(app.Features.Commands) != 1 || len(app.Features.Shortcuts) != 1 || !app.Features.Home.Home || !app.Features.Home.Messages || !app.Settings.Socket {
		t.Fatalf("the manifest is %s", manifest)
	}
	n.slack = slacktest.Start(t, slacktest.Options{Scopes: app.OAuth.Scopes.Bot, Events: app.Settings.Events.Bot, Patience: patience})
	n.ordered()
	n.env = map[string]string{"SLACK_API_URL": n.slack.APIURL, "SLACK_BOT_TOKEN": n.slack.BotToken, "SLACK_APP_TOKEN": n.slack.AppToken}
	if text := n.text(); strings.Contains(text, "✗") || !strings.Contains(text, "✓ Slack app token") {
		t.Errorf("doctor says\n%s", text)
	}
	n.serves()
	directs := func(m slacktest.Message) bool { return strings.Contains(m.Reads(), "Wachowski") }
	n.slack.Say(slacktest.Alice, slacktest.General, "", "@precedent who directed The Matrix?")
	answer := n.slack.AwaitMessage(slacktest.General, directs)
	n.slack.Say(slacktest.Alice, n.slack.DM(slacktest.Alice), "", "who directed The Matrix?")
	n.slack.AwaitMessage(n.slack.DM(slacktest.Alice), directs)
	n.slack.Command(slacktest.Bob, slacktest.General, app.Features.Commands[0].Command, "who directed The Matrix?")
	n.slack.Await("an answer for Bob alone", func() bool { return slices.ContainsFunc(n.slack.Ephemerals(slacktest.Bob), directs) })
	n.slack.OpenHome(slacktest.Alice)
	n.slack.Await("a home tab", func() bool { _, ok := n.slack.Home(slacktest.Alice); return ok })
	n.slack.Shortcut(slacktest.Bob, slacktest.General, answer.TS, app.Features.Shortcuts[0].CallbackID).AwaitAck()
	for _, v := range n.slack.Violations() {
		t.Error(v)
	}
}

// TestNewcomerOnDiscord follows README's "In Discord", with the permissions that
// the link asks for.
func TestNewcomerOnDiscord(t *testing.T) {
	n := &newcomer{t: t, data: t.TempDir(), discord: discordtest.Start(t, discordtest.Settings{})}
	n.ordered()
	n.env = map[string]string{"DISCORD_API_URL": n.discord.APIURL(), "DISCORD_TOKEN": "fake.token"}
	link := regexp.MustCompile(`https://discord\.com/oauth2/authorize\?client_id=(\d+)&scope=bot\+applications\.commands&permissions=(\d+)`).FindStringSubmatch(n.text())
	if link == nil || link[1] != n.discord.AppID {
		t.Fatalf("the link is %q", link)
	}
	granted, err := strconv.ParseInt(link[2], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	n.discord = discordtest.Start(t, discordtest.Settings{Permissions: granted, Patience: patience})
	n.discord.AddUser("Ann")
	n.env["DISCORD_API_URL"] = n.discord.APIURL()
	if text := n.text(); strings.Contains(text, "✗") || strings.Contains(text, "! Discord") {
		t.Errorf("doctor says\n%s", text)
	}
	n.serves()
	directs := func(m discordtest.Message) bool { return strings.Contains(m.Text(), "Wachowski") }
	run := n.discord.Run("Ann", n.discord.General, "ask", discordtest.Option{Name: "question", Value: "who directed The Matrix?"})
	n.discord.Await("the answer", func() bool { m, ok := run.Response(); return ok && directs(m) })
	n.discord.Say("Ann", n.discord.General, "<@"+n.discord.BotID+"> who directed The Matrix?")
	n.discord.AwaitMessage(n.discord.General, func(m discordtest.Message) bool { return directs(m) && m.Interaction == "" })
	n.discord.Say("Ann", n.discord.DM("Ann"), "who directed The Matrix?")
	n.discord.AwaitMessage(n.discord.DM("Ann"), directs)
	if text := n.text(); !strings.Contains(text, "✓ Discord commands  registered") {
		t.Errorf("doctor then says\n%s", text)
	}
	n.discord.Clean(t)
}
