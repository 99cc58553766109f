package discordtest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

var silent = &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}

const plain = discordgo.IntentGuilds | discordgo.IntentGuildMessages | discordgo.IntentGuildMessageReactions |
	discordgo.IntentDirectMessages | discordgo.IntentDirectMessageReactions

// open starts a session of the real client that never reconnects.
func open(t *testing.T, discord *discordtest.Server, tune ...func(*discordgo.Session)) *discordgo.Session {
	t.Helper()
	session := discord.Session()
	session.ShouldReconnectOnError = false
	session.Identify.Intents = plain
	for _, f := range tune {
		f(session)
	}
	if err := session.Open(); err != nil {
		t.Fatal(err)
	}
	settle()
	t.Cleanup(func() { leave(session) })
	return session
}

// settle gives what a session has just begun the time to come to where it waits for
// its next turn, and not for the lock that closing holds for a second.
func settle() { time.Sleep(time.Millisecond) }

func leave(session *discordgo.Session) {
	settle()
	_ = session.Close()
}

// code is Discord's code in an error of the client.
func code(t *testing.T, err error) (status, code int) {
	t.Helper()
	rest, ok := errors.AsType[*discordgo.RESTError](err)
	if !ok || rest.Message == nil {
		t.Fatalf("got %v, want a refusal of Discord", err)
	}
	return rest.Response.StatusCode, rest.Message.Code
}

func TestMessageAndAnswer(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		discord.AddUser("Ann")
		session := open(t, discord, func(s *discordgo.Session) {
			s.AddHandler(func(s *discordgo.Session, m *discordgo.MessageCreate) {
				if m.Author.Bot {
					return
				}
				_, err := s.ChannelMessageSendComplex(m.ChannelID, &discordgo.MessageSend{Content: "heard: " + m.Content, Reference: m.Reference(), AllowedMentions: silent})
				if err != nil {
					t.Error(err)
				}
			})
		})
		question := discord.Say("Ann", discord.General, "<@"+discord.BotID+"> who?")
		answer := discord.AwaitMessage(discord.General, nil)
		if answer.Content != "heard: <@"+discord.BotID+"> who?" || answer.ReplyTo != question.ID || answer.Type != 19 {
			t.Errorf("answered %+v", answer)
		}
		if _, err := session.ChannelMessageEditComplex(discordgo.NewMessageEdit(discord.General, answer.ID).SetContent("better")); err != nil {
			t.Fatal(err)
		}
		answer, _ = discord.Message(answer.ID)
		if answer.Content != "better" || len(answer.History) != 1 || !strings.HasPrefix(answer.History[0].Content, "heard") {
			t.Errorf("after the edit %+v", answer)
		}
		if pings := discord.Pings(); len(pings) != 0 {
			t.Errorf("pinged %+v", pings)
		}
		discord.Clean(t)
	})
}

// A server leaves nothing running: a bubble doesn't end well while a goroutine of
// it lives.
func TestNothingStays(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		s := discord.Session()
		s.ShouldReconnectOnError = false
		if err := s.Open(); err != nil { // and never closed: the server cuts it
			t.Fatal(err)
		}
		settle()
		discord.Fail(discordtest.Fault{Hold: make(chan struct{})})
		go func() { _, _ = s.ChannelMessageSend(discord.General, "held for ever") }()
		discord.AwaitRequests("POST", "/messages", 1)
	})
}

func commands() []*discordgo.ApplicationCommand {
	return []*discordgo.ApplicationCommand{{
		Name: "ask", Description: "Ask the graph",
		NameLocalizations:        &map[discordgo.Locale]string{discordgo.ChineseCN: "提问"},
		DescriptionLocalizations: &map[discordgo.Locale]string{discordgo.ChineseCN: "向知识图谱提问"},
		Contexts:                 &[]discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM},
		Options: []*discordgo.ApplicationCommandOption{{Type: discordgo.ApplicationCommandOptionString, Name: "question", Description: "Yours",
			Required: true, Autocomplete: true, MaxLength: 1000}},
	}, {Name: "Curate case", Type: discordgo.MessageApplicationCommand}}
}

