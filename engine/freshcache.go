package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"precedent/engine/check"
	"precedent/engine/link"
	"precedent/guardrails"
	"precedent/store"
)

// The cache of what was read of a graph, in its folder of data.
const (
	cacheName   = "graph.cache"
	cacheMagic  = "precedent graph 1\n"
	cacheMost   = 512 << 20 // bytes of a file that is read
	cacheFormat = 1
)

// A cached is what an earlier run read of a graph, without anything that is hidden.
type cached struct {
	Config string // what decided what was read; see [configDigest]
	Read   time.Time
	Pulse  store.Pulse
	Schema *store.Schema // without Hidden
	Hidden []seen        // of each entry of hide, sorted, what the graph has
	Values []cachedRun   // in the order in which they were read; nil where they are at hand anyway
	List   []Linkable
}

// seen is what a graph has of an entry of hide, without its name.
type seen struct{ Label, Type, Property bool }

// hidden are the entries of hide in an order that hangs on nothing else.
func hidden(p guardrails.Policy) []string { return slices.Sorted(slices.Values(p.Hide)) }

// seenOf says what a graph has of each entry of hide.
func seenOf(entries []string, f store.Found) []seen {
	list := make([]seen, len(entries))
	for i, entry := range entries {
		name := strings.TrimPrefix(strings.TrimSpace(entry), ":")
		list[i] = seen{slices.Contains(f.Labels, name), slices.Contains(f.Types, name), slices.Contains(f.Properties, name)}
	}
	return list
}

// foundOf is seenOf the other way round.
func foundOf(entries []string, list []seen) (f store.Found) {
	for i, entry := range entries[:min(len(entries), len(list))] {
		name := strings.TrimPrefix(strings.TrimSpace(entry), ":")
		for _, part := range []struct {
			has bool
			to  *[]string
		}{{list[i].Label, &f.Labels}, {list[i].Type, &f.Types}, {list[i].Property, &f.Properties}} {
			if part.has && !slices.Contains(*part.to, name) {
				*part.to = append(*part.to, name)
			}
		}
	}
	return f
}

// A cachedRun are values that follow each other and differ in nothing but the value.
type cachedRun struct {
	Of     link.Value
	Values []string
}

func init() {
	for _, v := range []any{[]any{}, map[string]any{}, store.Date{}, store.LocalTime{}, store.Time{}, store.LocalDateTime{}, store.DateTime{}, store.Duration{}, store.Point{}} {
		gob.Register(v)
	}
}

// configDigest tells one way of reading a graph from another: by the address, what is
// hidden, and the words that say which values are read, and by the program.
func configDigest(c Config, words any) string {
	build := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "vcs.") {
				build += s.Value + " "
			}
		}
	}
	hide := slices.Clone(c.Hide)
	slices.Sort(hide)
	return digest(fmt.Sprintf("%d %s %q %q %q %+v", cacheFormat, build, c.Graph, c.Neo4j.Database, hide, words))
}

// holds reports whether a cache holds what can be answered from.
func (c *cached) holds() bool { return c.Schema != nil && c.List != nil }

// values are the values as they were read.
func (c *cached) values() []link.Value {
	n := 0
	for _, run := range c.Values {
		n += len(run.Values)
	}
	all := make([]link.Value, 0, n)
	for _, run := range c.Values {
		for _, v := range run.Values {
			of := run.Of
			of.Value = v
			all = append(all, of)
		}
	}
	return all
}

// runs are values as a cache holds them.
func runs(values []link.Value) (list []cachedRun) {
	for _, v := range values {
		text := v.Value
		v.Value = ""
		if n := len(list); n > 0 && reflect.DeepEqual(list[n-1].Of, v) {
			list[n-1].Values = append(list[n-1].Values, text)
			continue
		}
		list = append(list, cachedRun{v, []string{text}})
	}
	return list
}

// readCache reads what an earlier run kept of the graph. One that is broken, or that
// was read in another way, is no cache; the log says it.
func (e *Engine) readCache() (c cached) {
	name := filepath.Join(e.path, cacheName)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return cached{}
	}
	if err == nil {
		defer f.Close()
		if c, err = decodeCache(f); err == nil && c.Schema != nil {
			c.Schema.Hidden = foundOf(hidden(e.policy), c.Hidden)
		}
	}
	switch {
	case err != nil:
		e.log.Warn("what was kept of the graph can't be used; the graph is read anew", "file", name, "err", err)
		return cached{}
	case c.Config != e.config:
		e.log.Info("what was kept of the graph was read with other settings; the graph is read anew", "file", name)
		return cached{}
	}
	return c
}

// errBroken is a cache that isn't as it was written.
var errBroken = errors.New("it is broken")

func decodeCache(from io.Reader) (c cached, err error) {
	text, err := io.ReadAll(io.LimitReader(from, cacheMost))
	if err != nil {
		return c, err
	}
	body, ok := bytes.CutPrefix(text, []byte(cacheMagic))
	if !ok || len(body) < sha256.Size {
		return c, errBroken
	}
	sum, body := body[:sha256.Size], body[sha256.Size:]
	if is := sha256.Sum256(body); !bytes.Equal(is[:], sum) {
		return c, errBroken
	}
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(&c); err != nil {
		return cached{}, fmt.Errorf("%w: %w", errBroken, err)
	}
	return c, nil
}

// keep writes down what was read of the graph, for the next run. Where that can't be
// done, the next run reads the graph itself.
func (e *Engine) keep(pulse store.Pulse, read time.Time) {
	s := e.snapshot()
	shown := *s.schema
	shown.Hidden = store.Found{}
	c := cached{Config: e.config, Read: read, Pulse: pulse, Schema: &shown, Hidden: seenOf(hidden(e.policy), s.schema.Hidden)}
	if e.source.away {
		c.Values, c.List = runs(s.reader.Linker().Values()), s.linkables
	}
	if err := c.write(filepath.Join(e.path, cacheName)); err != nil {
		e.log.Warn("keeping what was read of the graph; the next start reads it anew", "err", err)
	}
}

// write puts the cache in place of the one at name.
func (c *cached) write(name string) (err error) {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(c); err != nil {
		return err
	}
	sum := sha256.Sum256(body.Bytes())
	return writeWhole(name, []byte(cacheMagic), sum[:], body.Bytes())
}

// writeWhole puts a file that only its owner reads in place of the one at name, in one
// step: whoever reads it reads the one or the other.
func writeWhole(name string, parts ...[]byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+"-*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // which is gone where it was renamed
	for _, part := range parts {
		if _, err := f.Write(part); err != nil {
			f.Close()
			return err
		}
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// before is what the graph had at an earlier run, as far as cases are held against
// it; nil where that is the same, or nobody knows.
func (e *Engine) before() *snapshot {
	if e.baseline == nil {
		return nil
	}
	return &snapshot{schema: e.baseline, checker: check.New(e.baseline)}
}
