package discordtest_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"precedent/bot/discordtest"
	"precedent/store/nettest"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{Rates: discordtest.NoRates(), AttachmentLimit: 100})
		ann := discord.AddUser("Ann")
		closed := discord.AddUser("Bob")
		discord.Change("Bob", func(u *discordtest.User) { u.Closed = true })
		theirs := discord.Say("Ann", discord.General, "hi")
		hidden, mute := discord.AddChannel(discord.Guild, "hidden"), discord.AddChannel(discord.Guild, "mute")
		discord.Permit(hidden, 0)
		discord.Permit(mute, discordtest.PermitView)
		s := discord.Session()
		ours, err := s.ChannelMessageSend(discord.General, "ours")
		if err != nil {
			t.Fatal(err)
		}
		said := func(_ *discordgo.Message, err error) error { return err }
		file := func(n int) *discordgo.MessageSend {
			return &discordgo.MessageSend{Files: []*discordgo.File{{Name: "a.csv", Reader: strings.NewReader(strings.Repeat("x", n))}}}
		}
		eleven := &discordgo.MessageSend{}
		for range 11 {
			eleven.Files = append(eleven.Files, &discordgo.File{Name: "a", Reader: strings.NewReader("x")})
		}
		for name, c := range map[string]struct {
			err          error
			status, code int
		}{
			"unknown channel":   {said(s.ChannelMessageSend("123", "x")), 404, 10003},
			"hidden channel":    {said(s.ChannelMessageSend(hidden, "x")), 403, 50001},
			"mute channel":      {said(s.ChannelMessageSend(mute, "x")), 403, 50013},
			"closed person":     {said(s.ChannelMessageSend(discord.DM(closed), "x")), 403, 50007},
			"empty":             {said(s.ChannelMessageSend(discord.General, " ")), 400, 50006},
			"too long":          {said(s.ChannelMessageSend(discord.General, strings.Repeat("x", 2001))), 400, 50035},
			"reply to nothing":  {said(s.ChannelMessageSendReply(discord.General, "x", &discordgo.MessageReference{MessageID: "123"})), 400, 50035},
			"large file":        {said(s.ChannelMessageSendComplex(discord.General, file(101))), 413, 40005},
			"eleven files":      {said(s.ChannelMessageSendComplex(discord.General, eleven)), 400, 50035},
			"unknown message":   {said(s.ChannelMessageEdit(discord.General, "123", "x")), 404, 10008},
			"not ours":          {said(s.ChannelMessageEdit(discord.General, theirs.ID, "x")), 403, 50005},
			"deleting theirs":   {s.ChannelMessageDelete(discord.General, theirs.ID), 403, 50013},
			"edited to nothing": {said(s.ChannelMessageEdit(discord.General, ours.ID, "")), 400, 50006},
			"no emoji":          {s.MessageReactionAdd(discord.General, ours.ID, "ok"), 400, 10014},
			"unknown member":    {func() error { _, err := s.GuildMember(discord.Guild, "123"); return err }(), 404, 10013},
			"thread name": {func() error {
				_, err := s.MessageThreadStart(discord.General, ours.ID, strings.Repeat("x", 101), 60)
				return err
			}(), 400, 50035},
			"thread in a DM": {func() error {
				_, err := s.ThreadStart(discord.DM(ann), "x", discordgo.ChannelTypeGuildPublicThread, 60)
				return err
			}(), 400, 50024},
			"wrong token":     {said(discord.SessionAs("wrong").ChannelMessageSend(discord.General, "x")), 401, 0},
			"no such webhook": {said(s.InteractionResponseEdit(&discordgo.Interaction{AppID: discord.AppID, Token: "x"}, &discordgo.WebhookEdit{})), 401, 50027},
			"no such path":    {func() error { _, err := s.Request("GET", discordgo.EndpointAPI+"nowhere", nil); return err }(), 404, 0},
			"no such method":  {func() error { _, err := s.Request("PUT", discordgo.EndpointAPI+"gateway", nil); return err }(), 405, 0},
		} {
			if status, code := code(t, c.err); status != c.status || code != c.code {
				t.Errorf("%s: %d %d, want %d %d", name, status, code, c.status, c.code)
			}
		}
		if n := len(discord.Violations()); n != 21 {
			t.Errorf("%d violations, want one each", n)
		}
		if discord.Invalid() != 7 {
			t.Errorf("%d invalid requests, want those with 401 and 403", discord.Invalid())
		}
	})
}

