package discordtest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"precedent/bot/discordtest"
)

func buttons(n int) discordgo.ActionsRow {
	var row discordgo.ActionsRow
	for i := range n {
		row.Components = append(row.Components, discordgo.Button{Label: "b", CustomID: strings.Repeat("x", i+1), Style: discordgo.PrimaryButton})
	}
	return row
}

func rows(of ...discordgo.MessageComponent) []discordgo.MessageComponent {
	return []discordgo.MessageComponent{discordgo.ActionsRow{Components: of}}
}

func embeds(n int, e discordgo.MessageEmbed) []*discordgo.MessageEmbed {
	return slices.Repeat([]*discordgo.MessageEmbed{&e}, n)
}

func TestMessageLimits(t *testing.T) {
	t.Parallel()
	x := func(n int) string { return strings.Repeat("界", n) } // one code point, three bytes
	field := func(n int) []*discordgo.MessageEmbedField {
		return slices.Repeat([]*discordgo.MessageEmbedField{{Name: "n", Value: "v"}}, n)
	}
	options := func(n int) (out []discordgo.SelectMenuOption) {
		for i := range n {
			out = append(out, discordgo.SelectMenuOption{Label: "l", Value: x(i + 1)})
		}
		return out
	}
	type send = discordgo.MessageSend
	for _, c := range []struct {
		name string
		body send
		want string // path and code of each problem; "" is none
	}{
		{"content", send{Content: x(2000)}, ""},
		{"long content", send{Content: x(2001)}, "content[BASE_TYPE_MAX_LENGTH]"},
		{"ten embeds", send{Embeds: embeds(10, discordgo.MessageEmbed{Title: "t"})}, ""},
		{"eleven embeds", send{Embeds: embeds(11, discordgo.MessageEmbed{Title: "t"})}, "embeds[BASE_TYPE_MAX_LENGTH]"},
		{"embeds of 6,000", send{Embeds: embeds(2, discordgo.MessageEmbed{Description: x(3000)})}, ""},
		{"embeds of 6,002", send{Embeds: embeds(2, discordgo.MessageEmbed{Description: x(3001)})}, "embeds[MAX_EMBED_SIZE_EXCEEDED]"},
		{"embed title", send{Embeds: embeds(1, discordgo.MessageEmbed{Title: x(257)})}, "embeds.0.title[BASE_TYPE_MAX_LENGTH]"},
		{"embed description", send{Embeds: embeds(1, discordgo.MessageEmbed{Description: x(4097)})}, "embeds.0.description[BASE_TYPE_MAX_LENGTH]"},
		{"embed fields", send{Embeds: embeds(1, discordgo.MessageEmbed{Fields: field(26)})}, "embeds.0.fields[BASE_TYPE_MAX_LENGTH]"},
		{"empty field", send{Embeds: embeds(1, discordgo.MessageEmbed{Fields: []*discordgo.MessageEmbedField{{Name: "n"}}})}, "embeds.0.fields.0.value[BASE_TYPE_REQUIRED]"},
		{"long field", send{Embeds: embeds(1, discordgo.MessageEmbed{Fields: []*discordgo.MessageEmbedField{{Name: x(257), Value: x(1025)}}})},
			"embeds.0.fields.0.name[BASE_TYPE_MAX_LENGTH] embeds.0.fields.0.value[BASE_TYPE_MAX_LENGTH]"},
		{"footer", send{Embeds: embeds(1, discordgo.MessageEmbed{Title: "t", Footer: &discordgo.MessageEmbedFooter{Text: x(2049)}})}, "embeds.0.footer.text[BASE_TYPE_MAX_LENGTH]"},
		{"embed of nothing", send{Embeds: embeds(1, discordgo.MessageEmbed{})}, "embeds.0.description[BASE_TYPE_REQUIRED]"},
		{"embed link", send{Embeds: embeds(1, discordgo.MessageEmbed{Title: "t", URL: "javascript://x"})}, "embeds.0.url[URL_TYPE_INVALID_SCHEME]"},
		{"five rows", send{Content: "c", Components: rowsOf(5)}, ""},
		{"six rows", send{Content: "c", Components: rowsOf(6)}, "components[BASE_TYPE_MAX_LENGTH]"},
		{"five buttons", send{Content: "c", Components: []discordgo.MessageComponent{buttons(5)}}, ""},
		{"six buttons", send{Content: "c", Components: []discordgo.MessageComponent{buttons(6)}}, "components.0.components[BASE_TYPE_BAD_LENGTH]"},
		{"empty row", send{Content: "c", Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{}}}}, "components.0.components[BASE_TYPE_BAD_LENGTH]"},
		{"button outside a row", send{Content: "c", Components: []discordgo.MessageComponent{discordgo.Button{Label: "b", CustomID: "x"}}}, "components.0.type[UNION_TYPE_CHOICES]"},
		{"same custom_id", send{Content: "c", Components: rows(discordgo.Button{Label: "a", CustomID: "x"}, discordgo.Button{Label: "b", CustomID: "x"})},
			"components.0.components.1.custom_id[COMPONENT_CUSTOM_ID_DUPLICATED]"},
		{"custom_id", send{Content: "c", Components: rows(discordgo.Button{Label: "b", CustomID: x(101)})}, "components.0.components.0.custom_id[BASE_TYPE_BAD_LENGTH]"},
		{"no custom_id", send{Content: "c", Components: rows(discordgo.Button{Label: "b"})}, "components.0.components.0.custom_id[COMPONENT_CUSTOM_ID_REQUIRED]"},
		{"label", send{Content: "c", Components: rows(discordgo.Button{Label: x(81), CustomID: "x"})}, "components.0.components.0.label[BASE_TYPE_MAX_LENGTH]"},
		{"no label", send{Content: "c", Components: rows(discordgo.Button{CustomID: "x"})}, "components.0.components.0[BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED]"},
		{"emoji of words", send{Content: "c", Components: rows(discordgo.Button{CustomID: "x", Emoji: &discordgo.ComponentEmoji{Name: "thumbsup"}})}, "components.0.components.0.emoji.name[COMPONENT_INVALID_EMOJI]"},
		{"link", send{Content: "c", Components: rows(discordgo.Button{Label: "b", Style: discordgo.LinkButton, URL: "https://example.org"})}, ""},
		{"link without url", send{Content: "c", Components: rows(discordgo.Button{Label: "b", Style: discordgo.LinkButton})}, "components.0.components.0.url[BASE_TYPE_REQUIRED]"},
		{"text input", send{Content: "c", Components: rows(discordgo.TextInput{CustomID: "x", Label: "l", Style: 1})}, "components.0.components.0.type[UNION_TYPE_CHOICES]"},
		{"25 options", send{Content: "c", Components: rows(discordgo.SelectMenu{CustomID: "x", Options: options(25)})}, ""},
		{"26 options", send{Content: "c", Components: rows(discordgo.SelectMenu{CustomID: "x", Options: options(26)})}, "components.0.components.0.options[BASE_TYPE_BAD_LENGTH]"},
		{"select and button", send{Content: "c", Components: rows(discordgo.SelectMenu{CustomID: "x", Options: options(1)}, discordgo.Button{Label: "b", CustomID: "y"})},
			"components.0.components.0[COMPONENT_LAYOUT_WIDTH_EXCEEDED]"},
		{"mentions both ways", send{Content: "c", AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{"users"}, Users: []string{"1"}}},
			"allowed_mentions[MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE]"},
		{"reference", send{Content: "c", Reference: &discordgo.MessageReference{MessageID: "abc"}}, "message_reference.message_id[NUMBER_TYPE_COERCE]"},
		{"new layout", send{Flags: discordgo.MessageFlagsIsComponentsV2, Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "t"}}}, ""},
		{"new layout with content", send{Content: "c", Flags: discordgo.MessageFlagsIsComponentsV2, Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "t"}}},
			"content[MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := found(discordtest.Check(discordtest.NewMessage, &c.body)); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

