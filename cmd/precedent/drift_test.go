package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"precedent/bot"
)

// shed is a folder with a graph, and what is asked of it; those that name Tool break
// where that label is renamed.
var (
	shed = map[string]string{
		"tools.csv": "id:ID,name,weight:int,:LABEL\nt1,Saw,3,Tool\nt2,Axe,5,Tool\nt3,File,1,Tool\n",
		"parts.csv": "id:ID,code,:LABEL\np1,PX-1,Part\np2,PX-2,Part\n",
	}
	shedCases = []struct{ question, query, rows string }{
		{"how many tools lie about", "MATCH (t:Tool) RETURN count(t) AS n", "[[3]]"},
		{"the heaviest tool we keep", "MATCH (t:Tool) RETURN t.name AS name ORDER BY t.weight DESC LIMIT 1", `[["Axe"]]`},
		{"how many parts lie about", "MATCH (p:Part) RETURN count(p) AS n", "[[2]]"},
	}
)

// TestServeNoticesDrift renames a label in the files of a graph while serve answers
// from it, 200 questions long; then it breaks the files, and mends them.
func TestServeNoticesDrift(t *testing.T) {
	t.Parallel()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range shed {
		write(name, text)
	}
	data := t.TempDir()
	env := []string{"HOME=" + data, "PATH=" + os.Getenv("PATH"), "LANG=en_GB.UTF-8"}
	for _, c := range shedCases {
		add := exec.Command(path, "cases", "add", "--graph", dir, "--data", data, c.question, c.query)
		add.Env = env
		if out, err := add.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	s := &serving{t: t, data: data, said: &tail{}}
	s.cmd = exec.Command(path, "serve", "--graph", dir, "--data", data, "--http", "127.0.0.1:0", "--refresh", "1h")
	s.cmd.Env, s.cmd.Stderr = env, s.said
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	at := s.address()
	ask := func(i int) (route, rows string) {
		t.Helper()
		body, _ := json.Marshal(map[string]string{"question": shedCases[i].question})
		r, err := http.Post(at+"/v1/ask", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		var a struct {
			Route string
			Rows  json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Fatal(err)
		}
		return a.Route, string(a.Rows)
	}
	var changed time.Time
	noticed := time.Duration(0)
	for n := 0; n < 200 || noticed == 0; n++ {
		if n == 50 {
			write("tools.csv", strings.ReplaceAll(shed["tools.csv"], ",Tool", ",Device"))
			changed = time.Now()
		}
		i := n % len(shedCases)
		route, rows := ask(i)
		if route == "case" && rows != shedCases[i].rows {
			t.Fatalf("question %d, %q: a false answer: %s", n, shedCases[i].question, rows)
		}
		if route != "case" {
			if i == 2 || changed.IsZero() {
				t.Fatalf("question %d, %q, isn't answered: %s", n, shedCases[i].question, route)
			}
			noticed = max(noticed, time.Since(changed))
		}
		if time.Since(changed) > time.Minute && !changed.IsZero() {
			t.Fatal("nobody noticed")
		}
		if n >= 200 {
			time.Sleep(20 * time.Millisecond)
		}
	}
	t.Logf("noticed within %v", noticed.Round(time.Millisecond))
	if log := s.said.String(); !strings.Contains(log, "none was taken out of use") {
		t.Errorf("the log: %s", log)
	}

	write("parts.csv", "id:ID,code:int,:LABEL\np1,PX-1,Part\n")
	graph := func() bot.Finding {
		_, ready := s.readiness()
		list := ready.Parts
		i := slices.IndexFunc(list, func(f bot.Finding) bool { return f.Part == "graph" })
		if i < 0 {
			t.Fatalf("%+v", list)
		}
		return list[i]
	}
	s.await("that its files are wrong to be said", func() bool { return graph().State == bot.Doubtful })
	if f := graph(); !strings.Contains(f.What, "answers come from what was known before") || !strings.Contains(f.Cure, "correct that file") {
		t.Errorf("%+v", f)
	}
	if status, _ := s.readiness(); status != http.StatusOK {
		t.Errorf("readyz answers %d, though people are answered", status)
	}
	if route, rows := ask(2); route != "case" || rows != shedCases[2].rows {
		t.Errorf("%s %s", route, rows)
	}
	for name, text := range shed {
		write(name, text)
	}
	refresh := exec.Command(path, "refresh", "--graph", dir, "--data", data)
	refresh.Env = env
	if out, err := refresh.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.await("it to be well again", func() bool {
		route, _ := ask(0)
		return route == "case" && graph().State == bot.Fine
	})
}
