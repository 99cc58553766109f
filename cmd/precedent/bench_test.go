package main

import (
	"bufio"
	"bytes"
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
	"sync"
	"testing"
	"time"

	"precedent/engine/modeltest"
	"precedent/store"
	"precedent/store/cases"
)

// BenchmarkProgram measures the program as it is shipped, from outside: its
// size, the time from its start to its first answer, its memory (VmHWM of
// proc_pid_status(5), on Linux alone), and what it answers a second over HTTP.
func BenchmarkProgram(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "precedent")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	b.Run("size", func(b *testing.B) {
		info, err := os.Stat(bin)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
		}
		report(b, float64(info.Size())/1e6, "MB")
	})
	b.Run("start", func(b *testing.B) {
		used := library(b, bin, 0, 0, 0)
		full := library(b, bin, 10_000, 20_000, 0)
		b.Run("first time", func(b *testing.B) { firstAnswer(b, b.TempDir, bin) })
		b.Run("again", func(b *testing.B) { firstAnswer(b, func() string { return used }, bin) })
		b.Run("10000 cases", func(b *testing.B) { firstAnswer(b, func() string { return full }, bin) })
		b.Run("go run", func(b *testing.B) { firstAnswer(b, func() string { return used }, "go", "run", ".") })
	})
	b.Run("memory", func(b *testing.B) {
		b.Run("demo", func(b *testing.B) {
			peak := 0.0
			for b.Loop() {
				d := startDemo(b, b.TempDir(), bin)
				for _, q := range twenty {
					d.ask(b, q)
				}
				time.Sleep(settled)
				peak = max(peak, d.peak(b))
				d.end(b)
			}
			report(b, peak, "MiB")
		})
		b.Run("10000×1536", func(b *testing.B) { bigLibrary(b, bin, 10_000) })
		b.Run("20000×1536", func(b *testing.B) { bigLibrary(b, bin, 20_000) })
	})
	b.Run("serve", func(b *testing.B) {
		s := startServe(b, bin, library(b, bin, 0, 0, 0))
		defer s.end(b)
		for _, clients := range []int{1, 16} {
			b.Run(fmt.Sprintf("%d clients", clients), func(b *testing.B) { s.answers(b, clients) })
		}
	})
}

// twenty are questions that shipped cases answer.
var twenty = []string{
	"who directed The Matrix?", "《霸王别姬》是谁导演的", "top 5 comedies by rating", "评分最高的5部喜剧", "诺兰拍过几部科幻片",
	"how many sci-fi films did Nolan make?", "films Tom Hanks was in since 2000", "when was Titanic released", "films directed by Christopher Nolan",
	"《泰坦尼克号》是谁导演的", "longest film", "who played in both Heat and The Godfather Part II", "list all genres", "who acted in Inception",
	"who directed Titanic", "films without a plot", "谁导演了《盗梦空间》", "top 10 films by rating", "how many films are there", "评分最高的10部电影",
}

// firstAnswer measures from starting a demo to its first answer.
func firstAnswer(b *testing.B, folder func() string, command ...string) {
	var took []float64
	for b.Loop() {
		b.StopTimer()
		data := folder()
		b.StartTimer()
		start := time.Now()
		d := startDemo(b, data, command...)
		d.ask(b, twenty[0])
		took = append(took, float64(time.Since(start))/float64(time.Millisecond))
		b.StopTimer()
		d.end(b)
		b.StartTimer()
	}
	slices.Sort(took)
	report(b, took[len(took)/2], "p50-ms")
}

// bigLibrary measures the memory of a program with 10,000 cases that have so
// many vectors (10,000 in one language, 20,000 in two) beside the shipped ones,
// after twenty questions, every second of which the model answers.
func bigLibrary(b *testing.B, bin string, vectors int) {
	const dimensions = 1536
	model := modeltest.Respond(b, func(string) modeltest.Reply {
		return modeltest.JSON(map[string]any{"action": "query", "query": "MATCH (m:Movie) WHERE m.revenue < m.budget RETURN m.title AS title"})
	})
	model.Dimensions = dimensions
	data := library(b, bin, 10_000, vectors, dimensions)
	peak := 0.0
	for b.Loop() {
		s := startServe(b, bin, data, "GOMEMLIMIT="+memoryLimit, "OPENAI_BASE_URL="+model.URL, "OPENAI_MODEL=writes", "OPENAI_EMBEDDING_MODEL="+embedder)
		for i, q := range twenty {
			if i%2 > 0 {
				q = "which films flopped"
			}
			if a := s.ask(b, q); i%2 > 0 && a.EmbeddingCalls == 0 {
				b.Errorf("%q: cases aren't recalled by the model's vectors", q)
			}
		}
		peak = max(peak, s.peak(b))
		s.end(b)
	}
	report(b, peak, "MiB")
}

const (
	settled     = 2 * time.Second // from the last answer of a demo; by then the cases are ready for recall
	memoryLimit = "160MiB"        // see GOMEMLIMIT of package runtime
	embedder    = "embeds"        // the name of a model
)

