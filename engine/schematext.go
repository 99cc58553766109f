package engine

import (
	"fmt"
	"slices"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// Bounds of what a prompt says of the schema, in tokens.
const (
	bytesPerToken = 4    // as a rule of thumb
	schemaTokens  = 300  // up to which samples and ranges are shown
	wholeTokens   = 1000 // beyond it, of the bare names, what the question doesn't touch is left out
	prunedTokens  = 1250 // of what is left then

	maxSampleText = 24 // runes of a sample value
)

// tokensIn estimates the tokens of s.
func tokensIn(s string) int { return (len(s) + bytesPerToken - 1) / bytesPerToken }

// A detail is how much a schema's text says of values.
type detail struct {
	samples int  // values of a property of which there are too many
	listed  int  // values of a property that are shown if these are all
	ranges  bool // of numbers and moments
	counts  bool
}

// details are from much to nothing.
var details = []detail{{2, 12, true, true}, {1, 8, true, true}, {0, 6, true, true}, {0, 4, false, true}, {}}

// A schemaText is a schema for a prompt.
type schemaText struct {
	text   string
	listed map[string]bool // the properties, as Owner.property, all of whose values it says
}

// A schemaView is what is shown of a schema.
type schemaView struct {
	*store.Schema
	detail
	shows func(property string, value any) bool // whether a value may stand in a prompt; nil: none may
	keeps *kept                                 // nil keeps all
}

// kept are the parts of a schema that a question touches.
type kept struct {
	names      map[string]bool // of labels and types
	properties map[string]bool // as Owner.property
}

func (k *kept) name(s string) bool { return k == nil || k.names[s] }

func (k *kept) property(s string) bool { return k == nil || k.properties[s] }

// formatSchema writes a schema for a model: a line for each label, one or more
// for each type.
func formatSchema(v schemaView) schemaText {
	var b strings.Builder
	out := schemaText{listed: make(map[string]bool)}
	b.WriteString("Nodes (a property without a type is a STRING):\n")
	for _, l := range v.Labels {
		if !v.keeps.name(l.Name) {
			continue
		}
		fmt.Fprintf(&b, "(:%s)", promptName(l.Name))
		if v.counts {
			fmt.Fprintf(&b, " %d", l.Count)
		}
		if like := v.like(l); like != "" {
			fmt.Fprintf(&b, " has what %s has", promptName(like))
		} else {
			v.properties(&b, &out, l.Name, l.Properties)
		}
		b.WriteByte('\n')
	}
	b.WriteString("Relationships:\n")
	for _, t := range v.Types {
		if !v.keeps.name(t.Name) {
			continue
		}
		for i, ends := range v.ends(t.Name) {
			fmt.Fprintf(&b, "(%s)-[:%s]->(%s)", ends[0], promptName(t.Name), ends[1])
			if i == 0 {
				v.properties(&b, &out, t.Name, t.Properties)
			}
			b.WriteByte('\n')
		}
	}
	out.text = b.String()
	return out
}

// like is a more general label with the same properties, which l needn't repeat, or "".
func (v schemaView) like(l store.Label) string {
	same := func(a, b store.Property) bool { return a.Name == b.Name && a.Type == b.Type }
	best := store.Label{}
	for _, o := range v.Labels {
		if len(l.Properties) > 1 && o.Count > l.Count && o.Count > best.Count && v.keeps.name(o.Name) &&
			(len(v.LabelSets) == 0 || v.Meet([]string{l.Name, o.Name})) && slices.EqualFunc(l.Properties, o.Properties, same) {
			best = o
		}
	}
	return best.Name
}

// ends are the labels that a type joins, as they stand in patterns, with those
// that lead to the same put together.
func (v schemaView) ends(typ string) [][2]string {
	var starts, targets []string // the targets of a start as they stand in a pattern
	for _, r := range v.Relationships {
		if r.Type != typ || !v.keeps.name(r.Start) || !v.keeps.name(r.End) {
			continue
		}
		if n := len(starts); n > 0 && starts[n-1] == r.Start {
			targets[n-1] += "|" + promptName(r.End)
		} else {
			starts, targets = append(starts, r.Start), append(targets, ":"+promptName(r.End))
		}
	}
	var out [][2]string
	for i, start := range starts {
		if at := slices.IndexFunc(out, func(o [2]string) bool { return o[1] == targets[i] }); at >= 0 {
			out[at][0] += "|" + promptName(start)
		} else {
			out = append(out, [2]string{":" + promptName(start), targets[i]})
		}
	}
	if len(out) == 0 {
		return [][2]string{{"", ""}}
	}
	return out
}

func (v schemaView) properties(b *strings.Builder, out *schemaText, owner string, ps []store.Property) {
	sep := ": "
	for _, p := range ps {
		name := owner + "." + p.Name
		if !v.keeps.property(name) {
			continue
		}
		b.WriteString(sep + promptName(p.Name))
		sep = ", "
		if p.Type != "STRING" {
			b.WriteString(" " + p.Type)
		}
		if v.shows != nil && p.Type != "BOOLEAN" {
			out.listed[name] = v.values(b, name, p)
		}
	}
}

// values writes what p holds, and reports whether these are all its values.
func (v schemaView) values(b *strings.Builder, name string, p store.Property) (all bool) {
	if p.Min != nil && p.Max != nil {
		if v.ranges {
			fmt.Fprintf(b, " %s..%s", text.Line(fmt.Sprint(p.Min)), text.Line(fmt.Sprint(p.Max)))
		}
		return false
	}
	if p.Items != nil {
		p = *p.Items
	}
	all = p.Lists() && len(p.Samples) <= v.listed
	n := v.samples
	if all {
		n = len(p.Samples)
	}
	var said []string
	for _, value := range p.Samples {
		if len(said) == n {
			break
		}
		whole := fmt.Sprint(value)
		if !v.shows(name, value) {
			all = false
			continue
		}
		cut := shorten(whole, maxSampleText)
		all = all && cut == whole
		said = append(said, text.Quote(cut))
	}
	if len(said) == 0 {
		return false
	}
	if !all {
		said = append(said, "…")
	}
	b.WriteString(" " + strings.Join(said, "|"))
	return all
}

// promptName is a label, type or property as it stands in a prompt: as in a query,
// and on one line.
func promptName(s string) string {
	return text.Line(cypher.Print(&cypher.Label{Name: s}))
}

func shorten(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	return string(rs[:n]) + "…"
}
