// Package slack connects the bot to a Slack workspace: it turns what people do
// there into [bot.Heard], draws [bot.Card] as blocks and opens [bot.Form] as
// modals. What is said, and when, is the core's.
//
// It promises: what arrives is acknowledged only after Hear has kept it, so that
// Slack sends again what was not kept; what one conversation brings is heard in
// its order; a text of a card stands only in plain_text, raw_text and rich_text
// elements, where Slack reads no markup, and in the fallback with all markup
// taken out; tokens and response URLs are in no log and no error.
//
// It never posts by itself, and knows nothing of cases, votes or answers.
//
// Start reading at [Slack.Run] and take.go.
package slack
