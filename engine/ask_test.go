package engine_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"precedent/engine"
	"precedent/engine/model"
	"precedent/engine/modeltest"
	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/movies"
	"precedent/store/neotest"
)

// machine is how much later than its deadline an answer may come on a busy machine:
// one that keeps to none comes much later, or never.
const machine = 30 * time.Second

var update = flag.Bool("update", false, "rewrite the wanted parts of testdata/ask")

// TestAsk plays each story in testdata/ask against the embedded graph.
//
// A story is a txtar archive, read from top to bottom. Its comment says what it
// shows and, on lines that begin with "#", in which world: see [world]. Its
// files are steps, what the model replies to them, and what is wanted:
//
//	ask [user=U] [in=CONVERSATION] [private] [model] [anyway]   a question
//	vote U|@U up|down|none [REASON]                    on the last answer, @ for a curator; the text says why
//	undo U                                             of the last change of the case last voted on
//	reply [busy|over-quota|hang|garbage|down]          to the question above; plain: its text as it is
//	skip                                               why the story fails today
//
// Wanted, and rewritten by -update, are "prompts" and "answer" after a
// question, "voted" and "undone" after the others. System prompts are long and
// stand in testdata/ask/system. A "says" in place of prompts lists lines that
// must be in them, for graphs whose words and cases still grow.
func TestAsk(t *testing.T) {
	t.Parallel()
	for _, file := range stories(t) {
		t.Run(name(file), func(t *testing.T) {
			s := read(t, file)
			s.play(t, s.embedded())
		})
	}
}

// TestAskNeo4j plays the same stories against a real Neo4j. The cases of the films are
// imported there; those of the movies from the embedded graph, which holds the same,
// into the library that Neo4j then has: TestShippedCasesOnBothGraphs imports some of
// them there.
func TestAskNeo4j(t *testing.T) {
	server := neotest.Start(t)
	for _, graph := range []string{"films", "movies"} {
		folder, taught := t.TempDir(), false // with the cases of the graph
		for _, file := range stories(t) {
			s := read(t, file)
			if s.world.graph != graph {
				continue
			}
			if graph == "movies" && taught && os.Getenv("PRECEDENT_ALL") == "" {
				break // each opens two thousand cases anew
			}
			t.Run(name(file), func(t *testing.T) {
				if !taught {
					server.Load(t, s.world.files())
					teacher := s.neo4j(server)
					if graph == "movies" {
						teacher.Graph = t.TempDir()
						if err := os.CopyFS(teacher.Graph, movies.Graph()); err != nil {
							t.Fatal(err)
						}
					}
					s.teachOnce(t, teacher, folder)
					taught = true
				}
				c := s.neo4j(server)
				c.Data = t.TempDir()
				if err := os.CopyFS(c.Data, os.DirFS(folder)); err != nil {
					t.Fatal(err)
				}
				s.play(t, c)
			})
		}
	}
}

// teachOnce makes a data folder with the cases of the world.
func (s *story) teachOnce(t *testing.T, c engine.Config, folder string) {
	t.Helper()
	c.Data = folder
	e, _, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	teach(t, e, s.world.graph)
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func stories(t *testing.T) []string {
	files, err := filepath.Glob("testdata/ask/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories: ", err)
	}
	return files
}

func name(file string) string { return strings.TrimSuffix(filepath.Base(file), ".txtar") }

// A story is one file of testdata/ask.
type story struct {
	*txtar.Archive
	file  string
	world world
}

// A world is what lines of "# key value" in the comment of a story set.
type world struct {
	graph    string        // films (the default, the folder beside the stories) or movies
	deadline time.Duration // of a question
	timeout  time.Duration // of a query
	quorum   int
	rows     string // rows_to_model
	offTopic engine.OffTopic
}

func read(t *testing.T, file string) *story {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &story{Archive: ar, file: file, world: world{graph: "films"}}
	for line := range strings.Lines(string(ar.Comment)) {
		setting, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !ok {
			continue
		}
		key, value, _ := strings.Cut(setting, " ")
		switch key {
		case "graph":
			s.world.graph = value
		case "deadline":
			s.world.deadline, err = time.ParseDuration(value)
		case "timeout":
			s.world.timeout, err = time.ParseDuration(value)
		case "quorum":
			_, err = fmt.Sscan(value, &s.world.quorum)
		case "off_topic":
			s.world.offTopic = engine.OffTopic(value)
		case "rows":
			s.world.rows = value
		default:
			err = errors.New("no such setting")
		}
		if err != nil {
			t.Fatalf("%s: %q: %v", file, setting, err)
		}
	}
	return s
}

