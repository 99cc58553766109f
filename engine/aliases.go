package engine

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"precedent/engine/link"
	"precedent/store/written"
)

// A writtenAlias stands on a line of a file.
type writtenAlias struct {
	link.Alias
	file        string
	target, own int // lines of its Label.property and of its value
}

// parseAliases reads a YAML file: Label.property → value → other names.
func parseAliases(file string, content []byte) ([]writtenAlias, error) {
	docs, err := written.Tree(file, content)
	if err != nil {
		return nil, err
	}
	var out []writtenAlias
	var errs []error
	wrong := func(n *yaml.Node, format string, args ...any) {
		if len(errs) < maxAliasErrors {
			errs = append(errs, fmt.Errorf("%s:%d: %s", file, n.Line, fmt.Sprintf(format, args...)))
		}
	}
	for _, doc := range docs {
		top := doc.Content[0]
		if top.Kind != yaml.MappingNode {
			wrong(top, "want Label.property: {value: [other, names]}")
			continue
		}
		for name, values := range pairs(top) {
			label, property, ok := strings.Cut(name.Value, ".")
			if !ok {
				wrong(name, "%q: want Label.property", name.Value)
				continue
			}
			if values.Kind != yaml.MappingNode {
				wrong(name, "%s: want value: [other, names]", name.Value)
				continue
			}
			for value, names := range pairs(values) {
				if names.Kind != yaml.SequenceNode || slices.ContainsFunc(names.Content, func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode }) {
					wrong(value, "%s: want a list of other names", value.Value)
					continue
				}
				for _, n := range names.Content {
					out = append(out, writtenAlias{link.Alias{Label: label, Property: property, Value: value.Value, Name: n.Value}, file, name.Line, value.Line})
				}
			}
		}
	}
	return out, errors.Join(errs...)
}

// maxAliasErrors is how many errors of one file of aliases are reported.
const maxAliasErrors = 10

// pairs are the keys of a YAML mapping and what stands there.
func pairs(mapping *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		for pair := range slices.Chunk(mapping.Content, 2) {
			if !yield(pair[0], pair[1]) {
				return
			}
		}
	}
}
