package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
)

const description = `Answers questions about a graph in Neo4j, in a folder of CSV files, or the
movie graph that ships. Try "precedent demo": it needs nothing.

Every flag can be set in the environment, --graph as PRECEDENT_GRAPH, and most
in the file of --config. The command line wins over the environment, that over
the file. PRECEDENT_CURATORS=slack:U1,discord-role:3 and PRECEDENT_QUORUM=3 say
whose votes make a case.

Secrets come from the environment only:
  NEO4J_URI NEO4J_USERNAME NEO4J_PASSWORD NEO4J_DATABASE     the graph
  OPENAI_API_KEY OPENAI_BASE_URL OPENAI_MODEL                the model: any
  OPENAI_EMBEDDING_MODEL                                     OpenAI-compatible one
  SLACK_BOT_TOKEN SLACK_APP_TOKEN SLACK_SIGNING_SECRET       Slack
  DISCORD_TOKEN                                              Discord
  PRECEDENT_HTTP_TOKEN                                       who may ask over HTTP

Exit codes: 0 answered or done, 3 refused or asked back, 4 unanswered, 1 broken, 2 usage.`

// commands is the tree of commands.
func (p *program) commands() *cli.Command {
	asJSON := func() cli.Flag { return p.boolean("json", "print JSON") }
	root := &cli.Command{
		Name:        "precedent",
		Usage:       "ask your graph; answers come from precedent",
		Description: description,
		Version:     version(),
		HideVersion: false,
		Reader:      p.in, Writer: p.out, ErrWriter: p.err,
		ExitErrHandler: func(context.Context, *cli.Command, error) {}, // run decides
		Flags: []cli.Flag{
			p.text("graph", "`GRAPH`: movies, a folder of CSV files, or a URI (neo4j, bolt, +s, +ssc); default: NEO4J_URI, else movies"),
			p.text("data", "`DIR` for cases and history; default: the platform's folder for user data"),
			p.text("name", "`NAME` of the graph, wherever it is: its cases are kept under it; default: its address says where"),
			p.text("refresh", "`TIME` after which the graph is looked at again, such as 15m, or off; default: 15m"),
			p.text("config", "YAML `FILE` with further settings"),
			p.text("model", "`NAME` of the model; default: OPENAI_MODEL, else none"),
			p.choice("off-topic", "", "what turns away questions that aren't about the graph: word lists, or with a model its own checked refusal (default), or nothing", "", "strict", "model", "off"),
			p.boolean("verbose", "say more: queries, readings, times, a log on standard error"),
		},
		Commands: []*cli.Command{
			{Name: "demo", Usage: "chat in the terminal about the movie graph; needs nothing, and takes a graph or model from --graph and --model alone", Action: p.demo},
			{Name: "chat", Usage: "chat in the terminal about your graph", Action: p.chat},
			{Name: "ask", Usage: "answer one question", ArgsUsage: "QUESTION", Action: p.ask, Flags: []cli.Flag{
				asJSON(),
				p.text("history", "`FILE` of earlier answers (lines of ask --json, oldest first), - for standard input"),
				p.text("user", "`USER` who asks, such as slack:U1"),
				p.choice("scope", "public", "whether others are there", "public", "private"),
				p.boolean("anyway", "ask even if a rule says that it isn't about the graph"),
			}},
			{Name: "serve", Usage: "answer on Slack, on Discord and over HTTP", Action: p.serve, Flags: []cli.Flag{
				&cli.BoolFlag{Name: "discord-content", Usage: "ask Discord for the contents of all messages: follow-ups without a mention", Sources: p.env("discord-content"), HideDefault: true},
				p.keepDays(),
				p.text("http", "`ADDR` to listen on, such as 127.0.0.1:8080; beyond this machine only with PRECEDENT_HTTP_TOKEN"),
			}},
			{Name: "health", Usage: "say whether a serve on this machine runs (exit 0) or doesn't (1): for containers", Action: p.health, Flags: []cli.Flag{
				p.text("http", "`ADDR` that it listens on; default: "+healthAddr),
			}},
			p.doctorCommand(asJSON),
			{Name: "schema", Usage: "show what the graph holds", Action: p.schema, Flags: []cli.Flag{asJSON()}},
			{Name: "refresh", Usage: "read schema and values anew, and hold every case against them; a running serve does so too", Action: p.refresh, Flags: []cli.Flag{asJSON()}},
			p.casesCommand(asJSON),
			{Name: "vote", Usage: "say whether an answer was right", ArgsUsage: "ANSWER up|down|none", Action: p.vote, Flags: []cli.Flag{
				asJSON(),
				p.text("user", "`USER` who votes; default: you, a curator"),
				p.choice("role", "", "default: curator without --user, member with it", "", "curator", "member"),
				p.choice("reason", "", "what was wrong", "", "value", "query", "wording", "unanswerable"),
				p.text("why", "what was wrong, in `WORDS`"),
				p.boolean("as-is", "with a curator's up: keep the case though its words and its query don't prove each other"),
			}},
			{Name: "forget", Usage: "remove what is known of a user, or what is old", Action: p.forget, Flags: []cli.Flag{
				asJSON(), p.text("user", "`USER` to forget, such as slack:U1"), p.keepDays(),
			}},
			{Name: "cypher", Usage: "check or run queries: JSON lines on standard input, one result line each", Action: needsCommand, Commands: []*cli.Command{
				{Name: "check", Usage: `{"query","schema"?} → {"verdict","kind","reason","query","changes","problems","fits"}`, Action: p.cypherCheck, Flags: []cli.Flag{asJSON()}},
				{Name: "run", Usage: `{"query","params"?} → {"columns","rows","truncated"} or {"error":{"kind","message"}}`, Action: p.cypherRun, Flags: []cli.Flag{asJSON()}},
			}},
		},
		Action: needsCommand,
	}
	root.Commands = append(root.Commands, p.filesCommands(asJSON)...)
	root.Walk(func(c *cli.Command) error {
		c.HideHelpCommand = len(c.Commands) == 0 // "help" may be a question
		c.OnUsageError = func(_ context.Context, cmd *cli.Command, err error, _ bool) error {
			return usagef("%w; %s --help says how to use it", plainUsage(err), cmd.FullName())
		}
		return nil
	})
	return root
}

