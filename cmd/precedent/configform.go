package main

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// A form is what a key of the configuration holds, and how that is written.
type form struct {
	fits func(*yaml.Node) bool
	want string
}

var (
	textForm   = func(sample string) form { return form{isScalar, "a text, such as " + sample} }
	listForm   = func(sample string) form { return form{isTexts, "a list, such as [" + sample + "]"} }
	numberForm = form{isWhole, "a whole number, such as 100"}
	timeForm   = form{isTime, "a time with its unit, such as 30s or 2m"}
	forms      = map[string]form{
		"graph": textForm("movies or neo4j://localhost:7687"), "data": textForm("/var/lib/precedent"), "model": textForm("gpt-4.1-mini"),
		"http":   {func(n *yaml.Node) bool { return isScalar(n) || isMapping(n) }, "an address, such as 127.0.0.1:8080, or a mapping, such as {listen: 127.0.0.1:8080, trust: [ann]}"},
		"listen": textForm("127.0.0.1:8080"), "trust": listForm("ann, team-*"), "rows_to_model": textForm("never"), "off_topic": textForm("strict"),
		"verbose":  {isSwitch, "true or false"},
		"quorum":   {isWhole, "a number of members, such as 3; 0 leaves promotion to curators"},
		"curators": listForm("slack:U1, discord-role:3"), "hide": listForm(`Person.email, ":Secret"`),
		"aliases": listForm("aliases.yaml"), "glossary": listForm("glossary.yaml"),
		"linkable": {isMapping, "a mapping, such as {add: [Order.note], remove: [Order.id]}"},
		"add":      listForm("Order.note"), "remove": listForm("Order.id"),
		"channels": {isMapping, `a mapping, such as {"slack:C1": movies}`},
		"name":     textForm("shop"), "refresh": {func(n *yaml.Node) bool { _, err := parseEvery(n.Value); return isScalar(n) && err == nil }, everyForm},
		"graphs":         {isMapping, `a mapping, such as {shop: "neo4j://shop:7687", desk: ./desk}`},
		"limits":         {isMapping, "a mapping, such as {rows: 100, deadline: 20s}"},
		"allow_channels": listForm("slack:C1, discord:2"), "allow_people": listForm("slack:U1, discord-role:3"),
		"discord_content": {isSwitch, "true or false"},
		"keep_days":       numberForm, "per_user": numberForm, "per_channel": numberForm, "per_minute": numberForm,
		"user_tokens": numberForm, "channel_tokens": numberForm, "tokens": numberForm,
		"rows": numberForm, "list": numberForm, "text": numberForm, "bytes": numberForm, "question": numberForm,
		"timeout": timeForm, "deadline": timeForm,
	}
)

// parts are the keys that hold keys of their own.
var parts = map[string][]string{"limits": limitKeys, "http": httpKeys, "linkable": linkKeys}

func isScalar(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode }

func isTexts(n *yaml.Node) bool {
	return n.Kind == yaml.SequenceNode && !slices.ContainsFunc(n.Content, func(v *yaml.Node) bool { return !isScalar(v) })
}

func isWhole(n *yaml.Node) bool {
	_, err := strconv.Atoi(n.Value)
	return n.ShortTag() == "!!int" && err == nil
}

func isSwitch(n *yaml.Node) bool { return n.ShortTag() == "!!bool" }

func isMapping(n *yaml.Node) bool { return n.Kind == yaml.MappingNode }

func isTime(n *yaml.Node) bool {
	_, err := time.ParseDuration(n.Value)
	return isScalar(n) && err == nil
}

// misformed reports the first key of a file that isn't known, or whose value is
// of another form than the key's, and a second document.
func misformed(path string, docs []*yaml.Node) error {
	for i, doc := range docs {
		root := doc.Content[0]
		if i > 0 {
			return usagef("%s:%d: a second document begins here; write all settings into one", path, root.Line)
		}
		if !isMapping(root) {
			return usagef("%s:%d: this is no setting; write key: value, such as graph: movies", path, root.Line)
		}
		if err := misformedKey(path, configKeys, root); err != nil {
			return err
		}
	}
	return nil
}

func misformedKey(path string, known []string, mapping *yaml.Node) error {
	for pair := range slices.Chunk(mapping.Content, 2) {
		key, value := pair[0], pair[1]
		f := forms[key.Value]
		switch {
		case secretName.MatchString(key.Value) && !slices.Contains(known, key.Value):
			return usagef("%s:%d: %q looks like a secret; secrets come from the environment only (precedent --help names them)", path, key.Line, key.Value)
		case !slices.Contains(known, key.Value):
			return usagef("%s:%d: there is no key %q; there are %s", path, key.Line, key.Value, strings.Join(known, ", "))
		case value.ShortTag() == "!!null":
		case !f.fits(value):
			return usagef("%s:%d: %s is %s", path, key.Line, key.Value, f.want)
		case parts[key.Value] != nil && isMapping(value):
			if err := misformedKey(path, parts[key.Value], value); err != nil {
				return err
			}
		}
	}
	return nil
}

// besides makes the files that a configuration names relative to the folder of
// it, and sees that they are there. "movies" is no file: it stands for what ships.
func besides(config string, docs []*yaml.Node, key string, names []string) error {
	for i, name := range names {
		if name == "movies" {
			continue
		}
		names[i] = beside(config, name)
		at, err := os.Stat(names[i])
		if err == nil && at.IsDir() {
			err = errors.New("it is a folder")
		}
		if err != nil {
			why := err.Error()
			if errors.Is(err, os.ErrNotExist) {
				why = "there is no such file; its path counts from the folder of the configuration"
			}
			return usagef("%s:%d: %s can't be read: %s", config, lineOf(docs, key, i), strings.TrimSpace(name), why)
		}
	}
	return nil
}
