package slacktest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"precedent/bot/slacktest"
	"precedent/store/nettest"
)

var everyScope = append([]string{"channels:history", "groups:history", "mpim:history", "channels:read", "groups:read", "im:read", "mpim:read",
	"im:write"}, slacktest.DefaultScopes...)

func section(text string) *slack.SectionBlock {
	return slack.NewSectionBlock(slack.NewTextBlockObject(slack.PlainTextType, text, false, false), nil, nil)
}

func TestEdits(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		_, ts, err := api.PostMessage(slacktest.General, slack.MsgOptionText("old", false), slack.MsgOptionBlocks(section("old block")),
			slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "question", EventPayload: map[string]any{"id": "1"}}))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := api.UpdateMessage(slacktest.General, ts, slack.MsgOptionText("new", false)); err != nil {
			t.Error(err)
		}
		m, _ := s.Message(slacktest.General, ts)
		if m.Reads() != "old block" || m.Metadata == nil {
			t.Errorf("after an edit of the text alone people read %q, metadata %s", m.Reads(), m.Metadata)
		}
		if v := s.Violations(); len(v) != 1 || !strings.Contains(v[0].Error, "under blocks") || v[0].Refused {
			t.Errorf("violations %v", v)
		}
		if _, _, _, err := api.UpdateMessage(slacktest.General, ts, slack.MsgOptionText("new", false), slack.MsgOptionBlocks()); err != nil {
			t.Error(err)
		}
		if m, _ := s.Message(slacktest.General, ts); m.Reads() != "new" || len(m.Edits) != 2 {
			t.Errorf("after blocks=[] people read %q", m.Reads())
		}
		said := s.Say(slacktest.Alice, slacktest.General, "", "mine")
		if _, _, _, err := api.UpdateMessage(slacktest.General, said.TS, slack.MsgOptionText("x", false)); code(err) != "cant_update_message" {
			t.Errorf("another's message: %v", err)
		}
		if _, _, err := api.DeleteMessage(slacktest.General, said.TS); code(err) != "cant_delete_message" {
			t.Errorf("another's message: %v", err)
		}
		s.Delete(slacktest.General, ts)
		if _, _, _, err := api.UpdateMessage(slacktest.General, ts, slack.MsgOptionText("x", false)); code(err) != "message_not_found" {
			t.Errorf("a deleted message: %v", err)
		}
		if _, err := api.PostEphemeral(slacktest.Private, slacktest.Carol, slack.MsgOptionText("x", false)); code(err) != "user_not_in_channel" {
			t.Errorf("an ephemeral message to one who isn't there: %v", err)
		}
		if _, err := api.PostEphemeral(slacktest.General, slacktest.Bob, slack.MsgOptionText("psst", false)); err != nil || s.Ephemerals(slacktest.Bob)[0].Text != "psst" {
			t.Errorf("an ephemeral message: %v", err)
		}
	})
}

func TestThreadsAndHistory(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{Scopes: everyScope})
		api := client(t, s)
		root := s.Say(slacktest.Alice, slacktest.General, "", "@precedent q").TS
		for i, text := range []string{"one", "two", "three"} {
			o := []slack.MsgOption{slack.MsgOptionTS(root), slack.MsgOptionText(text, false)}
			if i == 2 {
				o = append(o, slack.MsgOptionBroadcast(), slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "answer", EventPayload: map[string]any{"id": "A"}}))
			}
			if _, _, err := api.PostMessage(slacktest.General, o...); err != nil {
				t.Fatal(err)
			}
		}
		var read []string
		ask := &slack.GetConversationRepliesParameters{ChannelID: slacktest.General, Timestamp: root, Limit: 2, IncludeAllMetadata: true}
		for {
			page, more, next, err := api.GetConversationReplies(ask)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range page {
				read = append(read, m.Text+m.Metadata.EventType)
			}
			if ask.Cursor = next; !more {
				break
			}
		}
		if got := strings.Join(read, " "); got != "<@U0BOT> q one two threeanswer" {
			t.Errorf("the thread reads %q", got)
		}
		past, err := api.GetConversationHistory(&slack.GetConversationHistoryParameters{ChannelID: slacktest.General})
		if err != nil || len(past.Messages) != 2 || past.Messages[0].Text != "three" || past.Messages[0].Metadata.EventType != "" || past.Messages[1].ReplyCount != 3 {
			t.Errorf("history %+v, %v", past, err)
		}
		clean(t, s)
		if _, _, _, err := api.GetConversationReplies(&slack.GetConversationRepliesParameters{ChannelID: slacktest.General, Timestamp: "1700000000.000000"}); code(err) != "thread_not_found" {
			t.Errorf("no thread: %v", err)
		}
		link, err := api.GetPermalink(&slack.PermalinkParameters{Channel: slacktest.General, Ts: root})
		if err != nil || !strings.HasSuffix(link, strings.ReplaceAll(root, ".", "")) {
			t.Errorf("permalink %q, %v", link, err)
		}

		narrow := slacktest.Start(t, slacktest.Options{})
		if _, err := client(t, narrow).GetConversationHistory(&slack.GetConversationHistoryParameters{ChannelID: slacktest.General}); code(err) != "missing_scope" {
			t.Errorf("history without the scope: %v", err)
		}
		narrow.Say(slacktest.Alice, narrow.DM(slacktest.Alice), "", "hi")
		if _, err := client(t, narrow).GetConversationHistory(&slack.GetConversationHistoryParameters{ChannelID: narrow.DM(slacktest.Alice)}); err != nil {
			t.Errorf("im:history is granted: %v", err)
		}
	})
}

