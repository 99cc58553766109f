// Package slacktest is a Slack workspace for tests: the Web API over HTTP,
// Socket Mode over a websocket, and, where a test asks for it, signed HTTP
// events. The bot's real client library talks to it; nothing of the client is
// replaced.
//
// A test starts a [Server], points the bot at it (SLACK_API_URL, or the
// library's own option, with [Server.APIURL]; tokens are [Server.BotToken] and
// [Server.AppToken]), does what people do ([Server.Say], [Server.React],
// [Server.Click], [Server.Submit], [Server.Command]), waits ([Server.Await]) and
// looks at what people would see ([Server.Messages], [Server.Ephemerals],
// [Server.Home], [Server.Modal]).
//
// The server holds the bot to Slack's published limits and shapes. A request
// that breaks one gets the answer Slack gives, and is kept in
// [Server.Violations], as is what Slack accepts but shows badly. Where the
// documentation is silent and only reports of others tell, the field's comment
// says so: see [Limits].
//
// It never calls out to the network, and leaves no goroutine behind [Server.Close],
// which the test's cleanup calls. Events reach an app at least once and in no
// promised order; [Server.Hold], [Server.Duplicate] and the faults of
// [Server.Fail] and [Server.DropAt] make use of that.
//
// What it doesn't model: streaming messages, scheduled messages, workflows,
// enterprise grids, and the blocks that are newer than tables (cards, carousels,
// charts, plans), which it refuses as types it doesn't know.
//
// Start reading at [Start] and [Options].
package slacktest
