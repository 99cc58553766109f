package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"precedent/engine"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/written"
)

// A configFile is what the file of --config may say. Its keys are those of the
// flags, and what no flag says. [written.Doc.Into] says what the tags mean.
type configFile struct {
	Graph       string            `yaml:"graph" sample:"movies" doc:"movies, a folder of CSV files, a URI of Neo4j, or a name of graphs"`
	Data        string            `yaml:"data" sample:"/var/lib/precedent" doc:"the folder for cases and history"`
	Model       string            `yaml:"model" sample:"gpt-4.1-mini" doc:"the name of the model"`
	HTTP        overHTTP          `yaml:"http" sample:"{listen: 127.0.0.1:8080, trust: [ann]}" doc:"where serve listens, and whose votes over HTTP count; the address alone may stand here"`
	Verbose     bool              `yaml:"verbose" sample:"true" doc:"say more: queries, readings, times, a log"`
	Curators    []string          `yaml:"curators" sample:"[slack:U1, discord-role:3]" is:"curator" form:"^(slack|slack-group|discord|discord-role):[^\\s:,]+$" like:"slack:U1, slack-group:S1, discord:2 or discord-role:3" doc:"who may promote cases"`
	Quorum      *int              `yaml:"quorum" sample:"3" least:"0" doc:"members whose votes promote a case; 0 leaves promotion to curators"`
	Hide        []string          `yaml:"hide" sample:"[Person.email, ':Secret']" is:"label, type or property" form:"^(:[^\\s.:]+|[^\\s.:]+\\.[^\\s.:]+)$" like:"Person.email for a property, :Secret for a label or type" doc:"what everyone is kept from"`
	Linkable    linkable          `yaml:"linkable" sample:"{add: [Order.note], remove: [Order.id]}" doc:"properties whose values people name, beside what the data tell"`
	RowsToModel string            `yaml:"rows_to_model" sample:"never" of:"needed never" doc:"whether a model sees rows"`
	OffTopic    engine.OffTopic   `yaml:"off_topic" sample:"strict" of:"strict model off" doc:"who turns away what isn't about the graph"`
	Compose     *bool             `yaml:"compose" sample:"false" doc:"whether questions whose words have one meaning are answered without a case or a model; they are unless this says false"`
	Limits      limits            `yaml:"limits" sample:"{rows: 100, deadline: 20s}" doc:"bounds; those left out have their defaults"`
	Aliases     []string          `yaml:"aliases" sample:"[aliases.yaml]" doc:"files of other names for values, relative to this one, or movies"`
	Glossary    []string          `yaml:"glossary" sample:"[glossary.yaml]" doc:"files of words for the schema, relative to this one, or movies"`
	Channels    map[string]string `yaml:"channels" sample:"{'slack:C1': movies}" is:"channel" form:"^(slack|discord):[^\\s:,]+$" like:"slack:C1 or discord:2" doc:"graphs of their own for channels"`
	Name        string            `yaml:"name" sample:"shop" is:"name of a graph" form:"^[\\pL\\pN][\\pL\\pN_.-]{0,63}$" like:"letters, digits, _, . and -, 64 at most, such as shop" doc:"the graph's name, under which its cases are kept wherever it is"`
	Graphs      map[string]string `yaml:"graphs" sample:"{shop: 'neo4j://shop:7687', desk: ./desk}" is:"name of a graph" form:"^[\\pL\\pN][\\pL\\pN_.-]{0,63}$" like:"letters, digits, _, . and -, 64 at most, such as shop" doc:"names for graphs, which graph and channels may say instead"`
	Refresh     interval          `yaml:"refresh" sample:"15m" doc:"how often the graph is looked at, or off"`

	AllowChannels  []string `yaml:"allow_channels" sample:"[slack:C1, discord:2]" is:"channel" form:"^(http|(slack|discord):[^\\s:,]+)$" like:"slack:C1, discord:2, or http for all that comes over HTTP" doc:"the only channels that get answers"`
	AllowPeople    []string `yaml:"allow_people" sample:"[slack:U1, discord-role:3]" is:"person or group" form:"^(http:.*|(slack|slack-group|discord|discord-role):[^\\s:,]+)$" like:"slack:U1, slack-group:S1, discord:2, discord-role:3 or http:ann" doc:"the only people who get answers"`
	DiscordContent bool     `yaml:"discord_content" sample:"true" doc:"ask Discord for the contents of all messages"`
	KeepDays       int      `yaml:"keep_days" sample:"90" least:"0" doc:"forget what is so many days old; 0 keeps everything"`
}

