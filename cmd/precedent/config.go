package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"precedent/bot"
	"precedent/engine"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/written"
)

// A configFile is what the file of --config may say. Its keys are those of the
// flags, and what no flag says.
type configFile struct {
	Graph       string            `yaml:"graph"`
	Data        string            `yaml:"data"`
	Model       string            `yaml:"model"`
	HTTP        overHTTP          `yaml:"http"`
	Verbose     bool              `yaml:"verbose"`
	Curators    []string          `yaml:"curators"` // slack:U1, slack-group:S1, discord:2, discord-role:3
	Quorum      *int              `yaml:"quorum"`
	Hide        []string          `yaml:"hide"` // Person.email, :Secret
	Linkable    linkable          `yaml:"linkable"`
	RowsToModel string            `yaml:"rows_to_model"`
	OffTopic    engine.OffTopic   `yaml:"off_topic"`
	Limits      limits            `yaml:"limits"`
	Aliases     []string          `yaml:"aliases"`  // files, relative to this one, or movies
	Glossary    []string          `yaml:"glossary"` // files, relative to this one, or movies
	Channels    map[string]string `yaml:"channels"` // slack:C1 → graph
	Name        string            `yaml:"name"`     // of the graph, wherever it is
	Graphs      map[string]string `yaml:"graphs"`   // name → address: what graph and channels may say instead
	Refresh     string            `yaml:"refresh"`  // how often the graph is looked at: 15m, off

	AllowChannels  []string `yaml:"allow_channels"` // slack:C1, discord:2, http
	AllowPeople    []string `yaml:"allow_people"`   // slack:U1, slack-group:S1, discord:2, discord-role:3, http:ann, http:team-*
	DiscordContent bool     `yaml:"discord_content"`
	KeepDays       int      `yaml:"keep_days"`
}

// linkable says whose values people name in questions, beside what the data tells.
type linkable struct {
	Add    []string `yaml:"add"`    // Order.note, PLACED.channel
	Remove []string `yaml:"remove"` //
}

// overHTTP says where to listen and whose votes count; the address alone may
// stand for it.
type overHTTP struct {
	Listen string   `yaml:"listen"`
	Trust  []string `yaml:"trust"` // whom the holders of the token vouch for: ann, team-*, *
}

// UnmarshalText takes the address alone.
func (o *overHTTP) UnmarshalText(text []byte) error {
	o.Listen = string(text)
	return nil
}

// limits are the bounds a file may set; zero fields leave the defaults.
type limits struct {
	Rows     int           `yaml:"rows"`     // of an answer
	List     int           `yaml:"list"`     // items of one value
	Text     int           `yaml:"text"`     // runes of one value
	Bytes    int           `yaml:"bytes"`    // of all values of an answer
	Timeout  time.Duration `yaml:"timeout"`  // of one reading of the graph
	Deadline time.Duration `yaml:"deadline"` // of one question
	Question int           `yaml:"question"` // runes

	// Questions a minute, tokens a day. Those not given have defaults on chats, and none over HTTP.
	PerUser       int `yaml:"per_user"`
	PerChannel    int `yaml:"per_channel"`
	PerMinute     int `yaml:"per_minute"`
	UserTokens    int `yaml:"user_tokens"`
	ChannelTokens int `yaml:"channel_tokens"`
	Tokens        int `yaml:"tokens"`
}

func (l limits) store() store.Limits {
	return store.Limits{Rows: l.Rows, List: l.List, Text: l.Text, Bytes: l.Bytes, Timeout: l.Timeout}
}

func (l limits) policy() guardrails.Policy {
	return guardrails.Policy{MaxQuestion: l.Question}
}

// maxConfig is the most bytes a configuration may have.
const maxConfig = 1 << 20

var (
	configKeys  = []string{"aliases", "allow_channels", "allow_people", "channels", "curators", "data", "discord_content", "glossary", "graph", "graphs", "hide", "http", "keep_days", "limits", "linkable", "model", "name", "off_topic", "quorum", "refresh", "rows_to_model", "verbose"}
	linkKeys    = []string{"add", "remove"}
	httpKeys    = []string{"listen", "trust"}
	limitKeys   = []string{"bytes", "channel_tokens", "deadline", "list", "per_channel", "per_minute", "per_user", "question", "rows", "text", "timeout", "tokens", "user_tokens"}
	secretName  = regexp.MustCompile(`(?i)key|token|password|secret`)
	curatorName = regexp.MustCompile(`^(slack|slack-group|discord|discord-role):[^\s:,]+$`)
	hiddenName  = regexp.MustCompile(`^(:[^\s.:]+|[^\s.:]+\.[^\s.:]+)$`)
	ownedName   = regexp.MustCompile(`^[^\s.:]+\.[^\s.:]+$`)
	channelName = regexp.MustCompile(`^(slack|discord):[^\s:,]+$`)
)

// readConfig reads the file at path. Errors begin with the file and the line.
func readConfig(path string) (c configFile, err error) {
	text, err := written.Read(path, maxConfig)
	if err != nil {
		return c, usagef("the configuration can't be read: %w; check --config", err)
	}
	docs, err := written.Tree(path, text)
	if err != nil {
		return c, failure{exitUsage, err}
	}
	if err := misformed(path, docs); err != nil {
		return c, err
	}
	if err := written.YAML(path, text, &c); err != nil {
		return c, failure{exitUsage, err}
	}
	if err := besides(path, docs, "aliases", c.Aliases); err != nil {
		return c, err
	}
	if err := besides(path, docs, "glossary", c.Glossary); err != nil {
		return c, err
	}
	if key, at, why := c.wrong(); why != "" {
		return c, usagef("%s:%d: %s", path, lineOf(docs, key, at), why)
	}
	return c, nil
}

