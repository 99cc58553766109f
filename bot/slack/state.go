package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// parts are how the bot is on Slack.
type parts struct {
	hears, speaks *bot.Part
	scopes        *bot.Part // what it may not do, though it answers: for the log alone
}

// state is whether the bot hears Slack, and whether it may speak there.
func (s *Slack) state() (hears, speaks *bot.Part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parts.hears == nil {
		shown := cmp.Or(s.Parts, &bot.Parts{Log: s.log()})
		s.parts = parts{shown.Part("Slack"), shown.Part("Slack answers"), shown.Beside("Slack scopes")}
	}
	return s.parts.hears, s.parts.speaks
}

// A credential is one of the two tokens.
type credential struct{ name, where string }

var (
	botToken = credential{"the bot token (SLACK_BOT_TOKEN, xoxb-…)", whereBotToken}
	appToken = credential{"the app token (SLACK_APP_TOKEN, xapp-…, scope connections:write)", whereAppToken}
)

// lasting is what to do where Slack refuses a token, or what it allows.
func (s *Slack) lasting(t credential, err error) *bot.Lasting {
	cure := s.refused("", err, t.where).Cure
	if scope := needed(err); scope != "" && t == botToken {
		cure = addScopes(scope)
	}
	return &bot.Lasting{Why: fmt.Sprintf("slack refuses %s: %v", t.name, told(err)), Cure: cure}
}

// unsocketed is why Slack gives the bot no socket: something lasting, unless Slack
// itself is at fault.
func (s *Slack) unsocketed(err error) error {
	no, ok := errors.AsType[slack.SlackErrorResponse](err)
	switch {
	case !ok, no.Err == "internal_error", no.Err == "fatal_error", no.Err == "service_unavailable", no.Err == "request_timeout", no.Err == "ratelimited":
		return told(err)
	}
	return s.lasting(appToken, err)
}

// needed is the scope that a call failed for; "" for none.
func needed(err error) string {
	if no, ok := errors.AsType[slack.SlackErrorResponse](err); ok && no.Err == "missing_scope" {
		return no.Needed
	}
	return ""
}

// without is what a call fails with that the bot may do without; the log has once
// which scope it lacks.
func (s *Slack) without(err error) error {
	if scope := needed(err); scope != "" {
		s.state()
		s.parts.scopes.Down(&bot.Lasting{Why: "the bot lacks the scope " + scope, Cure: addScopes(scope)})
	}
	return told(err)
}

// mute is what Slack says where the bot may not speak at all.
var mute = slack.SlackErrorResponse{Err: "missing_scope", Needed: "chat:write"}

// speaking is the bot's saying something: where Slack refuses its token, or that
// it says anything, that is a matter of the whole network, and mended.
func (s *Slack) speaking(err error) error {
	if !wrongToken(err) {
		return told(err)
	}
	l := s.lasting(botToken, err)
	_, speaks := s.state()
	speaks.Down(l)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.muted.Ring()
	return l
}

// speak says that the bot may speak, as far as Slack tells.
func (s *Slack) speak() {
	_, speaks := s.state()
	s.mu.Lock()
	me, muted := s.me, s.muted
	s.mu.Unlock()
	if !me.may("chat:write") {
		speaks.Down(s.lasting(botToken, mute))
		muted.Ring()
		return
	}
	speaks.Up()
}

// How often Slack is asked whether the bot may speak again.
const (
	mendFirst = 5 * time.Second
	mendMost  = time.Minute
)

// mend asks Slack, whenever the bot was refused, until it may speak again.
func (s *Slack) mend(ctx context.Context) {
	_, speaks := s.state()
	for {
		select {
		case <-s.muted.Rang():
		case <-ctx.Done():
			return
		}
		_ = speaks.Keep(ctx, mendFirst, mendMost, func(ctx context.Context) error {
			me, err := s.whoami(ctx)
			if err == nil && !me.may("chat:write") {
				err = mute
			}
			if wrongToken(err) {
				return s.lasting(botToken, err)
			}
			return told(err)
		})
		if ctx.Err() == nil {
			speaks.Up()
		}
	}
}

// survive keeps a panic at one thing from ending the rest. It is to be deferred.
func (s *Slack) survive(doing string) {
	if r := recover(); r != nil {
		s.log().Error(doing, "err", bot.Broken(r))
	}
}
