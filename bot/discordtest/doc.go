// Package discordtest is a Discord for tests: a REST API and a gateway on
// loopback, which the real client library talks to, and a world of people,
// channels and messages that a test moves by hand.
//
//	discord := discordtest.Start(t, discordtest.Settings{})
//	session := discord.Session()                       // a real *discordgo.Session
//	...                                                // start the bot with it
//	ask := discord.Run("Ann", discord.General, "ask", discordtest.Option{Name: "question", Value: "who?"})
//	answer := discord.AwaitMessage(discord.General, func(m discordtest.Message) bool { return m.Content != "" })
//	discord.Click("Ann", answer, "👍")
//
// It promises to answer as Discord's published reference says Discord answers:
// the same status, code and message, the same headers, and where a body is at
// fault the same tree of errors. What it refuses it also keeps, so a test can
// assert that [Server.Violations] is empty. Texts are counted in Unicode code
// points. Where Discord's reference leaves the code under "errors" unsaid, the
// fake's is a guess; the path and the code 50035 never are.
//
// Mentions are judged strictly: one inside a code block counts as a ping too.
// Fields of a body that Discord doesn't know it ignores, and so does the fake.
// Not here: voice, stages, forums, polls, stickers, webhooks that belong to no
// interaction, apps installed to users, and compression, which the gateway may
// do without.
//
// Start reading at server.go, then people.go for what a person can do, and
// watch.go for what a test can see. check.go checks a body without a server.
//
// # Pointing a client here
//
// discordgo builds its URLs from package variables, so pointing it by those
// would share one server between all the sessions of a program. [Transport]
// instead sends whatever goes to Discord's API to another base, as
// DISCORD_API_URL names it: [Server.APIURL] gives that value. The gateway
// needs nothing: its address comes from GET /gateway.
package discordtest
