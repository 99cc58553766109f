package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A form is what a key of the configuration holds, and how that is written.
type form struct {
	fits func(ast.Node) bool
	want string
}

var (
	textForm   = func(sample string) form { return form{isScalar, "a text, such as " + sample} }
	listForm   = func(sample string) form { return form{isTexts, "a list, such as [" + sample + "]"} }
	numberForm = form{isWhole, "a whole number, such as 100"}
	timeForm   = form{isTime, "a time with its unit, such as 30s or 2m"}
	forms      = map[string]form{
		"graph": textForm("movies or neo4j://localhost:7687"), "data": textForm("/var/lib/precedent"), "model": textForm("gpt-4.1-mini"),
		"http":   {func(n ast.Node) bool { return isScalar(n) || isMapping(n) }, "an address, such as 127.0.0.1:8080, or a mapping, such as {listen: 127.0.0.1:8080, trust: [ann]}"},
		"listen": textForm("127.0.0.1:8080"), "trust": listForm("ann, team-*"), "rows_to_model": textForm("never"),
		"verbose":  {func(n ast.Node) bool { return n.Type() == ast.BoolType }, "true or false"},
		"quorum":   {isWhole, "a number of members, such as 3; 0 leaves promotion to curators"},
		"curators": listForm("slack:U1, discord-role:3"), "hide": listForm(`Person.email, ":Secret"`),
		"aliases": listForm("aliases.yaml"), "glossary": listForm("glossary.yaml"),
		"channels":       {isMapping, `a mapping, such as {"slack:C1": movies}`},
		"limits":         {isMapping, "a mapping, such as {rows: 100, deadline: 20s}"},
		"allow_channels": listForm("slack:C1, discord:2"), "allow_people": listForm("slack:U1, discord-role:3"),
		"discord_content": {func(n ast.Node) bool { return n.Type() == ast.BoolType }, "true or false"},
		"keep_days":       numberForm, "per_user": numberForm, "per_channel": numberForm, "per_minute": numberForm,
		"user_tokens": numberForm, "channel_tokens": numberForm, "tokens": numberForm,
		"rows": numberForm, "list": numberForm, "text": numberForm, "bytes": numberForm, "question": numberForm,
		"timeout": timeForm, "deadline": timeForm,
	}
)

// parts are the keys that hold keys of their own.
var parts = map[string][]string{"limits": limitKeys, "http": httpKeys}

func isScalar(n ast.Node) bool {
	_, ok := n.(ast.ScalarNode)
	return ok
}

func isTexts(n ast.Node) bool {
	list, ok := n.(*ast.SequenceNode)
	return ok && !slices.ContainsFunc(list.Values, func(v ast.Node) bool { return !isScalar(v) })
}

func isWhole(n ast.Node) bool { return n.Type() == ast.IntegerType }

func isMapping(n ast.Node) bool {
	return n.Type() == ast.MappingType || n.Type() == ast.MappingValueType
}

func isTime(n ast.Node) bool {
	text, ok := n.(*ast.StringNode)
	if !ok {
		return false
	}
	_, err := time.ParseDuration(text.Value)
	return err == nil
}

// misformed reports the first known key of a YAML text whose value is of
// another form than the key's, and what no decoder would say: another encoding,
// a second document. What isn't YAML, or no known key, is left to the decoder.
func misformed(path string, text []byte) error {
	if !utf8.Valid(text) {
		return usagef("%s: this is no UTF-8 text; save it as UTF-8", path)
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil
	}
	for i, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if i > 0 {
			return usagef("%s:%d: a second document begins here; write all settings into one", path, doc.Body.GetToken().Position.Line)
		}
		if !isMapping(doc.Body) {
			return usagef("%s:%d: this is no setting; write key: value, such as graph: movies", path, doc.Body.GetToken().Position.Line)
		}
		if err := misformedKey(path, configKeys, doc.Body); err != nil {
			return err
		}
	}
	return nil
}

func misformedKey(path string, known []string, of ast.Node) error {
	mapping, ok := of.(ast.MapNode)
	if !ok {
		return nil
	}
	for pairs := mapping.MapRange(); pairs.Next(); {
		key, value := pairs.Key().GetToken().Value, pairs.Value()
		f, ok := forms[key]
		switch {
		case !slices.Contains(known, key) && !slices.Equal(known, configKeys) && key != "<<":
			return usagef("%s:%d: %s", path, pairs.Key().GetToken().Position.Line, unknownKey(key, known))
		case !ok || !slices.Contains(known, key) || value.Type() == ast.NullType || value.Type() == ast.AliasType || value.Type() == ast.AnchorType || value.Type() == ast.TagType:
		case !f.fits(value):
			return usagef("%s:%d: %s is %s", path, pairs.Key().GetToken().Position.Line, key, f.want)
		case parts[key] != nil && isMapping(value):
			if err := misformedKey(path, parts[key], value); err != nil {
				return err
			}
		}
	}
	return nil
}

// besides makes the files that a configuration names relative to the folder of
// it, and sees that they are there. "movies" is no file: it stands for what ships.
func besides(config string, text []byte, key string, names []string) error {
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
			return usagef("%s:%d: %s can't be read: %s", config, lineOf(text, fmt.Sprintf("$.%s[%d]", key, i)), strings.TrimSpace(name), why)
		}
	}
	return nil
}
