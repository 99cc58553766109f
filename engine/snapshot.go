package engine

import (
	"context"
	"fmt"
	"slices"

	"precedent/engine/check"
	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/movies"
	"precedent/store/written"
)

// A snapshot is what the engine knows of the graph; a refresh makes another.
type snapshot struct {
	schema  *store.Schema
	text    schemaText // the schema as each model is shown it; no text if it is too long
	whole   string     // the same in full
	pruner  func() *pruner
	reader  *reading.Reader
	checker *check.Checker
	words   *vocabulary // by which a question shows that it is about the graph
	domain  string      // the glossary's words, as a model is shown them

	linkables []Linkable      // every property
	named     map[string]bool // the properties whose values are known by name, as Label.property
	allowed   map[string]bool // those whose values prompts may show whatever they look like

	listings map[string]listing      // the properties of few values, as Label.property
	steps    *memo[check.Step, bool] // whether a relationship leads to one node at most, as far as it was looked into

	taught    []link.Alias // that people taught and curators approved
	taughtSeq int64        // of the library, up to which that goes
}

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
	if e.shipped != nil || slices.Contains(c.Glossaries, movies.Name) {
		e.policy.Lists = guardrails.With(movies.OffTopicEnglish, movies.OffTopicChinese)
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
	s := &snapshot{schema: schema, pruner: pruning(schema)}
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
	s.linkables = linkables(s.schema, g, e.linking)
	bounded(s.linkables, s.schema)
	values, err := e.values(ctx, s.schema, g, s.linkables)
	if err != nil {
		return err
	}
	s.named, s.allowed = make(map[string]bool), make(map[string]bool)
	for _, l := range s.linkables {
		s.named[l.Name()] = l.As != ""
		s.allowed[l.Name()] = l.As == Configured
	}
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
	s.words = newVocabulary(s.schema, g)
	s.describe(e.rowsToModel)
	e.known.Store(s)
	return nil
}

// name is a label, type or property as it stands in a query.
func name(s string) string { return cypher.Print(&cypher.Label{Name: s}) }
