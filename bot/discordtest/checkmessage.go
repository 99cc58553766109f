package discordtest

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of a message, by "Create Message" and "Embed Limits"; lengths are in
// code points.
const (
	maxContent     = 2000
	maxEmbeds      = 10
	maxEmbedText   = 6000 // all embeds of a message together
	maxTitle       = 256
	maxDescription = 4096
	maxFields      = 25
	maxFieldName   = 256
	maxFieldValue  = 1024
	maxFooter      = 2048
	maxAuthor      = 256
	maxAttachments = 10
	maxFileNote    = 1024 // an attachment's description
	maxStickers    = 3
	maxNonce       = 25
	maxAllowed     = 100 // users, or roles, that a message may mention by ID
)

// Message flags.
const (
	flagSuppressEmbeds = 1 << 2
	flagHasThread      = 1 << 5
	flagEphemeral      = 1 << 6
	flagLoading        = 1 << 7
	flagSilent         = 1 << 12
	flagLayout         = 1 << 15 // IS_COMPONENTS_V2
)

func checkMessage(f field) {
	if !f.object() {
		return
	}
	layout := f.get("flags").integer(0, 1<<31-1)&flagLayout != 0
	f.get("content").text(maxContent)
	checkEmbeds(f.get("embeds"))
	checkAllowed(f.get("allowed_mentions"))
	checkComponents(f.get("components"), layout)
	for _, a := range f.get("attachments").list(maxAttachments) {
		if a.object() && a.get("id").required() {
			a.get("id").snowflake()
			a.get("filename").text(1024)
			a.get("description").text(maxFileNote)
		}
	}
	if ref := f.get("message_reference"); ref.object() {
		if id := ref.get("message_id"); id.required() {
			id.snowflake()
		}
		ref.get("channel_id").snowflake()
		ref.get("guild_id").snowflake()
		ref.get("fail_if_not_exists").boolean()
	}
	f.get("nonce").text(maxNonce)
	f.get("enforce_nonce").boolean()
	f.get("tts").boolean()
	for _, s := range f.get("sticker_ids").list(maxStickers) {
		s.snowflake()
	}
	if layout {
		for _, key := range []string{"content", "embeds", "poll", "sticker_ids"} {
			old := f.get(key)
			list, _ := old.v.([]any)
			if !old.absent() && old.v != "" && (key == "content" || len(list) > 0) {
				old.fail("MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", key)
			}
		}
	}
}

// blank is a message that shows nothing.
func blank(f field) bool {
	content, _ := f.get("content").v.(string)
	if strings.TrimSpace(content) != "" || !f.get("poll").absent() {
		return false
	}
	for _, key := range []string{"embeds", "components", "attachments", "sticker_ids"} {
		if list, _ := f.get(key).v.([]any); len(list) > 0 {
			return false
		}
	}
	return true
}

func checkEmbeds(f field) {
	total := 0
	for _, e := range f.list(maxEmbeds) {
		if !e.object() {
			continue
		}
		add := func(x field, most int) bool {
			s := x.text(most)
			total += utf8.RuneCountInString(s)
			return strings.TrimSpace(s) != ""
		}
		shown := add(e.get("title"), maxTitle)
		shown = add(e.get("description"), maxDescription) || shown
		e.get("url").link("http", "https")
		e.get("color").integer(0, 0xFFFFFF)
		if stamp := e.get("timestamp"); !stamp.absent() && stamp.v != "" {
			if s, _ := stamp.v.(string); !isTime(s) {
				stamp.fail("DATE_TIME_TYPE_PARSE", "Could not parse %v. Should be ISO8601.", stamp.v)
			}
			shown = true
		}
		for _, x := range e.get("fields").list(maxFields) {
			if !x.object() {
				continue
			}
			if name := x.get("name"); !add(name, maxFieldName) {
				name.fail("BASE_TYPE_REQUIRED", "This field is required")
			}
			if value := x.get("value"); !add(value, maxFieldValue) {
				value.fail("BASE_TYPE_REQUIRED", "This field is required")
			}
			x.get("inline").boolean()
			shown = true
		}
		if foot := e.get("footer"); foot.object() {
			if !add(foot.get("text"), maxFooter) {
				foot.get("text").fail("BASE_TYPE_REQUIRED", "This field is required")
			}
			foot.get("icon_url").link("http", "https", "attachment")
			shown = true
		}
		if author := e.get("author"); author.object() {
			shown = add(author.get("name"), maxAuthor) || shown
			author.get("url").link("http", "https")
			author.get("icon_url").link("http", "https", "attachment")
		}
		for _, key := range []string{"image", "thumbnail"} {
			if pic := e.get(key); pic.object() {
				pic.get("url").link("http", "https", "attachment")
				shown = true
			}
		}
		if !shown {
			e.get("description").fail("BASE_TYPE_REQUIRED", "This field is required")
		}
	}
	if total > maxEmbedText {
		f.fail("MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of %d", maxEmbedText)
	}
}

func isTime(s string) bool {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

func checkAllowed(f field) {
	if !f.object() {
		return
	}
	var kinds []string
	for _, p := range f.get("parse").list(3) {
		kind, _ := p.v.(string)
		if !slices.Contains([]string{"roles", "users", "everyone"}, kind) {
			p.fail("BASE_TYPE_CHOICES", "Value must be one of ('roles', 'users', 'everyone').")
		}
		kinds = append(kinds, kind)
	}
	for _, kind := range []string{"users", "roles"} {
		ids := f.get(kind).list(maxAllowed)
		for _, id := range ids {
			id.snowflake()
		}
		if len(ids) > 0 && slices.Contains(kinds, kind) {
			f.fail("MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", `parse:["%s"] and %s: [ids...] are mutually exclusive.`, kind, kind)
		}
	}
	f.get("replied_user").boolean()
}

var customEmoji = regexp.MustCompile(`^(a:)?\w{2,32}:\d+$`)

// isEmoji is true of what Discord takes for an emoji: one of Unicode's, or a
// server's own as name:id.
func isEmoji(s string) bool {
	if customEmoji.MatchString(s) {
		return true
	}
	if strings.HasSuffix(s, "\u20e3") { // keycaps: # * 0-9
		return strings.ContainsAny(s[:1], "#*0123456789")
	}
	picture := false
	for _, r := range s {
		switch {
		case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2190 && r <= 0x2BFF, r == 0x3030, r == 0x303D, r == 0x3297, r == 0x3299,
			r == 0x203C, r == 0x2049, r == 0x2122, r == 0x2139, r == 0xA9, r == 0xAE:
			picture = true
		case r == 0x200D, r == 0xFE0F, r >= 0xE0020 && r <= 0xE007F: // joiner, style, tags of flags
		default:
			return false
		}
	}
	return picture && utf8.RuneCountInString(s) <= 16
}
