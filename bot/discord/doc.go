// Package discord brings the bot to Discord: it turns what people do there into
// [bot.Heard] and draws [bot.Card].
//
// It promises that what people did is acknowledged to Discord only after
// [Discord.Hear] has it; that what was missed while the gateway was away is read
// back; that whatever a card holds shows as it stands, calls nobody and leads
// nowhere; and that nothing it sends is larger than Discord takes: what must be
// left out leaves a line "…" in its place. It knows nothing of questions, cases
// and votes, and has no sentences of its own but the commands' names, which are
// in package words.
//
// What Discord itself gives nobody back is lost while the bot is away: the first
// words of a direct conversation that it never had, changes and deletions of
// messages, and reactions that are taken back.
//
// Of discordgo it uses the gateway, one fresh session for each connection.
// Requests it makes by itself: discordgo's REST sleeps through rate limits with
// a lock held, and keeps a rate bucket for each interaction for ever.
//
// Start reading at discord.go, then hear.go for what comes in and chat.go for
// what goes out.
package discord
