package written

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// Bounds of a YAML file beside [MaxFile]. What the parser holds of one mark,
// which is where something may begin or end, is below 1 KB.
const (
	MaxDepth = 64      // lists and mappings in one another; also of JSON
	maxMarks = 250_000 // commas, colons, brackets, line ends and the like
)

// YAML reads the one document of a file into v, whose keys are the only ones.
// See [Tree] for what it refuses. Its errors begin with file:line.
func YAML(file string, content []byte, v any) error {
	docs, err := Tree(file, content)
	if err != nil || len(docs) == 0 {
		return err
	}
	if len(docs) > 1 {
		return fmt.Errorf("%s:%d: a second document begins here; write all into one", file, docs[1].Line)
	}
	return decode(file, docs[0].Content[0], reflect.ValueOf(v).Elem())
}

// Tree parses a file and returns its documents without empty ones; the one
// child of each is what it holds. It refuses anchors, aliases and merge keys, and what is too large or
// nested too deep. Its errors begin with file:line, or with file.
func Tree(file string, content []byte) ([]*yaml.Node, error) {
	switch n := marks(content); {
	case len(content) > MaxFile:
		return nil, &FileError{file, fmt.Errorf("is larger than %d bytes, the most for such a file; split it", MaxFile)}
	case !utf8.Valid(content):
		return nil, fmt.Errorf("%s: this is no UTF-8 text; save it as UTF-8", file)
	case n > maxMarks:
		return nil, fmt.Errorf("%s: it has %d commas, colons, brackets and lines together, and %d is the most; split it", file, n, maxMarks)
	}
	deep := false
	limits := loaderlimits.New(loaderlimits.AliasValue(0), loaderlimits.DepthFunc(func(depth int, _ *loaderlimits.DepthContext) error {
		if deep = depth > MaxDepth; deep {
			return errors.New("too deep")
		}
		return nil
	}))
	loader, err := yaml.NewLoader(bytes.NewReader(content), yaml.WithPlugin(limits))
	var docs []*yaml.Node
	for err == nil {
		var doc yaml.Node
		if err = loader.Load(&doc); err != nil {
			break
		}
		if len(doc.Content) == 0 || empty(doc.Content[0]) {
			continue
		}
		if err := unread(file, &doc); err != nil {
			return nil, err
		}
		docs = append(docs, &doc)
	}
	if errors.Is(err, io.EOF) {
		return docs, nil
	}
	return nil, worded(file, content, deep, err)
}

// marks counts what may begin or end a part of a YAML file, and no less.
func marks(content []byte) int {
	n := 0
	for i, c := range content {
		switch c {
		case ',', ':', '[', ']', '{', '}', '&', '*', '!', '?', '\n', '\r':
			n++
		case '-':
			if i+1 < len(content) && (content[i+1] == ' ' || content[i+1] == '\t') {
				n++
			}
		}
	}
	return n
}

// unread reports an anchor, an alias or a merge key, and a key that is no text or
// is there twice.
func unread(file string, n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.ShortTag() == "!!merge" {
		return fmt.Errorf("%s:%d: anchors (&), aliases (*) and merge keys (<<) aren't read; write the values out", file, n.Line)
	}
	if n.Kind == yaml.MappingNode {
		seen := make(map[string]bool, len(n.Content)/2)
		for pair := range slices.Chunk(n.Content, 2) {
			switch key := pair[0]; {
			case key.Kind != yaml.ScalarNode:
				return fmt.Errorf("%s:%d: want a text as key here, not %s", file, key.Line, kind(key))
			case seen[key.Value]:
				return fmt.Errorf("%s:%d: the key %q is here twice; keep one", file, key.Line, key.Value)
			default:
				seen[key.Value] = true
			}
		}
	}
	for _, child := range n.Content {
		if err := unread(file, child); err != nil {
			return err
		}
	}
	return nil
}

// worded is err of the parser with file:line.
func worded(file string, content []byte, deep bool, err error) error {
	y, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return fmt.Errorf("%s: %w", file, err)
	}
	line, what := y.Mark.Line, y.Message
	if y.ContextMark.Line > 0 && y.Mark.Index >= len(content) { // something never ends
		line = y.ContextMark.Line
	}
	line = min(line, bytes.Count(bytes.TrimRight(content, " \t\r\n"), []byte("\n"))+1)
	if y.ContextMsg != "" {
		what += " " + y.ContextMsg
	}
	if deep {
		what = fmt.Sprintf("lists and mappings are nested deeper than %d; that is more than any file needs", MaxDepth)
	}
	return fmt.Errorf("%s:%d: %s", file, max(line, 1), what)
}

