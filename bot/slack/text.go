package slack

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is what stands for people, channels and links in a text of Slack's
// (docs.slack.dev/messaging/formatting-message-text#retrieving-messages).
var token = regexp.MustCompile(`<(@|#|!|https?:|mailto:|tel:|ftp:)([^<>|]*)(?:\|([^<>]*))?>`)

var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// readable is a message's text as people read it, without calls of the bot.
func readable(text, me string) string {
	text = token.ReplaceAllStringFunc(text, func(t string) string {
		part := token.FindStringSubmatch(t)
		kind, id, label := part[1], part[2], part[3]
		switch {
		case kind == "@" && id == me:
			return " "
		case kind == "!" && strings.HasPrefix(id, "date^") && label != "":
			return label
		case kind == "@", kind == "#", kind == "!":
			if label == "" {
				label, _, _ = strings.Cut(id, "^")
			}
			return strings.Trim(kind, "!") + map[bool]string{true: "@"}[kind == "!"] + strings.TrimLeft(label, "@#")
		case label != "":
			return label
		}
		return kind + id
	})
	text = unescape.Replace(text)
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }), " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// calls reports whether a text as Slack sends it calls a user.
func calls(text, user string) bool {
	return strings.Contains(text, "<@"+user+">") || strings.Contains(text, "<@"+user+"|")
}

// callsAnyone reports whether a text calls anyone.
func callsAnyone(text string) bool {
	return strings.Contains(text, "<@") || strings.Contains(text, "<!")
}

// clean is a text without what doesn't show, or shows other text than stands
// there: control characters, and those that turn the direction of writing.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\r', r == '\u2028', r == '\u2029':
			return '\n'
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
			return -1
		case r >= 0xE0000 && r <= 0xE007F: // tags, invisible
			return -1
		}
		return r
	}, text)
}

// line is a clean text in one line.
func line(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

// inert writes the characters of which Slack makes markup, links, calls and
// commands as others that look like them. Slack knows no escape for * _ ~ and `,
// and where it takes mrkdwn: false for a message, it takes none for its edits.
var inert = strings.NewReplacer("&", "＆", "<", "‹", ">", "›", "*", "∗", "_", "＿", "~", "∼", "`", "ˋ", "@", "＠", "#", "＃", "/", "∕", "|", "∣")

var emoji = regexp.MustCompile(`:([a-z0-9_+'-]+):`)

// fallbackMost is how long the fallback of a message may be: chat.update refuses
// more than 4,000 characters.
const fallbackMost = 3_000

// fallback is a text for where blocks don't show, such as notifications: no markup,
// no call and no link is left in it.
func fallback(text string) string {
	return cut(emoji.ReplaceAllString(inert.Replace(clean(text)), ":\u2060${1}:"), fallbackMost)
}

// cut is a text of n characters at most, with an ellipsis where some went.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:max(0, n-1)]) + "…"
}
