package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"precedent/engine/modeltest"
)

// TestTeaching runs the files of testdata/teaching, each twice: asked and voted
// by commands of their own, and through a server. What people do to cases is
// done by commands either way, so that a server shares its library with them.
// The graph is the films of the engine's stories, unless a file says otherwise.
//
//	model QUERY [NAME=VALUE ...]           what the model writes when asked next
//	ask [user=U] [private] QUESTION        prints the answer's JSON
//	by ROUTE [REGEXP]                      of the last answer, and what its text says; a case asks no model
//	vote [U|@U] up|down|none [=REASON] [WORDS]   on the last answer, @ for a curator; nobody is the operator
//	voted REGEXP                           "before → after by whom: reason" of the last vote; it sets $CASE
//	told REGEXP                            the last prompt to the model holds it
//
// The condition [served] holds where a server answers. There people are in the
// space of names that $OVER is, and the configuration vouches for all of them.
func TestTeaching(t *testing.T) {
	files, err := filepath.Glob("testdata/teaching/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("nothing to play: ", err)
	}
	for _, file := range files {
		for _, way := range []string{"commands", "served"} {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+way, func(t *testing.T) {
				t.Parallel()
				newLesson(t, way == "served").run(t, file)
			})
		}
	}
}

// A lesson is one file of testdata/teaching on its way.
type lesson struct {
	served bool
	model  *modeltest.Server
	env    []string
	url    string // of the server, once it runs
	asked  int    // requests to the model before the last question
	answer struct {
		ID             string
		Route          string
		Text           string
		Case           *string
		ModelCalls     int `json:"model_calls"`
		EmbeddingCalls int `json:"embedding_calls"`
	}
	outcome string
}

func newLesson(t *testing.T, served bool) *lesson {
	return &lesson{served: served, model: modeltest.New(t)}
}

// token is what the server of a lesson asks for.
const token = "s3cret"

func (l *lesson) run(t *testing.T, file string) {
	stories, err := filepath.Abs("../../engine/testdata/ask")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: []string{file},
		Setup: func(e *testscript.Env) error {
			if err := setUp(e); err != nil {
				return err
			}
			e.Setenv("OPENAI_BASE_URL", l.model.URL)
			e.Setenv("MODEL_URL", l.model.URL) // to put back what a file unset
			e.Setenv("OPENAI_MODEL", "test")
			e.Setenv("PRECEDENT_HTTP_TOKEN", token)
			e.Setenv("OVER", map[bool]string{true: "http:"}[l.served])
			e.Setenv("PRECEDENT_GRAPH", filepath.Join(stories, "films"))
			e.Setenv("PRECEDENT_CONFIG", filepath.Join(e.WorkDir, "films.yaml"))
			l.env = e.Vars
			words := fmt.Sprintf("glossary: [%q]\naliases: [%q]\nhttp: {trust: [\"*\"]}\n", filepath.Join(stories, "glossary.yaml"), filepath.Join(stories, "aliases.yaml"))
			return os.WriteFile(filepath.Join(e.WorkDir, "films.yaml"), []byte(words), 0o666)
		},
		Condition: func(cond string) (bool, error) {
			if cond != "served" {
				return false, fmt.Errorf("there is no condition %q", cond)
			}
			return l.served, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "model": l.writes, "ask": l.ask, "by": l.by, "vote": l.vote, "voted": l.voted, "told": l.told,
		},
	})
	if n := l.model.Left(); n > 0 && !t.Failed() && !t.Skipped() {
		t.Errorf("%d queries of the model were not asked for", n)
	}
}

func (l *lesson) writes(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || neg {
		ts.Fatalf("usage: model QUERY [NAME=VALUE ...]")
	}
	type param struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	params := []param{}
	for _, arg := range args[1:] {
		name, text, _ := strings.Cut(arg, "=")
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			value = text
		}
		params = append(params, param{name, value})
	}
	l.model.Script(modeltest.JSON(map[string]any{"action": "query", "query": args[0], "params": params}))
}

func (l *lesson) ask(ts *testscript.TestScript, neg bool, args []string) {
	command, body := []string{"ask", "--json"}, map[string]any{}
	for len(args) > 1 {
		if user, ok := strings.CutPrefix(args[0], "user="); ok {
			command, body["user"] = append(command, "--user", user), user
		} else if args[0] == "private" && !l.served {
			command = append(command, "--scope", "private")
		} else {
			break
		}
		args = args[1:]
	}
	if len(args) != 1 || neg {
		ts.Fatalf("usage: ask [user=U] [private] QUESTION")
	}
	l.asked = l.model.Calls() + l.model.EmbeddingCalls()
	body["question"] = args[0]
	l.do(ts, &l.answer, append(command, args[0]), "/v1/ask", body)
}

