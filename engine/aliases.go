package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

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
	f, err := written.Tree(file, content)
	if err != nil {
		return nil, err
	}
	var out []writtenAlias
	var errs []error
	line := func(n ast.Node) int { return n.GetToken().Position.Line }
	wrong := func(n ast.Node, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s:%d: %s", file, line(n), fmt.Sprintf(format, args...)))
	}
	for _, doc := range f.Docs {
		top, ok := mapping(doc.Body)
		if !ok {
			if doc.Body != nil {
				wrong(doc.Body, "want Label.property: {value: [other, names]}")
			}
			continue
		}
		for _, prop := range top {
			name := prop.Key.GetToken().Value
			label, property, ok := strings.Cut(name, ".")
			if !ok {
				wrong(prop, "%q: want Label.property", name)
				continue
			}
			values, ok := mapping(prop.Value)
			if !ok {
				wrong(prop, "%s: want value: [other, names]", name)
				continue
			}
			for _, v := range values {
				var value string
				var names []string
				if err := yaml.NodeToValue(v.Key, &value); err != nil {
					wrong(v, "a value must be a text")
					continue
				}
				if err := yaml.NodeToValue(v.Value, &names); err != nil {
					wrong(v, "%s: want a list of other names", value)
					continue
				}
				for _, n := range names {
					out = append(out, writtenAlias{link.Alias{Label: label, Property: property, Value: value, Name: n}, file, line(prop), line(v)})
				}
			}
		}
	}
	return out, errors.Join(errs...)
}

// mapping returns the entries of a YAML mapping, of which one alone is a node
// of another kind.
func mapping(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}
