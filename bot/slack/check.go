package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/slack-go/slack"

	"precedent/bot"
)

// needs are the scopes of the bot token, with what is missing without each.
var needs = []struct{ scope, without string }{
	{"app_mentions:read", "it hears no mention"},
	{"chat:write", "it can't answer"},
	{"commands", "there is no /ask and no message shortcut"},
	{"files:write", "long tables come without their file"},
	{"im:history", "it hears nothing in direct messages"},
	{"reactions:read", "reactions are no votes"},
	{"usergroups:read", "nobody curates by a user group"},
	{"users:read", "it doesn't know people's languages"},
}

// telling are the scopes with which the bot knows private channels from public
// ones; without either, what is asked in any counts as public.
var telling = []string{"channels:read", "groups:read"}

// followUps are the scopes, and events, for follow-ups without a mention.
var followUps = []struct{ scope, event string }{
	{"channels:history", "message.channels"},
	{"groups:history", "message.groups"},
}

// Check tries the tokens against Slack and says what to fix. It opens no socket:
// that one would get events which a bot at work waits for.
func (s *Slack) Check(ctx context.Context) []bot.Finding {
	found := s.checkBot(ctx)
	switch {
	case s.AppToken != "":
		found = append(found, s.checkApp(ctx))
	case s.SigningSecret != "":
		found = append(found, bot.Finding{Part: "Slack events", State: bot.Fine,
			What: "over HTTP, signed; Slack must reach this machine at an https address, which can't be tried from here",
			Cure: "enter that address for Event Subscriptions, for Interactivity & Shortcuts and for /ask, and switch Socket Mode off"})
	default:
		found = append(found, bot.Finding{Part: "Slack app token", State: bot.Wrong, What: "there is none", Cure: "set SLACK_APP_TOKEN: " + whereAppToken})
	}
	return found
}

// Where the tokens stand at api.slack.com/apps.
const (
	whereBotToken = "on your app's page at https://api.slack.com/apps, OAuth & Permissions, copy the Bot User OAuth Token (it begins with xoxb-)"
	whereAppToken = "on your app's page at https://api.slack.com/apps, Basic Information, App-Level Tokens, Generate Token and Scopes, add the scope connections:write and copy the token (it begins with xapp-)"
	reinstall     = "reinstall the app (Install App, Reinstall)"
)

func addScopes(scopes ...string) string {
	return "on your app's page, OAuth & Permissions, Scopes, Bot Token Scopes, Add an OAuth Scope: " + strings.Join(scopes, ", ") + "; then " + reinstall
}

// checkBot looks at the bot token and what it may do.
func (s *Slack) checkBot(ctx context.Context) []bot.Finding {
	wrong := func(what, cure string) []bot.Finding {
		return []bot.Finding{{Part: "Slack bot token", State: bot.Wrong, What: what, Cure: cure}}
	}
	switch kind := tokenKind(s.BotToken); {
	case s.BotToken == "":
		return wrong("there is none", "set SLACK_BOT_TOKEN: "+whereBotToken)
	case kind == ofApp && tokenKind(s.AppToken) == ofBot:
		return wrong("SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped", "give each the other's value: the bot token begins with xoxb-, the app token with xapp-")
	case kind == ofApp:
		return wrong("SLACK_BOT_TOKEN holds an app-level token (xapp-)", "put it into SLACK_APP_TOKEN, and for SLACK_BOT_TOKEN, "+whereBotToken)
	case kind == ofPerson:
		return wrong("SLACK_BOT_TOKEN holds a person's token (xoxp-)", whereBotToken)
	case kind == ofChanges:
		return wrong("SLACK_BOT_TOKEN holds a configuration or rotating token (xoxe)", "switch token rotation off; then "+whereBotToken)
	}
	who, err := s.client().AuthTestContext(ctx)
	if err != nil {
		return []bot.Finding{s.refused("Slack bot token", err, whereBotToken)}
	}
	found := []bot.Finding{{Part: "Slack bot token", State: bot.Fine, What: fmt.Sprintf("@%s in %s", who.User, who.Team)}}
	if who.BotID == "" {
		return wrong("SLACK_BOT_TOKEN is a person's token", whereBotToken)
	}
	granted := who.Header.Get("X-OAuth-Scopes")
	return append(found, scopes(strings.FieldsFunc(granted, func(r rune) bool { return r == ',' || r == ' ' }))...)
}