// needsCommand is what a command does that only holds others.
func needsCommand(_ context.Context, cmd *cli.Command) error {
	var names []string
	for _, c := range cmd.VisibleCommands() {
		if c.Name != "help" {
			names = append(names, c.Name)
		}
	}
	if cmd.NArg() > 0 {
		return usagef("there is no command %q; %s has %s", cmd.Args().First(), cmd.FullName(), strings.Join(names, ", "))
	}
	if cmd.Root() == cmd {
		cmd.Writer = cmd.ErrWriter
		if err := cli.ShowAppHelp(cmd); err != nil {
			return broke("printing help", err)
		}
		return failure{code: exitUsage}
	}
	return usagef("say which: %s %s", cmd.FullName(), strings.Join(names, "|"))
}

// env is a flag's source: PRECEDENT_<FLAG>. Set to nothing is not set.
type env struct {
	key    string
	lookup func(string) (string, bool)
}

func (e env) Lookup() (string, bool) {
	v, _ := e.lookup(e.key)
	return v, v != ""
}
func (e env) IsFromEnv() bool  { return true }
func (e env) Key() string      { return e.key }
func (e env) String() string   { return "environment variable " + e.key }
func (e env) GoString() string { return e.String() }

func (p *program) env(flag string) cli.ValueSourceChain {
	return cli.NewValueSourceChain(env{envKey(flag), p.lookup})
}

const envPrefix = "PRECEDENT_"

// envKey is the variable that stands for a flag.
func envKey(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func (p *program) text(name, usage string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: usage, Sources: p.env(name)}
}

// texts is a flag that may stand several times.
func (p *program) texts(name, usage string) cli.Flag {
	return &cli.StringSliceFlag{Name: name, Usage: usage, HideDefault: true}
}

func (p *program) keepDays() cli.Flag {
	return &cli.IntFlag{Name: "keep-days", Usage: "forget what was asked, answered and voted `N` days ago; default: never", Sources: p.env("keep-days"), HideDefault: true}
}

func (p *program) boolean(name, usage string) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: usage, Sources: p.env(name), HideDefault: true}
}

func (p *program) choice(name, value, usage string, of ...string) cli.Flag {
	return &cli.StringFlag{Name: name, Value: value, Usage: "`" + strings.Join(nonEmpty(of), "|") + "`: " + usage, Sources: p.env(name), Validator: func(v string) error {
		if slices.Contains(of, v) {
			return nil
		}
		return fmt.Errorf("--%s is %q; use %s", name, v, strings.Join(nonEmpty(of), " or "))
	}}
}

func nonEmpty(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}
