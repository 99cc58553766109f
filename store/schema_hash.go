package store

import (
	"crypto/sha256"
	"fmt"
)

// ComputeHash returns what Hash should be: 16 hex digits of the names, types and
// keys of the schema, without counts, samples, ranges and whether it is Sampled.
// Parts that are alike in another order give another hash; keep them sorted.
func (s *Schema) ComputeHash() string {
	h := sha256.New()
	properties := func(ps []Property) {
		for _, p := range ps {
			fmt.Fprintf(h, "\t%q %q %t\n", p.Name, p.Type, p.Unique)
		}
	}
	for _, l := range s.Labels {
		fmt.Fprintf(h, "label %q\n", l.Name)
		properties(l.Properties)
	}
	for _, t := range s.Types {
		fmt.Fprintf(h, "type %q\n", t.Name)
		properties(t.Properties)
	}
	for _, r := range s.Relationships {
		fmt.Fprintf(h, "relation %q %q %q\n", r.Start, r.Type, r.End)
	}
	for _, i := range s.Indexes {
		fmt.Fprintf(h, "index %q %q %t %q %q\n", i.Name, i.Type, i.OnNodes, i.Labels, i.Properties)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
