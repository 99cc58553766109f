package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"precedent/store/cases"
)

// importSize is how many cases an import of TestKilled holds.
const importSize = 40

// TestKilled kills the program in the middle of votes and of imports. What it
// had said was done is there at the next start, an import is there whole or not
// at all, and the file is sound.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel()
	k := &killing{t: t, dir: t.TempDir(), rng: rand.New(rand.NewPCG(1, 2))}
	k.write("shop/films.csv", "id:ID,title,year:int,:LABEL\n1,Inception,2010,Film\n2,Blade Runner,1982,Film\n")
	k.must("cases", "add", "how many films are there", "MATCH (f:Film) RETURN count(f) AS n")
	var answer struct{ ID, Case string }
	said := 0
	for i := 0; k.another(i); i++ { // votes
		k.decode(k.must("ask", "--json", "how many films are there"), &answer) // takes as long as a vote
		out, _ := k.killed("vote", answer.ID, "up", "--user", fmt.Sprint("slack:U", i), "--json")
		if bytes.HasSuffix(out, []byte("}\n")) {
			said++
		}
		var c struct{ Votes struct{ Up int } }
		k.decode(k.must("cases", "show", answer.Case, "--json"), &c)
		if c.Votes.Up < said || c.Votes.Up > i+1 {
			t.Fatalf("%d votes are there; %d were said to be counted, %d were cast", c.Votes.Up, said, i+1)
		}
	}
	k.must("cases", "import", k.cases(-1))
	took, there := k.took, 1+importSize
	votes := k.kills
	k.kills = 0
	for i := 0; k.another(i); i++ { // imports
		k.took = took
		out, done := k.killed("cases", "import", k.cases(i))
		n := bytes.Count(k.must("cases", "list", "--json"), []byte("\n"))
		switch {
		case n == there+importSize:
			there = n
		case n != there:
			t.Fatalf("%d of %d cases of an import are there", n-there, importSize)
		case done:
			t.Fatalf("an import that was said to be done is lost: %s", out)
		}
	}
	files, err := filepath.Glob(filepath.Join(k.dir, "library", "*", "cases.db"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	lib, err := cases.Open(t.Context(), cases.Config{Path: files[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	if err := lib.Integrity(t.Context()); err != nil {
		t.Error(err)
	}
	t.Logf("%d votes and %d imports were killed before they ended; %d votes and %d imports were done", votes, k.kills, said, there/importSize-1)
}

// A killing is a data folder and the programs that are killed over it.
type killing struct {
	t     *testing.T
	dir   string
	rng   *rand.Rand
	took  time.Duration // by the last program that ran to its end
	kills int           // programs that didn't
}

// another reports whether to try once more after i tries: ten times, and until
// three were killed before they ended, which on a busy machine takes longer.
func (k *killing) another(i int) bool {
	if i == 200 {
		k.t.Fatalf("%d of %d were killed before they ended", k.kills, i)
	}
	return i < 10 || k.kills < 3
}

func (k *killing) write(name, text string) string {
	k.t.Helper()
	path := filepath.Join(k.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		k.t.Fatal(err)
	}
	return path
}

// cases writes a file to import, unlike that of another n.
func (k *killing) cases(n int) string {
	k.t.Helper()
	var lines strings.Builder
	for i := range importSize {
		word := "zqk" + string(rune('a'+(n+1)/26)) + string(rune('a'+(n+1)%26)) + string(rune('a'+i/26)) + string(rune('a'+i%26)) // no number: it would be a slot
		fmt.Fprintf(&lines, `{"question":"how %s are the films","query":"MATCH (f:Film) RETURN count(f) + %d AS n"}`+"\n", word, i)
	}
	return k.write("import.jsonl", lines.String())
}

func (k *killing) decode(text []byte, into any) {
	k.t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		k.t.Fatalf("%v: %s", err, text)
	}
}

// command is the program, as TestMain runs it under that name.
func (k *killing) command(args ...string) *exec.Cmd {
	k.t.Helper()
	path, err := built()
	if err != nil {
		k.t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "HOME="+k.dir, "PRECEDENT_GRAPH="+filepath.Join(k.dir, "shop"), "PRECEDENT_DATA="+filepath.Join(k.dir, "library"))
	return cmd
}

// must runs a command to its end and returns what it printed.
func (k *killing) must(args ...string) []byte {
	k.t.Helper()
	cmd := k.command(args...)
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		k.t.Fatalf("precedent %q: %v: %s", args, err, wrong.Bytes())
	}
	k.took = time.Since(start)
	return out
}

// killed runs a command, kills it at some moment of the time that the last one
// took, and returns what it printed until then; done says that it had ended by
// itself, and well.
func (k *killing) killed(args ...string) (out []byte, done bool) {
	k.t.Helper()
	cmd := k.command(args...)
	var text, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &wrong
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	timer := time.AfterFunc(time.Duration(k.rng.Float64()*1.3*float64(k.took)), func() { cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	switch {
	case cmd.ProcessState.ExitCode() > 0:
		k.t.Fatalf("precedent %q: %v: %s", args, err, wrong.Bytes())
	case err != nil:
		k.kills++
	}
	return text.Bytes(), err == nil
}

// TestKilledOnSlack and TestKilledOnDiscord kill the program fifteen times, and with
// PRECEDENT_ALL=1 fifty times, at some moment of a question, and start it again. No
// question is lost; how many are answered twice is said.
func TestKilledOnSlack(t *testing.T)   { killed(t, onSlack) }
func TestKilledOnDiscord(t *testing.T) { killed(t, onDiscord) }

func killed(t *testing.T, begin func(testing.TB) network) {
	if testing.Short() {
		t.Skip("-short leaves out what takes longer than a second")
	}
	t.Parallel() // it mostly waits
	const channels = 10
	kills := 15
	if os.Getenv("PRECEDENT_ALL") != "" {
		kills = 50
	}
	n := begin(t)
	n.fill(1, channels)
	model := thrillerModel(t, 30*time.Millisecond)
	s := on(t, n, model)
	begun := time.Now()
	asked := []string{n.ask(0, 0, thriller(kills))}
	n.Await("an answer", func() bool { return answers(n)[asked[0]] > 0 })
	took := time.Since(begun)
	rng := rand.New(rand.NewPCG(3, 4))
	early := 0
	for i := range kills {
		q := n.ask(0, i%channels, thriller(i))
		time.Sleep(time.Duration(rng.Float64() * 1.3 * float64(took))) // the moment of the kill
		s.kill()
		if answers(n)[q] == 0 {
			early++
		}
		asked = append(asked, q)
		s.start()
		n.awaitProgram()
	}
	for i, q := range asked {
		n.Await(fmt.Sprintf("an answer to question %d", i), func() bool { return answers(n)[q] > 0 })
	}
	s.stop()
	t.Logf("%d kills, %d of them before the answer: %d questions, all answered, %d of them twice", kills, early, len(asked), twice(n))
}