// The body of a refusal is Discord's to the letter.
func TestErrorBody(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		_, err := discord.Session().ChannelMessageSendComplex(discord.General, &discordgo.MessageSend{Content: "c", Components: rows(discordgo.Button{Label: strings.Repeat("x", 81), CustomID: "a"})})
		rest, _ := errors.AsType[*discordgo.RESTError](err)
		want := `{"code":50035,"message":"Invalid Form Body","errors":{"components":{"0":{"components":{"0":{"label":{"_errors":[{"code":"BASE_TYPE_MAX_LENGTH","message":"Must be 80 or fewer in length."}]}}}}}}}`
		if rest == nil || string(rest.ResponseBody) != want {
			t.Errorf("got %s", rest.ResponseBody)
		}
	})
}

func TestPings(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{Rates: discordtest.NoRates()})
		ann, role := discord.AddUser("Ann"), discord.AddRole("curator")
		question := discord.Say("Ann", discord.General, "hi")
		s := discord.Session()
		text := fmt.Sprintf("@everyone <@%s> <@&%s>", ann, role)
		for _, c := range []struct {
			name    string
			allowed *discordgo.MessageAllowedMentions
			want    []string
		}{
			{"as it comes", nil, []string{"everyone", role, ann}},
			{"silent", silent, nil},
			{"zero", &discordgo.MessageAllowedMentions{}, nil},
			{"users", &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{discordgo.AllowedMentionTypeUsers}}, []string{ann}},
			{"one role", &discordgo.MessageAllowedMentions{Roles: []string{role}}, []string{role}},
			{"replied", &discordgo.MessageAllowedMentions{RepliedUser: true}, []string{ann}},
		} {
			before := len(discord.Pings())
			m, err := s.ChannelMessageSendComplex(discord.General, &discordgo.MessageSend{Content: text, AllowedMentions: c.allowed,
				Reference: &discordgo.MessageReference{MessageID: question.ID}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range discord.Pings()[before:] {
				if p.Message == m.ID {
					got = append(got, p.Who)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: pinged %v, want %v", c.name, got, c.want)
			}
		}
	})
}

func TestReadingBack(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{Privileged: discordtest.IntentContent, Rates: discordtest.NoRates()})
		discord.AddUser("Ann")
		var ids []string
		for i := range 9 {
			ids = append(ids, discord.Say("Ann", discord.General, fmt.Sprint(i)).ID)
		}
		s := discord.Session()
		for _, c := range []struct {
			limit                 int
			before, after, around string
			want                  string
		}{
			{3, "", "", "", "876"},
			{3, ids[5], "", "", "432"},
			{3, "", ids[1], "", "432"},
			{3, "", "", ids[4], "543"},
			{100, "", ids[8], "", ""},
		} {
			got, err := s.ChannelMessages(discord.General, c.limit, c.before, c.after, c.around)
			var text strings.Builder
			for _, m := range got {
				text.WriteString(m.Content)
			}
			if err != nil || text.String() != c.want {
				t.Errorf("limit %d before %q after %q around %q: read %q %v, want %q", c.limit, c.before, c.after, c.around, text.String(), err, c.want)
			}
		}
		if _, err := s.ChannelMessages(discord.General, 101, "", "", ""); err == nil {
			t.Error("a limit of 101 was taken")
		}
	})
}

