package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"precedent/engine/modeltest"
)

// TestBadModel asks the program with models that misbehave, over the wire. Each
// gets a clear answer before the deadline, with what can be asked instead where
// there is nothing to show, and nothing of what the model said.
func TestBadModel(t *testing.T) {
	const deadline, start = 6 * time.Second, time.Minute // the second is for a busy machine
	query := func(text string) modeltest.Reply {
		return modeltest.JSON(map[string]any{"action": "query", "query": text, "params": []any{}})
	}
	for _, test := range []struct {
		name  string
		reply modeltest.Reply
		route string
		exit  int
		says  string
	}{
		{"hangs", modeltest.Hang(), "unanswered", exitUnanswered, "The model isn't available right now"},
		{"breaks off", modeltest.Cut(), "unanswered", exitUnanswered, "The model isn't available right now"},
		{"answers with bytes", modeltest.Garbage(), "unanswered", exitUnanswered, "The model isn't available right now"},
		{"streams garbage", modeltest.Stream("lorem ipsum {] dolor"), "unanswered", exitUnanswered, "The model isn't available right now"},
		{"answers in prose", modeltest.Text("As a language model I believe it is Zog."), "unanswered", exitUnanswered, "The model isn't available right now"},
		{"is over its quota", modeltest.OverQuota(), "unanswered", exitUnanswered, "The model isn't available right now"},
		{"writes", query("MATCH (n) DETACH DELETE n"), "unanswered", exitUnanswered, ""},
		{"reads files", query("LOAD CSV FROM 'file:///etc/passwd' AS zog RETURN zog"), "unanswered", exitUnanswered, ""},
		{"writes no Cypher", query("SELECT zog FROM films"), "unanswered", exitUnanswered, ""},
		{"never ends", query("MATCH (f:Film) UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE a + b < 0 RETURN count(*) AS zog"),
			"fault", exitFault, "That took too long."},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := modeltest.Respond(t, func(string) modeltest.Reply { return test.reply })
			dir := t.TempDir()
			for name, text := range map[string]string{
				"films.csv": "id:ID,title,year:int,:LABEL\n1,Inception,2010,Film\n2,Blade Runner,1982,Film\n",
				"c.yaml":    "limits: {deadline: 6s, timeout: 2s}\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			path, err := built()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(path, "ask", "--json", "--graph", dir, "--data", filepath.Join(dir, "library"), "--config", filepath.Join(dir, "c.yaml"),
				"which films are the shiniest of them all")
			cmd.Env = append(os.Environ(), "OPENAI_BASE_URL="+server.URL, "OPENAI_API_KEY=sk-test", "OPENAI_MODEL=test")
			began := time.Now()
			out, _ := cmd.Output()
			if took := time.Since(began); took > deadline+start {
				t.Errorf("it took %v", took)
			}
			var a struct {
				Route, Text string
				Timings     struct{ Total float64 } `json:"timings_ms"`
			}
			if err := json.Unmarshal(out, &a); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if a.Route != test.route || cmd.ProcessState.ExitCode() != test.exit || a.Text == "" || !strings.Contains(a.Text, test.says) {
				t.Errorf("route %s, exit %d, %q; want %s, %d, %q", a.Route, cmd.ProcessState.ExitCode(), a.Text, test.route, test.exit, test.says)
			}
			if strings.Contains(strings.ToLower(a.Text), "zog") {
				t.Errorf("the answer says what the model said: %q", a.Text)
			}
			if a.Timings.Total > float64((deadline + start/4).Milliseconds()) {
				t.Errorf("the answer took %.0f ms of %v", a.Timings.Total, deadline)
			}
		})
	}
}
