package slack

import (
	"context"
	"strings"
	"time"

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
	}
	return true
}

// person looks somebody up; the zero person is one who can't be.
func (s *Slack) person(ctx context.Context, user string) person {
	s.mu.Lock()
	known, me := s.people[user], s.me
	s.mu.Unlock()
	if time.Now().Before(known.until) || !me.scopes["users:read"] {
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