func rowsOf(n int) (out []discordgo.MessageComponent) {
	for i := range n {
		out = append(out, discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.Button{Label: "b", CustomID: strings.Repeat("y", i+1)}}})
	}
	return out
}

// found is path and code of each problem.
func found(err error) string {
	e, ok := errors.AsType[*discordtest.Error](err)
	if !ok {
		return ""
	}
	var out []string
	for _, p := range e.Problems {
		out = append(out, p.Path+"["+p.Code+"]")
	}
	if len(out) == 0 {
		return e.Error()
	}
	return strings.Join(out, " ")
}

func TestCallbackLimits(t *testing.T) {
	t.Parallel()
	choices := func(n, length int) (out []*discordgo.ApplicationCommandOptionChoice) {
		for range n {
			out = append(out, &discordgo.ApplicationCommandOptionChoice{Name: strings.Repeat("界", length), Value: "v"})
		}
		return out
	}
	modal := func(title, label string, n int) *discordgo.InteractionResponseData {
		d := &discordgo.InteractionResponseData{CustomID: "m", Title: title}
		for i := range n {
			d.Components = append(d.Components, discordgo.ActionsRow{Components: []discordgo.MessageComponent{
				discordgo.TextInput{CustomID: strings.Repeat("i", i+1), Label: label, Style: discordgo.TextInputShort}}})
		}
		return d
	}
	type reply = discordgo.InteractionResponse
	for _, c := range []struct {
		name string
		body reply
		want string
	}{
		{"25 choices", reply{Type: 8, Data: &discordgo.InteractionResponseData{Choices: choices(25, 100)}}, ""},
		{"26 choices", reply{Type: 8, Data: &discordgo.InteractionResponseData{Choices: choices(26, 1)}}, "data.choices[BASE_TYPE_MAX_LENGTH]"},
		{"long choice", reply{Type: 8, Data: &discordgo.InteractionResponseData{Choices: choices(1, 101)}}, "data.choices.0.name[BASE_TYPE_BAD_LENGTH]"},
		{"modal", reply{Type: 9, Data: modal(strings.Repeat("界", 45), strings.Repeat("界", 45), 5)}, ""},
		{"modal title", reply{Type: 9, Data: modal(strings.Repeat("界", 46), "l", 1)}, "data.title[BASE_TYPE_BAD_LENGTH]"},
		{"modal label", reply{Type: 9, Data: modal("t", strings.Repeat("界", 46), 1)}, "data.components.0.components.0.label[BASE_TYPE_BAD_LENGTH]"},
		{"modal of six", reply{Type: 9, Data: modal("t", "l", 6)}, "data.components[BASE_TYPE_BAD_LENGTH]"},
		{"button in a modal", reply{Type: 9, Data: &discordgo.InteractionResponseData{CustomID: "m", Title: "t", Components: rows(discordgo.Button{Label: "b", CustomID: "x"})}},
			"data.components.0.components.0.type[UNION_TYPE_CHOICES]"},
		{"no such type", reply{Type: 3}, "type[BASE_TYPE_CHOICES]"},
		{"content", reply{Type: 4, Data: &discordgo.InteractionResponseData{Content: strings.Repeat("x", 2001)}}, "data.content[BASE_TYPE_MAX_LENGTH]"},
		{"empty", reply{Type: 4, Data: &discordgo.InteractionResponseData{}}, "400 Cannot send an empty message (50006)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := found(discordtest.Check(discordtest.Callback, &c.body)); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

func TestCommandLimits(t *testing.T) {
	t.Parallel()
	option := func(name string, required bool) *discordgo.ApplicationCommandOption {
		return &discordgo.ApplicationCommandOption{Type: discordgo.ApplicationCommandOptionString, Name: name, Description: "d", Required: required}
	}
	type cmd = discordgo.ApplicationCommand
	many := func(n int) (out []*discordgo.ApplicationCommandOption) {
		for i := range n {
			out = append(out, option(strings.Repeat("o", i+1), false))
		}
		return out
	}
	for _, c := range []struct {
		name string
		body []*cmd
		want string
	}{
		{"ours", commands(), ""},
		{"capitals", []*cmd{{Name: "Ask", Description: "d"}}, "0.name[APPLICATION_COMMAND_INVALID_NAME]"},
		{"space", []*cmd{{Name: "ask me", Description: "d"}}, "0.name[APPLICATION_COMMAND_INVALID_NAME]"},
		{"no description", []*cmd{{Name: "ask"}}, "0.description[BASE_TYPE_REQUIRED]"},
		{"long description", []*cmd{{Name: "ask", Description: strings.Repeat("x", 101)}}, "0.description[BASE_TYPE_BAD_LENGTH]"},
		{"long translation", []*cmd{{Name: "ask", Description: "d", NameLocalizations: &map[discordgo.Locale]string{"zh-CN": strings.Repeat("问", 33)}}},
			"0.name_localizations.zh-CN[BASE_TYPE_BAD_LENGTH] 0.name_localizations.zh-CN[APPLICATION_COMMAND_INVALID_NAME]"},
		{"no such locale", []*cmd{{Name: "ask", Description: "d", NameLocalizations: &map[discordgo.Locale]string{"zh": "问"}}}, "0.name_localizations.zh[ENUM_TYPE_COERCE]"},
		{"twice", []*cmd{{Name: "ask", Description: "d"}, {Name: "ask", Description: "d"}}, "1[APPLICATION_COMMANDS_DUPLICATE_NAME]"},
		{"26 options", []*cmd{{Name: "ask", Description: "d", Options: many(26)}}, "0.options[BASE_TYPE_MAX_LENGTH]"},
		{"required last", []*cmd{{Name: "ask", Description: "d", Options: []*discordgo.ApplicationCommandOption{option("a", false), option("b", true)}}},
			"0.options.1[APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID]"},
		{"message command described", []*cmd{{Name: "Curate case", Type: discordgo.MessageApplicationCommand, Description: "d"}},
			"0.description[APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_NOT_ALLOWED]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := found(discordtest.Check(discordtest.AllCommands, c.body)); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}
