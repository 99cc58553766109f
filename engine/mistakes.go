package engine

import (
	"slices"
	"strings"

	"precedent/engine/link"
	"precedent/engine/reading"
	"precedent/store"
	"precedent/store/text"
	"precedent/store/written"
)

// wordFiles are the files of words that the operator wrote.
type wordFiles struct {
	glossaries []reading.GlossaryFile
	aliases    []writtenAlias
}

// mistaken are the mistakes of what the operator wrote, held against the graph: of
// entries of hide and linkable, of glossaries, of aliases. That an entry of hide matches nothing, or
// that an alias is for no property of the graph, is wrong; all else does nothing. Of a
// schema read in part such may be right, and what names something where other graphs
// may have that.
func (e *Engine) mistaken(elsewhere bool) (found written.Mistakes) {
	full := e.snapshot().schema
	level := written.Wrong
	if elsewhere || full.Sampled {
		level = written.Note
	}
	found = append(e.idleHide(full, level), e.mislinked(full, level)...)
	if full.Sampled {
		e.idle = nil // nobody knows
	}
	words := append(reading.Held(e.written.glossaries, full), e.misnamed(full)...)
	if elsewhere {
		alone := reading.Held(e.written.glossaries, nil)
		for i := range words {
			if !slices.Contains(alone, words[i]) {
				words[i].Level = written.Note
			}
		}
	}
	return append(found, words...)
}

// Mistakes are those of what the operator wrote that didn't keep the engine from
// opening.
func (e *Engine) Mistakes() written.Mistakes { return slices.Clone(e.mistakes) }

// idleHide finds the entries of hide that match nothing. A name that isn't there
// hides nothing, which nobody would notice.
func (e *Engine) idleHide(full *store.Schema, level written.Level) (found written.Mistakes) {
	owned := properties(full)
	for i, h := range e.policy.Hide {
		if near, ok := has(full, owned, h); !ok {
			cure := asked(near)
			if near == "" {
				cure = offered(full, owned, h)
			}
			e.idle = append(e.idle, h)
			found = append(found, e.placed("hide", i).At(level, cure, "hide: the graph has no %s, so this hides nothing", h))
		}
	}
	return found
}

// mislinked finds entries of the configuration's linkable that the graph lacks.
func (e *Engine) mislinked(s *store.Schema, level written.Level) (found written.Mistakes) {
	owned := properties(s)
	look := func(key string, names []string) {
		for i, name := range names {
			if !slices.Contains(owned, name) {
				near := nearestOf(name, owned)
				cure := asked(near)
				if near == "" {
					cure = offered(s, owned, name)
				}
				found = append(found, e.placed("linkable", key, i).At(level, cure, "linkable: the graph has no %s", name))
			}
		}
	}
	look("add", e.linking.Add)
	look("remove", e.linking.Remove)
	for i, name := range e.linking.Add {
		if slices.Contains(e.linking.Remove, name) {
			found = append(found, e.placed("linkable", "add", i).At(level, "leave one of them out", "linkable: %s is both added and removed", name))
		}
	}
	return found
}

// shownNames is how many names are offered in place of one that isn't there.
const shownNames = 8

// offered are names of the graph in place of an entry of hide to which none is near.
func offered(s *store.Schema, owned []string, entry string) string {
	var there []string
	label, _, ofProperty := strings.Cut(entry, ".")
	for _, name := range owned {
		if ofProperty && strings.HasPrefix(name, label+".") {
			there = append(there, name)
		}
	}
	if len(there) == 0 {
		for _, l := range s.Labels {
			there = append(there, ":"+l.Name)
		}
	}
	if len(there) == 0 {
		return "it holds nothing yet"
	}
	if len(there) > shownNames {
		there = append(there[:shownNames:shownNames], "…")
	}
	return "it has " + strings.Join(there, ", ")
}

// HidesNothing are the entries of Config.Hide that match nothing in this graph;
// none where its schema was read in part.
func (e *Engine) HidesNothing() []string { return slices.Clone(e.idle) }

func asked(near string) string {
	if near == "" {
		return ""
	}
	return "did you mean " + near + "?"
}

// properties are the properties of s, the hidden ones too, as Label.property or
// TYPE.property.
func properties(s *store.Schema) []string {
	out := slices.Clone(s.Hidden.Properties)
	each(s, func(owner string, p store.Property) { out = append(out, owner+"."+p.Name) })
	return out
}

// has reports whether s has what an entry of hide names, :Label, :TYPE or one of
// owned, and if not which name is near.
func has(s *store.Schema, owned []string, entry string) (near string, ok bool) {
	known := owned
	if strings.HasPrefix(entry, ":") {
		known = nil
		for _, l := range s.Labels {
			known = append(known, ":"+l.Name)
		}
		for _, t := range s.Types {
			known = append(known, ":"+t.Name)
		}
		for _, name := range slices.Concat(s.Hidden.Labels, s.Hidden.Types) {
			known = append(known, ":"+name)
		}
	}
	if slices.Contains(known, entry) {
		return "", true
	}
	return nearestOf(entry, known), false
}

// nearestOf is the one of known that Label.property or :Label is most likely
// meant for, or "": of a label that there is, a property.
func nearestOf(name string, known []string) string {
	label, property, ok := strings.Cut(name, ".")
	if !ok {
		return text.Nearest(name, known)
	}
	var own []string
	for _, k := range known {
		if p, ok := strings.CutPrefix(k, label+"."); ok {
			own = append(own, p)
		}
	}
	if len(own) == 0 {
		return text.Nearest(name, known)
	}
	if near := text.Nearest(property, own); near != "" {
		return label + "." + near
	}
	return ""
}

func labelsOf(v link.Value) []string {
	if slices.Contains(v.Labels, v.Label) {
		return v.Labels
	}
	return append(slices.Clone(v.Labels), v.Label)
}
