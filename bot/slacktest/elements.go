package slacktest

import (
	"maps"
	"slices"
)

func (g *grammar) defineElements() {
	l := g.lim
	plain := func(most int) check { return textObject(most, false) }
	g.element = map[string]rule{}
	// element defines one that acts: it has an action_id, and what more is given.
	element := func(name string, more map[string]check, required ...string) {
		fields := map[string]check{"action_id": actionID}
		maps.Copy(fields, more)
		g.element[name] = rule{fields: fields, required: required}
	}
	with := func(fields map[string]check, more map[string]check) map[string]check {
		out := maps.Clone(fields)
		maps.Copy(out, more)
		return out
	}
	confirm := map[string]check{"confirm": confirmation}
	focus := map[string]check{"focus_on_load": boolean, "placeholder": plain(l.Placeholder), "confirm": confirmation}

	g.element["image"] = rule{required: []string{"alt_text"}, also: hasPicture, fields: map[string]check{
		"image_url": text(1, l.ImageURL), "slack_file": anything, "alt_text": text(1, l.ImageText)}}
	element("button", with(confirm, map[string]check{"text": plain(l.ButtonText), "value": text(0, l.ButtonValue), "url": text(1, l.ButtonURL),
		"style": oneOf("primary", "danger"), "accessibility_label": text(1, l.ButtonText)}), "text")
	element("workflow_button", map[string]check{"text": plain(l.ButtonText), "workflow": anything, "style": oneOf("primary", "danger")}, "text", "workflow")
	feedback := func(g *grammar, v any, at string) {
		m, ok := v.(map[string]any)
		if !ok {
			g.wrong(at, "must provide an object")
			return
		}
		g.object(rule{required: []string{"text", "value"}, fields: map[string]check{"text": plain(l.ButtonText),
			"value": text(1, l.ButtonValue), "accessibility_label": text(1, l.ButtonText)}}, m, at)
	}
	element("feedback_buttons", map[string]check{"positive_button": feedback, "negative_button": feedback}, "positive_button", "negative_button")
	element("icon_button", with(confirm, map[string]check{"icon": oneOf("trash"), "text": plain(l.ButtonText), "value": text(0, l.ButtonValue),
		"accessibility_label": text(1, l.ButtonText), "visible_to_user_ids": listOf(0, 0, text(1, 0))}), "icon", "text")

	options := listOf(1, l.SelectOptions, option(false))
	groups := listOf(1, l.SelectOptions, func(g *grammar, v any, at string) {
		m, ok := v.(map[string]any)
		if !ok {
			g.wrong(at, "must provide an object")
			return
		}
		g.object(rule{required: []string{"label", "options"}, fields: map[string]check{"label": plain(l.OptionText), "options": options}}, m, at)
	})
	element("overflow", with(confirm, map[string]check{"options": listOf(1, l.OverflowOptions, option(false))}), "options")
	element("checkboxes", with(focus, map[string]check{"options": listOf(1, l.ChoiceOptions, option(true)),
		"initial_options": listOf(1, l.ChoiceOptions, option(true))}), "options")
	element("radio_buttons", with(focus, map[string]check{"options": listOf(1, l.ChoiceOptions, option(true)), "initial_option": option(true)}), "options")
	element("static_select", with(focus, map[string]check{"options": options, "option_groups": groups, "initial_option": option(false)}))
	several := with(focus, map[string]check{"max_selected_items": number(1, 1e9)})
	element("multi_static_select", with(several, map[string]check{"options": options, "option_groups": groups, "initial_options": options}))
	for _, name := range []string{"static_select", "multi_static_select"} {
		r := g.element[name]
		r.also = func(g *grammar, m map[string]any, at string) {
			if (m["options"] == nil) == (m["option_groups"] == nil) {
				g.wrong(at, "missing required field: options or option_groups")
			}
		}
		g.element[name] = r
	}
	element("external_select", with(focus, map[string]check{"min_query_length": number(0, 1e9), "initial_option": option(false)}))
	element("multi_external_select", with(several, map[string]check{"min_query_length": number(0, 1e9), "initial_options": options}))
	element("users_select", with(focus, map[string]check{"initial_user": text(1, 0)}))
	element("multi_users_select", with(several, map[string]check{"initial_users": listOf(1, 0, text(1, 0))}))
	element("channels_select", with(focus, map[string]check{"initial_channel": text(1, 0), "response_url_enabled": boolean}))
	element("multi_channels_select", with(several, map[string]check{"initial_channels": listOf(1, 0, text(1, 0))}))
	filter := map[string]check{"filter": anything, "default_to_current_conversation": boolean}
	element("conversations_select", with(focus, with(filter, map[string]check{"initial_conversation": text(1, 0), "response_url_enabled": boolean})))
	element("multi_conversations_select", with(several, with(filter, map[string]check{"initial_conversations": listOf(1, 0, text(1, 0))})))
	element("datepicker", with(focus, map[string]check{"initial_date": text(10, 10)}))
	element("timepicker", with(focus, map[string]check{"initial_time": text(5, 5), "timezone": text(1, 0)}))
	element("datetimepicker", with(focus, map[string]check{"initial_date_time": number(1e9, 1e10)}))

	input := map[string]check{"placeholder": plain(l.Placeholder), "focus_on_load": boolean, "dispatch_action_config": dispatch}
	element("plain_text_input", with(input, map[string]check{"initial_value": text(0, l.InputLength), "multiline": boolean,
		"min_length": number(0, float64(l.InputLength)), "max_length": number(1, float64(l.InputLength))}))
	element("email_text_input", with(input, map[string]check{"initial_value": text(0, 0)}))
	element("url_text_input", with(input, map[string]check{"initial_value": text(0, 0)}))
	element("number_input", with(input, map[string]check{"is_decimal_allowed": boolean, "initial_value": text(0, 0),
		"min_value": text(1, 0), "max_value": text(1, 0)}), "is_decimal_allowed")
	element("rich_text_input", with(input, map[string]check{"initial_value": anything}))
	element("file_input", map[string]check{"filetypes": listOf(1, 0, text(1, 0)), "max_files": number(1, 10)})
}

