package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/text"
	"precedent/store/written"
)

// aliasFile is the form of a file of aliases.
type aliasFile struct {
	Properties map[string]map[string][]string `yaml:",inline" sample:"{Genre.name: {Sci-Fi: [sf, 科幻]}}" is:"property" form:"^[^.]+\\..+$" like:"Label.property" doc:"under Label.property each value as it is stored, and its other names"`
}

// AliasSchema is the JSON Schema of files of aliases.
func AliasSchema() ([]byte, error) {
	return written.Schema("Other names of values, for Precedent", aliasFile{})
}

// ReadAliases are the mistakes in a file of aliases that no graph is needed to see.
func ReadAliases(file string, content []byte) written.Mistakes {
	_, wrong := parseAliases(file, content)
	return wrong
}

// GlossarySchema is the JSON Schema of glossaries.
func GlossarySchema() ([]byte, error) { return reading.GlossarySchema() }

// A writtenAlias stands in a file: one of the names of a value, or a value without
// names.
type writtenAlias struct {
	link.Alias
	doc   *written.Doc
	item  int  // in the list of names; -1: there are none
	alone bool // it is the only name
}

// target is Label.property.
func (a writtenAlias) target() string { return a.Label + "." + a.Property }

// at is where the name stands.
func (a writtenAlias) at() written.Place { return a.doc.At(a.target(), a.Value, a.item) }

// parseAliases reads a YAML file: Label.property → value → other names, in the order
// of the file. What is a mistake is left out.
func parseAliases(file string, content []byte) ([]writtenAlias, written.Mistakes) {
	doc, wrong := written.Parse(file, content)
	wrong = append(wrong, doc.Into(&aliasFile{})...).InOrder()
	var out []writtenAlias
	for target, values := range pairs(doc.Root) {
		label, property, ok := strings.Cut(target.Value, ".")
		if !ok {
			continue
		}
		for value, names := range pairs(values) {
			a := writtenAlias{Alias: link.Alias{Label: label, Property: property, Value: value.Value}, doc: doc, item: -1, alone: len(names.Content) == 1}
			for i, n := range names.Content {
				if n.Kind == yaml.ScalarNode && names.Kind == yaml.SequenceNode {
					a.Name, a.item = n.Value, i
					out = append(out, a)
				}
			}
			if names.Kind == yaml.SequenceNode && len(names.Content) == 0 || names.ShortTag() == "!!null" {
				out = append(out, a)
			}
		}
	}
	return out, wrong
}

// pairs are the keys of a YAML mapping and what stands there.
func pairs(mapping *yaml.Node) func(func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		if mapping == nil || mapping.Kind != yaml.MappingNode {
			return
		}
		for pair := range slices.Chunk(mapping.Content, 2) {
			if !yield(pair[0], pair[1]) {
				return
			}
		}
	}
}

// misnamed are the mistakes of the aliases that the operator wrote.
func (e *Engine) misnamed(full *store.Schema) written.Mistakes {
	if len(e.written.aliases) == 0 {
		return nil
	}
	m := misnaming{e: e, full: full, owned: properties(full), known: e.held(), nouns: make(map[string]string), names: make(map[[2]string]writtenAlias), told: make(map[[3]string]bool)}
	for label, nouns := range e.snapshot().reader.Glossary().Nouns() {
		for _, noun := range nouns {
			if before, taken := m.nouns[noun]; !taken || label < before {
				m.nouns[noun] = label
			}
		}
	}
	for _, a := range e.written.aliases {
		m.names[[2]string{a.target(), text.KeyOf(a.Name)}] = a
	}
	first := make(map[[2]string]writtenAlias)
	for _, a := range e.written.aliases {
		if m.found.Full() {
			break
		}
		if m.target(a) && m.value(a) && a.item >= 0 {
			m.name(a, first)
		}
	}
	return m.found.InOrder()
}

// misnaming looks at aliases one after the other.
type misnaming struct {
	e      *Engine
	full   *store.Schema
	owned  []string
	known  map[string]values          // of each Label.property
	nouns  map[string]string          // words for labels
	names  map[[2]string]writtenAlias // by Label.property and folded name
	told   map[[3]string]bool         // what was said once
	neared int
	found  written.Mistakes
}

// values are those of a property that are known by name.
type values struct {
	list   []string
	folded map[string]string
}

// held are the values known by name of each Label.property that the operator
// wrote aliases for.
func (e *Engine) held() map[string]values {
	out := make(map[string]values)
	for _, a := range e.written.aliases {
		out[a.target()] = values{folded: make(map[string]string)}
	}
	for _, v := range e.snapshot().reader.Linker().Values() {
		for _, l := range labelsOf(v) {
			if vs, asked := out[l+"."+v.Property]; asked {
				vs.list = append(vs.list, v.Value)
				vs.folded[text.KeyOf(v.Value)] = v.Value
				out[l+"."+v.Property] = vs
			}
		}
	}
	return out
}

