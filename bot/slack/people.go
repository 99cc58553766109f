package slack

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"precedent/bot"
)

const (
	personFor   = 12 * time.Hour         // what is known of somebody is believed so long
	strangerFor = time.Minute            // who couldn't be looked up isn't for so long
	lookWithin  = 700 * time.Millisecond // a lookup may take of the three seconds that a press has
	peopleMost  = 10_000
)

// A person is what the bot knows of one.
type person struct {
	language string // zh, en or ""
	bot      bool
	until    time.Time
}

// introduce says in what language somebody's client is, where the words come from
// the bot and not from a question. It reports false for a bot, whose votes don't
// count.
func (s *Slack) introduce(ctx context.Context, w *said) bool {
	switch {
	case w.Kind == bot.Reacted:
		return !s.person(ctx, w.User).bot
	case w.Kind == bot.Pressed, w.Kind == bot.Filled, w.Kind == bot.Visited, w.Kind == bot.Asked && w.trigger != "":
		w.Language = s.person(ctx, w.User).language
	case w.Kind == bot.Asked, w.Kind == bot.Amended:
		w.Closed = w.Closed || !w.Private && s.closed(ctx, w.Place.Channel)
	}
	return true
}

// closed reports whether a channel is one that not everybody of the workspace may
// read, where the bot may look that up; what it can't find out is taken for closed.
func (s *Slack) closed(ctx context.Context, channel string) bool {
	s.mu.Lock()
	known, me := s.rooms[channel], s.me
	s.mu.Unlock()
	granted := me.scopes != nil // and not just taken for so
	switch {
	case time.Now().Before(known.until), slices.ContainsFunc(telling, func(scope string) bool { return !me.may(scope) }):
		return known.closed
	case !s.pace.look():
		return granted
	}
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	c, err := s.client().GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: channel})
	switch err = told(err); {
	case err == nil:
		known = room{c.IsPrivate || c.IsGroup || c.IsMpIM, time.Now().Add(personFor)}
	case errors.Is(err, bot.ErrBarred): // a public channel, without the scope for those
		known = room{false, time.Now().Add(personFor)}
	default:
		known = room{granted, time.Now().Add(strangerFor)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rooms == nil || len(s.rooms) >= peopleMost {
		s.rooms = map[string]room{}
	}
	s.rooms[channel] = known
	return known.closed
}

// A room is what the bot knows of a channel.
type room struct {
	closed bool
	until  time.Time // it is believed so long
}

// person looks somebody up; the zero person is one who can't be.
func (s *Slack) person(ctx context.Context, user string) person {
	s.mu.Lock()
	known, me := s.people[user], s.me
	s.mu.Unlock()
	if time.Now().Before(known.until) || !me.may("users:read") {
		return known
	}
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	u, err := s.client().GetUserInfoContext(ctx, user)
	if err != nil {
		known.until = time.Now().Add(strangerFor)
	} else {
		known = person{language: language(u.Locale), bot: u.IsBot, until: time.Now().Add(personFor)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.people == nil || len(s.people) >= peopleMost {
		s.people = map[string]person{}
	}
	s.people[user] = known
	return known
}

// language is the bot's, for a locale such as zh-CN.
func language(locale string) string {
	switch l, _, _ := strings.Cut(strings.ToLower(locale), "-"); l {
	case "zh", "en":
		return l
	}
	return ""
}
