package slacktest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

type trigger struct {
	user string
	used bool
	ends time.Time
}

// ExpireTriggers makes every trigger id given so far too old.
func (s *Server) ExpireTriggers() {
	s.change(func() {
		for _, t := range s.triggers {
			t.ends = time.Time{}
		}
	})
}

// interaction is what all interactions of a user share.
func (s *Server) interaction(kind, user string) map[string]any {
	id := s.id("trigger.")
	s.triggers[id] = &trigger{user: user, ends: time.Now().Add(s.lim.Trigger)}
	name := ""
	if u := s.users[user]; u != nil {
		name = u.Name
	}
	return map[string]any{"type": kind, "api_app_id": s.AppID, "token": "verification", "trigger_id": id,
		"team":       map[string]any{"id": s.TeamID, "domain": "precedent"},
		"enterprise": nil, "is_enterprise_install": false,
		"user": map[string]any{"id": user, "username": name, "name": name, "team_id": s.TeamID}}
}

// A Click is a person using a button, menu or box of the bot's.
type Click struct {
	User    string
	Channel string // of a message, an ephemeral one too, with TS
	TS      string
	View    string // or the id of a modal or home tab
	Action  string // action_id
	Value   string // the value of the button or option; "": any button with the action_id
}

// Click uses an element that the person sees; it fails the test if there is none
// such, or if the value is too old to be on the screen.
func (s *Server) Click(c Click) (d *Delivery) {
	s.t.Helper()
	var seen []string
	s.change(func() {
		m, v := s.target(c)
		var blocks json.RawMessage
		switch {
		case m != nil:
			blocks = m.Blocks
		case v != nil:
			blocks = v.blocks()
		}
		var action map[string]any
		action, seen = pressed(blocks, c)
		if action == nil {
			return
		}
		action["action_ts"] = s.stamp()
		payload := s.interaction("block_actions", c.User)
		payload["actions"] = []any{action}
		if v != nil {
			payload["view"] = v.wire(s)
			payload["container"] = map[string]any{"type": "view", "view_id": v.ID}
		} else {
			s.aboutMessage(payload, m, c.User)
			payload["state"] = map[string]any{"values": map[string]any{}}
		}
		d = s.queue(&Delivery{Kind: "interactive", payload: payload})
	})
	if d == nil {
		s.t.Fatalf("%s sees no element %q %q at %s %s%s, but %s; the workspace shows\n%s", c.User, c.Action, c.Value, c.Channel, c.TS, c.View,
			strings.Join(seen, ", "), s.Show())
	}
	return d
}

func (s *Server) target(c Click) (*Message, *View) {
	if c.View != "" {
		if v := s.modals[c.View]; v != nil {
			return nil, v
		}
		for _, v := range s.homes {
			if v.ID == c.View {
				return nil, v
			}
		}
		return nil, nil
	}
	if m := s.standing(c.Channel, c.TS); m != nil {
		return m, nil
	}
	for _, m := range s.ephemeral {
		if m.TS == c.TS && m.Channel == c.Channel && m.For == c.User && !m.Deleted {
			return m, nil
		}
	}
	return nil, nil
}

// pressed is the action that a click makes, or what there is to click.
func pressed(blocks json.RawMessage, c Click) (action map[string]any, seen []string) {
	var list []map[string]any
	json.Unmarshal(blocks, &list)
	for _, b := range list {
		for _, e := range elementsOf(b) {
			id, _ := e["action_id"].(string)
			if id == "" {
				continue
			}
			value, _ := e["value"].(string)
			seen = append(seen, id+"="+value)
			if id != c.Action {
				continue
			}
			action := map[string]any{"type": e["type"], "action_id": id, "block_id": b["block_id"]}
			switch e["type"] {
			case "button", "icon_button":
				if c.Value != "" && c.Value != value {
					continue
				}
				action["text"] = e["text"]
				if value != "" {
					action["value"] = value
				}
				return action, seen
			case "feedback_buttons":
				for _, side := range []string{"positive_button", "negative_button"} {
					if one, _ := e[side].(map[string]any); one["value"] == c.Value {
						action["text"], action["value"] = one["text"], c.Value
						return action, seen
					}
				}
			default:
				if chosen, ok := choose(e, c.Value); ok {
					maps.Copy(action, chosen)
					return action, seen
				}
			}
		}
	}
	return nil, seen
}

