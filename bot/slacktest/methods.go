package slacktest

import "time"

// A method is one of the Web API.
type method struct {
	tier   int // of Limits.Tiers; 0: no rate of its own
	app    bool
	scopes func(*request) []string // any one of them will do
	args   string
	run    func(*request) reply
}

// webAPI is all methods that the workspace answers.
func webAPI() map[string]method {
	return map[string]method{
		"auth.test":             {run: authTest},
		"apps.connections.open": {app: true, run: openConnection}, // documented as tier 1, but reconnecting clients are let through

		"chat.postMessage": {scopes: anyOf("chat:write"), run: postMessage,
			args: "channel text blocks attachments thread_ts reply_broadcast metadata unfurl_links unfurl_media mrkdwn parse link_names as_user username icon_url icon_emoji client_msg_id"},
		"chat.update": {tier: 3, scopes: anyOf("chat:write"), run: updateMessage,
			args: "channel ts text blocks attachments metadata parse link_names as_user reply_broadcast file_ids unfurl_links unfurl_media"},
		"chat.delete": {tier: 3, scopes: anyOf("chat:write"), run: deleteMessage, args: "channel ts as_user"},
		"chat.postEphemeral": {tier: 4, scopes: anyOf("chat:write"), run: postEphemeral,
			args: "channel user text blocks attachments thread_ts parse link_names as_user username icon_url icon_emoji unfurl_links unfurl_media mrkdwn"},
		"chat.getPermalink": {run: permalink, args: "channel message_ts"},

		"conversations.replies": {tier: 3, scopes: historyScopes, run: replies,
			args: "channel ts cursor latest oldest limit inclusive include_all_metadata"},
		"conversations.history": {tier: 3, scopes: historyScopes, run: history,
			args: "channel cursor latest oldest limit inclusive include_all_metadata"},
		"conversations.info": {tier: 3, scopes: readScopes, run: aboutConversation, args: "channel include_locale include_num_members"},
		"conversations.open": {tier: 3, scopes: anyOf("im:write", "mpim:write", "groups:write", "channels:manage"), run: openConversation,
			args: "channel users return_im prevent_creation"},
		"conversations.list": {tier: 2, scopes: readScopes, run: listConversations, args: "cursor limit types exclude_archived team_id"},
		"users.conversations": {tier: 3, scopes: readScopes, run: userConversations,
			args: "user cursor limit types exclude_archived team_id"},
		"users.info":            {tier: 4, scopes: anyOf("users:read"), run: aboutUser, args: "user include_locale"},
		"usergroups.users.list": {tier: 2, scopes: anyOf("usergroups:read"), run: groupUsers, args: "usergroup include_disabled team_id"},

		"reactions.get":    {tier: 3, scopes: anyOf("reactions:read"), run: getReactions, args: "channel timestamp full"},
		"reactions.add":    {tier: 3, scopes: anyOf("reactions:write"), run: addReaction, args: "channel timestamp name"},
		"reactions.remove": {tier: 2, scopes: anyOf("reactions:write"), run: removeReaction, args: "channel timestamp name"},

		"views.open":    {tier: 4, run: openView, args: "trigger_id view interactivity_pointer"},
		"views.push":    {tier: 4, run: pushView, args: "trigger_id view interactivity_pointer"},
		"views.update":  {tier: 4, run: updateView, args: "view view_id external_id hash"},
		"views.publish": {tier: 4, run: publishView, args: "user_id view hash"},

		"files.getUploadURLExternal": {tier: 4, scopes: anyOf("files:write"), run: uploadURL,
			args: "filename length alt_txt snippet_type"},
		"files.completeUploadExternal": {tier: 4, scopes: anyOf("files:write"), run: completeUpload,
			args: "files channel_id channels thread_ts initial_comment blocks"},

		"assistant.threads.setStatus": {scopes: anyOf("chat:write", "assistant:write"), run: setStatus,
			args: "channel_id thread_ts status loading_messages username icon_url icon_emoji"},
	}
}

func anyOf(scopes ...string) func(*request) []string {
	return func(*request) []string { return scopes }
}

// limited records the call against its rate, and is how long the bot has to
// wait if there is no room.
func (s *Server) limited(r *request) time.Duration {
	key, most := r.method, s.lim.Tiers[s.methods[r.method].tier]
	switch {
	case r.method == "chat.postMessage":
		key += " " + r.str("channel")
	case s.opt.Distributed && (r.method == "conversations.history" || r.method == "conversations.replies"):
		most = s.lim.Tiers[1]
	case s.methods[r.method].tier == 0:
		return 0
	}
	now := time.Now()
	if until := s.waitUntil[key]; now.Before(until) {
		r.violate("call before Retry-After had passed", until.Sub(now).String())
		return until.Sub(now)
	}
	var wait time.Duration
	if r.method == "chat.postMessage" {
		wait = s.burst(key, now)
	} else {
		wait = s.window(key, now, most)
	}
	if wait > 0 {
		wait = max(wait, time.Second)
		s.waitUntil[key] = now.Add(wait)
	}
	return wait
}

// burst lets one post through each Limits.PostEvery, and PostBurst at once after
// a pause: a bucket that leaks.
func (s *Server) burst(key string, now time.Time) (wait time.Duration) {
	full := s.lim.PostEvery * time.Duration(s.lim.PostBurst)
	next := now
	if last := s.rates[key]; len(last) == 1 && last[0].After(now) {
		next = last[0]
	}
	next = next.Add(s.lim.PostEvery)
	if over := next.Sub(now) - full; over > 0 {
		return over
	}
	s.rates[key] = []time.Time{next}
	return 0
}

// window lets so many calls through in any minute.
func (s *Server) window(key string, now time.Time, most int) (wait time.Duration) {
	recent := s.rates[key][:0]
	for _, at := range s.rates[key] {
		if now.Sub(at) < time.Minute {
			recent = append(recent, at)
		}
	}
	if s.rates[key] = recent; len(recent) >= most {
		return time.Minute - now.Sub(recent[0])
	}
	s.rates[key] = append(recent, now)
	return 0
}

func authTest(r *request) reply {
	return reply{"url": "https://precedent.slack.com/", "team": "Precedent", "user": "precedent",
		"team_id": r.s.TeamID, "user_id": r.s.BotUser, "bot_id": r.s.BotID, "is_enterprise_install": false}
}
