package slack

import (
	"bytes"
	"encoding/json"
	"slices"

	"precedent/bot/words"
)

type object = map[string]any

// Manifest describes the app that the bot is in Slack, as JSON to paste where
// Slack makes an app from a manifest (docs.slack.dev/reference/app-manifest).
// It listens over Socket Mode.
func Manifest() []byte {
	w := words.EnglishCommands
	scopes := slices.Clone(telling)
	for _, n := range needs {
		scopes = append(scopes, n.scope)
	}
	slices.Sort(scopes)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(object{ // of texts and booleans alone: it can't fail
		"_metadata":           object{"major_version": 2, "minor_version": 1},
		"display_information": object{"name": "Precedent", "description": w.AskDoes},
		"features": object{
			"app_home":       object{"home_tab_enabled": true, "messages_tab_enabled": true, "messages_tab_read_only_enabled": false},
			"bot_user":       object{"display_name": "precedent", "always_online": false},
			"slash_commands": []object{{"command": "/" + w.Ask, "description": w.AskDoes, "usage_hint": "[" + w.Question + "]", "should_escape": false}},
			"shortcuts":      []object{{"name": w.Curate, "type": "message", "callback_id": curate, "description": w.CurateDoes}},
		},
		"oauth_config": object{"scopes": object{"bot": scopes}},
		"settings": object{
			"event_subscriptions": object{"bot_events": []string{"app_home_opened", "app_mention", "message.im", "reaction_added", "reaction_removed"}},
			"interactivity":       object{"is_enabled": true},
			"org_deploy_enabled":  false, "socket_mode_enabled": true, "token_rotation_enabled": false,
		},
	})
	return out.Bytes()
}
