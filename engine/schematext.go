package engine

import (
	"fmt"
	"strings"

	"precedent/store"
	"precedent/store/cypher"
	"precedent/store/text"
)

// Bounds of the schema in a prompt.
const (
	maxSchemaTokens = 6000 // beyond it, what the question doesn't touch is left out; 4 bytes count as one token
	bytesPerToken   = 4
	maxSamples      = 5  // sample values of one property
	maxSampleText   = 40 // runes of one of them
)

// formatSchema writes s for a model, with sample values where they may leave
// the house. touched keeps only labels and types that it reports true for, and
// those next to them; nil keeps all.
func formatSchema(s *store.Schema, samples bool, touched func(name string) bool) string {
	keep := func(name string) bool { return touched == nil || touched(name) }
	near := make(map[string]bool)
	for _, r := range s.Relationships {
		if keep(r.Start) || keep(r.End) || keep(r.Type) {
			near[r.Start], near[r.Type], near[r.End] = true, true, true
		}
	}
	var b strings.Builder
	b.WriteString("Nodes:\n")
	for _, l := range s.Labels {
		if keep(l.Name) || near[l.Name] {
			fmt.Fprintf(&b, "(:%s) %d\n", promptName(l.Name), l.Count)
			writeProperties(&b, l.Properties, samples)
		}
	}
	b.WriteString("Relationships:\n")
	for _, t := range s.Types {
		if !keep(t.Name) && !near[t.Name] {
			continue
		}
		for _, r := range s.Relationships {
			if r.Type == t.Name {
				fmt.Fprintf(&b, "(:%s)-[:%s]->(:%s) %d\n", promptName(r.Start), promptName(r.Type), promptName(r.End), r.Count)
			}
		}
		writeProperties(&b, t.Properties, samples)
	}
	return b.String()
}

func writeProperties(b *strings.Builder, ps []store.Property, samples bool) {
	for _, p := range ps {
		fmt.Fprintf(b, "  .%s %s", promptName(p.Name), p.Type)
		if samples {
			writeSamples(b, p)
		}
		b.WriteByte('\n')
	}
}

func writeSamples(b *strings.Builder, p store.Property) {
	if p.Min != nil && p.Max != nil {
		fmt.Fprintf(b, ", from %s to %s", text.Line(fmt.Sprint(p.Min)), text.Line(fmt.Sprint(p.Max)))
		return
	}
	for i, v := range p.Samples[:min(len(p.Samples), maxSamples)] {
		if i == 0 {
			b.WriteString(", such as ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(text.Quote(shorten(fmt.Sprint(v), maxSampleText)))
	}
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