func register(t *testing.T, discord *discordtest.Server, session *discordgo.Session) {
	t.Helper()
	got, err := session.ApplicationCommandBulkOverwrite(discord.AppID, "", commands())
	if err != nil || len(got) != 2 || got[0].ID == "" {
		t.Fatal(got, err)
	}
}

func TestInteractions(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		curator := discord.AddRole("curator")
		discord.AddUser("Ann", curator)
		discord.AddUser("Bob")
		session := open(t, discord, func(s *discordgo.Session) {
			s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) { respond(t, s, i) })
		})
		register(t, discord, session)

		typed := discord.Type("Ann", discord.General, "ask", "question", discordtest.Option{Name: "question", Value: "ho"})
		if kind := typed.Await(); kind != 8 || len(typed.Choices()) != 1 || typed.Choices()[0].Name != "ho…" {
			t.Errorf("completed with %d %v", kind, typed.Choices())
		}
		asked := discord.Run("Ann", discord.General, "ask", discordtest.Option{Name: "question", Value: "how many"})
		answer := asked.AwaitResponse()
		if answer.Content != "42 @everyone" || answer.Type != 20 || len(answer.History) != 1 || len(answer.Files) != 1 || string(answer.Files[0].Bytes) != "n\n42\n" {
			t.Errorf("answered %+v", answer)
		}
		down := discord.Click("Bob", answer, "👎")
		down.Await()
		modal, ok := down.Modal()
		if !ok || modal.Title != "Why?" || modal.Inputs[0].Label != "Details" {
			t.Errorf("opened %+v", modal)
		}
		sent := discord.Submit(down, map[string]string{"note": "wrong year"}).AwaitResponse()
		if sent.Content != "noted: wrong year" || !sent.Ephemeral() || !slices.ContainsFunc(discord.Ephemerals("Bob"), func(m discordtest.Message) bool { return m.ID == sent.ID }) {
			t.Errorf("submitted, got %+v", sent)
		}
		if up := discord.Click("Ann", answer, "up").AwaitResponse(); up.ID != answer.ID || up.Content != "thanks "+curator {
			t.Errorf("a click updated %+v", up)
		}
		if curated := discord.RunOn("Ann", answer, "Curate case").AwaitResponse(); curated.Content != "curating thanks "+curator || curated.Type != 23 {
			t.Errorf("curated %+v", curated)
		}
		if pings := discord.Pings(); len(pings) != 0 {
			t.Errorf("pinged %+v", pings)
		}
		discord.Clean(t)
	})
}

// respond is a small bot.
func respond(t *testing.T, s *discordgo.Session, i *discordgo.InteractionCreate) {
	reply := func(kind discordgo.InteractionResponseType, d *discordgo.InteractionResponseData) {
		if err := s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: kind, Data: d}); err != nil {
			t.Error(err)
		}
	}
	private := func(text string) {
		reply(discordgo.InteractionResponseChannelMessageWithSource, &discordgo.InteractionResponseData{Content: text, Flags: discordgo.MessageFlagsEphemeral, AllowedMentions: silent})
	}
	row := []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
		discordgo.Button{CustomID: "up", Style: discordgo.SecondaryButton, Emoji: &discordgo.ComponentEmoji{Name: "👍"}},
		discordgo.Button{CustomID: "down", Style: discordgo.SecondaryButton, Emoji: &discordgo.ComponentEmoji{Name: "👎"}}}}}
	switch i.Type {
	case discordgo.InteractionApplicationCommandAutocomplete:
		reply(discordgo.InteractionApplicationCommandAutocompleteResult, &discordgo.InteractionResponseData{Choices: []*discordgo.ApplicationCommandOptionChoice{
			{Name: i.ApplicationCommandData().Options[0].StringValue() + "…", Value: "x"}}})
	case discordgo.InteractionApplicationCommand:
		if d := i.ApplicationCommandData(); d.Name == "Curate case" {
			private("curating " + d.Resolved.Messages[d.TargetID].Content)
			return
		}
		reply(discordgo.InteractionResponseDeferredChannelMessageWithSource, nil)
		text := "42 @everyone"
		_, err := s.InteractionResponseEdit(i.Interaction, &discordgo.WebhookEdit{Content: &text, AllowedMentions: silent, Components: &row,
			Files: []*discordgo.File{{Name: "rows.csv", ContentType: "text/csv", Reader: strings.NewReader("n\n42\n")}}})
		if err != nil {
			t.Error(err)
		}
	case discordgo.InteractionMessageComponent:
		if i.MessageComponentData().CustomID == "up" {
			reply(discordgo.InteractionResponseUpdateMessage, &discordgo.InteractionResponseData{Content: "thanks " + strings.Join(i.Member.Roles, ","), Components: row})
			return
		}
		reply(discordgo.InteractionResponseModal, &discordgo.InteractionResponseData{CustomID: "why", Title: "Why?", Components: []discordgo.MessageComponent{
			discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.TextInput{CustomID: "note", Label: "Details", Style: discordgo.TextInputParagraph, MaxLength: 500}}}}})
	case discordgo.InteractionModalSubmit:
		private("noted: " + i.ModalSubmitData().Components[0].(*discordgo.ActionsRow).Components[0].(*discordgo.TextInput).Value)
	}
}