// aboutMessage says which message an interaction is with, and where to respond.
func (s *Server) aboutMessage(payload map[string]any, m *Message, user string) {
	c := s.channels[m.Channel]
	container := map[string]any{"type": "message", "message_ts": m.TS, "channel_id": m.Channel, "is_ephemeral": m.For != ""}
	if m.Thread != "" {
		container["thread_ts"] = m.Thread
	}
	payload["container"] = container
	payload["channel"] = map[string]any{"id": c.ID, "name": c.Name}
	payload["message"] = m.wire(s, true)
	payload["response_url"] = s.respondTo(response{channel: m.Channel, thread: m.Thread, user: user, original: m})
}

// Shortcut has a person choose one of the app's message shortcuts.
func (s *Server) Shortcut(user, channel, ts, callback string) (d *Delivery) {
	s.t.Helper()
	s.mustFind(channel, ts)
	s.change(func() {
		payload := s.interaction("message_action", user)
		m := s.find(channel, ts)
		s.aboutMessage(payload, m, user)
		delete(payload, "container")
		payload["callback_id"], payload["message_ts"], payload["action_ts"] = callback, ts, s.stamp()
		d = s.queue(&Delivery{Kind: "interactive", payload: payload})
	})
	return d
}

// Command has a person run a slash command, "/ask", in a channel. What the bot
// answers with its acknowledgement is posted, to the person alone unless it says
// in_channel.
func (s *Server) Command(user, channel, command, text string) (d *Delivery) {
	s.t.Helper()
	s.mustBeIn(user, channel)
	s.change(func() {
		base := s.interaction("", user)
		c := s.channels[channel]
		to := response{channel: channel, user: user}
		d = s.queue(&Delivery{Kind: "slash_commands", accepts: true, payload: map[string]any{
			"token": "verification", "team_id": s.TeamID, "team_domain": "precedent", "channel_id": channel,
			"channel_name": map[bool]string{true: "directmessage", false: c.Name}[c.Kind == "im"],
			"user_id":      user, "user_name": base["user"].(map[string]any)["username"], "command": command, "text": s.encode(text),
			"api_app_id": s.AppID, "is_enterprise_install": "false", "trigger_id": base["trigger_id"], "response_url": s.respondTo(to)},
			answered: func(payload json.RawMessage) {
				if payload == nil {
					return
				}
				if out := s.respond(to, payload, "ack"); out["error"] != nil {
					s.violate("ack", out["error"].(string), string(payload[:min(200, len(payload))]), true)
				}
			}})
	})
	return d
}

// choose is what an element's state is once a value is chosen or typed.
func choose(e map[string]any, value string) (map[string]any, bool) {
	kind, _ := e["type"].(string)
	out := map[string]any{"type": kind}
	find := func(want string) any {
		options, _ := e["options"].([]any)
		groups, _ := e["option_groups"].([]any)
		for _, g := range groups {
			more, _ := g.(map[string]any)["options"].([]any)
			options = append(slices.Clone(options), more...)
		}
		for _, o := range options {
			if m, _ := o.(map[string]any); m["value"] == want {
				return o
			}
		}
		return nil
	}
	switch kind {
	case "static_select", "radio_buttons", "overflow":
		o := find(value)
		out["selected_option"] = o
		return out, o != nil || value == ""
	case "checkboxes", "multi_static_select":
		chosen := []any{}
		for v := range strings.SplitSeq(value, ",") {
			if o := find(v); o != nil {
				chosen = append(chosen, o)
			} else if v != "" {
				return nil, false
			}
		}
		out["selected_options"] = chosen
		return out, true
	case "users_select":
		out["selected_user"] = value
	case "channels_select":
		out["selected_channel"] = value
	case "conversations_select":
		out["selected_conversation"] = value
	case "datepicker":
		out["selected_date"] = value
	default:
		out["value"] = value
		if value == "" {
			out["value"] = nil
		}
	}
	return out, true
}
