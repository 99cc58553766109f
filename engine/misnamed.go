package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"precedent/engine/check"
	"precedent/engine/link"
	"precedent/store"
)

// shownMisnamed is how many lines of the alias files are named one by one.
const shownMisnamed = 10

// idleHide is the entries of hide that match nothing in full, the schema with what
// is hidden, and a line on each: what is meant, or what there is. A name that isn't there
// hides nothing, which nobody would notice.
func (e *Engine) idleHide(full *store.Schema) (entries, lines []string) {
	owned := properties(full)
	for _, h := range e.policy.Hide {
		if near, ok := has(full, owned, h); !ok {
			said := meant(near)
			if near == "" {
				said = offered(full, owned, h)
			}
			entries = append(entries, h)
			lines = append(lines, fmt.Sprintf("hide: the graph has no %s, so this hides nothing%s", h, said))
		}
	}
	return entries, lines
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
		return "; it holds nothing yet"
	}
	if len(there) > shownNames {
		there = append(there[:shownNames:shownNames], "…")
	}
	return "; it has " + strings.Join(there, ", ")
}

// misnamed looks for what the operator wrote and the graph hasn't. That an entry
// of hide matches nothing, or that an alias is for no property of the graph, is the
// error; the warnings are the rest. Of a schema read in part, all are warnings,
// and so are entries of hide where other graphs may have what they name.
func (e *Engine) misnamed(elsewhere bool) (warnings []string, err error) {
	full := e.snapshot().schema
	owned := properties(full)
	var unhidden []string
	e.idle, unhidden = e.idleHide(full)
	unhidden = append(unhidden, e.linking.mislinked(full)...)
	if full.Sampled {
		e.idle = nil // nobody knows
	}
	if elsewhere || full.Sampled {
		warnings, unhidden = unhidden, nil
	}
	var wrong, idle []string
	held := e.held()
	for i, a := range e.written {
		target := a.Label + "." + a.Property
		before := writtenAlias{}
		if i > 0 {
			before = e.written[i-1]
		}
		first := a.file != before.file || a.target != before.target || a.Property != before.Property || a.Label != before.Label
		if !first && a.own == before.own && a.Value == before.Value {
			continue // another name for the same value
		}
		switch values, known := held[target], slices.Contains(owned, target) || e.isHidden(target); {
		case !known && first:
			wrong = append(wrong, fmt.Sprintf("%s:%d: the graph has no %s%s", a.file, a.target, target, meant(nearestOf(target, owned))))
		case !known:
		case len(values) == 0 && first && e.isHidden(target):
			idle = append(idle, fmt.Sprintf("%s:%d: %s is hidden, so other names for its values mean nothing", a.file, a.target, target))
		case len(values) == 0 && first:
			idle = append(idle, fmt.Sprintf("%s:%d: values of %s aren't known by name, so other names for them mean nothing; write it under linkable in the configuration or a glossary", a.file, a.target, target))
		case len(values) > 0 && !slices.Contains(values, a.Value):
			idle = append(idle, fmt.Sprintf("%s:%d: no %s is %q, so %q means nothing%s", a.file, a.own, target, a.Value, a.Name, meant(check.Nearest(a.Value, values))))
		}
		if len(wrong)+len(idle) == shownMisnamed {
			idle = append(idle, "aliases: perhaps more lines mean nothing; mend these first")
			break
		}
	}
	if full.Sampled {
		return slices.Concat(warnings, wrong, idle), nil
	}
	if wrong = append(unhidden, wrong...); len(wrong) > 0 {
		return nil, errors.New(strings.Join(wrong, "\n"))
	}
	return slices.Concat(warnings, idle), nil
}

// HidesNothing are the entries of Config.Hide that match nothing in this graph;
// none where its schema was read in part.
func (e *Engine) HidesNothing() []string { return slices.Clone(e.idle) }

func meant(near string) string {
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", near)
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
		return check.Nearest(name, known)
	}
	var own []string
	for _, k := range known {
		if p, ok := strings.CutPrefix(k, label+"."); ok {
			own = append(own, p)
		}
	}
	if len(own) == 0 {
		return check.Nearest(name, known)
	}
	if near := check.Nearest(property, own); near != "" {
		return label + "." + near
	}
	return ""
}

// isHidden reports whether Label.property or its label is hidden.
func (e *Engine) isHidden(target string) bool {
	label, key, _ := strings.Cut(target, ".")
	return e.gate.hide.Name(label) || e.gate.hide.Property([]string{label}, key)
}

// held are the values known by name of each Label.property that the operator
// wrote aliases for.
func (e *Engine) held() map[string][]string {
	out := make(map[string][]string)
	for _, a := range e.written {
		out[a.Label+"."+a.Property] = nil
	}
	if len(out) == 0 {
		return nil
	}
	for _, v := range e.snapshot().reader.Linker().Values() {
		for _, l := range labelsOf(v) {
			if values, asked := out[l+"."+v.Property]; asked {
				out[l+"."+v.Property] = append(values, v.Value)
			}
		}
	}
	return out
}

func labelsOf(v link.Value) []string {
	if slices.Contains(v.Labels, v.Label) {
		return v.Labels
	}
	return append(slices.Clone(v.Labels), v.Label)
}