// linkable says whose values people name in questions, beside what the data tells.
type linkable struct {
	Add    []string `yaml:"add" sample:"[Order.note]" is:"property" form:"^[^\\s.:]+\\.[^\\s.:]+$" like:"Order.status, or of relationships PLACED.channel" doc:"linkable, and may stand in prompts"`
	Remove []string `yaml:"remove" sample:"[Order.id]" is:"property" form:"^[^\\s.:]+\\.[^\\s.:]+$" like:"Order.status, or of relationships PLACED.channel" doc:"not linkable"`
}

// overHTTP says where to listen and whose votes count; the address alone may
// stand for it.
type overHTTP struct {
	Listen string   `yaml:"listen" sample:"127.0.0.1:8080" doc:"the address"`
	Trust  []string `yaml:"trust" sample:"[ann, team-*]" doc:"whom the holders of the token vouch for"`
}

// UnmarshalText takes the address alone.
func (o *overHTTP) UnmarshalText(text []byte) error {
	o.Listen = string(text)
	return nil
}

// An interval is how often something is done, as a file says it.
type interval string

// UnmarshalText takes a time with its unit, or off.
func (i *interval) UnmarshalText(text []byte) error {
	_, err := parseEvery(string(text))
	*i = interval(text)
	return err
}

// limits are the bounds a file may set; zero fields leave the defaults.
type limits struct {
	Rows     int           `yaml:"rows" sample:"100" least:"0" doc:"of an answer"`
	List     int           `yaml:"list" sample:"50" least:"0" doc:"items of one value"`
	Text     int           `yaml:"text" sample:"1000" least:"0" doc:"characters of one value"`
	Bytes    int           `yaml:"bytes" sample:"1000000" least:"0" doc:"of all values of an answer"`
	Timeout  time.Duration `yaml:"timeout" sample:"10s" least:"0" doc:"of one reading of the graph"`
	Deadline time.Duration `yaml:"deadline" sample:"20s" least:"0" doc:"of one question"`
	Question int           `yaml:"question" sample:"500" least:"0" doc:"characters of a question"`

	// Questions a minute, tokens a day. Those not given have defaults on chats, and none over HTTP.
	PerUser       int `yaml:"per_user" sample:"20" doc:"questions a minute of one person; below 0 without bound"`
	PerChannel    int `yaml:"per_channel" sample:"60" doc:"questions a minute of one channel; below 0 without bound"`
	PerMinute     int `yaml:"per_minute" sample:"1200" doc:"questions a minute of all; below 0 without bound"`
	UserTokens    int `yaml:"user_tokens" sample:"50000" least:"0" doc:"tokens of the model a day (UTC) of one person; 0 is without bound"`
	ChannelTokens int `yaml:"channel_tokens" sample:"200000" least:"0" doc:"tokens a day of one channel; 0 is without bound"`
	Tokens        int `yaml:"tokens" sample:"1000000" least:"0" doc:"tokens a day of all; 0 is without bound"`
}

func (l limits) store() store.Limits {
	return store.Limits{Rows: l.Rows, List: l.List, Text: l.Text, Bytes: l.Bytes, Timeout: l.Timeout}
}

func (l limits) policy() guardrails.Policy {
	return guardrails.Policy{MaxQuestion: l.Question}
}

// maxConfig is the most bytes a configuration may have.
const maxConfig = 1 << 20

// secretName is what keys of secrets are called; these stand in no file.
var secretName = regexp.MustCompile(`(?i)key|token|password|secret`)

// readConfig reads the file at path. What is wrong with it as a whole is the error,
// its mistakes are those of [configFile.mistakes] and of the keys.
func readConfig(path string) (c configFile, doc *written.Doc, found written.Mistakes, err error) {
	content, err := written.Read(path, maxConfig)
	if err != nil {
		return c, nil, nil, usagef("the configuration can't be read: %w; check --config", err)
	}
	doc, found = written.Parse(path, content)
	found = append(found, doc.Into(&c)...)
	for i, m := range found {
		if secretName.MatchString(m.Unknown) && !strings.HasPrefix(m.Cure, "did you mean") {
			found[i].What, found[i].Cure = fmt.Sprintf("%q looks like a secret", m.Unknown), "secrets come from the environment only (precedent --help names them)"
		}
	}
	return c, doc, append(found, c.mistakes(doc)...).InOrder(), nil
}

// leastEvery is the most often that something may be done.
const leastEvery = time.Second

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

// beside returns name as seen from the folder of file.
func beside(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}