func (l *lesson) by(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || len(args) > 2 || neg {
		ts.Fatalf("usage: by ROUTE [REGEXP]")
	}
	a, asked := l.answer, l.model.Calls()+l.model.EmbeddingCalls()-l.asked
	switch {
	case a.Route != args[0]:
		ts.Fatalf("answered by %s, not %s: %s", a.Route, args[0], a.Text)
	case a.ModelCalls+a.EmbeddingCalls != asked:
		ts.Fatalf("%d model calls and %d embedding calls are said, %d requests were made", a.ModelCalls, a.EmbeddingCalls, asked)
	case a.Route == "case" && asked != 0:
		ts.Fatalf("a case answered, and %d requests were made", asked)
	case len(args) == 2 && !regexp.MustCompile(args[1]).MatchString(a.Text):
		ts.Fatalf("the answer says %q", a.Text)
	}
	ts.Setenv("CASE", cmp.Or(deref(a.Case), ts.Getenv("CASE")))
}

func (l *lesson) vote(ts *testscript.TestScript, neg bool, args []string) {
	command, body := []string{"vote", "--json"}, map[string]any{"answer": l.answer.ID}
	values := []string{"up", "down", "none"}
	if len(args) > 0 && !slices.Contains(values, args[0]) {
		user, curator := strings.CutPrefix(args[0], "@")
		command, body["user"] = append(command, "--user", user), user
		if curator {
			command, body["role"] = append(command, "--role", "curator"), "curator"
		}
		args = args[1:]
	}
	if len(args) == 0 || neg || !slices.Contains(values, args[0]) {
		ts.Fatalf("usage: vote [U|@U] up|down|none [=REASON] [WORDS]")
	}
	command, body["vote"] = append(command, l.answer.ID, args[0]), args[0]
	for _, arg := range args[1:] {
		if reason, ok := strings.CutPrefix(arg, "="); ok {
			command, body["reason"] = append(command, "--reason", reason), reason
		} else {
			command, body["why"] = append(command, "--why", arg), arg
		}
	}
	var done struct {
		Answer, Before, After, By, Reason string
		Case                              *string
	}
	l.do(ts, &done, command, "/v1/vote", body)
	if done.Answer != l.answer.ID {
		ts.Fatalf("the vote on %s is said to be on %s", l.answer.ID, done.Answer)
	}
	l.outcome = fmt.Sprintf("%s → %s", cmp.Or(done.Before, "nothing"), cmp.Or(done.After, "nothing"))
	if done.By != "" {
		l.outcome += " by " + done.By
	}
	if done.Reason != "" {
		l.outcome += ": " + done.Reason
	}
	ts.Setenv("CASE", deref(done.Case))
}

func (l *lesson) voted(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: voted REGEXP")
	}
	if regexp.MustCompile("^(?:"+args[0]+")$").MatchString(l.outcome) == neg {
		ts.Fatalf("voted: %s", l.outcome)
	}
}

func (l *lesson) told(ts *testscript.TestScript, neg bool, args []string) {
	requests := l.model.Requests()
	if len(args) != 1 || len(requests) == 0 {
		ts.Fatalf("usage: told REGEXP, once the model was asked")
	}
	messages := requests[len(requests)-1].Messages
	prompt := messages[len(messages)-1].Content
	if regexp.MustCompile("(?m)"+args[0]).MatchString(prompt) == neg {
		ts.Fatalf("the model was told:\n%s", prompt)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// do runs a command or, where a server answers, posts body to path. What comes
// back is decoded into v and stands as the standard output.
func (l *lesson) do(ts *testscript.TestScript, v any, command []string, path string, body map[string]any) {
	var out []byte
	if l.served {
		if l.url == "" {
			l.serve(ts)
		}
		sent, err := json.Marshal(body)
		ts.Check(err)
		req, err := http.NewRequestWithContext(context.Background(), "POST", l.url+path, strings.NewReader(string(sent)))
		ts.Check(err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		ts.Check(err)
		defer res.Body.Close()
		out, err = io.ReadAll(res.Body)
		ts.Check(err)
		if res.StatusCode != http.StatusOK {
			ts.Fatalf("POST %s %s: %s %s", path, sent, res.Status, out)
		}
		_, err = ts.Stdout().Write(out)
		ts.Check(err)
	} else {
		// The exit code is the route's; what broke isn't JSON.
		err := ts.Exec("precedent", command...)
		if out = []byte(ts.ReadFile("stdout")); len(out) == 0 {
			ts.Fatalf("%q: %v", command, err)
		}
	}
	ts.Check(json.Unmarshal(out, v))
}

// serve starts a server that ends with the script.
func (l *lesson) serve(ts *testscript.TestScript) {
	program, err := built()
	ts.Check(err)
	cmd := exec.Command(program, "serve", "--http", "127.0.0.1:0")
	cmd.Env, cmd.Dir = slices.Clone(l.env), ts.MkAbs(".")
	for _, name := range []string{"PRECEDENT_QUORUM", "PRECEDENT_GRAPH", "PRECEDENT_CONFIG"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	said, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		ts.Check(cmd.Process.Signal(os.Interrupt))
		if err := cmd.Wait(); err != nil {
			ts.Fatalf("the server ended with %v", err)
		}
	})
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), " on http://"); ok {
			l.url = "http://" + url
			go io.Copy(io.Discard, said)
			return
		}
	}
	ts.Fatalf("the server said nothing of an address: %s", strconv.Quote(lines.Text()))
}
