package engine

import (
	"context"
	"fmt"
	"slices"

	"precedent/engine/check"
	"precedent/engine/grammar"
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
	text    schemaText // the schema as each model is shown it; no text if it is too long
	whole   string     // the same in full
	pruner  func() *pruner
	reader  *reading.Reader
	grammar *grammar.Reader // of the same words
	checker *check.Checker
	words   *vocabulary // by which a question shows that it is about the graph

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
	var wrong written.Mistakes
	for _, name := range c.Glossaries {
		content, err := wordFile(name, movies.Glossary)
		if err != nil {
			return fmt.Errorf("%w: reading the glossary: %w; name a file of words under glossary", ErrConfig, err)
		}
		f, found := reading.ParseGlossary(name, content)
		wrong = append(wrong, found...)
		e.glossary.Add(f.Glossary)
		if name != movies.Name { // what ships may name more than a graph like it holds
			e.written.glossaries = append(e.written.glossaries, f)
		}
	}
	for _, name := range c.Aliases {
		content, err := wordFile(name, movies.Aliases)
		if err != nil {
			return fmt.Errorf("%w: reading the aliases: %w; name a file of words under aliases", ErrConfig, err)
		}
		as, found := parseAliases(name, content)
		wrong = append(wrong, found...)
		for _, a := range as {
			e.aliases = append(e.aliases, a.Alias)
		}
		if name != movies.Name {
			e.written.aliases = append(e.written.aliases, as...)
		}
	}
	if e.mistakes = wrong; len(wrong) > 0 && !e.checking {
		return fmt.Errorf("%w: %w", ErrConfig, wrong.InOrder())
	}
	return nil
}

// wordFile is what a file of words holds; movies is no file: it stands for what ships.
func wordFile(name string, shipped []byte) ([]byte, error) {
	if name == movies.Name {
		return shipped, nil
	}
	return written.Read(name, written.MaxFile)
}

// look reads the schema and the values that people name. Of before, nil for nothing,
// it takes what same reports, of parts of the graph's pulse, to be as it was.
func (e *Engine) look(ctx context.Context, before *snapshot, same func(part string) bool) (*snapshot, error) {
	var was *store.Schema
	if before != nil {
		was = before.schema
	}
	schema, err := e.gate.schema(ctx, schemaBudget, was, same)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	g, err := e.glossaryFor(schema)
	if err != nil {
		return nil, err
	}
	list := linkables(schema, g, e.linking)
	bounded(list, schema)
	if same != nil && before.schema.Hash == schema.Hash && keeps(schema, same) {
		return e.know(ctx, schema, g, before.reader.Linker().Values(), before.linkables, before)
	}
	values, err := e.valuesAgain(ctx, schema, g, list, before, same)
	if err != nil {
		return nil, err
	}
	return e.know(ctx, schema, g, values, list, nil)
}

// valuesAgain is values, but that those of labels that are the same are taken from
// before, where no node bears a label that is the same and one that isn't.
func (e *Engine) valuesAgain(ctx context.Context, schema *store.Schema, g *reading.Glossary, list []Linkable, before *snapshot, same func(part string) bool) ([]link.Value, error) {
	if same == nil {
		return e.values(ctx, schema, g, list)
	}
	changed := func(label string) bool { return !same(store.LabelPart(label)) } // of a type always
	mixed := func(v link.Value) bool {
		return slices.ContainsFunc(v.Labels, changed) && slices.ContainsFunc(v.Labels, func(l string) bool { return !changed(l) })
	}
	known := before.reader.Linker().Values()
	if slices.ContainsFunc(known, mixed) {
		return e.values(ctx, schema, g, list)
	}
	was := make(map[string]Linkable, len(before.linkables))
	for _, l := range before.linkables {
		was[l.Name()] = l
	}
	var part []Linkable
	for _, l := range list {
		if _, ok := was[l.Name()]; !ok || changed(l.Owner) {
			part = append(part, l)
		}
	}
	values, err := e.values(ctx, schema, g, part)
	if err != nil || slices.ContainsFunc(values, mixed) {
		return e.values(ctx, schema, g, list)
	}
	for _, l := range part {
		was[l.Name()] = l
	}
	for i := range list {
		list[i] = was[list[i].Name()]
	}
	return append(slices.DeleteFunc(slices.Clone(known), func(v link.Value) bool { return changed(v.Label) }), values...), nil
}

// keeps reports whether no label and no type of a schema has changed.
func keeps(s *store.Schema, same func(part string) bool) bool {
	return !slices.ContainsFunc(s.Labels, func(l store.Label) bool { return !same(store.LabelPart(l.Name)) }) &&
		!slices.ContainsFunc(s.Types, func(t store.RelType) bool { return !same(store.TypePart(t.Name)) })
}

// glossaryFor is the glossary for a schema, without what the operator wrote about names
// that aren't in it; see [Engine.mistaken].
func (e *Engine) glossaryFor(schema *store.Schema) (*reading.Glossary, error) {
	g := &reading.Glossary{}
	if e.shipped == nil && len(e.glossary.Labels) == 0 {
		g = reading.DefaultGlossary(schema)
		more, err := borrowed(g, schema)
		if err != nil {
			return nil, err
		}
		g.Add(more)
	}
	g.Add(e.glossary)
	g = g.Without(e.gate.hide)
	if !schema.Sampled {
		g = g.Fitting(schema)
	}
	return g, nil
}

// know makes a snapshot of what was read. Where that is all as in before, its reader
// stays; before may be nil.
func (e *Engine) know(ctx context.Context, schema *store.Schema, g *reading.Glossary, values []link.Value, list []Linkable, before *snapshot) (*snapshot, error) {
	s := &snapshot{schema: schema, pruner: pruning(schema), linkables: list, named: make(map[string]bool), allowed: make(map[string]bool)}
	for _, l := range list {
		s.named[l.Name()] = l.As != ""
		s.allowed[l.Name()] = l.As == Configured
	}
	taught, seq, _, err := e.library.TaughtSince(ctx, 0)
	if err != nil {
		return nil, fmt.Errorf("reading what was taught: %w", err)
	}
	s.taught, s.taughtSeq = aliasesOf(taught), seq
	if before != nil && slices.Equal(s.taught, before.taught) {
		s.reader, s.grammar = before.reader, before.grammar
	} else if s.reader, err = reading.New(g, s.schema, values, append(slices.Clip(e.aliases), s.taught...)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if s.grammar == nil {
		words := g
		if e.shipped == nil && len(e.glossary.Labels) > 0 { // what the operator has no words for is called by its name
			words = reading.DefaultGlossary(schema)
			words.Add(g)
		}
		if s.grammar, err = grammar.New(words, s.schema, s.reader.Linker()); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	if e.gently { // on one processor: others answer meanwhile
		s.reader.Linker().Ready()
	} else {
		go s.reader.Linker().Ready()
	}
	s.listings, s.steps = listings(s.schema), new(memo[check.Step, bool])
	s.checker = check.New(s.schema)
	s.checker.Values = s.holding
	s.words = newVocabulary(s.schema, g)
	s.describe(e.rowsToModel)
	return s, nil
}

// name is a label, type or property as it stands in a query.
func name(s string) string { return cypher.Print(&cypher.Label{Name: s}) }
