package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"precedent/engine/check"
	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/movies"
	"precedent/store/written"
)

// A snapshot is what the engine knows of the graph; a refresh makes another.
type snapshot struct {
	schema  *store.Schema
	text    string // the schema as a model is shown it
	reader  *reading.Reader
	checker *check.Checker
	words   *vocabulary     // by which a question shows that it is about the graph
	domain  string          // the glossary's words, as a model is shown them
	named   map[string]bool // the properties whose values are known by name, as Label.property

	listings map[string]listing      // the properties of few values, as Label.property
	steps    *memo[check.Step, bool] // whether a relationship leads to one node at most, as far as it was looked into

	taught    []link.Alias // that people taught and curators approved
	taughtSeq int64        // of the library, up to which that goes
}

// Bounds of pulling the values that people name.
const (
	maxValues   = 200_000          // distinct values of a property; a property of more is left to the database's full-text index
	valuesBytes = 512 << 20        //
	valuesTime  = 30 * time.Second // for one property
)

func (e *Engine) snapshot() *snapshot { return e.known.Load() }

// names are those of the schema's labels and their properties.
func (s *snapshot) names() (all []string) {
	for _, l := range s.schema.Labels {
		all = append(all, l.Name)
		for _, p := range l.Properties {
			all = append(all, p.Name)
		}
	}
	return all
}

// isNamed reports whether a value of the graph, or an alias of one, is called so.
func (s *snapshot) isNamed(name string) bool { return len(s.reader.Linker().Names(name)) > 0 }

// openWords reads the glossary and the aliases, and what is shipped for the graph.
func (e *Engine) openWords(c Config) error {
	e.glossary = &reading.Glossary{}
	if e.folder == movies.Name {
		s, err := openShipped()
		if err != nil {
			return err
		}
		if len(c.Hide)+len(c.Aliases)+len(c.Glossaries) > 0 {
			s.readings = nil // other words, other readings
		}
		e.shipped = s
	}
	if e.shipped != nil {
		e.glossary.Add(e.shipped.glossary)
		e.aliases = e.shipped.aliases
	}
	for _, name := range c.Glossaries {
		if name == movies.Name {
			g, err := reading.ParseGlossary("glossary.yaml", movies.Glossary)
			if err != nil {
				return err
			}
			e.glossary.Add(g)
			continue
		}
		g, err := reading.LoadGlossary(name)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
		e.glossary.Add(g)
	}
	for _, name := range c.Aliases {
		content := movies.Aliases
		if name != "movies" {
			b, err := written.Read(name, written.MaxFile)
			if err != nil {
				return fmt.Errorf("%w: reading the aliases: %w; name a file of words under aliases", ErrConfig, err)
			}
			content = b
		}
		as, err := parseAliases(name, content)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
		for _, a := range as {
			e.aliases = append(e.aliases, a.Alias)
		}
		if name != "movies" { // what ships may name more than a graph like it holds
			e.written = append(e.written, as...)
		}
	}
	return nil
}

// refresh reads the schema and the values that people name.
func (e *Engine) refresh(ctx context.Context) error {
	schema, err := e.gate.schema(ctx, schemaBudget)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	s := &snapshot{schema: schema}
	s.text = formatSchema(s.schema, e.rowsToModel, nil)
	g := &reading.Glossary{}
	if e.shipped == nil && len(e.glossary.Labels) == 0 {
		g = reading.DefaultGlossary(s.schema)
		more, err := borrowed(g, s.schema)
		if err != nil {
			return err
		}
		g.Add(more)
	}
	g.Add(e.glossary)
	g = g.Without(e.gate.hide)
	if err := g.Validate(s.schema); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	values, named, err := e.values(ctx, s.schema, g)
	if err != nil {
		return err
	}
	s.named = named
	taught, seq, _, err := e.library.TaughtSince(ctx, 0)
	if err != nil {
		return fmt.Errorf("reading what was taught: %w", err)
	}
	s.taught, s.taughtSeq = aliasesOf(taught), seq
	if s.reader, err = reading.New(g, s.schema, values, append(slices.Clip(e.aliases), s.taught...)); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	s.listings, s.steps = listings(s.schema), new(memo[check.Step, bool])
	s.checker = check.New(s.schema)
	s.checker.Values = s.holding
	s.domain = s.reader.Glossary().Text()
	s.words = newVocabulary(s.schema, g)
	e.known.Store(s)
	return nil
}

