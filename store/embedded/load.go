package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"precedent/store"
)

// maxLoadErrors is how many errors of the files are reported together.
const maxLoadErrors = 10

// Bounds of a folder.
const (
	maxFiles     = 10_000
	maxNames     = 65_536  // labels, types, and names of properties, each
	maxLabels    = 256     // of one node
	maxHeld      = 4 << 30 // bytes that nodes and relationships take, estimated: some ten million nodes
	maxErrorText = 400     // bytes of what a file says in an error
)

// What nodes, relationships and their parts take beside their values, in bytes:
// with the tables that find them, and room to grow.
const (
	heldNode, heldRel, heldProp, heldSet = 160, 96, 32, 160
)

// A FileError is one thing wrong in a CSV file.
type FileError struct {
	File   string // "" where the folder is meant
	Line   int    // counted from 1; 0 where the whole file is meant
	Column string // its header, "" where the whole line is meant
	Err    error  // what is wrong and what to do
}

func (e *FileError) Error() string {
	if e.File == "" {
		return e.Err.Error()
	}
	where := e.File
	if e.Line > 0 {
		where += fmt.Sprintf(":%d", e.Line)
	}
	if e.Column != "" {
		where += fmt.Sprintf(": column %q", brief(e.Column))
	}
	return where + ": " + brief(e.Err.Error())
}

// brief is a text without its middle where it is long.
func brief(text string) string {
	if len(text) <= maxErrorText {
		return text
	}
	const half = maxErrorText / 2
	return strings.ToValidUTF8(text[:half], "") + "…" + strings.ToValidUTF8(text[len(text)-half:], "")
}

func (e *FileError) Unwrap() error { return e.Err }

// Open reads every *.csv file at the top of fsys, in the header format of
// neo4j-admin database import: a file with :START_ID, :END_ID and :TYPE holds
// relationships, any other must have :ID and holds nodes. An ID space in
// parentheses keeps ids apart, a named ID column is also a property (a string,
// or a whole number with {id-type:long}), :IGNORE skips a column, ; separates
// labels and the items of arrays, an unquoted empty field is null and a quoted
// one the empty string.
//
// Every *.csv that is no folder must be a regular file. A folder that would take
// more than about 4 GiB of memory is refused, and so are more than 10,000 files,
// 65,536 labels, types or names of properties, 256 labels of a node, 4,096
// columns, 4 MiB in a field or 16 MiB in a line.
//
// The error joins up to ten of type *[FileError], each with file, line, column,
// what is wrong and what to do.
//
// What hide names, as [store.NewHidden] reads it, is left out: the graph doesn't
// hold it.
func Open(fsys fs.FS, hide ...string) (*Graph, error) { return open(fsys, maxHeld, hide...) }

// open is Open of a folder that may take so many bytes.
func open(fsys fs.FS, most int64, hide ...string) (*Graph, error) {
	l := &loader{fsys: fsys, most: most, ids: map[string]map[string]int32{}, texts: map[string]string{}, sets: map[string]int32{},
		g: &Graph{indexes: map[[2]int32]*valueIndex{}, uniqueKeys: map[[2]int32]bool{}}}
	if err := l.load(); err != nil {
		return nil, err
	}
	if h := store.NewHidden(hide); !h.Nothing() {
		l.leaveOut(h)
	}
	l.finish()
	return l.g, nil
}

type loader struct {
	fsys  fs.FS
	g     *Graph
	ids   map[string]map[string]int32 // node by ID space and id
	texts map[string]string           // short texts, kept once
	sets  map[string]int32            // label set by its ids
	errs  []error

	held, most int64 // bytes that the graph takes, and may take
}

var errTooMany = errors.New("further errors are not shown: mend these first")

// fail notes an error; it returns true when there are enough of them.
func (l *loader) fail(file string, line int, column, format string, args ...any) bool {
	if len(l.errs) < maxLoadErrors {
		l.errs = append(l.errs, &FileError{file, line, column, fmt.Errorf(format, args...)})
	} else if len(l.errs) == maxLoadErrors {
		l.errs = append(l.errs, errTooMany)
	}
	return len(l.errs) > maxLoadErrors
}

func (l *loader) load() error {
	entries, err := fs.ReadDir(l.fsys, ".")
	if err != nil {
		return fmt.Errorf("reading the graph's folder: %w", err)
	}
	var nodeFiles, relFiles []string
	headers := map[string]header{}
	csvs := 0
	for _, e := range entries {
		if e.IsDir() || !strings.EqualFold(pathExt(e.Name()), ".csv") {
			continue
		}
		if csvs++; csvs > maxFiles {
			l.fail("", 0, "", "the graph's folder holds more than %d .csv files: join those of the same columns, or use Neo4j", maxFiles)
			break
		}
		h, ok := l.header(e.Name())
		if !ok {
			continue
		}
		headers[e.Name()] = h
		if h.relationships() {
			relFiles = append(relFiles, e.Name())
		} else {
			nodeFiles = append(nodeFiles, e.Name())
			for i := range h {
				if h[i].kind == idColumn { // even where no row follows
					l.space(h[i].space)
				}
			}
		}
	}
	if len(l.errs) == 0 && len(nodeFiles) == 0 {
		if csvs == 0 {
			return &FileError{Err: errors.New("the graph's folder holds no .csv files: add one with an :ID column for each kind of node, and one with :START_ID, :END_ID and :TYPE for each kind of relationship")}
		}
		return &FileError{Err: errors.New("the graph's folder holds no file of nodes: add a .csv file with an :ID column")}
	}
	for _, name := range nodeFiles {
		if l.full() {
			break
		}
		l.read(name, headers[name], l.node)
	}
	if len(l.errs) == 0 {
		for _, name := range relFiles {
			if !l.full() && l.spaces(name, headers[name]) {
				l.read(name, headers[name], l.relationship)
			}
		}
	}
	if len(l.errs) > 0 {
		return errors.Join(l.errs...)
	}
	return nil
}