func TestConversationsAndPeople(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{Scopes: everyScope})
		api := client(t, s)
		dm, _, _, err := api.OpenConversation(&slack.OpenConversationParameters{Users: []string{slacktest.Carol}, ReturnIM: true})
		if err != nil || dm.ID != s.DM(slacktest.Carol) || !dm.IsIM {
			t.Errorf("opened %+v, %v", dm, err)
		}
		list, _, err := api.GetConversations(&slack.GetConversationsParameters{Types: []string{"public_channel", "private_channel"}})
		if err != nil || len(list) != 3 {
			t.Errorf("%d conversations, %v", len(list), err)
		}
		mine, _, err := api.GetConversationsForUser(&slack.GetConversationsForUserParameters{Types: []string{"public_channel", "private_channel"}})
		if err != nil || len(mine) != 2 {
			t.Errorf("the bot is in %d, %v", len(mine), err)
		}
		general, err := api.GetConversationInfo(&slack.GetConversationInfoInput{ChannelID: slacktest.General})
		if err != nil || general.Name != "general" || !general.IsMember {
			t.Errorf("general %+v, %v", general, err)
		}
		carol, err := api.GetUserInfo(slacktest.Carol)
		if err != nil || carol.Locale != "zh-CN" {
			t.Errorf("carol %+v, %v", carol, err)
		}
		s.SetGroup("S0CURATORS", slacktest.Alice)
		if users, err := api.GetUserGroupMembers("S0CURATORS"); err != nil || !slices.Equal(users, []string{slacktest.Alice}) {
			t.Errorf("group %v, %v", users, err)
		}
		if _, err := api.GetUserGroupMembers("S0NONE"); code(err) != "no_such_subteam" {
			t.Error(err)
		}
	})
}

func TestReactions(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		heard := make(chan string, 4)
		listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
			switch r := inner(e).(type) {
			case *slackevents.ReactionAddedEvent:
				ack(sock, e, nil)
				heard <- "+" + r.Reaction + r.User
			case *slackevents.ReactionRemovedEvent:
				ack(sock, e, nil)
				heard <- "-" + r.Reaction + r.User
			}
		})
		_, ts, _ := api.PostMessage(slacktest.General, slack.MsgOptionText("answer", false))
		s.React(slacktest.Alice, slacktest.General, ts, "+1::skin-tone-3")
		s.Unreact(slacktest.Alice, slacktest.General, ts, "+1::skin-tone-3")
		if got := <-heard + <-heard; got != "++1::skin-tone-3U0ALICE-+1::skin-tone-3U0ALICE" {
			t.Errorf("heard %s", got)
		}
		ref := slack.NewRefToMessage(slacktest.General, ts)
		if err := api.AddReaction("eyes", ref); err != nil {
			t.Error(err)
		}
		if got := <-heard; got != "+eyesU0BOT" {
			t.Errorf("the bot's own: %s", got)
		}
		if err := api.AddReaction("eyes", ref); code(err) != "already_reacted" {
			t.Error(err)
		}
		if item, err := api.GetReactions(ref, slack.NewGetReactionsParameters()); err != nil || len(item.Reactions) != 1 || item.Reactions[0].Count != 1 {
			t.Errorf("%+v, %v", item, err)
		}
		if err := api.RemoveReaction("tada", ref); code(err) != "no_reaction" {
			t.Error(err)
		}
	})
}

