package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
)

// What the parser of flags says, in its words.
var (
	unknownFlag = regexp.MustCompile(`^flag provided but not defined: -+(.+)$`)
	noTopic     = regexp.MustCompile(`^No help topic for '(.*)'$`)
	needsValue  = regexp.MustCompile(`^flag needs an argument: -*(.+)$`)
	wrongFlag   = regexp.MustCompile(`(?s)^invalid value ("(?:[^"\\]|\\.)*") for flag -+(\S+): (.*)$`)
	wrongEnv    = regexp.MustCompile(`(?s)^could not parse ("(?:[^"\\]|\\.)*") as \S+ value from environment variable (\S+) for flag \S+: (.*)$`)
)

// plainUsage words an error of the parser of flags: what is wrong, what to write.
func plainUsage(err error) error {
	text := err.Error()
	if m := unknownFlag.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("there is no flag --%s", m[1])
	}
	if m := noTopic.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("there is no command %q", m[1])
	}
	if m := needsValue.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("--%s needs a value", m[1])
	}
	for name, form := range map[string]*regexp.Regexp{"--": wrongFlag, "": wrongEnv} {
		m := form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		value, of, why := m[1], name+m[2], m[3]
		if _, use, ok := strings.Cut(why, "; use "); ok {
			return fmt.Errorf("%s is %s; use %s", of, value, use)
		}
		return fmt.Errorf("%s is %s; use true or false", of, value) // only booleans are parsed
	}
	return err
}

// misspelt are notes on variables PRECEDENT_… that mean nothing and are close
// to one that does. Others are left alone: Docker and Kubernetes set some for a
// container of that name.
func (p *program) misspelt(root *cli.Command) []string {
	known := map[string]bool{"PRECEDENT_QUORUM": true, "PRECEDENT_CURATORS": true, "PRECEDENT_HTTP_TOKEN": true}
	_ = root.Walk(func(c *cli.Command) error {
		for _, f := range c.Flags {
			for _, name := range f.Names() {
				known[envKey(name)] = true
			}
		}
		return nil
	})
	var notes []string
	for _, pair := range p.environ() {
		name, value, _ := strings.Cut(pair, "=")
		if value == "" || known[name] || !strings.HasPrefix(name, envPrefix) {
			continue
		}
		for _, other := range slices.Sorted(maps.Keys(known)) {
			if slip(name, other) {
				notes = append(notes, fmt.Sprintf("%s means nothing; did you mean %s?", name, other))
				break
			}
		}
	}
	return notes
}

// slip tells whether a and b differ by one letter, or by two neighbours swapped.
func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch restA, restB := a[i:], b[i:]; {
	case len(restB) == 0:
		return false
	case len(restA) < len(restB):
		return restA == restB[1:]
	case restA[1:] == restB[1:]:
		return true
	default:
		return len(restA) > 1 && restA[0] == restB[1] && restA[1] == restB[0] && restA[2:] == restB[2:]
	}
}
