package main

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"precedent/bot"
	"precedent/store/movies"
	"precedent/store/text"
	"precedent/store/written"
)

// A configCheck looks for what the form of a configuration's keys doesn't tell.
type configCheck struct {
	*configFile
	doc   *written.Doc
	found written.Mistakes
}

// mistakes are those that the keys alone don't have: what contradicts another key,
// and names of files and people that aren't any. Names of files become relative to
// the folder of the configuration, and those of people what the bot takes.
func (c *configFile) mistakes(doc *written.Doc) written.Mistakes {
	check := &configCheck{configFile: c, doc: doc}
	check.people()
	check.words()
	check.graphs()
	check.bounds()
	check.twice()
	return check.found
}

func (c *configCheck) add(level written.Level, path []any, cure, what string, args ...any) {
	if !c.found.Full() {
		c.found = append(c.found, c.doc.At(path...).At(level, cure, what, args...))
	}
}

// people sees that names of people over HTTP are some.
func (c *configCheck) people() {
	named := func(list []string, i int, entry string, path ...any) {
		as, err := bot.HTTPUsers(entry)
		if err != nil {
			c.add(written.Wrong, append(path, i), "write a name as ann, the beginning of names as team-*", "%q names nobody over HTTP: %v", list[i], err)
			return
		}
		list[i] = as
	}
	for i, name := range c.AllowPeople {
		if entry, over := strings.CutPrefix(name, overHTTPSpace); over {
			named(c.AllowPeople, i, entry, "allow_people")
		}
	}
	for i, name := range c.HTTP.Trust {
		named(c.HTTP.Trust, i, name, "http", "trust")
	}
	if address := c.HTTP.Listen; address != "" {
		at := []any{"http", "listen"}
		_, port, err := net.SplitHostPort(address)
		if n, perr := strconv.Atoi(port); err != nil || perr == nil && (n < 0 || n > 65535) {
			c.add(written.Wrong, at, "write 127.0.0.1:8080", "%q is no address", address)
		}
	}
}

// words sees that the files of words are there.
func (c *configCheck) words() {
	for key, names := range inOrder(map[string][]string{"aliases": c.Aliases, "glossary": c.Glossary}) {
		for i, name := range names {
			if name == movies.Name || c.isShell(name, key, i) {
				continue
			}
			names[i] = beside(c.doc.File, name)
			at, err := os.Stat(names[i])
			switch {
			case err == nil && at.IsDir():
				c.add(written.Wrong, []any{key, i}, "name a file of YAML", "%s can't be read: it is a folder", strings.TrimSpace(name))
			case errors.Is(err, os.ErrNotExist):
				c.add(written.Wrong, []any{key, i}, "its path counts from the folder of the configuration", "%s can't be read: there is no such file", strings.TrimSpace(name))
			case err != nil:
				c.add(written.Wrong, []any{key, i}, "give this user the right to read it", "%s can't be read: %v", strings.TrimSpace(name), err)
			}
		}
	}
	c.isShell(c.Data, "data")
}

// isShell adds a path of which a shell would make another, and reports whether
// it is one.
func (c *configCheck) isShell(path string, at ...any) bool {
	is := path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "$")
	if is {
		c.add(written.Wrong, at, "write the whole path", "%s begins with %s, which only a shell reads", path, path[:1])
	}
	return is
}

// graphs sees that what graph, graphs and channels name can be one.
func (c *configCheck) graphs() {
	if strings.EqualFold(c.Name, movies.Name) {
		c.add(written.Wrong, []any{"name"}, "choose another", "%s is the graph that ships", c.Name)
	}
	c.graph(c.Graph, true, "graph")
	for name, address := range inOrder(c.Graphs) {
		_, other := c.Graphs[address]
		switch {
		case strings.EqualFold(name, movies.Name):
			c.found = append(c.found, c.doc.KeyAt("graphs", name).At(written.Wrong, "choose another name", "%s is the graph that ships", name))
		case address == "":
			c.add(written.Wrong, []any{"graphs", name}, "write neo4j://host:7687, or a folder", "%s has no address", name)
		case other && !isFolder(address):
			c.add(written.Wrong, []any{"graphs", name}, "write the address itself", "%s is a name, and names aren't looked up again", address)
		default:
			c.graph(address, false, "graphs", name)
		}
	}
	for channel, graph := range inOrder(c.Channels) {
		c.graph(graph, true, "channels", channel)
	}
}

