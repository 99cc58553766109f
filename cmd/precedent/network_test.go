package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
	"precedent/engine/modeltest"
)

// A network is Slack or Discord, for what is the same on both. Its people and
// channels have numbers from 0; everybody may speak everywhere.
type network interface {
	env() []string                                       // by which the program finds it
	fill(people, channels int)                           // once, before all else
	awaitProgram()                                       // until it is connected
	ask(person, channel int, question string) (q string) // by mention; q is its own
	command(person, channel int, question string) string // likewise, in the way that the network waits to have acknowledged
	acknowledged() (took []time.Duration, waiting int)   // see BenchmarkAcknowledge
	replies() []reply                                    // all that the bot said, each as it stands
	limited() int                                        // calls of the bot's that were answered 429
	Await(what string, ok func() bool)                   // asks ok at each change
}

// A reply is a message of the bot's in answer to a question q.
type reply struct {
	q, text string
	at      time.Time // when it was last changed
}

// isAnswer tells whether it is an answer, not a sign of work.
func (r reply) isAnswer() bool {
	return strings.Contains(r.text, "written now") || strings.Contains(r.text, "verified case")
}

// answers counts those to each question.
func answers(n network) map[string]int {
	count := make(map[string]int)
	for _, r := range n.replies() {
		if r.isAnswer() {
			count[r.q]++
		}
	}
	return count
}

// twice counts the questions that were answered more than once.
func twice(n network) (count int) {
	for _, many := range answers(n) {
		if many > 1 {
			count++
		}
	}
	return count
}

// on starts the program on a network.
func on(t testing.TB, n network, model *modeltest.Server, env ...string) *serving {
	t.Helper()
	s := serves(t, slices.Concat(n.env(), []string{"OPENAI_BASE_URL=" + model.URL, "OPENAI_MODEL=test"}, env)...)
	n.awaitProgram()
	return s
}

// patience is of all that the tests of a network wait for.
const patience = 3 * time.Minute

type slackNetwork struct {
	*slacktest.Server
	channels int
}

// onSlack is a Slack on which the bot may look for its own messages.
func onSlack(t testing.TB) network {
	scopes := append(slices.Clone(slacktest.DefaultScopes), "channels:history", "groups:history")
	return &slackNetwork{Server: slacktest.Start(t, slacktest.Options{Scopes: scopes, Patience: patience})}
}

func (s *slackNetwork) env() []string {
	return []string{"SLACK_API_URL=" + s.APIURL, "SLACK_BOT_TOKEN=" + s.BotToken, "SLACK_APP_TOKEN=" + s.AppToken}
}

func (s *slackNetwork) fill(people, channels int) {
	s.channels = channels
	members := []string{s.BotUser}
	for i := range people {
		members = append(members, fmt.Sprintf("U%d", i))
		s.AddUser(slacktest.User{ID: members[i+1], Name: fmt.Sprintf("u%d", i)})
	}
	for i := range channels {
		s.AddChannel(slacktest.Channel{ID: fmt.Sprintf("C%d", i), Name: fmt.Sprintf("c%d", i), Kind: "public_channel", Members: members})
	}
}

func (s *slackNetwork) awaitProgram() { s.AwaitSocket() }

func (s *slackNetwork) ask(person, channel int, question string) string {
	m := s.Say(fmt.Sprintf("U%d", person), fmt.Sprintf("C%d", channel), "", "@precedent "+question)
	return m.Channel + " " + m.TS
}

func (s *slackNetwork) replies() (list []reply) {
	edited, posted := make(map[string]time.Time), make(map[string]time.Time) // by message, by thread
	for _, c := range s.Calls("") {
		switch {
		case c.Error != "":
		case c.Method == "chat.update":
			edited[c.Args["channel"]+" "+c.Args["ts"]] = c.At
		case c.Method == "chat.postMessage":
			posted[c.Args["channel"]+" "+c.Args["thread_ts"]] = c.At
		}
	}
	for i := range s.channels {
		for _, m := range s.Posted(fmt.Sprintf("C%d", i)) {
			q := m.Channel + " " + m.Thread
			at, ok := edited[m.Channel+" "+m.TS]
			if !ok {
				at = posted[q]
			}
			list = append(list, reply{q, m.Reads(), at})
		}
	}
	return list
}

func (s *slackNetwork) limited() int {
	return len(slices.DeleteFunc(s.Calls(""), func(c slacktest.Call) bool { return c.Error != "ratelimited" }))
}

type discordNetwork struct {
	*discordtest.Server
	people, channels []string
}

func onDiscord(t testing.TB) network {
	return &discordNetwork{Server: discordtest.Start(t, discordtest.Settings{Patience: patience})}
}

func (d *discordNetwork) env() []string {
	return []string{"DISCORD_API_URL=" + d.APIURL(), "DISCORD_TOKEN=fake.token"}
}

func (d *discordNetwork) fill(people, channels int) {
	for i := range people {
		d.people = append(d.people, d.AddUser(fmt.Sprintf("u%d", i)))
	}
	for i := range channels {
		d.channels = append(d.channels, d.AddChannel(d.Guild, fmt.Sprintf("c%d", i)))
	}
}

func (d *discordNetwork) awaitProgram() { d.AwaitConnected(1) }

func (d *discordNetwork) ask(person, channel int, question string) string {
	return d.Say(d.people[person], d.channels[channel], "<@"+d.BotID+"> "+question).ID
}

func (d *discordNetwork) replies() (list []reply) {
	for _, m := range d.Posted() {
		at := m.At
		if !m.EditedAt.IsZero() {
			at = m.EditedAt
		}
		if !m.Deleted {
			list = append(list, reply{m.ReplyTo, m.Text(), at})
		}
	}
	return list
}

func (d *discordNetwork) limited() int {
	return len(slices.DeleteFunc(d.Requests("", ""), func(q discordtest.Request) bool { return q.Status != http.StatusTooManyRequests }))
}