func TestReactionsAndThreads(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{Rates: discordtest.NoRates()})
		ann := discord.AddUser("Ann")
		question := discord.Say("Ann", discord.General, "hi")
		discord.React("Ann", question, "👍🏽")
		s := discord.Session()
		for _, emoji := range []string{"👍", "👎", "1️⃣", "#️⃣", "party:123"} {
			if err := s.MessageReactionAdd(discord.General, question.ID, emoji); err != nil {
				t.Errorf("reacting %s: %v", emoji, err)
			}
		}
		if err := s.MessageReactionRemove(discord.General, question.ID, "👎", "@me"); err != nil {
			t.Error(err)
		}
		users, err := s.MessageReactions(discord.General, question.ID, "👍🏽", 100, "", "")
		if err != nil || len(users) != 1 || users[0].ID != ann {
			t.Errorf("who reacted: %v %v", users, err)
		}
		var emoji []string
		now, _ := discord.Message(question.ID)
		for _, r := range now.Reactions {
			emoji = append(emoji, r.Emoji)
		}
		if !slices.Equal(emoji, []string{"👍🏽", "👍", "1️⃣", "#️⃣", "party:123"}) {
			t.Errorf("reactions %q", emoji)
		}
		thread, err := s.MessageThreadStart(discord.General, question.ID, "more", 60)
		if err != nil || thread.ID != question.ID || thread.ParentID != discord.General {
			t.Fatalf("thread %+v %v", thread, err)
		}
		if _, err := s.ChannelMessageSend(thread.ID, "in it"); err != nil {
			t.Error(err)
		}
		_, err = s.MessageThreadStart(discord.General, question.ID, "again", 60)
		if _, code := code(t, err); code != 160004 {
			t.Errorf("a second thread: %v", err)
		}
		alone, err := s.ThreadStart(discord.General, "alone", discordgo.ChannelTypeGuildPublicThread, 1440)
		if err != nil || len(discord.Threads(discord.General)) != 2 || alone.Type != discordgo.ChannelTypeGuildPublicThread {
			t.Errorf("thread %+v %v", alone, err)
		}
		direct, err := s.UserChannelCreate(ann)
		if err != nil || direct.ID != discord.DM("Ann") {
			t.Errorf("direct channel %+v %v", direct, err)
		}
		if err := s.ChannelTyping(direct.ID); err != nil || discord.Typing(direct.ID) != 1 {
			t.Errorf("typing: %v", err)
		}
		member, err := s.GuildMember(discord.Guild, ann)
		roles, err2 := s.GuildRoles(discord.Guild)
		if err != nil || err2 != nil || member.User.ID != ann || len(roles) != 1 {
			t.Errorf("member %+v %v, roles %v %v", member, err, roles, err2)
		}
	})
}

func TestNonce(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		s := discord.Session()
		for range 2 { // discordgo has no field for it
			if _, err := s.Request("POST", discordgo.EndpointChannelMessages(discord.General), map[string]any{"content": "once", "nonce": "q1", "enforce_nonce": true}); err != nil {
				t.Fatal(err)
			}
		}
		if got := discord.Messages(discord.General); len(got) != 1 || got[0].Nonce != "q1" {
			t.Errorf("posted %+v", got)
		}
	})
}

func TestAttachmentsOverEdits(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		s := discord.Session()
		file := func(name string) []*discordgo.File {
			return []*discordgo.File{{Name: name, Reader: strings.NewReader(name)}}
		}
		m, err := s.ChannelMessageSendComplex(discord.General, &discordgo.MessageSend{Content: "c", Files: file("a")})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			edit discordgo.MessageEdit
			want string
		}{
			{discordgo.MessageEdit{Files: file("b")}, "ab"},
			{discordgo.MessageEdit{Attachments: &[]*discordgo.MessageAttachment{}, Files: file("c")}, "c"},
			{discordgo.MessageEdit{Attachments: &[]*discordgo.MessageAttachment{}}, ""},
		} {
			c.edit.Channel, c.edit.ID = discord.General, m.ID
			if _, err := s.ChannelMessageEditComplex(&c.edit); err != nil {
				t.Fatal(err)
			}
			got, _ := discord.Message(m.ID)
			var names strings.Builder
			for _, f := range got.Files {
				names.WriteString(f.Name)
			}
			if names.String() != c.want {
				t.Errorf("files %q, want %q", names.String(), c.want)
			}
		}
	})
}

