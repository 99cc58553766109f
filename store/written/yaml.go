package written

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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

// A Doc is what a YAML file holds. Start at [Parse].
type Doc struct {
	File string
	Root *yaml.Node // nil: nothing
}

// YAML reads the one document of a file into v, whose keys are the only ones.
// See [Parse] for what it refuses. Its errors are [Mistakes].
func YAML(file string, content []byte, v any) error {
	doc, wrong := Parse(file, content)
	return append(wrong, doc.Into(v)...).InOrder().Err()
}

// Parse reads a file of one document. Anchors, aliases, merge keys and keys that are no texts or
// there twice are mistakes, as are what is too large or nested too deep, a second document, and what is no YAML; of
// the last the document holds nothing.
func Parse(file string, content []byte) (*Doc, Mistakes) {
	d := &Doc{File: file}
	whole := Place{File: file}
	switch n := marks(content); {
	case len(content) > MaxFile:
		return d, Mistakes{whole.At(Wrong, "split it", "it is larger than %d bytes, the most for such a file", MaxFile)}
	case !utf8.Valid(content):
		return d, Mistakes{garbled(file, content).At(Wrong, "save it as UTF-8", "this is no UTF-8 text")}
	case n > maxMarks:
		return d, Mistakes{whole.At(Wrong, "split it", "it has %d commas, colons, brackets and lines together, and %d is the most", n, maxMarks)}
	}
	deep := false
	limits := loaderlimits.New(loaderlimits.AliasValue(0), loaderlimits.DepthFunc(func(depth int, _ *loaderlimits.DepthContext) error {
		if deep = depth > MaxDepth; deep {
			return errors.New("too deep")
		}
		return nil
	}))
	loader, err := yaml.NewLoader(bytes.NewReader(content), yaml.WithPlugin(limits))
	var wrong Mistakes
	for err == nil {
		var doc yaml.Node
		if err = loader.Load(&doc); err != nil {
			break
		}
		switch {
		case len(doc.Content) == 0 || empty(doc.Content[0]):
		case d.Root != nil:
			return d, append(wrong, d.place(doc.Content[0]).At(Wrong, "write all into one", "a second document begins here"))
		default:
			d.Root = doc.Content[0]
			d.unread(d.Root, &wrong)
		}
	}
	if errors.Is(err, io.EOF) {
		return d, wrong
	}
	d.Root = nil
	return d, append(wrong, worded(file, content, deep, err))
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

// garbled is the place of the first byte that is no UTF-8.
func garbled(file string, content []byte) Place {
	at := 0
	for at < len(content) {
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	line := content[bytes.LastIndexByte(content[:at], '\n')+1 : at]
	return Place{file, bytes.Count(content[:at], []byte("\n")) + 1, utf8.RuneCount(line) + 1}
}

// unread adds anchors, aliases and merge keys, and keys that are no text or there
// twice.
func (d *Doc) unread(n *yaml.Node, wrong *Mistakes) {
	if wrong.Full() {
		return
	}
	add := func(n *yaml.Node, cure, what string, args ...any) {
		*wrong = append(*wrong, d.place(n).At(Wrong, cure, what, args...))
	}
	const anchors = "anchors (&), aliases (*) and merge keys (<<) aren't read"
	if (n.Kind == yaml.AliasNode || n.Anchor != "" || n.ShortTag() == "!!merge") && !slices.ContainsFunc(*wrong, func(m Mistake) bool { return m.What == anchors }) { // once is enough
		add(n, "write the values out", anchors)
	}
	if n.Kind == yaml.MappingNode {
		seen := make(map[string]*yaml.Node, len(n.Content)/2)
		for pair := range slices.Chunk(n.Content, 2) {
			switch key := pair[0]; {
			case key.Kind == yaml.AliasNode || key.ShortTag() == "!!merge":
			case key.Kind != yaml.ScalarNode:
				add(key, "write key: value", "want a text as key here, not %s", kind(key))
			case seen[key.Value] != nil:
				add(key, "keep one", "the key %q is here twice, and in line %d", key.Value, seen[key.Value].Line)
			default:
				seen[key.Value] = key
			}
		}
	}
	for _, child := range n.Content {
		d.unread(child, wrong)
	}
}

// quoting is what mends most of what is no YAML.
const quoting = "indent alike what belongs together, close what is open, and quote texts that hold a colon or # or begin with a sign"

// fullWidth are signs as keyboards for Chinese write them, which YAML takes for letters.
const fullWidth = "：｛｝［］"

// worded is err of the parser as a mistake.
func worded(file string, content []byte, deep bool, err error) Mistake {
	y, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return Place{File: file}.At(Wrong, quoting, "%v", err)
	}
	at, what, cure := Place{file, y.Mark.Line, y.Mark.Column}, y.Message, quoting
	if y.ContextMark.Line > 0 && y.Mark.Index >= len(content) { // something never ends
		at.Line, at.Column = y.ContextMark.Line, y.ContextMark.Column
	}
	lines := strings.Split(strings.TrimRight(string(content), " \t\r\n"), "\n")
	if at.Line > len(lines) {
		at.Line, at.Column = len(lines), 1
	}
	at.Line, at.Column = max(at.Line, 1), max(at.Column, 1)
	if y.ContextMsg != "" {
		what += " " + y.ContextMsg
	}
	line := lines[at.Line-1]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	switch tab := strings.IndexByte(indent, '\t'); {
	case deep:
		what, cure = fmt.Sprintf("lists and mappings are nested deeper than %d", MaxDepth), "write it flatter"
	case strings.ContainsAny(line, fullWidth):
		cure = "write : and a space, and plain brackets, in place of full-width ones"
	case tab >= 0:
		at.Column = tab + 1
		what, cure = "a tab indents this line", "indent with spaces"
	}
	return at.At(Wrong, cure, "%s", what)
}

// place is where a node begins.
func (d *Doc) place(n *yaml.Node) Place {
	if n == nil {
		return Place{File: d.File}
	}
	return Place{d.File, n.Line, n.Column}
}

// At is where something stands: under a key (a string) or as an item of a list (an
// int), each in what the one before leads to. Of a list or mapping it is
// the place of its key. A path that leads nowhere ends where it stops.
func (d *Doc) At(path ...any) Place {
	if d == nil || d.Root == nil {
		return Place{File: d.name()}
	}
	n, at := d.Root, d.place(d.Root)
	for _, step := range path {
		var key *yaml.Node
		if key, n = child(n, step); n == nil {
			return at
		}
		if at = d.place(n); key != nil && (n.Kind != yaml.ScalarNode || empty(n)) {
			at = d.place(key)
		}
	}
	return at
}

func (d *Doc) name() string {
	if d == nil {
		return ""
	}
	return d.File
}

// KeyAt is where the last key of a path stands, whatever is under it.
func (d *Doc) KeyAt(path ...any) Place {
	if d == nil || d.Root == nil || len(path) == 0 {
		return d.At(path...)
	}
	n := d.Root
	for _, step := range path[:len(path)-1] {
		if _, n = child(n, step); n == nil {
			return d.At(path...)
		}
	}
	if key, _ := child(n, path[len(path)-1]); key != nil {
		return d.place(key)
	}
	return d.At(path...)
}

// Holds reports whether a place is within what stands at a path, its key included.
func (d *Doc) Holds(p Place, path ...any) bool {
	if d == nil || d.Root == nil {
		return false
	}
	n := d.Root
	for _, step := range path {
		if _, n = child(n, step); n == nil {
			return false
		}
	}
	from, to := d.KeyAt(path...), d.place(n)
	for len(n.Content) > 0 { // to the last of it
		n = n.Content[len(n.Content)-1]
		to = d.place(n)
	}
	return !p.before(from) && !to.before(p)
}

// child is what stands in n at a step, and its key; nil for nothing.
func child(n *yaml.Node, step any) (key, value *yaml.Node) {
	switch step := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && step < len(n.Content) {
			return nil, n.Content[step]
		}
	case string:
		if n.Kind == yaml.MappingNode {
			for pair := range slices.Chunk(n.Content, 2) {
				if pair[0].Value == step {
					return pair[0], pair[1]
				}
			}
		}
	}
	return nil, nil
}

// empty tells whether nothing stands at n.
func empty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

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
