package slacktest

import (
	"fmt"
	"unicode/utf8"
)

var (
	interactive = []string{"button", "checkboxes", "datepicker", "datetimepicker", "timepicker", "overflow", "radio_buttons", "workflow_button",
		"static_select", "external_select", "users_select", "conversations_select", "channels_select",
		"multi_static_select", "multi_external_select", "multi_users_select", "multi_conversations_select", "multi_channels_select"}
	inputs = []string{"checkboxes", "datepicker", "datetimepicker", "timepicker", "radio_buttons", "plain_text_input", "email_text_input",
		"url_text_input", "number_input", "file_input", "rich_text_input",
		"static_select", "external_select", "users_select", "conversations_select", "channels_select",
		"multi_static_select", "multi_external_select", "multi_users_select", "multi_conversations_select", "multi_channels_select"}
)

func (g *grammar) defineBlocks() {
	l := g.lim
	plain := func(most int) check { return textObject(most, false) }
	picture := map[string]check{"image_url": text(1, l.ImageURL), "slack_file": anything, "alt_text": text(1, l.ImageText)}
	g.block = map[string]rule{
		"divider": {},
		"header":  {required: []string{"text"}, fields: map[string]check{"text": plain(l.HeaderText), "level": number(1, 4)}},
		"section": {
			fields: map[string]check{"text": textObject(l.SectionText, true), "expand": boolean,
				"fields":    listOf(1, l.SectionFields, textObject(l.FieldText, true)),
				"accessory": among(append([]string{"image"}, interactive...)...)},
			also: func(g *grammar, m map[string]any, at string) {
				if m["text"] == nil && m["fields"] == nil {
					g.wrong(at, "missing required field: text or fields")
				}
			}},
		"context": {required: []string{"elements"}, fields: map[string]check{"elements": listOf(1, l.ContextElements, contextElement)}},
		"actions": {required: []string{"elements"}, fields: map[string]check{"elements": listOf(1, l.ActionElements, among(interactive...))}},
		"context_actions": {required: []string{"elements"}, also: onlyMessages,
			fields: map[string]check{"elements": listOf(1, l.FeedbackButtons, among("feedback_buttons", "icon_button"))}},
		"image": {required: []string{"alt_text"}, also: hasPicture, fields: map[string]check{"image_url": picture["image_url"],
			"slack_file": anything, "alt_text": picture["alt_text"], "title": plain(l.ImageText)}},
		"input": {required: []string{"label", "element"}, fields: map[string]check{"label": plain(l.InputLabel), "hint": plain(l.InputLabel),
			"element": among(inputs...), "optional": boolean, "dispatch_action": boolean}},
		"markdown": {required: []string{"text"}, fields: map[string]check{"text": text(1, l.MarkdownText)},
			also: func(g *grammar, m map[string]any, at string) {
				s, _ := m["text"].(string)
				g.markdown += utf8.RuneCountInString(s)
				onlyMessages(g, m, at)
			}},
		"rich_text": {required: []string{"elements"}, fields: map[string]check{"elements": listOf(0, 0, func(g *grammar, v any, at string) {
			g.kind(g.rich, v, at)
		})}},
		"table": {required: []string{"rows"}, also: table, fields: map[string]check{
			"rows": listOf(1, l.TableRows, listOf(1, l.TableColumns, cell)),
			"column_settings": listOf(0, l.TableColumns, func(g *grammar, v any, at string) {
				if v == nil { // a column left as it is
					return
				}
				m, ok := v.(map[string]any)
				if !ok {
					g.wrong(at, "must provide an object")
					return
				}
				g.object(rule{fields: map[string]check{"align": oneOf("left", "center", "right"), "is_wrapped": boolean}}, m, at)
			})}},
		"video": {required: []string{"alt_text", "title", "thumbnail_url", "video_url"}, fields: map[string]check{
			"alt_text": text(1, l.ImageText), "title": plain(200), "title_url": text(1, l.ImageURL), "thumbnail_url": text(1, l.ImageURL),
			"video_url": text(1, l.ImageURL), "author_name": text(1, 50), "description": plain(200), "provider_name": text(1, 0), "provider_icon_url": text(1, l.ImageURL)}},
	}
	for name, r := range g.block {
		if r.fields == nil {
			r.fields = map[string]check{}
		}
		r.fields["block_id"] = blockID
		g.block[name] = r
	}
}

func anything(*grammar, any, string) {}

func blockID(g *grammar, v any, at string) {
	text(1, g.lim.BlockID)(g, v, at)
	if s, ok := v.(string); ok {
		if g.blockIDs[s] {
			g.wrong(at, "block_id already exists: %s", s)
		}
		g.blockIDs[s] = true
	}
}

func onlyMessages(g *grammar, m map[string]any, at string) {
	if g.on != OnMessage {
		g.wrong(at+"/type", "unsupported type: %v", m["type"])
	}
}

func hasPicture(g *grammar, m map[string]any, at string) {
	if (m["image_url"] == nil) == (m["slack_file"] == nil) {
		g.wrong(at, "missing required field: image_url or slack_file")
	}
}

func contextElement(g *grammar, v any, at string) {
	if m, ok := v.(map[string]any); ok && m["type"] == "image" {
		g.kind(g.element, v, at)
		return
	}
	textObject(g.lim.SectionText, true)(g, v, at)
}

func table(g *grammar, m map[string]any, at string) {
	onlyMessages(g, m, at)
	if g.tables++; g.tables > g.lim.Tables {
		g.wrong(at, "only_one_table_allowed")
	}
	rows, _ := m["rows"].([]any)
	for i, r := range rows {
		row, _ := r.([]any)
		first, _ := rows[0].([]any)
		if len(row) != len(first) {
			g.wrong(fmt.Sprintf("%s/rows/%d", at, i), "must have as many cells as the first row")
		}
	}
}

// cell is one of a table. A number's own type, raw_number, is documented, but
// tables that the bot's client posts with it have been refused
// (slack-go/slack#1560): the strict reading is the safe one.
func cell(g *grammar, v any, at string) {
	m, ok := v.(map[string]any)
	if !ok {
		g.wrong(at, "must provide an object")
		return
	}
	switch m["type"] {
	case "raw_text":
		g.object(rule{required: []string{"text"}, fields: map[string]check{"text": text(1, 0)}}, m, at)
	case "rich_text":
		g.object(g.block["rich_text"], m, at)
		if list, _ := m["elements"].([]any); len(list) == 0 {
			g.wrong(at+"/elements", "no fewer than 1 items allowed")
		}
	default:
		g.wrong(at+"/type", "unsupported type: %v", m["type"])
	}
	for t := range textsIn(m, at) {
		g.cells += utf8.RuneCountInString(t.Value)
	}
}