// once reports whether something of a file is said for the first time.
func (m *misnaming) once(a writtenAlias, what ...string) bool {
	key := [3]string{a.doc.File}
	copy(key[1:], what)
	said := m.told[key]
	m.told[key] = true
	return !said
}

// target looks at Label.property, and reports whether its values are known.
func (m *misnaming) target(a writtenAlias) bool {
	target := a.target()
	hidden := m.e.isHidden(target)
	at := func() written.Place { return a.doc.KeyAt(target) }
	switch known := slices.Contains(m.owned, target) || hidden; {
	case known && len(m.known[target].list) > 0:
		return true
	case !m.once(a, target):
	case !known:
		level, cure := written.Wrong, asked(nearestOf(target, m.owned))
		if m.full.Sampled {
			level = written.Note
		}
		if cure == "" {
			cure = offered(m.full, m.owned, target)
		}
		m.found = append(m.found, at().At(level, cure, "the graph has no %s", target))
	case hidden:
		m.found = append(m.found, at().At(written.Idle, "leave it out here, or under hide", "%s is hidden, so other names for its values mean nothing", target))
	default:
		m.found = append(m.found, at().At(written.Idle, "write it under linkable in the configuration or a glossary", "values of %s aren't known by name, so other names for them mean nothing", target))
	}
	return false
}

// mostNeared is for how many values that aren't there the nearest is looked for.
const mostNeared = 50

// value looks at a value, and reports whether the graph has it.
func (m *misnaming) value(a writtenAlias) bool {
	target := a.target()
	known := m.known[target]
	at := func() written.Place { return a.doc.KeyAt(target, a.Value) }
	_, folded := known.folded[text.KeyOf(a.Value)]
	if slices.Contains(known.list, a.Value) {
		if a.item < 0 && m.once(a, target, a.Value) {
			m.found = append(m.found, at().At(written.Idle, "write them as a list, or leave it out", "%s has no other names", a.Value))
		}
		return true
	}
	if !m.once(a, target, a.Value) {
		return false
	}
	cure := "write it as the graph has it"
	if near := ""; folded || m.neared < mostNeared {
		m.neared++
		if near = known.folded[text.KeyOf(a.Value)]; near == "" {
			near = text.Nearest(a.Value, known.list)
		}
		cure = cmp.Or(asked(near), cure)
	}
	if of, chained := m.names[[2]string{target, text.KeyOf(a.Value)}]; chained && !folded && of.Value != a.Value {
		cure = fmt.Sprintf("it is another name for %s itself (line %d); write these there", of.Value, of.at().Line)
	}
	if a.item < 0 {
		m.found = append(m.found, at().At(written.Idle, cure, "no %s is %q", target, a.Value))
	} else {
		m.found = append(m.found, at().At(written.Idle, cure, "no %s is %q, so %q means nothing", target, a.Value, a.Name))
	}
	return false
}

// name looks at another name for a value; first is where each was first.
func (m *misnaming) name(a writtenAlias, first map[[2]string]writtenAlias) {
	add := func(cure, what string, args ...any) {
		m.found = append(m.found, a.at().At(written.Idle, cure, what, args...))
	}
	key := text.KeyOf(a.Name)
	if key == "" {
		add("write a name, or leave it out", "%q has no letters and no digits", a.Name)
		return
	}
	where := [2]string{a.target(), key}
	before, twice := first[where]
	if !twice {
		first[where] = a
	}
	_, value := m.known[a.target()].folded[key]
	switch {
	case text.KeyOf(a.Value) == key:
		add("leave it out", "%q is the value itself: case, marks, spaces and traditional characters make no difference", a.Name)
	case value:
		add("leave it out", "%q can't mean %s, since it is a %s itself", a.Name, a.Value, a.target())
	case twice && before.Value == a.Value:
		add("keep one", "%q is here twice, and in line %d", a.Name, before.at().Line)
	case twice:
		add("leave it to one of them", "%q means %s, and %s in line %d", a.Name, a.Value, before.Value, before.at().Line)
	case a.alone && strings.ContainsAny(a.Name, "，、；") && !strings.ContainsAny(a.Value, ",，、；"):
		add("write a comma (,) and a space between names", "%q is one name", a.Name)
	case reading.IsFraming(a.Name):
		add("leave it out, or say more with it", "%q is a word that any question may hold, and no name for %s", a.Name, a.Value)
	case m.nouns[key] != "":
		add("leave it out, or say more with it", "%q is a word for %s, and no name for %s", a.Name, m.nouns[key], a.Value)
	}
}

// isHidden reports whether Label.property or its label is hidden.
func (e *Engine) isHidden(target string) bool {
	label, key, _ := strings.Cut(target, ".")
	return e.gate.hide.Name(label) || e.gate.hide.Property([]string{label}, key)
}
