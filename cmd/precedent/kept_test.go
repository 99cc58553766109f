package main

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"
)

// TestKeptBeforeSaid kills the program as soon as its reply is there: whoever holds
// the id of an answer can vote on it after the next start, whatever the answer was.
func TestKeptBeforeSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	model := thrillerModel(t, 0)
	s := serves(t, "PRECEDENT_HTTP=127.0.0.1:0", "OPENAI_BASE_URL="+model.URL, "OPENAI_MODEL=test")
	for name, question := range map[string]string{
		"by a case": "top 5 comedies by rating", "by the model": thriller(1), "refused": "hello", "unanswered": "which films are the shiniest of them all",
		"a choice": "films by Michael", "in Chinese": "评分最高的5部喜剧",
	} {
		t.Run(name, func(t *testing.T) {
			asked(t, s.address(), "who directed The Matrix?") // the shipped cases are in
			release := held(t, s.data)
			time.AfterFunc(300*time.Millisecond, release) // another program is slow
			id := asked(t, s.address(), question)
			s.kill()
			release()
			voted(t, s.data, id)
			s.again()
		})
	}
	t.Run("sixteen at a time", func(t *testing.T) {
		ids := make([]string, 16)
		at := s.address()
		var asking sync.WaitGroup
		for i := range ids {
			asking.Go(func() { ids[i] = asked(t, at, thriller(i)) })
		}
		asking.Wait()
		s.kill()
		for _, id := range ids[:4] {
			voted(t, s.data, id)
		}
		s.again()
	})
}

// TestKeptBeforePrinted does so on the command line and in the terminal.
func TestKeptBeforePrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	jsonID, printedID := regexp.MustCompile(`"id":"([^"]+)"`), regexp.MustCompile(`(?:answer|回答) ([A-Z2-7]{12})`)
	for range 5 {
		for name, c := range map[string]struct {
			args  []string
			typed string
			id    *regexp.Regexp
		}{
			"ask --json":       {[]string{"ask", "--json", "top 5 comedies by rating"}, "", jsonID},
			"ask":              {[]string{"ask", "评分最高的5部喜剧"}, "", printedID},
			"ask, refused":     {[]string{"ask", "--json", "hello"}, "", jsonID},
			"chat from a pipe": {[]string{"chat"}, "who directed The Matrix?\n", printedID},
			"demo":             {[]string{"demo"}, "who directed The Matrix?\n", printedID},
		} {
			cmd := exec.Command(path, append(c.args, "--data", data)...)
			cmd.Env = []string{"HOME=" + data, "LANG=en_GB.UTF-8", "PRECEDENT_GRAPH=movies"}
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if c.typed != "" {
				io.WriteString(in, c.typed)
			}
			var id string
			for lines := bufio.NewReader(out); id == ""; {
				line, err := lines.ReadString('\n')
				if found := c.id.FindStringSubmatch(line); found != nil {
					id = found[1]
				} else if err != nil {
					t.Fatalf("%s: no answer: %v", name, err)
				}
			}
			cmd.Process.Kill()
			cmd.Wait()
			voted(t, data, id)
		}
	}
}

var servedAt = regexp.MustCompile(`(?m) on (http://127\.0\.0\.1:\d+)$`)

// address is where the program answers over HTTP, once it does.
func (s *serving) address() string {
	s.t.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		if at := servedAt.FindStringSubmatch(s.said.String()); at != nil {
			return at[1]
		}
	}
	s.t.Fatal("it doesn't serve HTTP")
	return ""
}

// again starts the program after it was killed.
func (s *serving) again() {
	s.t.Helper()
	s.said = nil
	s.start()
	s.address()
}

// asked asks over HTTP and returns the answer's id.
func asked(t *testing.T, at, question string) string {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"question": question})
	r, err := http.Post(at+"/v1/ask", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	defer r.Body.Close()
	var a struct{ ID string }
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil || a.ID == "" {
		t.Errorf("%s: %q, %v", question, a.ID, err)
	}
	return a.ID
}

// held keeps others from writing the library until it is released.
func held(t *testing.T, data string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(data, "movies", "cases.db")+"?_txlock=immediate&_pragma=busy_timeout(30000)")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() { tx.Rollback(); db.Close() })
}

// voted votes on an answer by another run of the program.
func voted(t *testing.T, data, id string) {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "vote", id, "down", "--reason", "wording", "--user", "slack:U1", "--json", "--data", data, "--graph", "movies")
	cmd.Env = []string{"HOME=" + data}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("voting on the answer: %v: %s", err, out)
	}
}
