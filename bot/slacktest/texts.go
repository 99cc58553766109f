package slacktest

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// A Text is one piece of writing in a message or view, and how Slack reads it.
type Text struct {
	Kind    string // see the constants
	Value   string
	Pointer string // JSON pointer from the message or the array of blocks
}

// What Slack makes of a text.
const (
	Mrkdwn   = "mrkdwn"   // *bold*, <links>, <!channel>: what an author controls formats, links and calls people
	Markdown = "markdown" // the same, of a markdown block
	Plain    = "plain_text"
	Raw      = "raw_text"  // a table's cell
	Rich     = "rich_text" // a text element, shown as it stands
	Link     = "link"      // the words of a rich_text link
	Address  = "url"       // where a link or button leads
	Alt      = "alt_text"
)

// Interpreted reports whether Slack reads markup in the text, so that text from
// strangers must not stand in it. Slack has no way to escape * _ ~ and ` there.
func (t Text) Interpreted() bool { return t.Kind == Mrkdwn || t.Kind == Markdown }

// TextsOf is every text of a JSON array of blocks, in order. It needs no server.
func TextsOf(blocks json.RawMessage) []Text {
	var v any
	if json.Unmarshal(blocks, &v) != nil {
		return nil
	}
	return slices.Collect(textsIn(v, ""))
}

// Interpreted are the texts of blocks in which Slack reads markup. A test that
// keeps strangers' text out of it looks for theirs in each.
func Interpreted(blocks json.RawMessage) []Text {
	return slices.DeleteFunc(TextsOf(blocks), func(t Text) bool { return !t.Interpreted() })
}

// Texts is every text of the message: its own, which is mrkdwn even where it is
// only the notification of blocks, its blocks' and its attachments'.
func (m Message) Texts() []Text {
	var out []Text
	if m.Text != "" {
		kind := Mrkdwn
		if m.Unformatted {
			kind = Plain
		}
		out = append(out, Text{kind, m.Text, "/text"})
	}
	for _, part := range []struct {
		at  string
		raw json.RawMessage
	}{{"/blocks", m.Blocks}, {"/attachments", m.Attachments}} {
		var v any
		if json.Unmarshal(part.raw, &v) == nil {
			out = slices.AppendSeq(out, textsIn(v, part.at))
		}
	}
	return out
}

// MarkupHolds reports where, in anything that the bot has shown or edited away,
// Slack would read markup in a text that holds s: each place in a few words.
func (s *Server) MarkupHolds(text string) (places []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	look := func(m Message) {
		for _, old := range m.Edits {
			before := Message{Text: old.Text, Blocks: old.Blocks, Attachments: old.Attachments, Unformatted: m.Unformatted}
			if at := before.MarkupHolds(text); at != "" {
				places = append(places, m.Channel+" "+m.TS+at+" before an edit")
			}
		}
		if at := m.MarkupHolds(text); at != "" {
			places = append(places, m.Channel+" "+m.TS+at)
		}
	}
	for _, list := range s.messages {
		for _, m := range list {
			if m.User == s.BotUser {
				look(*m)
			}
		}
	}
	for _, m := range s.ephemeral {
		look(*m)
	}
	for _, views := range []map[string]*View{s.modals, s.homes} {
		for _, v := range views {
			if at := (Message{Blocks: v.blocks()}).MarkupHolds(text); at != "" {
				places = append(places, "view "+v.ID+at)
			}
		}
	}
	return places
}

// MarkupHolds reports where Slack would read markup in a text that holds s, with
// & < > as they are or escaped; "" is nowhere.
func (m Message) MarkupHolds(s string) string {
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
	for _, t := range m.Texts() {
		if t.Interpreted() && (strings.Contains(t.Value, s) || strings.Contains(t.Value, escaped)) {
			return t.Pointer
		}
	}
	return ""
}

// textsIn walks any block, element or attachment.
func textsIn(v any, at string) iter.Seq[Text] {
	return func(yield func(Text) bool) { walk(v, at, yield) }
}

// Fields of an attachment that Slack reads markup in; its fallback too, in notifications.
var attached = []string{"pretext", "text", "fallback", "footer", "title", "author_name"}

func walk(v any, at string, yield func(Text) bool) bool {
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			if !walk(x, fmt.Sprintf("%s/%d", at, i), yield) {
				return false
			}
		}
	case map[string]any:
		kind, typed := v["type"].(string)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			here := at + "/" + name
			s, isText := v[name].(string)
			as := ""
			switch {
			case !isText:
				if !walk(v[name], here, yield) {
					return false
				}
				continue
			case !typed && slices.Contains(attached, name), !typed && name == "value" && v["title"] != nil:
				as = Mrkdwn
			case name == "text" && kind == "text":
				as = Rich
			case name == "text":
				as = kind
			case name == "alt_text", name == "accessibility_label":
				as = Alt
			case name == "url", name == "image_url", name == "title_link":
				as = Address
			}
			if as != "" && !yield(Text{as, s, here}) {
				return false
			}
		}
	}
	return true
}