// wrong returns the first key whose value can't be used, which of a list, and why.
func (c *configFile) wrong() (key string, at int, why string) {
	for i, name := range c.Curators {
		if !curatorName.MatchString(name) {
			return "curators", i, badCurator(name)
		}
	}
	for i, name := range c.AllowPeople {
		if entry, over := strings.CutPrefix(name, overHTTPSpace); over {
			if c.AllowPeople[i], why = namedOverHTTP(name, entry); why != "" {
				return "allow_people", i, why
			}
		} else if !curatorName.MatchString(name) {
			return "allow_people", i, strings.Replace(badCurator(name), "no curator", "nobody who asks", 1) + "; or http:ann"
		}
	}
	for i, name := range c.HTTP.Trust {
		if c.HTTP.Trust[i], why = namedOverHTTP(name, name); why != "" {
			return "trust", i, why
		}
	}
	for i, name := range c.AllowChannels {
		if name != bot.HTTPChannel && !channelName.MatchString(name) {
			return "allow_channels", i, fmt.Sprintf("%q is no channel; write slack:C1, discord:2, or http for all that comes over HTTP", name)
		}
	}
	for i, name := range c.Hide {
		if !hiddenName.MatchString(name) {
			return "hide", i, fmt.Sprintf("%q can't be hidden; write a property as Person.email, a label or type as :Secret", name)
		}
	}
	for key, names := range map[string][]string{"add": c.Linkable.Add, "remove": c.Linkable.Remove} {
		for i, name := range names {
			if !ownedName.MatchString(name) {
				return key, i, fmt.Sprintf("%q is no property; write one as Order.status, or of relationships as PLACED.channel", name)
			}
		}
	}
	for name := range c.Channels {
		if !channelName.MatchString(name) {
			return "channels", 0, fmt.Sprintf("%q is no channel; write slack:C1 or discord:2", name)
		}
	}
	if c.Quorum != nil && *c.Quorum < 0 {
		return "quorum", 0, "a quorum is a number of members; 0 leaves promotion to curators"
	}
	if !slices.Contains([]string{"", "needed", "never"}, c.RowsToModel) {
		return "rows_to_model", 0, fmt.Sprintf("%q: use needed or never", c.RowsToModel)
	}
	if !slices.Contains([]engine.OffTopic{"", engine.OffTopicStrict, engine.OffTopicModel, engine.OffTopicOff}, c.OffTopic) {
		return "off_topic", 0, fmt.Sprintf("%q: use strict, model or off", c.OffTopic)
	}
	l := c.Limits
	for key, n := range map[string]int64{"rows": int64(l.Rows), "list": int64(l.List), "text": int64(l.Text), "bytes": int64(l.Bytes), "timeout": int64(l.Timeout),
		"deadline": int64(l.Deadline), "question": int64(l.Question), "user_tokens": int64(l.UserTokens), "channel_tokens": int64(l.ChannelTokens), "tokens": int64(l.Tokens)} {
		if n < 0 {
			return key, 0, "a limit is positive; leave it out for the default"
		}
	}
	return "", 0, ""
}

// everyForm says how often is written, and leastEvery is the most often that may be.
const (
	everyForm  = "how often the graph is looked at, such as 15m, or off"
	leastEvery = time.Second
)

// parseEvery reads how often something is to be done: a time with its unit, or off.
func parseEvery(text string) (time.Duration, error) {
	switch strings.ToLower(text) {
	case "off", "never", "0", "false":
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < leastEvery {
		return 0, fmt.Errorf("%q is no such time; use %v or more, such as 15m, or off", text, leastEvery)
	}
	return d, nil
}

// overHTTPSpace begins the names of people over HTTP in lists that name others too.
const overHTTPSpace = "http:"

func isOverHTTP(name string) bool { return strings.HasPrefix(name, overHTTPSpace) }

// namedOverHTTP is an entry of a list of people over HTTP as the bot takes it,
// or why name isn't one.
func namedOverHTTP(name, entry string) (as, why string) {
	as, err := bot.HTTPUsers(entry)
	if err != nil {
		return "", fmt.Sprintf("%q names nobody over HTTP: %v; write a name as ann, the beginning of names as team-*", name, err)
	}
	return as, ""
}

func badCurator(name string) string {
	return fmt.Sprintf("%q is no curator; write slack:U1, slack-group:S1, discord:2 or discord-role:3", name)
}

// lineOf returns the line on which the value of key stands, or item at of it
// where it is a list, 1 if nowhere. key is one of the file or of its limits.
func lineOf(docs []*yaml.Node, key string, at int) int {
	for _, doc := range docs {
		if n := valueOf(doc.Content[0], key); n != nil {
			if n.Kind == yaml.SequenceNode && at < len(n.Content) {
				n = n.Content[at]
			}
			return n.Line
		}
	}
	return 1
}

func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for pair := range slices.Chunk(mapping.Content, 2) {
		switch {
		case pair[0].Value == key:
			return pair[1]
		case parts[pair[0].Value] != nil && isMapping(pair[1]):
			if n := valueOf(pair[1], key); n != nil {
				return n
			}
		}
	}
	return nil
}

// beside returns name as seen from the folder of file.
func beside(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}
