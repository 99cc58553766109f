package main

import (
	"bytes"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"precedent/bot"
	"precedent/bot/discordtest"
	"precedent/bot/slacktest"
	"precedent/engine/modeltest"
	"precedent/store/neotest"
)

// TestDoctor plants one mistake at a time into what works, and wants it named
// alone, with its cure.
func TestDoctor(t *testing.T) {
	set := func(pairs ...string) func(*newcomer) {
		return func(n *newcomer) {
			for i := 0; i < len(pairs); i += 2 {
				n.env[pairs[i]] = pairs[i+1]
			}
		}
	}
	answers := func(r modeltest.Reply) func(*newcomer) {
		return func(n *newcomer) {
			m := modeltest.New(n.t)
			m.Script(r, r, r, r)
			n.env["OPENAI_BASE_URL"] = m.URL
		}
	}
	scopesBut := func(scope string) slacktest.Options {
		return slacktest.Options{Scopes: slices.DeleteFunc(slices.Clone(slacktest.DefaultScopes), func(s string) bool { return s == scope })}
	}
	tests := []struct {
		name    string
		slack   slacktest.Options
		discord discordtest.Settings
		plant   func(*newcomer)
		part    string // "" where nothing is to be found
		state   bot.State
		what    string
		cure    string
	}{
		{name: "nothing", plant: set()},

		{name: "a wrong bot token", plant: set("SLACK_BOT_TOKEN", "xoxb-mistyped"), part: "Slack bot token", state: bot.Wrong, what: "doesn't know it", cure: "copy the Bot User OAuth Token"},
		{name: "a person's token", plant: set("SLACK_BOT_TOKEN", "xoxp-1"), part: "Slack bot token", state: bot.Wrong, what: "a person's token", cure: "copy the Bot User OAuth Token"},
		{name: "the app token twice", plant: func(n *newcomer) { n.env["SLACK_BOT_TOKEN"] = n.slack.AppToken }, part: "Slack bot token", state: bot.Wrong, what: "holds an app-level token (xapp-)", cure: "put it into SLACK_APP_TOKEN"},
		{name: "the bot token twice", plant: func(n *newcomer) { n.env["SLACK_APP_TOKEN"] = n.slack.BotToken }, part: "Slack app token", state: bot.Wrong, what: "holds a bot token (xoxb-)", cure: "connections:write"},
		{name: "an app token of nobody", plant: set("SLACK_APP_TOKEN", "xapp-mistyped"), part: "Slack app token", state: bot.Wrong, what: "doesn't know it", cure: "connections:write"},
		{name: "no app token", plant: set("SLACK_APP_TOKEN", ""), part: "Slack app token", state: bot.Wrong, what: "there is none", cure: "App-Level Tokens"},
		{name: "no bot token", plant: set("SLACK_BOT_TOKEN", ""), part: "Slack bot token", state: bot.Wrong, what: "there is none", cure: "OAuth & Permissions"},
		{name: "signed events and nowhere to listen", plant: set("SLACK_APP_TOKEN", "", "SLACK_SIGNING_SECRET", "secret", "PRECEDENT_HTTP", ""), part: "Slack events", state: bot.Wrong, what: "over HTTP", cure: "--http"},
		{name: "a token that was revoked", plant: func(n *newcomer) { n.slack.Fail("auth.test", slacktest.Fault{Error: "account_inactive", Times: 9}) }, part: "Slack bot token", state: bot.Wrong, what: "no longer valid", cure: "reinstall the app"},
		{name: "a scope is missing", slack: scopesBut("reactions:read"), plant: set(), part: "Slack scopes", state: bot.Wrong, what: "reactions are no votes", cure: "Add an OAuth Scope: reactions:read; then reinstall"},
		{name: "Slack out of reach", plant: func(n *newcomer) { n.env["SLACK_API_URL"] = "http://" + closedPort(n.t) + "/api/" }, part: "Slack", state: bot.Wrong, what: "can't be asked", cure: "let this machine reach"},

		{name: "a wrong Discord token", plant: set("DISCORD_TOKEN", "mistyped.token"), part: "Discord token", state: bot.Wrong, what: "401", cure: "Bot, Reset Token, Copy"},
		{name: "the public key for a token", plant: set("DISCORD_TOKEN", strings.Repeat("0a", 32)), part: "Discord token", state: bot.Wrong, what: "public key", cure: "Bot, Reset Token, Copy"},
		{name: "Bot before the token", plant: set("DISCORD_TOKEN", "Bot fake"), part: "Discord token", state: bot.Wrong, what: "begins with", cure: "Bot, Reset Token, Copy"},
		{name: "an intent is missing", plant: set("PRECEDENT_DISCORD_CONTENT", "true"), part: "Discord intents", state: bot.Wrong, what: "may not have them", cure: "switch Message Content Intent on"},
		{name: "an intent is there", discord: discordtest.Settings{Privileged: discordtest.IntentContent}, plant: set("PRECEDENT_DISCORD_CONTENT", "true")},
		{name: "in no server", plant: func(n *newcomer) { n.instead("/users/@me/guilds", func([]byte) []byte { return []byte("[]") }) },
			part: "Discord servers", state: bot.Wrong, what: "in none", cure: "https://discord.com/oauth2/authorize?client_id="},
		{name: "a permission is missing", discord: discordtest.Settings{Permissions: discordtest.DefaultPermissions &^ discordtest.PermitEmbeds}, plant: set(),
			part: "Discord servers", state: bot.Doubtful, what: "Embed Links", cure: "https://discord.com/oauth2/authorize?client_id="},
		{name: "commands go elsewhere", plant: func(n *newcomer) {
			n.instead("/applications/@me", func(b []byte) []byte {
				return bytes.Replace(b, []byte(`"interactions_endpoint_url":null`), []byte(`"interactions_endpoint_url":"https://example.com"`), 1)
			})
		}, part: "Discord commands", state: bot.Wrong, what: "an address of yours", cure: "empty Interactions Endpoint URL"},
		{name: "no websockets", plant: func(n *newcomer) {
			n.discord.FailGateway(discordtest.GatewayFault{At: discordtest.OnConnect, Times: -1})
		},
			part: "Discord gateway", state: bot.Wrong, what: "503", cure: "open websockets"},
		{name: "Discord out of reach", plant: func(n *newcomer) { n.env["DISCORD_API_URL"] = "http://" + closedPort(n.t) }, part: "Discord token", state: bot.Wrong, what: "can't be asked", cure: "let this machine reach"},

		{name: "no model", plant: set("OPENAI_MODEL", "", "OPENAI_EMBEDDING_MODEL", "", "OPENAI_API_KEY", "", "OPENAI_BASE_URL", ""), part: "model", state: bot.Doubtful, what: "only what verified cases cover", cure: "set OPENAI_MODEL"},
		{name: "a model without a key", plant: set("OPENAI_API_KEY", "", "OPENAI_BASE_URL", ""), part: "configuration", state: bot.Wrong, what: "needs OPENAI_API_KEY", cure: "precedent --help"},
		{name: "a wrong key", plant: answers(modeltest.Status(401, `{"error":{"message":"Incorrect API key provided: sk-right-and-secret"}}`)), part: "model", state: bot.Wrong, what: "denied", cure: "check OPENAI_API_KEY"},
		{name: "no such model", plant: answers(modeltest.Status(404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`)), part: "model", state: bot.Wrong, what: "unknown", cure: "set OPENAI_MODEL"},
		{name: "a model that chats", plant: answers(modeltest.Text("I am ready!")), part: "model", state: bot.Wrong, what: "no sense", cure: "replies in JSON"},
		{name: "an account without credit", plant: answers(modeltest.OverQuota()), part: "model", state: bot.Wrong, what: "unavailable", cure: "credit"},
		{name: "the model out of reach", plant: func(n *newcomer) {
			n.env["OPENAI_BASE_URL"], n.env["OPENAI_EMBEDDING_MODEL"] = "http://"+closedPort(n.t)+"/v1", ""
		}, part: "model", state: bot.Wrong, what: "unavailable", cure: "check OPENAI_BASE_URL"},
		{name: "no such embeddings", plant: func(n *newcomer) {
			n.model.ScriptEmbeddings(modeltest.Status(404, ""), modeltest.Status(404, ""), modeltest.Status(404, ""))
		},
			part: "embeddings", state: bot.Wrong, what: "unknown", cure: "set OPENAI_EMBEDDING_MODEL"},

		{name: "the graph out of reach", plant: func(n *newcomer) { n.env["PRECEDENT_GRAPH"] = "bolt://" + closedPort(n.t) }, part: "graph", state: bot.Wrong, what: "nothing answers at bolt://", cure: "start Neo4j"},
		{name: "the browser's address for the graph", plant: set("PRECEDENT_GRAPH", "http://localhost:7474"), part: "graph", state: bot.Wrong, what: "scheme", cure: "neo4j://host:7687"},
		{name: "no such folder of a graph", plant: set("PRECEDENT_GRAPH", "nowhere"), part: "configuration", state: bot.Wrong, what: "neither", cure: "--graph"},

		{name: "a file for a data folder", plant: func(n *newcomer) {
			n.data = filepath.Join(n.data, "file")
			if err := os.WriteFile(n.data, nil, 0o600); err != nil {
				n.t.Fatal(err)
			}
		}, part: "data folder", state: bot.Wrong, what: "can't be written", cure: "--data"},
		{name: "cases of a newer version", plant: func(n *newcomer) {
			files, err := filepath.Glob(filepath.Join(n.data, "*", "cases.db"))
			if err != nil || len(files) != 1 {
				n.t.Fatal(files, err)
			}
			db, err := sql.Open("sqlite", files[0])
			if err != nil {
				n.t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
				n.t.Fatal(err)
			}
		}, part: "case library", state: bot.Wrong, what: "newer version", cure: "use that version"},
		{name: "nobody curates", plant: set("PRECEDENT_CURATORS", ""), part: "curators", state: bot.Doubtful, what: "nobody", cure: "PRECEDENT_CURATORS=slack:U1"},
		{name: "a variable misspelt", plant: set("PRECEDENT_QUROUM", "2"), part: "configuration", state: bot.Doubtful, what: "PRECEDENT_QUROUM means nothing", cure: "PRECEDENT_QUORUM"},
		{name: "no such configuration", plant: set("PRECEDENT_CONFIG", "nowhere.yaml"), part: "configuration", state: bot.Wrong, what: "nowhere.yaml", cure: "--config"},
		{name: "open to others", plant: set("PRECEDENT_HTTP", "0.0.0.0:0"), part: "HTTP", state: bot.Wrong, what: "reached from other machines", cure: "PRECEDENT_HTTP_TOKEN"},
		{name: "a port that is taken", plant: func(n *newcomer) {
			other := httptest.NewServer(http.NotFoundHandler())
			n.t.Cleanup(other.Close)
			n.env["PRECEDENT_HTTP"] = strings.TrimPrefix(other.URL, "http://")
		}, part: "HTTP", state: bot.Wrong, what: "another program", cure: "another port"},
	}
	graph, data := prepared(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := begins(t, test.slack, test.discord, graph, data)
			test.plant(n)
			found := n.doctor()
			if test.part == "" {
				if s := sick(found); len(s) > 0 {
					t.Errorf("found %+v", s)
				}
				return
			}
			hit := false
			for _, f := range sick(found) {
				if !strings.HasPrefix(f.Part, test.part) {
					t.Errorf("besides: %+v", f)
				} else if f.State != test.state || !strings.Contains(f.What, test.what) || !strings.Contains(f.Cure, test.cure) {
					t.Errorf("found %+v\nwant %s, %q, cure %q", f, test.state, test.what, test.cure)
				} else {
					hit = true
				}
			}
			if !hit {
				t.Errorf("it isn't found: %+v", found)
			}
		})
	}
}

// TestDoctorSwapped: each of two tokens in the other's place is one mistake.
func TestDoctorSwapped(t *testing.T) {
	graph, data := prepared(t)
	n := begins(t, slacktest.Options{}, discordtest.Settings{}, graph, data)
	n.env["SLACK_BOT_TOKEN"], n.env["SLACK_APP_TOKEN"] = n.slack.AppToken, n.slack.BotToken
	found := sick(n.doctor())
	if len(found) == 0 || !strings.Contains(found[0].What, "are swapped") {
		t.Errorf("found %+v", found)
	}
}

// TestDoctorNeo4j goes wrong with a real one in three ways, and then right.
func TestDoctorNeo4j(t *testing.T) {
	t.Parallel()
	server := neotest.StartWith(t, neotest.Options{Password: "long-enough-secret"})
	graph := func(t *testing.T, user, password, database string) *newcomer {
		n := begins(t, slacktest.Options{}, discordtest.Settings{})
		delete(n.env, "PRECEDENT_GRAPH")
		n.env["NEO4J_URI"], n.env["NEO4J_USERNAME"], n.env["NEO4J_PASSWORD"], n.env["NEO4J_DATABASE"] = server.URI, user, password, database
		return n
	}
	for _, test := range []struct{ name, password, database, what, cure string }{
		{"empty", server.Password, "", "is empty", "load the graph"},
		{"wrong password", "mistyped-password", "", "wrong user or password", "check NEO4J_USERNAME and NEO4J_PASSWORD"},
		{"wrong database", server.Password, "films", "not found", "check NEO4J_DATABASE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := sick(graph(t, server.Username, test.password, test.database).doctor())
			if len(found) == 0 || found[0].Part != "graph" || found[0].State != bot.Wrong || !strings.Contains(found[0].What, test.what) || !strings.Contains(found[0].Cure, test.cure) {
				t.Errorf("found %+v", found)
			}
		})
	}
	server.Exec(t, "CREATE (:City {name: 'Oslo'})-[:IN]->(:Country {name: 'Norway'})", nil)
	found := sick(graph(t, server.Username, server.Password, "").doctor())
	var parts []string
	for _, f := range found {
		parts = append(parts, f.Part+" "+string(f.State))
	}
	if want := []string{"graph's user warning", "case library warning"}; !slices.Equal(parts, want) {
		t.Errorf("found %+v, want %v", found, want)
	}
}

// TestDoctorBeside looks while a serve is at work.
func TestDoctorBeside(t *testing.T) {
	graph, data := prepared(t)
	n := begins(t, slacktest.Options{}, discordtest.Settings{}, graph, data)
	n.env["PRECEDENT_HTTP"] = closedPort(t)
	n.serves()
	found := sick(n.doctor())
	if len(found) != 1 || found[0].Part != "inbox" || found[0].State != bot.Doubtful || !strings.Contains(found[0].Cure, "stop that one first") {
		t.Errorf("found %+v", found)
	}
}
