package written

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// YAML reads the one document of a file into v, whose keys are the only ones.
// Its errors begin with file:line.
func YAML(file string, content []byte, v any) error {
	tree, err := Tree(file, content)
	if err != nil {
		return err
	}
	if len(tree.Docs) > 1 {
		return fmt.Errorf("%s:%d: a second document begins here; write all into one", file, tree.Docs[1].Start.Position.Line)
	}
	return worded(file, yaml.UnmarshalWithOptions(content, v, yaml.Strict()))
}

// Tree parses a file. Its errors begin with file:line.
func Tree(file string, content []byte) (*ast.File, error) {
	if !utf8.Valid(content) {
		return nil, fmt.Errorf("%s: this is no UTF-8 text; save it as UTF-8", file)
	}
	tree, err := parser.ParseBytes(content, 0)
	return tree, worded(file, err)
}

// worded is err of the YAML decoder with file:line and without the excerpt.
func worded(file string, err error) error {
	y, ok := errors.AsType[yaml.Error](err)
	if !ok {
		if err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
		return err
	}
	what := strings.TrimSpace(y.GetMessage())
	if e, ok := errors.AsType[*yaml.TypeError](err); ok {
		what = fmt.Sprintf("want %s here, not %s", inYAML(e.DstType), inYAML(e.SrcType))
	}
	if e, ok := errors.AsType[*yaml.UnexpectedNodeTypeError](err); ok {
		what = fmt.Sprintf("want %s here, not %s", nodes(e.Expected), nodes(e.Actual))
	}
	line := 1
	if t := y.GetToken(); t != nil {
		line = t.Position.Line
		if _, ok := errors.AsType[*yaml.UnknownFieldError](err); ok {
			what = fmt.Sprintf("there is no key %q here", t.Value)
		}
	}
	return fmt.Errorf("%s:%d: %s", file, line, what)
}

func inYAML(t reflect.Type) string {
	switch is := wanted(t); is {
	case "a string":
		return "a text"
	case "an array":
		return "a list"
	case "an object":
		return "a mapping"
	default:
		return is
	}
}

func nodes(t ast.NodeType) string {
	switch t {
	case ast.SequenceType:
		return "a list"
	case ast.MappingType, ast.MappingValueType:
		return "a mapping"
	case ast.StringType, ast.LiteralType:
		return "a text"
	case ast.IntegerType, ast.FloatType:
		return "a number"
	case ast.BoolType:
		return "true or false"
	}
	return "a " + strings.ToLower(t.String())
}