func TestRates(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{Invalid: 3})
		s := discord.Session()
		s.ShouldRetryOnRateLimit = false
		send := func() error {
			s.Ratelimiter = discordgo.NewRatelimiter() // a client that forgets its limits
			_, err := s.ChannelMessageSend(discord.General, "x")
			return err
		}
		for range 5 {
			if err := send(); err != nil {
				t.Fatal(err)
			}
		}
		limit, ok := errors.AsType[*discordgo.RateLimitError](send())
		if !ok || limit.RetryAfter <= 0 || limit.RetryAfter > 5*time.Second {
			t.Fatalf("the sixth message: %+v", limit)
		}
		if v := discord.Violations(); len(v) != 1 || v[0].Kind != "rate" {
			t.Errorf("violations %v", v)
		}
		time.Sleep(5 * time.Second)
		if err := send(); err != nil {
			t.Errorf("after the time: %v", err)
		}
		discord.SetGlobal(1)
		if err := send(); err == nil {
			t.Error("a second request in a second was taken")
		}
		if err := send(); err == nil || discord.Invalid() != 3 {
			t.Errorf("%v, %d invalid", err, discord.Invalid())
		}
		discord.SetGlobal(50)
		if err := send(); err == nil {
			t.Error("a banned address was answered")
		}
		time.Sleep(10 * time.Minute)
		if err := send(); err != nil {
			t.Errorf("after the ban: %v", err)
		}
	})
}

func TestFaults(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		discord := discordtest.Start(t, discordtest.Settings{})
		s := discord.Session()
		s.MaxRestRetries = 0
		send := func(text string) error {
			_, err := s.ChannelMessageSend(discord.General, text)
			return err
		}
		discord.Fail(discordtest.Fault{Method: "POST", Path: "/messages", Status: http.StatusTooManyRequests, RetryAfter: 20 * time.Millisecond, Times: 2})
		if err := send("patient"); err != nil || len(discord.Requests("POST", "/messages")) != 3 {
			t.Errorf("after two 429: %v", err)
		}
		discord.Fail(discordtest.Fault{Status: 503})
		if status, _ := codeOf(send("x")); status != 503 {
			t.Errorf("want 503, got %d", status)
		}
		discord.Fail(discordtest.Fault{Cut: true, After: true})
		if err := send("lost answer"); err == nil || len(discord.Messages(discord.General)) != 2 {
			t.Errorf("a lost answer: %v, %d messages", err, len(discord.Messages(discord.General)))
		}
		hold := make(chan struct{})
		discord.Fail(discordtest.Fault{Hold: hold})
		done := make(chan error)
		go func() { done <- send("held") }()
		discord.AwaitRequests("POST", "/messages", 6)
		if n := len(discord.Messages(discord.General)); n != 2 {
			t.Errorf("%d messages while one is held", n)
		}
		close(hold)
		if err := <-done; err != nil {
			t.Error(err)
		}
		undo := discord.Fail(discordtest.Fault{Status: 500, Times: -1})
		undo()
		if err := send("well again"); err != nil {
			t.Error(err)
		}
		discord.Clean(t)
	})
}

func codeOf(err error) (status, code int) {
	if rest, ok := errors.AsType[*discordgo.RESTError](err); ok {
		if rest.Message != nil {
			code = rest.Message.Code
		}
		return rest.Response.StatusCode, code
	}
	return 0, 0
}

func TestTransportRefusesNonsense(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "localhost:80", "ftp://x", "://"} {
		if _, err := discordtest.Transport(bad, nil); err == nil {
			t.Errorf("%q was taken for an address", bad)
		}
	}
}