// A bot subscribed to channel messages hears a mention twice, its own posts, and
// edits.
func TestMessageEvents(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{Scopes: everyScope,
			Events: append([]string{"message.channels", "member_joined_channel"}, slacktest.DefaultEvents...)})
		heard := make(chan string, 10)
		listen(t, s, func(sock *socketmode.Client, e socketmode.Event) {
			if e.Request == nil || e.Request.EnvelopeID == "" {
				return
			}
			ack(sock, e, nil)
			switch m := inner(e).(type) {
			case *slackevents.AppMentionEvent:
				heard <- "mention"
			case *slackevents.MessageEvent:
				heard <- m.ChannelType + m.SubType + m.BotID + m.Message.BotID
			case *slackevents.MemberJoinedChannelEvent:
				heard <- "joined"
			case *slackevents.AppHomeOpenedEvent:
				heard <- m.Tab
			}
		})
		said := s.Say(slacktest.Alice, slacktest.General, "", "@precedent q")
		s.Edit(slacktest.General, said.TS, "@precedent q2")
		s.Delete(slacktest.General, said.TS)
		client(t, s).PostMessage(slacktest.General, slack.MsgOptionText("x", false))
		s.SayAsBot(slacktest.General, "beep")
		s.Say(slacktest.Alice, s.DM(slacktest.Alice), "", "@precedent in private")
		s.OpenHome(slacktest.Alice)
		s.Join(slacktest.Alice, slacktest.Random) // the bot isn't there
		want := []string{"mention", "channel", "channelmessage_changed", "channelmessage_deleted", "channelB0BOTB0BOT", "channelbot_messageB0OTHERB0OTHER", "im", "home"}
		for _, w := range want {
			if got := <-heard; got != w {
				t.Errorf("heard %q, want %q", got, w)
			}
		}
	})
}

func TestFaults(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		post := func() error {
			_, _, err := api.PostMessage(slacktest.General, slack.MsgOptionText("x", false))
			return err
		}
		s.Fail("chat.postMessage", slacktest.Fault{RetryAfter: 7})
		s.Fail("chat.postMessage", slacktest.Fault{Status: http.StatusBadGateway, Times: 2})
		s.Fail("chat.postMessage", slacktest.Fault{Error: "invalid_blocks", Messages: []string{"[ERROR] no"}})
		s.Fail("chat.postMessage", slacktest.Fault{Applied: true})
		s.Fail("chat.postMessage", slacktest.Fault{Delay: 50 * time.Millisecond})
		if e, ok := post().(*slack.RateLimitedError); !ok || e.RetryAfter != 7*time.Second {
			t.Errorf("429: %v", e)
		}
		for range 2 {
			if e, ok := post().(slack.StatusCodeError); !ok || e.Code != http.StatusBadGateway {
				t.Errorf("502: %v", e)
			}
		}
		if err := post(); code(err) != "invalid_blocks" {
			t.Errorf("refused: %v", err)
		}
		if n := len(s.Posted(slacktest.General)); n != 0 {
			t.Errorf("%d messages of calls without effect", n)
		}
		if err := post(); err == nil || len(s.Posted(slacktest.General)) != 1 {
			t.Errorf("a post whose answer is lost: %v, %d messages", err, len(s.Posted(slacktest.General)))
		}
		start := time.Now()
		if err := post(); err != nil || time.Since(start) < 50*time.Millisecond {
			t.Errorf("a late answer: %v after %s", err, time.Since(start))
		}
		if err := post(); err != nil {
			t.Errorf("after the faults: %v", err)
		}
		clean(t, s)
	})
}

func TestFilesAndStatus(t *testing.T) {
	t.Parallel()
	nettest.Test(t, func(t *testing.T) {
		s := slacktest.Start(t, slacktest.Options{})
		api := client(t, s)
		root := s.Say(slacktest.Alice, slacktest.General, "", "@precedent q").TS
		status := slack.AssistantThreadsSetStatusParameters{ChannelID: slacktest.General, ThreadTS: root, Status: "is looking…"}
		if err := api.SetAssistantThreadsStatus(status); err != nil {
			t.Error(err)
		}
		csv := "film,year\nHeat,1995\n"
		up := slack.UploadFileParameters{Filename: "rows.csv", FileSize: len(csv), Content: csv, Channel: slacktest.General, ThreadTimestamp: root, Title: "Rows"}
		f, err := api.UploadFile(up)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := s.File(f.ID)
		posted := s.Posted(slacktest.General)
		if string(got.Content) != csv || got.Title != "Rows" || !got.Shared || len(posted) != 1 || posted[0].Thread != root || posted[0].Files[0] != f.ID {
			t.Errorf("file %+v in %+v", got, posted)
		}
		if st := s.Statuses(); len(st) != 1 || !st[0].Over || st[0].Text != status.Status {
			t.Errorf("statuses %+v", st)
		}
		clean(t, s)
		s.Fail("upload", slacktest.Fault{Status: http.StatusInternalServerError})
		if _, err := api.UploadFile(up); err == nil {
			t.Error("an upload that failed was completed")
		}
	})
}
