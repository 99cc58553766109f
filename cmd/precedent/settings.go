package main

import (
	"cmp"
	"errors"
	"log/slog"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/engine"
	"precedent/engine/model"
	"precedent/store/bolt"
	"precedent/store/cases"
	"precedent/store/written"
)

// settings are what the command line, the environment and the file say together.
type settings struct {
	engine   engine.Config
	http     string
	token    string
	trust    []string // whom its holders vouch for over HTTP
	curators []string
	channels map[string]string // graph by channel
	named    map[string]string // address by name
	rules    bot.Rules
	content  bool // ask Discord for the contents of all messages
	keepDays int  // 0: for ever
	verbose  bool
	notes    []string         // for the operator
	idle     written.Mistakes // of the configuration, that don't keep it from being used
}

// settings reads the settings of a command. A demo takes its graph and model
// from flags alone.
func (p *program) settings(cmd *cli.Command, demo bool) (s settings, err error) {
	var file configFile
	var doc *written.Doc
	if path := cmd.String("config"); path != "" {
		var found written.Mistakes
		if file, doc, found, err = readConfig(path); err != nil {
			return s, err
		}
		if wrong := found.Of(written.Wrong).Err(); wrong != nil {
			return s, failure{exitUsage, wrong}
		}
		s.idle = found
	}
	pick := func(flag, inFile, otherwise string) string {
		return cmp.Or(cmd.String(flag), inFile, otherwise)
	}
	graph, name := pick("graph", file.Graph, p.value("NEO4J_URI")), pick("model", file.Model, p.value("OPENAI_MODEL"))
	if demo {
		graph, name = cmd.String("graph"), cmd.String("model")
	}
	s = settings{
		idle: s.idle,
		http: pick("http", file.HTTP.Listen, ""), token: p.value("PRECEDENT_HTTP_TOKEN"), trust: file.HTTP.Trust,
		curators: file.Curators, channels: file.Channels, verbose: cmd.Bool("verbose") || file.Verbose,
		engine: engine.Config{
			Graph: graph, Data: pick("data", file.Data, ""), Quorum: cases.DefaultQuorum, Hide: file.Hide, Linkable: engine.Linking(file.Linkable),
			Aliases: file.Aliases, Glossaries: file.Glossary, RowsToModel: file.RowsToModel, Compose: file.Compose == nil || *file.Compose, OffTopic: engine.OffTopic(pick("off-topic", string(file.OffTopic), "")),
			Limits: file.Limits.store(), Policy: file.Limits.policy(), Deadline: file.Limits.Deadline,
			Placed: doc.At,
			Neo4j:  bolt.Config{Username: p.value("NEO4J_USERNAME"), Password: p.value("NEO4J_PASSWORD"), Database: p.value("NEO4J_DATABASE")},
		},
	}
	s.named, s.engine.Name = file.Graphs, pick("name", file.Name, "")
	if s.engine.Refresh, err = parseEvery(pick("refresh", string(file.Refresh), engine.DefaultRefresh.String())); err != nil {
		return s, usagef("--refresh: %w", err)
	}
	s.engine.Verbose, s.engine.Elsewhere = s.verbose, len(s.graphs()) > 1
	s.rules = bot.Rules{Channels: file.AllowChannels, People: file.AllowPeople,
		PerUser: file.Limits.PerUser, PerChannel: file.Limits.PerChannel, PerMinute: file.Limits.PerMinute,
		UserTokens: file.Limits.UserTokens, ChannelTokens: file.Limits.ChannelTokens, Tokens: file.Limits.Tokens}
	s.content, s.keepDays = cmd.Bool("discord-content") || file.DiscordContent, cmp.Or(cmd.Int("keep-days"), file.KeepDays)
	if s.keepDays < 0 {
		return s, usagef("--keep-days is %d; use a number of days, or leave it out to keep everything", s.keepDays)
	}
	if s.engine.Data == "" {
		if s.engine.Data, err = userFolder(runtime.GOOS, p.value); err != nil {
			return s, usagef("%w; say where with --data", err)
		}
	}
	if err := p.voting(&s, file.Quorum); err != nil {
		return s, err
	}
	s.notes = append(s.notes, p.misspelt(cmd.Root())...)
	return s, p.model(&s, name, demo)
}

// of are the settings of the engine of a graph: one of several that have a name, or
// an address.
func (s settings) of(graph string) engine.Config {
	c := s.engine
	if graph != c.Graph {
		c.Name = "" // which is that one's
	}
	if c.Graph = graph; s.named[graph] != "" {
		c.Graph, c.Name = s.named[graph], graph
	}
	return c
}

// voting sets who curates and how many votes promote.
func (p *program) voting(s *settings, quorum *int) error {
	if quorum != nil {
		s.engine.Quorum = *quorum
	}
	if text := p.value("PRECEDENT_QUORUM"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return usagef("PRECEDENT_QUORUM is %q; use a number of members, 0 for curators only", text)
		}
		s.engine.Quorum = n
	}
	if text := p.value("PRECEDENT_CURATORS"); text != "" {
		s.curators = nil
		for name := range strings.SplitSeq(text, ",") {
			name = strings.TrimSpace(name)
			if !written.Fits(configFile{}, "curators", name) {
				return usagef("PRECEDENT_CURATORS: %s", badCurator(name))
			}
			s.curators = append(s.curators, name)
		}
	}
	return nil
}

// model sets which model to ask, if any.
func (p *program) model(s *settings, name string, demo bool) error {
	key, base := p.value("OPENAI_API_KEY"), p.value("OPENAI_BASE_URL")
	embedding := p.value("OPENAI_EMBEDDING_MODEL")
	switch {
	case demo && name == "":
		return nil
	case name == "" && embedding == "":
		if key != "" || base != "" {
			s.notes = append(s.notes, "no model is asked: OPENAI_API_KEY or OPENAI_BASE_URL is set, but no model is named; name one with --model or OPENAI_MODEL")
		}
		return nil
	case key == "" && base == "":
		return usagef("the model %q needs OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint without a key", cmp.Or(name, embedding))
	}
	s.engine.Model = &model.Config{BaseURL: base, Key: key, Name: name, EmbeddingName: embedding}
	return nil
}

// value is a variable of the environment, "" if it isn't set.
func (p *program) value(key string) string {
	v, _ := p.lookup(key)
	return v
}

// userFolder is the platform's folder for what programs keep of a user.
func userFolder(goos string, value func(string) string) (string, error) {
	base := ""
	switch goos {
	case "windows":
		base = value("LocalAppData")
	case "darwin":
		if home := value("HOME"); home != "" {
			base = filepath.Join(home, "Library", "Application Support")
		}
	default:
		// A relative path is to be ignored, says the XDG Base Directory Specification.
		if base = value("XDG_DATA_HOME"); !filepath.IsAbs(base) {
			base = ""
			if home := value("HOME"); home != "" {
				base = filepath.Join(home, ".local", "share")
			}
		}
	}
	if base == "" {
		return "", errors.New("there is no folder for user data")
	}
	return filepath.Join(base, "precedent"), nil
}

// operator is whoever sits at the machine, as votes and changes name them.
func (p *program) operator() string {
	return "terminal:" + cmp.Or(p.value("USER"), p.value("USERNAME"), "owner")
}

// log is where the log goes: standard error, from warnings on unless verbose.
func (p *program) log(verbose bool) *slog.Logger {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: level}))
}