// linkable are the properties whose values people name: those configured, and
// strings that are unique or called name or title.
func linkable(s *store.Schema, g *reading.Glossary) []store.Property {
	var out []store.Property
	for _, l := range s.Labels {
		for _, p := range l.Properties {
			name := l.Name + "." + p.Name
			low := strings.ToLower(p.Name)
			named := p.Type == "STRING" && (p.Unique || strings.HasSuffix(low, "name") || strings.HasSuffix(low, "title"))
			if slices.Contains(g.Linkable, name) || named {
				p.Name = name
				out = append(out, p)
			}
		}
	}
	return out
}

// values pulls the values of the linkable properties, each under the most
// general label that holds it. named are the properties that were pulled.
func (e *Engine) values(ctx context.Context, s *store.Schema, g *reading.Glossary) (out []link.Value, named map[string]bool, err error) {
	size := make(map[string]int64)
	for _, l := range s.Labels {
		size[l.Name] = l.Count
	}
	linkable := linkable(s, g)
	isLinkable := make(map[string]bool)
	named = make(map[string]bool)
	for _, p := range linkable {
		isLinkable[p.Name] = true
	}
	type key struct{ label, prop, value string }
	at := make(map[key]int)
	for _, p := range linkable {
		label, prop, _ := strings.Cut(p.Name, ".")
		text := fmt.Sprintf("MATCH (n:%s) WHERE n.%s IS NOT NULL RETURN DISTINCT n.%s AS v, labels(n) AS l", name(label), name(prop), name(prop))
		if strings.HasPrefix(p.Type, "LIST") {
			text = fmt.Sprintf("MATCH (n:%s) UNWIND n.%s AS v RETURN DISTINCT v, labels(n) AS l", name(label), name(prop))
		}
		t, err := e.gate.run(ctx, store.Query{Text: text}, store.Limits{Rows: maxValues, Bytes: valuesBytes, Memory: valuesBytes, Timeout: valuesTime})
		if errors.Is(err, store.ErrTimeout) || errors.Is(err, store.ErrTooLarge) {
			e.log.Warn("values not pulled", "property", p.Name, "err", err)
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("reading the values of %s: %w", p.Name, err)
		}
		if t.Truncated {
			e.log.Warn("too many values to link by name", "property", p.Name, "limit", maxValues)
			continue
		}
		named[p.Name] = true
		sep := g.Properties[p.Name].Parts
		for _, row := range t.Rows {
			v, ok := row[0].(string)
			if !ok || v == "" {
				continue
			}
			labels := texts(row[1])
			// nodes with a more general label are named under that
			if slices.ContainsFunc(labels, func(l string) bool {
				return isLinkable[l+"."+prop] && (size[l] > size[label] || size[l] == size[label] && l < label)
			}) {
				continue
			}
			parts := []string{v}
			if sep != "" {
				parts = strings.Split(v, sep)
			}
			for _, v := range parts {
				k := key{label, prop, v}
				i, seen := at[k]
				if !seen {
					i = len(out)
					at[k] = i
					out = append(out, link.Value{Label: label, Property: prop, Value: v})
				}
				for _, l := range labels {
					if !slices.Contains(out[i].Labels, l) {
						out[i].Labels = append(out[i].Labels, l)
					}
				}
			}
		}
	}
	return out, named, e.roles(ctx, g, s, out)
}

// roles marks the values of names that are those of roles, too.
func (e *Engine) roles(ctx context.Context, g *reading.Glossary, s *store.Schema, values []link.Value) error {
	named := make(map[string]bool)
	for _, typ := range s.Types {
		for _, p := range typ.Properties {
			if _, ok := g.Properties[typ.Name+"."+p.Name]; !ok || p.Type != "STRING" {
				continue
			}
			text := fmt.Sprintf("MATCH ()-[r:%s]->() WHERE r.%s IS NOT NULL RETURN DISTINCT r.%s AS v", name(typ.Name), name(p.Name), name(p.Name))
			t, err := e.gate.run(ctx, store.Query{Text: text}, store.Limits{Rows: maxValues, Bytes: valuesBytes, Memory: valuesBytes, Timeout: valuesTime})
			if err != nil && !errors.Is(err, store.ErrTimeout) && !errors.Is(err, store.ErrTooLarge) {
				return fmt.Errorf("reading the values of %s.%s: %w", typ.Name, p.Name, err)
			}
			for _, row := range t.Rows {
				if v, ok := row[0].(string); ok {
					named[v] = true
				}
			}
		}
	}
	for i := range values {
		values[i].Role = named[values[i].Value]
	}
	return nil
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// name is a label, type or property as it stands in a query.
func name(s string) string { return cypher.Print(&cypher.Label{Name: s}) }