// decode puts a node into to, whose type says what may stand there: structs by
// their tags or the names of their fields in lower case, or by a text where they are
// [encoding.TextUnmarshaler], maps of strings, slices, scalars, a time with its unit,
// or anything.
func decode(file string, n *yaml.Node, to reflect.Value) error {
	wrong := func() error {
		return fmt.Errorf("%s:%d: want %s here, not %s", file, n.Line, inYAML(to.Type()), kind(n))
	}
	if empty(n) {
		to.SetZero()
		return nil
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return decode(file, n, to.Elem())
	case reflect.Interface:
		v, err := anything(file, n)
		if err == nil {
			to.Set(reflect.ValueOf(v))
		}
		return err
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			return wrong()
		}
		to.Set(reflect.MakeSlice(to.Type(), len(n.Content), len(n.Content)))
		for i, item := range n.Content {
			if err := decode(file, item, to.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map, reflect.Struct:
		if short, ok := to.Addr().Interface().(encoding.TextUnmarshaler); ok && n.Kind == yaml.ScalarNode {
			return short.UnmarshalText([]byte(n.Value))
		}
		if n.Kind != yaml.MappingNode {
			return wrong()
		}
		return pairs(file, n, to)
	}
	if n.Kind != yaml.ScalarNode || !scalar(n, to) {
		return wrong()
	}
	return nil
}

// pairs decodes a mapping into a struct or a map.
func pairs(file string, n *yaml.Node, to reflect.Value) error {
	if to.Kind() == reflect.Map {
		to.Set(reflect.MakeMapWithSize(to.Type(), len(n.Content)/2))
	}
	for pair := range slices.Chunk(n.Content, 2) {
		key, value := pair[0], pair[1]
		var into reflect.Value
		if to.Kind() == reflect.Map {
			into = reflect.New(to.Type().Elem()).Elem()
		} else if into = field(to, key.Value); !into.IsValid() {
			return fmt.Errorf("%s:%d: there is no key %q here", file, key.Line, key.Value)
		}
		if err := decode(file, value, into); err != nil {
			return err
		}
		if to.Kind() == reflect.Map {
			to.SetMapIndex(reflect.ValueOf(key.Value), into)
		}
	}
	return nil
}

// field is the field of a struct that a key means.
func field(of reflect.Value, key string) reflect.Value {
	for i := range of.NumField() {
		f := of.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		if name == key {
			return of.Field(i)
		}
	}
	return reflect.Value{}
}

// scalar puts a scalar into to, and reports whether it fits.
func scalar(n *yaml.Node, to reflect.Value) bool {
	switch {
	case to.Kind() == reflect.String:
		to.SetString(n.Value)
		return n.ShortTag() != "!!binary"
	case to.Type() == reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(n.Value)
		to.SetInt(int64(d))
		return err == nil
	}
	into := reflect.New(to.Type())
	if err := n.Load(into.Interface()); err != nil {
		return false
	}
	to.Set(into.Elem())
	return true
}

// anything is what a node holds where nothing says what it should: a text,
// int64, uint64, float64, bool, or a list of those. A date is a text.
func anything(file string, n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.SequenceNode:
		var list []any
		return list, decode(file, n, reflect.ValueOf(&list).Elem())
	case yaml.MappingNode:
		return nil, fmt.Errorf("%s:%d: want a text, a number or a list here, not a mapping", file, n.Line)
	}
	var v any
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool":
		if err := n.Load(&v); err != nil {
			return nil, fmt.Errorf("%s:%d: %q is no value", file, n.Line, n.Value)
		}
	default:
		v = n.Value
	}
	if i, ok := v.(int); ok {
		v = int64(i)
	}
	return v, nil
}

// empty tells whether nothing stands at n.
func empty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func inYAML(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "a time with its unit"
	}
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
		return "a whole number"
	}
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

// kind is what a node is, in words.
func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	}
	return "a text"
}