func actionID(g *grammar, v any, at string) {
	text(1, g.lim.ActionID)(g, v, at)
	if s, ok := v.(string); ok {
		block := blockOf(at)
		if g.actionIDs[block+s] {
			g.wrong(at, "action_id already exists: %s", s)
		}
		g.actionIDs[block+s] = true
	}
}

// blockOf is the pointer of the block that a pointer is in.
func blockOf(at string) string {
	slashes := 0
	for i := range at {
		if at[i] == '/' {
			if slashes++; slashes == 3 {
				return at[:i]
			}
		}
	}
	return at
}

func option(mrkdwn bool) check {
	return func(g *grammar, v any, at string) {
		m, ok := v.(map[string]any)
		if !ok {
			g.wrong(at, "must provide an object")
			return
		}
		g.object(rule{required: []string{"text", "value"}, fields: map[string]check{
			"text": textObject(g.lim.OptionText, mrkdwn), "value": text(1, g.lim.OptionValue),
			"description": textObject(g.lim.OptionText, mrkdwn), "url": text(1, g.lim.ButtonURL)}}, m, at)
	}
}

func confirmation(g *grammar, v any, at string) {
	m, ok := v.(map[string]any)
	if !ok {
		g.wrong(at, "must provide an object")
		return
	}
	g.object(rule{required: []string{"title", "text", "confirm", "deny"}, fields: map[string]check{
		"title": textObject(g.lim.ConfirmTitle, false), "text": textObject(g.lim.ConfirmText, true),
		"confirm": textObject(g.lim.ConfirmButton, false), "deny": textObject(g.lim.ConfirmButton, false),
		"style": oneOf("primary", "danger")}}, m, at)
}

func dispatch(g *grammar, v any, at string) {
	m, _ := v.(map[string]any)
	list, _ := m["trigger_actions_on"].([]any)
	for _, x := range list {
		if s, _ := x.(string); !slices.Contains([]string{"on_enter_pressed", "on_character_entered"}, s) {
			g.wrong(at+"/trigger_actions_on", "must be a valid enum value")
		}
	}
}
