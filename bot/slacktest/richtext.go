package slacktest

import "maps"

func (g *grammar) defineRich() {
	inline := func(g *grammar, v any, at string) { g.kind(g.inline, v, at) }
	section := rule{required: []string{"elements"}, fields: map[string]check{"elements": listOf(1, 0, inline)}}
	border := number(0, 1)
	bordered := func(more map[string]check) rule {
		fields := map[string]check{"elements": listOf(1, 0, inline), "border": border}
		maps.Copy(fields, more)
		return rule{required: []string{"elements"}, fields: fields}
	}
	// Preformatted text holds text and links only; anything else is refused.
	plainInline := func(g *grammar, v any, at string) {
		m, _ := v.(map[string]any)
		if m["type"] != "text" && m["type"] != "link" {
			g.wrong(at+"/type", "unsupported type: %v", m["type"])
			return
		}
		g.kind(g.inline, v, at)
	}
	g.rich = map[string]rule{
		"rich_text_section":      section,
		"rich_text_quote":        bordered(nil),
		"rich_text_preformatted": bordered(map[string]check{"elements": listOf(1, 0, plainInline), "language": text(1, 0)}),
		"rich_text_list": {required: []string{"elements", "style"}, fields: map[string]check{
			"elements": listOf(1, 0, func(g *grammar, v any, at string) {
				m, ok := v.(map[string]any)
				if !ok || m["type"] != "rich_text_section" {
					g.wrong(at+"/type", "unsupported type: %v", m["type"])
					return
				}
				g.object(section, m, at)
			}),
			"style": oneOf("bullet", "ordered"), "indent": number(0, 8), "offset": number(0, 1e9), "border": border}},
	}
	style := func(words ...string) check {
		fields := map[string]check{}
		for _, w := range words {
			fields[w] = boolean
		}
		return func(g *grammar, v any, at string) {
			m, ok := v.(map[string]any)
			if !ok {
				g.wrong(at, "must provide an object")
				return
			}
			g.object(rule{fields: fields}, m, at)
		}
	}
	written := style("bold", "italic", "strike", "code", "underline")
	mention := style("bold", "italic", "strike", "highlight", "client_highlight", "unlink", "underline", "code")
	g.inline = map[string]rule{
		"text": {required: []string{"text"}, fields: map[string]check{"text": text(1, 0), "style": written}},
		"link": {required: []string{"url"}, fields: map[string]check{"url": text(1, g.lim.ButtonURL), "text": text(0, 0),
			"unsafe": boolean, "style": written}},
		"emoji": {required: []string{"name"}, fields: map[string]check{"name": text(1, 0), "unicode": text(1, 0),
			"skin_tone": number(2, 6), "url": text(1, 0), "style": mention}},
		"user":      {required: []string{"user_id"}, fields: map[string]check{"user_id": text(1, 0), "style": mention}},
		"usergroup": {required: []string{"usergroup_id"}, fields: map[string]check{"usergroup_id": text(1, 0), "style": mention}},
		"channel":   {required: []string{"channel_id"}, fields: map[string]check{"channel_id": text(1, 0), "style": mention}},
		"broadcast": {required: []string{"range"}, fields: map[string]check{"range": oneOf("here", "channel", "everyone"), "style": mention}},
		"color":     {required: []string{"value"}, fields: map[string]check{"value": text(1, 0)}},
		"team":      {required: []string{"team_id"}, fields: map[string]check{"team_id": text(1, 0), "style": mention}},
		"date": {required: []string{"timestamp", "format"}, fields: map[string]check{"timestamp": number(0, 1e11), "format": text(1, 0),
			"url": text(1, 0), "fallback": text(1, 0), "timezone": text(1, 0), "style": written}},
	}
}
