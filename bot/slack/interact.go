package slack

import (
	"cmp"
	"encoding/json"
	"strings"

	"precedent/bot"
)

// curate is the callback_id under which the app's manifest has the message shortcut.
const curate = "curate"

// interacted is what a press, a form or a shortcut says.
func (s *Slack) interacted(me self, in interaction) (said, bool) {
	h := bot.Heard{User: in.User.ID, At: when(in.ActionTS)}
	if in.User.ID == "" {
		return said{}, false
	}
	switch in.Type {
	case "block_actions":
		if len(in.Actions) == 0 || in.Actions[0].Type != "" && in.Actions[0].Type != "button" || in.Container.Type == "view" && in.View.Type != "home" {
			return said{}, false
		}
		press := in.Actions[0]
		h.Kind, h.Button = bot.Pressed, cmp.Or(press.Value, press.ID)
		h.ID = strings.Join([]string{network + ":b", in.Trigger, cmp.Or(in.Container.Channel, in.Channel.ID), cmp.Or(in.Container.Message, in.Message.TS), in.User.ID, press.TS, h.Button}, "/")
		h.At = when(cmp.Or(press.TS, in.ActionTS))
		h.Place, h.Conversation, h.Private = where(me, in)
	case "message_action":
		if in.Callback != curate || in.Message.TS == "" {
			return said{}, false
		}
		h.Kind, h.Button = bot.Pressed, "case|"
		h.ID = network + ":b/" + cmp.Or(in.Trigger, in.Channel.ID+"/"+in.Message.TS+"/"+in.User.ID+"/"+in.ActionTS)
		h.Place, h.Conversation, h.Private = where(me, in)
	case "view_submission":
		p := purpose{Place: bot.Place{Chat: network, User: in.User.ID}}
		if in.View.Private != "" && json.Unmarshal([]byte(in.View.Private), &p) != nil {
			return said{}, false
		}
		h.Kind, h.Button = bot.Filled, cmp.Or(in.View.Callback, p.Button)
		h.ID = network + ":f/" + cmp.Or(in.Trigger, in.View.ID+"/"+in.View.Hash)
		h.Place, h.Conversation, h.Private = p.Place, p.Conversation, p.Private
		h.Fields = map[string]string{}
		for name, inputs := range in.View.State.Values {
			for _, f := range inputs {
				if h.Fields[name] = f.Value; f.Selected != nil {
					h.Fields[name] = f.Selected.Value
				}
			}
		}
	default:
		return said{}, false
	}
	return said{Heard: h, trigger: in.Trigger}, true
}

// where an interaction happened: on the home tab, or under a message, which only
// its user sees if it is ephemeral.
func where(me self, in interaction) (p bot.Place, talk string, private bool) {
	if in.Container.Type == "view" {
		return bot.Place{Chat: network, Team: me.team, User: in.User.ID, Home: true}, "", true
	}
	p = me.place(cmp.Or(in.Container.Channel, in.Channel.ID))
	p.Message = cmp.Or(in.Container.Message, in.Message.TS)
	p.Thread = cmp.Or(in.Container.Thread, in.Message.Thread)
	if !direct(p.Channel) || in.Container.Ephemeral { // nobody else is there to hide an answer from
		p.Token = in.ResponseURL
	}
	switch {
	case in.Container.Ephemeral:
		p.User = in.User.ID
		talk = network + ":" + p.Channel + "/" + cmp.Or(p.Thread, in.User.ID)
	case in.Type == "message_action": // outside of threads, only the channel shows what one person alone is told
		talk = conversation(p)
	case p.Thread == "" && !direct(p.Channel):
		p.Thread = p.Message
		fallthrough
	default:
		talk = conversation(p)
	}
	return p, talk, direct(p.Channel) || in.Container.Ephemeral
}
