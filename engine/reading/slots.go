package reading

import (
	"slices"
	"strings"

	"precedent/engine/link"
)

// slotOf returns the slot for the value of label.property that s names, or nil
// where it names none or several. With prop "" any property of the label's key will do.
func (r *Reader) slotOf(s segment, label, prop string) *Slot {
	if s.mention == nil {
		return nil
	}
	var found *Slot
	for _, c := range s.mention.Candidates {
		if c.Property != prop && prop != "" || !r.isLabel(c, label) {
			continue
		}
		if prop == "" && r.glossary.Labels[label].Key != "" && c.Property != r.glossary.Labels[label].Key {
			continue
		}
		if found != nil {
			return nil
		}
		found = &Slot{Name: s.slot, Type: "string", Label: c.Label, Property: c.Property, Value: c.Value, Mention: c.Mention, Link: &c.Link, Labels: c.Labels, Start: s.start, End: s.end}
	}
	return found
}

// isLabel reports whether the value of c may stand for a node of label.
func (r *Reader) isLabel(c link.Candidate, label string) bool {
	return c.Label == label || slices.Contains(c.Labels, label)
}

func (r *Reader) numberSlot(s segment, label, prop string, factor float64) Slot {
	v := s.qty.value * factor
	typ := "integer"
	if r.types[label+"."+prop] == "FLOAT" {
		typ = "float"
	}
	slot := Slot{Name: s.slot, Type: typ, Label: label, Property: prop, Value: plain(v), Start: s.start, End: s.end}
	if typ == "float" {
		slot.Value = v
	}
	return slot
}

// isNumberProp reports whether a bare number of four digits may be compared with t.
func (r *Reader) isNumberProp(t Term) bool {
	typ := r.types[t.Label+"."+t.Prop]
	return typ == "INTEGER" || typ == "FLOAT" || typ == ""
}

func (r *Reader) isYearProp(t Term) bool { return r.glossary.Labels[t.Label].Year == t.Prop }

func (r *Reader) isTimeProp(t Term) bool {
	return r.isYearProp(t) || r.types[t.Label+"."+t.Prop] == "DATE"
}

// timeProp is the property that a year belongs to: the event's, or the one
// that a bare year means.
func (r *Reader) timeProp(event *Term) (label, prop string, ok bool) {
	if event != nil {
		e := r.glossary.Events[event.Name]
		name := e.Year
		if name == "" {
			name = e.Date
		}
		label, prop = split(name)
		return label, prop, prop != ""
	}
	for l, w := range r.glossary.Labels {
		if w.Year == "" {
			continue
		}
		if prop != "" {
			return "", "", false
		}
		label, prop = l, w.Year
	}
	return label, prop, prop != ""
}

func split(name string) (label, prop string) {
	label, prop, _ = strings.Cut(name, ".")
	return label, prop
}