// config is what holds on either graph.
func (s *story) config() engine.Config {
	return engine.Config{Deadline: s.world.deadline, Limits: store.Limits{Timeout: s.world.timeout}, Quorum: s.world.quorum, RowsToModel: s.world.rows, OffTopic: s.world.offTopic, Now: sunday}
}

func (s *story) embedded() engine.Config {
	c := s.config()
	if c.Graph = s.world.graph; c.Graph == "films" {
		c.Graph = "testdata/ask/films"
		c.Glossaries, c.Aliases = []string{"testdata/ask/glossary.yaml"}, []string{"testdata/ask/aliases.yaml"}
	}
	return c
}

func (s *story) neo4j(server *neotest.Server) engine.Config {
	c := s.config()
	c.Graph, c.Neo4j, c.Name = server.URI, bolt.Config{Username: server.Username, Password: server.Password}, "told"
	c.Glossaries, c.Aliases = []string{"movies"}, []string{"movies"}
	if s.world.graph == "films" {
		c.Glossaries, c.Aliases = []string{"testdata/ask/glossary.yaml"}, []string{"testdata/ask/aliases.yaml"}
	}
	return c
}

// open opens the engine of a world.
func open(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	switch {
	case c.Data != "":
	case c.Graph == "movies":
		c.Data = engine.Shipped.Copy(t)
	default:
		c.Data = t.TempDir()
	}
	e, _, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// teach brings the cases of a world into the library of its engine.
func teach(t *testing.T, e *engine.Engine, graph string) {
	t.Helper()
	if graph == "movies" {
		if e.Name() == graph {
			return // they are there
		}
		if _, err := e.Import(t.Context(), graph, nil, "tests", nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open("testdata/ask/cases.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := e.Import(t.Context(), f.Name(), f, "tests", nil); err != nil {
		t.Fatal(err)
	}
}

// play runs a story on the graph of c.
func (s *story) play(t *testing.T, c engine.Config) {
	if why := s.Archive.Files[0]; why.Name == "skip" {
		t.Skip(strings.TrimSpace(string(why.Data)))
	}
	down := false
	server := modeltest.New(t)
	server.Key = "sk-test"
	for _, f := range s.Files {
		down = down || f.Name == "reply down"
	}
	c.Model = &model.Config{BaseURL: server.URL, Key: server.Key, Name: "test", Wait: time.Millisecond}
	if down {
		c.Model.BaseURL = "http://127.0.0.1:1/v1" // where nothing listens
	}
	p := &playing{story: s, server: server, engine: open(t, c)}
	if c.Data == "" {
		teach(t, p.engine, s.world.graph)
	}
	p.known = p.ids(t)
	for i := 0; i < len(s.Files); i++ {
		verb, args, _ := strings.Cut(s.Files[i].Name, " ")
		next := i + 1
		for next < len(s.Files) && !slices.Contains(steps, strings.Fields(s.Files[next].Name)[0]) {
			next++
		}
		p.step = s.Files[i:next:next]
		switch verb {
		case "ask":
			p.ask(t, strings.Fields(args))
		case "vote":
			p.vote(t, strings.Fields(args))
		case "undo":
			p.undo(t, args)
		case "skip":
		default:
			t.Fatalf("%s: %q is no step", s.file, s.Files[i].Name)
		}
		s.Files = slices.Replace(s.Files, i, next, p.step...)
		i += len(p.step) - 1
	}
	if n := server.Left(); n > 0 {
		t.Errorf("%d replies of the story were not asked for", n)
	}
	if *update && !strings.Contains(c.Graph, "://") {
		if err := os.WriteFile(s.file, txtar.Format(s.Archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var steps = []string{"ask", "vote", "undo", "skip"}

// A playing is a story on its way.
type playing struct {
	*story
	server *modeltest.Server
	engine *engine.Engine
	step   []txtar.File    // the step and what belongs to it
	known  map[string]bool // ids of cases that were there at the start
	made   []string        // ids of cases made since
	seen   int             // requests already looked at
	last   engine.Answer
	voted  *string // case of the last vote
}

// text is the file of the step with that name.
func (p *playing) text(name string) (string, bool) {
	for _, f := range p.step {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// want compares got to the file of that name, or rewrites it under -update.
func (p *playing) want(t *testing.T, name, got string) {
	t.Helper()
	if want, _ := p.text(name); got == want {
		return
	} else if !*update {
		t.Errorf("%s of %q:\n--- got\n%s--- want\n%s", name, strings.TrimSpace(string(p.step[0].Data)), got, want)
		return
	}
	made := txtar.File{Name: name, Data: []byte(got)}
	switch i := slices.IndexFunc(p.step, func(f txtar.File) bool { return f.Name == name }); {
	case i >= 0 && got == "":
		p.step = slices.Delete(p.step, i, i+1)
	case i >= 0:
		p.step[i] = made
	default:
		p.step = append(p.step, made)
	}
}

func (p *playing) ask(t *testing.T, args []string) {
	t.Helper()
	q := engine.Question{Text: strings.TrimSpace(string(p.step[0].Data)), User: "asker"}
	for _, arg := range args {
		key, value, _ := strings.Cut(arg, "=")
		switch key {
		case "user":
			q.User = value
		case "in":
			q.Conversation = value
		case "private":
			q.Private = true
		case "model":
			q.Model = true
		case "anyway":
			q.Anyway = true
		default:
			t.Fatalf("%s: ask: %q is not understood", p.file, arg)
		}
	}
	for _, f := range p.step {
		if kind, ok := strings.CutPrefix(f.Name, "reply"); ok && kind != " down" {
			p.server.Script(reply(t, strings.TrimSpace(kind), string(f.Data)))
		}
	}
	start := time.Now()
	p.last = p.engine.Ask(t.Context(), q, nil)
	if limit := p.world.deadline; limit > 0 && time.Since(start) > limit+machine {
		t.Errorf("the answer took %v, the deadline is %v", time.Since(start), limit)
	}
	prompts := p.prompts(t)
	if says, ok := p.text("says"); ok {
		for line := range strings.Lines(says) {
			if !strings.Contains(prompts, line) {
				t.Errorf("no prompt to %q says %s\n%s", q.Text, line, prompts)
			}
		}
	} else {
		p.want(t, "prompts", prompts)
	}
	p.want(t, "answer", p.answer())
}

// reply is a reply of the model of a kind; text is its content.
func reply(t *testing.T, kind, text string) modeltest.Reply {
	switch kind {
	case "":
		return modeltest.Text(text)
	case "busy":
		return modeltest.Busy("0")
	case "over-quota":
		return modeltest.OverQuota()
	case "hang":
		return modeltest.Hang()
	case "garbage":
		return modeltest.Garbage()
	}
	t.Fatalf("no reply is of kind %q", kind)
	return modeltest.Reply{}
}

func (p *playing) vote(t *testing.T, args []string) {
	t.Helper()
	if len(args) < 2 {
		t.Fatalf("%s: want vote U|@U up|down|none [REASON]", p.file)
	}
	v := engine.Vote{Answer: p.last.ID, User: args[0], Value: args[1], Why: strings.TrimSpace(string(p.step[0].Data))}
	v.User, v.Curator = strings.CutPrefix(v.User, "@")
	if len(args) > 2 {
		v.Reason = args[2]
	}
	done, err := p.engine.Vote(t.Context(), v)
	if err != nil {
		p.want(t, "voted", fmt.Sprintf("error: %v\n", err))
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s → %s", p.caseName(done.Case), orNone(string(done.Before)), orNone(string(done.After)))
	if done.By != "" {
		fmt.Fprintf(&b, " by %s", done.By)
	}
	if done.Reason != "" {
		fmt.Fprintf(&b, ": %s", p.rename(done.Reason))
	}
	if done.Flagged {
		b.WriteString(" (flagged)")
	}
	p.want(t, "voted", b.String()+"\n")
	p.voted = done.Case
}

func (p *playing) undo(t *testing.T, by string) {
	t.Helper()
	if p.voted == nil {
		t.Fatalf("%s: undo what? the last vote was on no case", p.file)
	}
	ch, err := p.engine.Library().UndoLast(t.Context(), *p.voted, by)
	if err != nil {
		p.want(t, "undone", fmt.Sprintf("error: %v\n", err))
		return
	}
	p.want(t, "undone", fmt.Sprintf("%s: %s → %s by %s\n", p.caseName(p.voted), ch.From, ch.To, ch.By))
}

// TestShippedCasesOnBothGraphs imports shipped movie cases on a real Neo4j and holds them
// to the same rows there and on the embedded graph: some of each kind, and with
// PRECEDENT_ALL=1 all.
func TestShippedCasesOnBothGraphs(t *testing.T) {
	server := neotest.Start(t)
	server.Keep(t, movies.Graph())
	s := &story{world: world{graph: "movies"}}
	compareCases(t, open(t, s.embedded()), open(t, s.neo4j(server)))
}

// sunday is the day on which every story is told.
func sunday() time.Time {
	return time.Date(2026, time.May, 10, 9, 30, 0, 0, time.FixedZone("", 2*60*60))
}