// library makes a folder of data with the shipped cases and n more that are
// verified. Unless dimensions is 0, all have vectors of that length; vectors is
// how many the n have together.
func library(b *testing.B, bin string, n, vectors, dimensions int) (data string) {
	b.Helper()
	data = b.TempDir()
	d := startDemo(b, data, bin)
	d.ask(b, twenty[0])
	d.end(b)
	lib, err := cases.Open(b.Context(), cases.Config{Path: filepath.Join(data, "movies", "cases.db"), Graph: "movies"})
	if err != nil {
		b.Fatal(err)
	}
	defer lib.Close()
	made := make([]store.Case, n)
	for i := range made {
		word := strings.Map(func(r rune) rune { return r - '0' + 'b' }, fmt.Sprintf("%06d", i)) + "q" // no word, nor a number
		wordings := []string{"the " + word + " of {film}", "{film}的" + word}
		if vectors <= n {
			wordings[1] = "{film}, its " + word
		}
		made[i] = store.Case{
			Status: store.Verified, Query: "MATCH (m:Movie {title: $film}) RETURN m.year AS year", Wordings: wordings,
			Slots: []store.Slot{{Name: "film", Label: "Movie", Property: "title", Type: "string", Example: "Inception"}},
		}
	}
	if _, err := lib.AddAll(b.Context(), made, cases.Change{By: "bench"}); err != nil {
		b.Fatal(err)
	}
	if dimensions > 0 {
		lib.UseEmbeddings(embedder, func(_ context.Context, text string) ([]float32, error) {
			return modeltest.EmbeddingOf(text, dimensions), nil
		}, 0)
	}
	for ranked := ""; dimensions > 0 && ranked != embedder; time.Sleep(100 * time.Millisecond) {
		found, err := lib.Recall(b.Context(), "which films", 1)
		if err != nil || len(found) == 0 {
			b.Fatalf("recalling: %v, %v", found, err)
		}
		ranked = found[0].Model
	}
	return data
}

// report gives one figure in place of the time of an operation.
func report(b *testing.B, figure float64, unit string) {
	b.ReportMetric(figure, unit)
	b.ReportMetric(0, "ns/op")
}

// A running is a program on its way.
type running struct {
	cmd *exec.Cmd
	in  io.Closer
}

func start(b *testing.B, cmd *exec.Cmd) *running {
	b.Helper()
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { cmd.Process.Kill() })
	return &running{cmd, in}
}

// peak is the most memory that the program took so far, in MiB.
func (r *running) peak(b *testing.B) float64 { return mebibytes(b, r.cmd.Process.Pid, "VmHWM") }

// mebibytes is a figure of a process's memory, by its name in proc_pid_status(5).
func mebibytes(b *testing.B, pid int, name string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); f[0] == name+":" {
			kib, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kib / 1024
		}
	}
	b.Fatalf("no %s in\n%s", name, status)
	return 0
}

func (r *running) end(b *testing.B) {
	r.in.Close()
	if err := r.cmd.Wait(); err != nil {
		b.Error(err)
	}
}

// A demo is a chat through pipes.
type demo struct {
	*running
	said *bufio.Scanner
}

func startDemo(b *testing.B, data string, command ...string) *demo {
	cmd := exec.Command(command[0], append(slices.Clone(command[1:]), "demo", "--data", data)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	return &demo{start(b, cmd), bufio.NewScanner(out)}
}

var badge = regexp.MustCompile(`^✓ .* · (answer|回答) `)

// ask asks what a case answers and reads the answer to its end.
func (d *demo) ask(b *testing.B, question string) {
	io.WriteString(d.in.(io.Writer), question+"\n")
	for d.said.Scan() {
		if badge.Match(d.said.Bytes()) {
			return
		}
	}
	b.Fatalf("%q isn't answered: %v", question, d.said.Err())
}

// A served is a program that answers over HTTP.
type served struct {
	*running
	url string
}

func startServe(b *testing.B, bin, data string, env ...string) *served {
	cmd := exec.Command(bin, "serve", "--http", "127.0.0.1:0", "--graph", "movies", "--data", data)
	cmd.Env = append(os.Environ(), env...)
	said, err := cmd.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	s := &served{running: start(b, cmd)}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), " on http://"); ok {
			s.url = "http://" + at
			go io.Copy(os.Stderr, said)
			return s
		}
	}
	b.Fatal("it doesn't serve")
	return nil
}

func (s *served) end(b *testing.B) {
	s.cmd.Process.Signal(os.Interrupt)
	s.running.end(b)
}

// An answer is what a benchmark looks at of one.
type answer struct {
	Route          string `json:"route"`
	EmbeddingCalls int    `json:"embedding_calls"`
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

func (s *served) ask(b *testing.B, question string) (a answer) {
	body, err := json.Marshal(map[string]string{"question": question})
	if err != nil {
		b.Error(err)
		return a
	}
	r, err := client.Post(s.url+"/v1/ask", "application/json", bytes.NewReader(body))
	if err != nil {
		b.Error(err)
		return a
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil || a.Route != "case" && a.Route != "model" {
		b.Errorf("%s: %q is answered by %q: %v", r.Status, question, a.Route, err)
	}
	return a
}

// answers measures the questions answered a second when so many ask at a time.
func (s *served) answers(b *testing.B, clients int) {
	questions := make(chan string)
	var asking sync.WaitGroup
	for range clients {
		asking.Go(func() {
			for q := range questions {
				s.ask(b, q)
			}
		})
	}
	n, began := 0, time.Now()
	for b.Loop() {
		questions <- twenty[n%len(twenty)]
		n++
	}
	close(questions)
	asking.Wait()
	report(b, float64(n)/time.Since(began).Seconds(), "questions/s")
}