// scopes holds what was granted against what is needed.
func scopes(granted []string) []bot.Finding {
	has := map[string]bool{}
	for _, scope := range granted {
		has[scope] = true
	}
	var missing, without []string
	for _, n := range needs {
		if !has[n.scope] {
			missing, without = append(missing, n.scope), append(without, n.without)
		}
	}
	found := bot.Finding{Part: "Slack scopes", State: bot.Fine, What: fmt.Sprintf("all %d that it needs", len(needs))}
	if len(missing) > 0 {
		found.State, found.What = bot.Wrong, fmt.Sprintf("missing: %s (%s)", strings.Join(missing, ", "), strings.Join(without, "; "))
		found.Cure = addScopes(missing...)
	}
	var more, events []string
	for _, f := range followUps {
		if !has[f.scope] {
			more, events = append(more, f.scope), append(events, f.event)
		}
	}
	follow := bot.Finding{Part: "Slack follow-ups", State: bot.Fine, What: "may come without a mention"}
	if len(more) > 0 {
		follow.State, follow.What = bot.Absent, "only with a mention, in channels"
		follow.Cure = fmt.Sprintf("if you want them without: add the scopes %s and, under Event Subscriptions, the bot events %s; then %s",
			strings.Join(more, ", "), strings.Join(events, ", "), reinstall)
	}
	return []bot.Finding{found, follow}
}

// checkApp looks at the app token, and whether it is the bot's app's.
func (s *Slack) checkApp(ctx context.Context) bot.Finding {
	const part = "Slack app token"
	switch kind := tokenKind(s.AppToken); {
	case kind == ofBot && tokenKind(s.BotToken) == ofApp: // said of the bot token
		return bot.Finding{Part: part, State: bot.Wrong, What: "it is the bot token", Cure: "see SLACK_BOT_TOKEN"}
	case kind == ofBot:
		return bot.Finding{Part: part, State: bot.Wrong, What: "SLACK_APP_TOKEN holds a bot token (xoxb-)", Cure: whereAppToken}
	}
	_, socket, err := s.client().StartSocketModeContext(ctx)
	if err != nil {
		return s.refused(part, err, whereAppToken)
	}
	if of, bots := appOf(socket), s.botsApp(ctx); of != "" && bots != "" && of != bots {
		return bot.Finding{Part: part, State: bot.Wrong, What: fmt.Sprintf("it is of the app %s, the bot token of %s", of, bots), Cure: "take both tokens from one app's page"}
	}
	return bot.Finding{Part: part, State: bot.Fine, What: "Slack gives a socket"}
}

// appOf is the app that a socket's address names.
func appOf(socket string) string {
	u, err := url.Parse(socket)
	if err != nil {
		return ""
	}
	return u.Query().Get("app_id")
}

// botsApp is the app that the bot is of, "" if Slack doesn't say.
func (s *Slack) botsApp(ctx context.Context) string {
	me, err := s.identify(ctx)
	if err != nil {
		return ""
	}
	u, err := s.client().GetUserInfoContext(ctx, me.user)
	if err != nil {
		return ""
	}
	return u.Profile.ApiAppID
}

// refused words why Slack doesn't take a token. where says where the right one is.
func (s *Slack) refused(part string, err error, where string) bot.Finding {
	f := bot.Finding{Part: part, State: bot.Wrong}
	no, ok := errors.AsType[slack.SlackErrorResponse](err)
	limited, slow := errors.AsType[*slack.RateLimitedError](err)
	switch {
	case slow:
		f.State, f.What, f.Cure = bot.Doubtful, fmt.Sprintf("Slack asks to wait %v", limited.RetryAfter), "try again then"
	case !ok:
		f.What = "Slack can't be asked: " + told(err).Error()
		f.Cure = "let this machine reach " + cmp.Or(s.APIURL, slack.APIURL) + " (network, proxy, SLACK_API_URL)"
	case no.Err == "invalid_auth", no.Err == "not_authed":
		f.What, f.Cure = "Slack doesn't know it (invalid_auth)", where
	case no.Err == "token_revoked", no.Err == "account_inactive", no.Err == "token_expired":
		f.What, f.Cure = "it is no longer valid ("+no.Err+")", reinstall+"; then "+where
	case no.Err == "not_allowed_token_type":
		f.What, f.Cure = "it is a token of another kind (not_allowed_token_type)", where
	case no.Err == "missing_scope", no.Err == "no_permission":
		f.What, f.Cure = "its scope doesn't allow it ("+no.Err+")", where
	default:
		f.What, f.Cure = "Slack refuses it ("+no.Err+")", "switch Socket Mode on, on your app's page; if it is, "+where
	}
	return f
}

// Kinds of tokens (docs.slack.dev/authentication/tokens).
const (
	ofBot     = "xoxb-"
	ofApp     = "xapp-"
	ofPerson  = "xoxp-"
	ofChanges = "xoxe" // of an app's configuration, or one that rotates
)

// tokenKind is the kind that a token's beginning tells, "" for none of them.
func tokenKind(token string) string {
	for _, kind := range []string{ofBot, ofApp, ofPerson, ofChanges} {
		if strings.HasPrefix(token, kind) {
			return kind
		}
	}
	return ""
}