func pathExt(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i:]
	}
	return ""
}

// full tells whether the graph takes more than it may.
func (l *loader) full() bool { return l.held > l.most }

// open opens a file of the folder that is one; nobody waits for a pipe.
func (l *loader) open(name string) (fs.File, bool) {
	info, err := fs.Stat(l.fsys, name)
	if err != nil {
		l.fail(name, 0, "", "can't be read: %w: a link must lead to a file in the same folder", err)
		return nil, false
	}
	if !info.Mode().IsRegular() {
		l.fail(name, 0, "", "is no file but a folder, a device, a pipe or a socket: remove it, or write the rows into a file")
		return nil, false
	}
	f, err := l.fsys.Open(name)
	if err != nil {
		l.fail(name, 0, "", "can't be read: %w", err)
		return nil, false
	}
	return f, true
}

func (l *loader) header(name string) (header, bool) {
	f, ok := l.open(name)
	if !ok {
		return nil, false
	}
	defer f.Close()
	r := newCSVReader(f)
	cells, err := r.next(nil)
	if (err == errColumns || err == errLongCell || err == errLongLine) && bytes.ContainsRune(r.buf, '\r') {
		err = errCRAlone
	}
	if err == io.EOF {
		l.fail(name, 0, "", "is empty: its first line must be a header such as id:ID,name,:LABEL")
		return nil, false
	}
	if err != nil {
		l.fail(name, 1, "", "%w", err)
		return nil, false
	}
	if err := otherFormat(cells); err != nil {
		l.fail(name, 1, "", "%w", err)
		return nil, false
	}
	var h header
	before := len(l.errs)
	for i, cell := range cells {
		c, err := parseColumn(cell.text)
		if err != nil {
			label := cell.text
			if label == "" {
				label = fmt.Sprint(i + 1)
			}
			l.fail(name, 1, label, "%w", err)
		}
		h = append(h, c)
	}
	if len(l.errs) > before {
		return nil, false
	}
	if err := h.check(); err != nil {
		l.fail(name, 1, "", "%w", err)
		return nil, false
	}
	return h, true
}

// spaces checks that the ID spaces a relationship file names exist.
func (l *loader) spaces(name string, h header) bool {
	ok := true
	for _, c := range h {
		if c.kind != startColumn && c.kind != endColumn {
			continue
		}
		if l.ids[c.space] == nil {
			ok = false
			if c.space == "" {
				l.fail(name, 1, c.text, "no node file has an :ID column without an ID space: name the space, as in :START_ID(Movie)")
			} else {
				l.fail(name, 1, c.text, "no node file has the ID space %s: write :ID(%s) in the header of its nodes", c.space, c.space)
			}
		}
	}
	return ok
}

// read calls row for each line behind the header until there are enough errors.
func (l *loader) read(name string, h header, row func(file string, line int, h header, cells []field) bool) {
	f, ok := l.open(name)
	if !ok {
		return
	}
	defer f.Close()
	r := newCSVReader(f)
	cells, err := r.next(nil)
	for err == nil {
		if cells, err = r.next(cells); err != nil {
			break
		}
		if len(cells) != len(h) {
			if l.fail(name, r.at, "", "has %d fields where the header has %d: quote fields that hold commas or line breaks", len(cells), len(h)) {
				return
			}
			continue
		}
		if !row(name, r.at, h, cells) {
			return
		}
		switch g := l.g; {
		case l.full():
			l.fail(name, r.at, "", "the graph would take more than %d MiB of memory: leave out rows or columns, or use Neo4j", l.most>>20)
			return
		case max(len(g.labels.text), len(g.types.text), len(g.keys.text)) > maxNames:
			l.fail(name, r.at, "", "there are more than %d labels, types or names of properties: is a column of values taken for one of labels or types?", maxNames)
			return
		}
	}
	if err != io.EOF {
		l.fail(name, r.at, "", "%w", err)
	}
}

// finish sorts the relationships into each node's lists and counts.
func (l *loader) finish() {
	g := l.g
	g.nodes, g.rels = slices.Clip(g.nodes), slices.Clip(g.rels)
	g.labelCount, g.typeCount = make([]int, len(g.labels.text)), make([]int, len(g.types.text))
	for set, labels := range g.labelSets {
		for _, label := range labels {
			g.labelCount[label] += len(g.bySet[set])
		}
	}
	g.out, g.in = make([]int32, len(g.rels)), make([]int32, len(g.rels))
	for i := range g.rels {
		g.out[i], g.in[i] = int32(i), int32(i)
		g.typeCount[g.rels[i].typ]++
	}
	slices.SortFunc(g.out, func(a, b int32) int {
		x, y := &g.rels[a], &g.rels[b]
		return cmpOr(x.start-y.start, x.typ-y.typ, a-b)
	})
	slices.SortFunc(g.in, func(a, b int32) int {
		x, y := &g.rels[a], &g.rels[b]
		return cmpOr(x.end-y.end, x.typ-y.typ, a-b)
	})
	out, in := int32(0), int32(0)
	for i := range g.nodes {
		n := &g.nodes[i]
		for n.out = out; int(out) < len(g.out) && g.rels[g.out[out]].start == n.id; out++ {
		}
		for n.in = in; int(in) < len(g.in) && g.rels[g.in[in]].end == n.id; in++ {
		}
	}
}

func cmpOr(diffs ...int32) int {
	for _, d := range diffs {
		if d != 0 {
			return int(d)
		}
	}
	return 0
}
