package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"
)

// Bounds of a program that reads a hostile file. The bound on time is for a busy
// machine: what is meant by it is "ends".
const (
	hostileMemory = 300 << 20 // bytes, at its largest (getrusage)
	hostileTime   = 2 * time.Minute
)

// A given is a file that somebody gives the program.
type given func(t *testing.T, path string)

// repeated is a file of so many times some text, between a head and a tail.
func repeated(head, body string, times int, tail string) given {
	return func(t *testing.T, path string) {
		f, err := os.Create(path)
		if err == nil {
			_, err = io.WriteString(f, head)
		}
		chunk := []byte(strings.Repeat(body, min(times, 1+1<<16/max(1, len(body)))))
		for left := len(body) * times; left > 0 && err == nil; left -= len(chunk) {
			_, err = f.Write(chunk[:min(left, len(chunk))])
		}
		if err == nil {
			_, err = io.WriteString(f, tail)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func is(content string) given { return repeated(content, "", 0, "") }

// counted is a file of lines made of their numbers.
func counted(head, line string, times int) given {
	return func(t *testing.T, path string) {
		var b bytes.Buffer
		b.WriteString(head)
		for i := range times {
			fmt.Fprintf(&b, line, i)
		}
		is(b.String())(t, path)
	}
}

func utf16LE(content string) given {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(content)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return is(string(b))
}

// sparse is a file of NULs that takes no room.
func sparse(size int64) given {
	return func(t *testing.T, path string) {
		is("")(t, path)
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
	}
}

func fifo(t *testing.T, path string) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

func socket(t *testing.T, path string) {
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
}

func link(to string) given {
	return func(t *testing.T, path string) {
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
}

func folder(t *testing.T, path string) {
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

const (
	laughs = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n" +
		"e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n"
	oneCase = `{"question":"how many films are there","query":"MATCH (f:Film) RETURN count(f) AS n"}`
	films   = "id:ID,title,year:int,:LABEL\n1,Inception,2010,Film\n2,Blade Runner,1982,Film\n"
)

// indented is a mapping in a mapping in a mapping ….
func indented(levels int) given {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return is(b.String())
}

// TestHostileFiles gives the program what no one should, each in a process of
// its own: it ends, within its memory, names the file and what is wrong.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	config := []string{"schema", "--config", "{}"}
	imports := []string{"cases", "import", "--graph", "shop", "{}"}
	history := []string{"ask", "--history", "{}", "and comedies?"}
	graph := []string{"schema", "--graph", "folder"} // of which {} is a file
	words := func(key string) []string { return []string{"schema", "--config", key + ".yaml"} }
	for _, tt := range []struct {
		name string
		args []string
		file string // {} of args
		make given
		code int
		want []string
	}{
		{"brackets", config, "c.yaml", repeated("", "[", 200_000, ""), 2, []string{"c.yaml:1:", "nested deeper than 64"}},
		{"brackets in a key", config, "c.yaml", repeated("hide: ", "[", 200_000, ""), 2, []string{"c.yaml:1:", "nested deeper than 64"}},
		{"closed brackets", config, "c.yaml", repeated("hide: "+strings.Repeat("[", 100_000), "]", 100_000, ""), 2, []string{"c.yaml:1:", "nested deeper than 64"}},
		{"braces", config, "c.yaml", repeated("", "{a: ", 100_000, ""), 2, []string{"c.yaml:1:", "nested deeper than 64"}},
		{"mixed brackets", config, "c.yaml", repeated("", "[{a: ", 50_000, ""), 2, []string{"c.yaml:1:", "nested deeper than 64"}},
		{"brackets on lines of their own", config, "c.yaml", repeated("", "[\n", 100_000, ""), 2, []string{"c.yaml:65:", "nested deeper than 64"}},
		{"indentation", config, "c.yaml", indented(1000), 2, []string{"c.yaml:65:", "nested deeper than 64"}},
		{"dashes", config, "c.yaml", repeated("", "- ", 100_000, ""), 2, []string{"c.yaml:1:", "nested deeper than 64"}},
		{"question marks", config, "c.yaml", repeated("", "? ", 100_000, ""), 2, []string{"c.yaml:1:", "nested deeper than 64"}},
		{"a billion laughs", config, "c.yaml", is(laughs), 2, []string{"c.yaml:1:", "aliases (*)", "write the values out"}},
		{"an anchor without alias", config, "c.yaml", is("graph: movies\nhide: &a [User.name]\n"), 2, []string{"c.yaml:2:", "write the values out"}},
		{"an alias of nothing", config, "c.yaml", is("graph: movies\nhide: *a\n"), 2, []string{"c.yaml:2:", "unknown anchor"}},
		{"a merge key", config, "c.yaml", is("limits:\n  <<: {rows: 5}\n"), 2, []string{"c.yaml:2:", "merge keys (<<)", "write the values out"}},
		{"many anchors", config, "c.yaml", repeated("", "&a ", 200_000, ""), 2, []string{"c.yaml:1:"}},
		{"many items", config, "c.yaml", repeated("hide: [", "a,", 400_000, "a]"), 2, []string{"c.yaml: ", "250000 is the most", "split it"}},
		{"many documents", config, "c.yaml", repeated("", "---\nquorum: 1\n", 60_000, ""), 2, []string{"c.yaml:4:1: a second document", "into one"}},
		{"a key twice", config, "c.yaml", is("quorum: 1\nquorum: 2\n"), 2, []string{"c.yaml:2:", "twice", "keep one"}},
		{"larger than any", config, "c.yaml", repeated("# ", "x", 2<<20, ""), 2, []string{"c.yaml is larger than 1048576 bytes", "check --config"}},
		{"angles", config, "c.yaml", repeated("graph: ", "<", 900_000, ""), 2, []string{"graph \"<<<", "is neither"}},
		{"tabs in a quote", config, "c.yaml", repeated("graph: \"", "\t", 900_000, ""), 2, []string{"c.yaml:1:", "quoted scalar"}},
		{"line ends", config, "c.yaml", repeated("graph: |\n  x", "\n", 900_000, ""), 2, []string{"c.yaml: ", "250000 is the most", "split it"}},
		{"NULs", config, "c.yaml", is("graph: mo\x00vies\n"), 2, []string{"c.yaml:1:", "control characters"}},
		{"no UTF-8", config, "c.yaml", is("graph: caf\xe9\n"), 2, []string{"c.yaml:1:", "save it as UTF-8"}},
		{"UTF-16", config, "c.yaml", utf16LE("graph: movies\n"), 2, []string{"c.yaml:1:", "save it as UTF-8"}},
		{"zeros", config, "/dev/zero", nil, 2, []string{"/dev/zero is no file but a device", "check --config"}},
		{"noise", config, "/dev/urandom", nil, 2, []string{"/dev/urandom is no file but a device", "check --config"}},
		{"a link to zeros", config, "c.yaml", link("/dev/zero"), 2, []string{"c.yaml is no file but a device", "check --config"}},
		{"a folder", config, "c.yaml", folder, 2, []string{"c.yaml is a directory", "check --config"}},
		{"a pipe without writer", config, "c.yaml", fifo, 2, []string{"c.yaml is a pipe that nobody writes into", "check --config"}},
		{"a socket", config, "c.yaml", socket, 2, []string{"c.yaml is no file but a device or a socket", "check --config"}},
		{"NULs without end", config, "c.yaml", sparse(1 << 30), 2, []string{"c.yaml is larger than 1048576 bytes"}},

		{"aliases: brackets", words("aliases"), "words.yaml", repeated("", "[", 200_000, ""), 2, []string{"words.yaml:1:", "nested deeper than 64"}},
		{"aliases: laughs", words("aliases"), "words.yaml", is(laughs), 2, []string{"words.yaml:1:", "write the values out"}},
		{"aliases: large", words("aliases"), "words.yaml", repeated("# ", "x", 9<<20, ""), 2, []string{"words.yaml is larger than 8388608 bytes", "name a file of words under aliases"}},
		{"aliases: a pipe", words("aliases"), "words.yaml", fifo, 2, []string{"words.yaml is a pipe that nobody writes into", "under aliases"}},
		{"aliases: a device", words("aliases"), "words.yaml", link("/dev/zero"), 2, []string{"words.yaml is no file", "under aliases"}},
		{"aliases: a thousand errors", words("aliases"), "words.yaml", counted("", "a%d: b\n", 50_000), 2, []string{"words.yaml:1:", "is no property; write Label.property"}},
		{"glossary: brackets", words("glossary"), "words.yaml", repeated("labels: ", "[", 200_000, ""), 2, []string{"words.yaml:1:", "nested deeper than 64"}},
		{"glossary: laughs", words("glossary"), "words.yaml", is(laughs), 2, []string{"words.yaml:1:", "write the values out"}},
		{"glossary: a pipe", words("glossary"), "words.yaml", fifo, 2, []string{"words.yaml is a pipe that nobody writes into", "under glossary"}},
		{"glossary: zeros", words("glossary"), "words.yaml", sparse(1 << 30), 2, []string{"words.yaml is larger than 8388608 bytes", "under glossary"}},

		{"import: brackets", imports, "x.yaml", repeated("", "[", 200_000, ""), 1, []string{"x.yaml:1:", "nested deeper than 64"}},
		{"import: laughs", imports, "x.yaml", is(laughs), 1, []string{"x.yaml:1:", "write the values out"}},
		{"import: large", imports, "x.yaml", repeated("# ", "x", 9<<20, ""), 1, []string{"x.yaml is larger than 8388608 bytes"}},
		{"import: zeros", imports, "/dev/zero", nil, 2, []string{"/dev/zero is no file but a device", "name a file, or - for standard input"}},
		{"import: a folder", imports, "x.jsonl", folder, 2, []string{"x.jsonl is a directory", "name a file"}},
		{"import: a pipe without writer", imports, "x.jsonl", fifo, 1, []string{"x.jsonl is a pipe that nobody writes into"}},
		{"import: a line of 1 GB", imports, "x.jsonl", sparse(1 << 30), 1, []string{"x.jsonl:1: the line is longer than 1048576 bytes; want one JSON object a line"}},
		{"import: a line of 1 GB, later", imports, "x.jsonl", repeated(oneCase+"\n", "x", 1<<27, ""), 1, []string{"x.jsonl:2: the line is longer than 1048576 bytes; want one JSON object a line"}},
		{"import: no UTF-8", imports, "x.jsonl", is(oneCase + "\n{\"question\":\"caf\xe9\"}\n"), 1, []string{"x.jsonl:2: this is no UTF-8 text"}},
		{"import: NULs", imports, "x.jsonl", is(oneCase + "\n{\"question\":\"a\x00\"}\n"), 1, []string{"x.jsonl:2: this is no JSON", "want one JSON object a line"}},
		{"import: UTF-16", imports, "x.jsonl", utf16LE(oneCase), 1, []string{"x.jsonl:1: this is no UTF-8 text"}},
		{"import: deep", imports, "x.jsonl", repeated(oneCase+"\n"+`{"slots":`, "[", 200_000, ""), 1, []string{"x.jsonl:2: ", "nested deeper than 64"}},
		{"import: deep in turn", imports, "x.jsonl", repeated(oneCase+"\n"+`{"slots":`, `[{"a":`, 100_000, ""), 1, []string{"x.jsonl:2: ", "nested deeper than 64"}},
		{"import: many values", imports, "x.jsonl", repeated(oneCase+"\n"+`{"wordings":[""`, ",0", 510_000, "]}\n"), 1, []string{"x.jsonl:2: ", "more than 500000 values"}},
		{"import: many errors", imports, "x.jsonl", repeated("", "{}\n", 1_000_000, ""), 1, []string{"x.jsonl:1: ", "x.jsonl:10: ", "perhaps more"}},

		{"history: zeros", history, "/dev/zero", nil, 2, []string{"/dev/zero is no file but a device", "check --history"}},
		{"history: large", history, "h.jsonl", repeated("", `{"question":"a","route":"case"}`+"\n", 400_000, ""), 2, []string{"h.jsonl is larger than 8388608 bytes", "keep its last lines"}},
		{"history: deep", history, "h.jsonl", repeated(`{"rows":`, "[", 200_000, ""), 2, []string{"h.jsonl:1: ", "nested deeper than 64"}},
		{"history: a pipe", history, "h.jsonl", fifo, 2, []string{"h.jsonl is a pipe that nobody writes into"}},

		{"graph: a long field", graph, "folder/n.csv", repeated(films+"3,\"", "x", 5<<20, "\",1,Film\n"), 2, []string{"n.csv:4: a field is longer than 4194304 bytes", "shorten it"}},
		{"graph: a quote without end", graph, "folder/n.csv", repeated(films+"3,\"", "x\n", 3<<20, ""), 2, []string{"n.csv:4: a field is longer", "close a quote"}},
		{"graph: a long line", graph, "folder/n.csv", repeated(films+"3,"+strings.Repeat("x", 4<<20-1)+","+strings.Repeat("x", 4<<20-1)+",", strings.Repeat("y", 4000)+",", 3000, "\n"), 2, []string{"n.csv:4: a line is longer than 16777216 bytes", "shorten"}},
		{"graph: many fields", graph, "folder/n.csv", repeated(films, ",", 1<<20, "\n"), 2, []string{"n.csv:4: a line has more than 4096 fields", "leave columns out"}},
		{"graph: many columns", graph, "folder/n.csv", repeated("id:ID", ",a", 1<<20, "\n"), 2, []string{"n.csv:1: a line has more than 4096 fields", "leave columns out"}},
		{"graph: one name", graph, "folder/n.csv", repeated("id:ID", ",a", 4000, "\n1\n"), 2, []string{`n.csv:1: two columns are named "a"`, "rename one"}},
		{"graph: a long header", graph, "folder/n.csv", repeated("id:ID,", "a:", 1<<20, "\n"), 2, []string{"n.csv:1: ", "is no type of a column"}},
		{"graph: parentheses", graph, "folder/n.csv", repeated("id:ID", "(", 1<<20, "\n"), 2, []string{"n.csv:1: ", "is no type of a column"}},
		{"graph: many labels of a node", graph, "folder/n.csv", counted("id:ID,:LABEL\n1,", "L%d;", 100_000), 2, []string{"n.csv:2: ", "more than 256 labels", "in a property"}},
		{"graph: many labels", graph, "folder/n.csv", counted("id:ID,:LABEL\n", "%[1]d,L%[1]d\n", 70_000), 2, []string{"n.csv:655", "more than 65536 labels", "a column of values"}},
		{"graph: a long id twice", graph, "folder/n.csv", repeated("id:ID\n"+strings.Repeat("x", 1<<20)+"\n", "x", 1<<20, "\n"), 2, []string{"n.csv:3: ", "is used twice", "remove one of the nodes"}},
		{"graph: CR alone", graph, "folder/n.csv", repeated("id:ID,a\r", "1,2\r", 1<<19, ""), 2, []string{"n.csv:1: lines end in CR alone", "save the file with"}},
		{"graph: UTF-16", graph, "folder/n.csv", utf16LE(films), 2, []string{"n.csv:1: is UTF-16: save it as UTF-8"}},
		{"graph: no UTF-8", graph, "folder/n.csv", is(films + "3,caf\xe9,1,Film\n"), 2, []string{"n.csv:4: is not UTF-8 here: save the file as UTF-8"}},
		{"graph: a pipe", graph, "folder/n.csv", fifo, 2, []string{"n.csv: is no file but a folder, a device, a pipe", "remove it"}},
		{"graph: a socket", graph, "folder/n.csv", socket, 2, []string{"n.csv: is no file but", "remove it"}},
		{"graph: a link to a device", graph, "folder/n.csv", link("/dev/zero"), 2, []string{"n.csv: can't be read", "a link must lead to a file in the same folder"}},
		{"graph: a link out of the folder", graph, "folder/n.csv", link("/etc/passwd"), 2, []string{"n.csv: can't be read", "a link must lead to a file in the same folder"}},
		{"graph: a link up", graph, "folder/n.csv", link("../shop/films.csv"), 2, []string{"n.csv: can't be read", "a link must lead to a file in the same folder"}},
		{"graph: a link to itself", graph, "folder/n.csv", link("n.csv"), 2, []string{"n.csv: can't be read"}},
		{"graph: a link to a folder", graph, "folder/n.csv", link("."), 2, []string{"n.csv: is no file but a folder", "remove it"}},
		{"graph: NULs without end", graph, "folder/n.csv", sparse(1 << 30), 2, []string{"n.csv:1: a field is longer than 4194304 bytes"}},
		{"graph: too many files", graph, "folder/n.csv", func(t *testing.T, path string) {
			for i := range 10_001 {
				is("id:ID\n")(t, fmt.Sprintf("%s%d.csv", path, i))
			}
		}, 2, []string{"more than 10000 .csv files", "join those"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := hostileFolder(t)
			if tt.make != nil {
				tt.make(t, filepath.Join(dir, tt.file))
			}
			args := make([]string, len(tt.args))
			for i, arg := range tt.args {
				args[i] = strings.ReplaceAll(arg, "{}", tt.file)
			}
			code, _, stderr := within(t, dir, nil, args...)
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			for _, want := range tt.want {
				if !strings.Contains(stderr, want) {
					t.Errorf("%q isn't said", want)
				}
			}
			if len(stderr) > 8<<10 {
				t.Errorf("%d bytes are said", len(stderr))
			}
			if t.Failed() {
				t.Logf("%.1000s", stderr)
			}
		})
	}
}

// hostileFolder is a folder with a small graph and configurations that name words.yaml.
func hostileFolder(t *testing.T) string {
	dir, err := os.MkdirTemp("", "h") // short, for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	folder(t, filepath.Join(dir, "shop"))
	folder(t, filepath.Join(dir, "folder"))
	is(films)(t, filepath.Join(dir, "shop", "films.csv"))
	is("aliases: [words.yaml]\n")(t, filepath.Join(dir, "aliases.yaml"))
	is("glossary: [words.yaml]\n")(t, filepath.Join(dir, "glossary.yaml"))
	return dir
}

// within runs the program in dir, and fails where it takes too long or too much.
func within(t *testing.T, dir string, in io.Reader, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Stdin = dir, in
	cmd.WaitDelay = time.Second
	cmd.Env = []string{"HOME=" + dir, "USER=ada", "LANG=en_GB.UTF-8", "PATH=" + os.Getenv("PATH")}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("still at it after %v", hostileTime)
	}
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; used > hostileMemory {
		t.Errorf("it took %d MiB", used>>20)
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

// endless gives the same text for ever.
type endless string

func (e endless) Read(b []byte) (int, error) {
	b = b[:len(b)/len(e)*len(e)]
	for n := copy(b, e); n < len(b); {
		n += copy(b[n:], b[:n])
	}
	return len(b), nil
}

// TestHostileInput gives the program what no one should on standard input.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	for _, tt := range []struct {
		name string
		args []string
		in   io.Reader
		code int
		want string
	}{
		{"import: zeros for ever", []string{"cases", "import", "--graph", "shop", "-"}, endless("\x00"), 1, "standard input:1: the line is longer than 1048576 bytes"},
		{"import: wrong lines for ever", []string{"cases", "import", "--graph", "shop", "-"}, endless("{}\n"), 1, "standard input:10: "},
		{"history: lines for ever", []string{"ask", "--history", "-", "and comedies?"}, endless("{}\n"), 2, "standard input is larger than 8388608 bytes, the most for such a file; keep its last lines"},
		{"check: zeros for ever", []string{"cypher", "check"}, endless("\x00"), 1, "doesn't end; end each query with a line break"},
		{"check: a long line", []string{"cypher", "check"}, io.LimitReader(endless("x"), 100<<20), 0, `"kind":"usage","message":"line 1: longer than 16777216 bytes"`},
		{"check: deep", []string{"cypher", "check"}, strings.NewReader(`{"query":` + strings.Repeat("[", 1<<20)), 0, "line 1: arrays and objects are nested deeper than 64"},
		{"check: many triples", []string{"cypher", "check"}, strings.NewReader(`{"query":"RETURN 1","schema":[` + strings.Repeat(`["a","b","c"],`, 1<<20) + `["a","b","c"]]}`), 0, "line 1: it holds more than 500000 values"},
		{"check: a byte order mark", []string{"cypher", "check"}, strings.NewReader("\ufeff{\"query\":\"RETURN 1\"}\r\n"), 0, `"verdict":"allow"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := within(t, hostileFolder(t), tt.in, tt.args...)
			if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
				t.Errorf("exit code %d, want %d; want %q in\n%.1000s", code, tt.code, tt.want, stdout+stderr)
			}
		})
	}
}

// TestHonestFiles gives the program what looks odd or large, and is right.
func TestHonestFiles(t *testing.T) {
	t.Parallel()
	many := 20_000
	if os.Getenv("PRECEDENT_ALL") != "" {
		many = 100_000
	}
	letters := func(n int) string {
		var b []byte
		for range 6 {
			b, n = append(b, byte('a'+n%26)), n/26
		}
		return string(b)
	}
	for _, tt := range []struct {
		name string
		args []string
		make map[string]given
		want string
	}{
		{"a large glossary", []string{"schema", "--graph", "shop", "--config", "glossary.yaml"}, map[string]given{"words.yaml": func(t *testing.T, path string) {
			var b strings.Builder
			b.WriteString("labels:\n  Film:\n    one:\n      en:\n")
			for i := range 30_000 {
				fmt.Fprintf(&b, "        - picture %s, the -'great'- one\n", letters(i))
			}
			is(b.String())(t, path)
		}}, "Film"},
		{"many aliases", []string{"schema", "--graph", "shop", "--config", "aliases.yaml"}, map[string]given{"words.yaml": func(t *testing.T, path string) {
			var b strings.Builder
			b.WriteString("Film.title:\n")
			for i := range 40_000 {
				fmt.Fprintf(&b, "  \"film %s\": [动画 %d, other]\n", letters(i), i)
			}
			is(b.String())(t, path)
		}}, "Film"},
		{"comments, CRLF, a byte order mark", []string{"schema", "--graph", "shop", "--config", "c.yaml"}, map[string]given{"c.yaml": is("\ufeff# ours\r\nquorum: 2 # two\r\nhide: [Film.year]\r\n")}, "Film"},
		{"the null device", []string{"schema", "--graph", "shop", "--config", "/dev/null"}, nil, "Film"},
		{"a link to a file beside", []string{"schema", "--graph", "folder"}, map[string]given{"folder/n.csv": link("..data/n.csv"), "folder/..data": link("v1"), "folder/v1": folder, "folder/v1/n.csv": is(films)}, "Film"},
		{"quotes, line breaks, CRLF, a byte order mark", []string{"cypher", "run", "--graph", "folder"}, map[string]given{
			"folder/n.csv": is("\ufeffid:ID,title,:LABEL\r\n1,\"two\r\nlines, \"\"quoted\"\"\",Film\r\n\r\n2,,Film")}, `[["two\r\nlines, \"quoted\""],[null]]`},
		{"many cases", []string{"cases", "import", "--graph", "shop", "x.jsonl"}, map[string]given{"x.jsonl": func(t *testing.T, path string) {
			var b strings.Builder
			b.WriteString("\ufeff")
			for i := range many {
				fmt.Fprintf(&b, "{\"question\":\"how zzy%s is it\",\"query\":\"MATCH (f:Film) RETURN count(f) AS n\"}\r\n", letters(i))
			}
			is(b.String())(t, path)
		}}, fmt.Sprintf("cases imported: %d", many)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := hostileFolder(t)
			for _, parents := range []bool{true, false} { // folders and links to them first
				for name, make := range tt.make {
					if parents == (name == "folder/v1") {
						make(t, filepath.Join(dir, name))
					}
				}
			}
			var in io.Reader
			if tt.args[0] == "cypher" {
				in = strings.NewReader(`{"query":"MATCH (f:Film) RETURN f.title AS title ORDER BY f.id"}`)
			}
			code, stdout, stderr := within(t, dir, in, tt.args...)
			if code != 0 || !strings.Contains(stdout, tt.want) {
				t.Errorf("exit code %d; want %q in\n%.1000s\n%.1000s", code, tt.want, stdout, stderr)
			}
		})
	}
}

// TestPipedFile imports cases that a program writes into a pipe, and a file that
// grows while it is read.
func TestPipedFile(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	dir := hostileFolder(t)
	pipe := filepath.Join(dir, "pipe.jsonl")
	fifo(t, pipe)
	f, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, oneCase+"\n")
	go func() {
		time.Sleep(3 * time.Second) // the program has it open by then, or finds the line anyway
		f.Close()
	}()
	if code, stdout, stderr := within(t, dir, nil, "cases", "import", "--graph", "shop", "pipe.jsonl"); code != 0 || !strings.Contains(stdout, "cases imported: 1") {
		t.Errorf("a pipe: exit code %d: %s%s", code, stdout, stderr)
	}

	growing, err := os.Create(filepath.Join(dir, "growing.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer growing.Close()
	io.WriteString(growing, strings.Repeat(oneCase+"\n", 1000))
	ended := make(chan struct{})
	grown := make(chan struct{})
	go func() {
		defer close(grown)
		for {
			select {
			case <-ended:
				return
			default:
				io.WriteString(growing, strings.Repeat(oneCase+"\n", 100))
			}
		}
	}()
	code, stdout, stderr := within(t, dir, nil, "cases", "import", "--graph", "shop", "growing.jsonl")
	close(ended)
	<-grown
	if code != 0 || !strings.Contains(stdout, "cases imported: ") {
		t.Errorf("a growing file: exit code %d: %s%s", code, stdout, stderr)
	}
}