// Each part of an interaction has its time, and its refusal after it.
func TestInteractionTimes(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{Rates: discordtest.NoRates()})
		discord.AddUser("Ann")
		came := make(chan *discordgo.Interaction, 10)
		session := open(t, discord, func(s *discordgo.Session) {
			s.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) { came <- i.Interaction })
		})
		register(t, discord, session)
		ask := func() *discordgo.Interaction {
			discord.Run("Ann", discord.General, "ask", discordtest.Option{Name: "question", Value: "q"})
			return <-came
		}
		deferred := &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource}
		text := "late"

		early := ask()
		_, err := session.InteractionResponseEdit(early, &discordgo.WebhookEdit{Content: &text})
		if status, code := code(t, err); status != 404 || code != 10015 {
			t.Errorf("an edit before the callback: %d %d", status, code)
		}
		if err := session.InteractionRespond(early, deferred); err != nil {
			t.Fatal(err)
		}
		if status, code := code(t, session.InteractionRespond(early, deferred)); status != 400 || code != 40060 {
			t.Errorf("a second callback: %d %d", status, code)
		}
		followed, err := session.FollowupMessageCreate(early, true, &discordgo.WebhookParams{Content: "in place of the wait"})
		original, err2 := session.InteractionResponse(early)
		if err != nil || err2 != nil || followed.ID != original.ID {
			t.Errorf("the first follow-up of a deferred answer is %v %v, not the answer %v %v", followed, err, original, err2)
		}
		followed, err = session.FollowupMessageCreate(early, true, &discordgo.WebhookParams{Content: "more"})
		if err != nil || followed.ID == original.ID {
			t.Error(followed, err)
		}
		if err := session.FollowupMessageDelete(early, followed.ID); err != nil {
			t.Error(err)
		}
		time.Sleep(15*time.Minute + time.Second)
		_, err = session.InteractionResponseEdit(early, &discordgo.WebhookEdit{Content: &text})
		if status, code := code(t, err); status != 401 || code != 50027 {
			t.Errorf("an edit after 15 minutes: %d %d", status, code)
		}
		if _, err := session.ChannelMessageEdit(discord.General, original.ID, "as the bot"); err != nil {
			t.Errorf("editing the answer as the bot: %v", err)
		}

		slow := ask()
		time.Sleep(3*time.Second + time.Millisecond)
		if status, code := code(t, session.InteractionRespond(slow, deferred)); status != 404 || code != 10062 {
			t.Errorf("a callback after 3 s: %d %d", status, code)
		}
		var kinds []string
		for _, v := range discord.Violations() {
			kinds = append(kinds, v.Kind)
		}
		if want := []string{"refused", "refused", "refused", "refused", "late"}; !slices.Equal(kinds, want) {
			t.Errorf("violations %v, want %v", kinds, want)
		}
	})
}