// schemes are those of graphs.
var schemes = []string{"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"}

// graph sees that a graph can be one: movies, a folder, an address, or where named
// a name.
func (c *configCheck) graph(graph string, named bool, at ...any) {
	_, isName := c.Graphs[graph]
	scheme, _, isAddress := strings.Cut(graph, "://")
	switch {
	case graph == "" || graph == movies.Name || named && isName || c.isShell(graph, at...):
	case isAddress && !slices.Contains(schemes, scheme):
		cure := "write one such as neo4j://host:7687; there are neo4j and bolt, each with +s or +ssc"
		if near := text.Nearest(scheme, schemes); near != "" {
			cure = "did you mean " + near + "?"
		}
		c.add(written.Idle, at, cure, "no graph is reached by %s://", scheme)
	case isAddress || isFolder(graph):
	default:
		cure := "write movies, a folder, or an address such as neo4j://host:7687"
		if near := text.Nearest(graph, append(slices.Sorted(maps.Keys(c.Graphs)), movies.Name)); named && near != "" {
			cure = "did you mean " + near + "?"
		}
		c.add(written.Idle, at, cure, "graph %q is neither movies, a folder, an address nor a name under graphs", graph)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// bounds sees that limits leave one another something to do.
func (c *configCheck) bounds() {
	l := c.Limits
	if l.Deadline > 0 && l.Timeout > l.Deadline {
		c.add(written.Idle, []any{"limits", "timeout"}, "write less than the deadline", "a reading of the graph may take %v, longer than a question (deadline: %v)", l.Timeout, l.Deadline)
	}
	for _, pair := range []struct {
		key, over  string
		small, big int
	}{{"per_user", "per_minute", l.PerUser, l.PerMinute}, {"per_channel", "per_minute", l.PerChannel, l.PerMinute},
		{"user_tokens", "tokens", l.UserTokens, l.Tokens}, {"channel_tokens", "tokens", l.ChannelTokens, l.Tokens}} {
		if pair.big > 0 && pair.small > pair.big {
			c.add(written.Idle, []any{"limits", pair.key}, "write less than that, or leave it out", "%s is %d, which %s: %d never lets anyone reach", pair.key, pair.small, pair.over, pair.big)
		}
	}
}

// twice sees that no entry of a list is there again, and that none undoes one of hide.
func (c *configCheck) twice() {
	lists := []struct {
		list []string
		path []any
	}{{c.Curators, []any{"curators"}}, {c.Hide, []any{"hide"}}, {c.Linkable.Add, []any{"linkable", "add"}}, {c.Linkable.Remove, []any{"linkable", "remove"}},
		{c.Aliases, []any{"aliases"}}, {c.Glossary, []any{"glossary"}}, {c.AllowChannels, []any{"allow_channels"}}, {c.AllowPeople, []any{"allow_people"}}, {c.HTTP.Trust, []any{"http", "trust"}}}
	for _, l := range lists {
		seen := map[string]bool{}
		for i, entry := range l.list {
			if seen[entry] {
				c.add(written.Idle, append(l.path, i), "keep one", "%s is here twice", entry)
			}
			seen[entry] = true
		}
	}
	for i, name := range c.Linkable.Add {
		if owner, _, _ := strings.Cut(name, "."); slices.Contains(c.Hide, name) || slices.Contains(c.Hide, ":"+owner) {
			c.add(written.Idle, []any{"linkable", "add", i}, "leave it out here, or under hide", "%s is hidden, so its values can't be named", name)
		}
	}
}

// inOrder are the entries of a map by key.
func inOrder[V any](m map[string]V) func(func(string, V) bool) {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

func badCurator(name string) string {
	return fmt.Sprintf("%q is no curator; write slack:U1, slack-group:S1, discord:2 or discord-role:3", name)
}
