package bot

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"precedent/engine"
)

// counts are what /metrics tells, since the start.
type counts struct {
	mu                      sync.Mutex
	routes                  map[string]int64
	votes                   map[string]int64
	seconds                 float64
	modelCalls, embedCalls  int64
	promptTokens, outTokens int64
}

func (c *counts) answered(a engine.Answer, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.routes == nil {
		c.routes = make(map[string]int64)
	}
	c.routes[string(a.Route)]++
	c.seconds += took.Seconds()
	c.modelCalls += int64(a.ModelCalls)
	c.embedCalls += int64(a.EmbeddingCalls)
	c.promptTokens += int64(a.PromptTokens)
	c.outTokens += int64(a.CompletionTokens)
}

func (c *counts) voted(value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.votes == nil {
		c.votes = make(map[string]int64)
	}
	c.votes[value]++
}

// write writes the counts in Prometheus's text format 0.0.4.
func (c *counts) write(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	head := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP precedent_%s %s\n# TYPE precedent_%s %s\n", name, help, name, kind)
	}
	var all int64
	head("answers_total", "counter", "Answers by route.")
	for _, r := range []engine.Route{engine.ByCase, engine.Composed, engine.ByModel, engine.Clarify, engine.Refused, engine.Unanswered, engine.Fault} {
		all += c.routes[string(r)]
		fmt.Fprintf(&b, "precedent_answers_total{route=%q} %d\n", r, c.routes[string(r)])
	}
	head("answer_seconds", "summary", "Time from question to answer.")
	fmt.Fprintf(&b, "precedent_answer_seconds_sum %g\nprecedent_answer_seconds_count %d\n", c.seconds, all)
	head("votes_total", "counter", "Votes by value.")
	for _, v := range []string{"up", "down", "none"} {
		fmt.Fprintf(&b, "precedent_votes_total{vote=%q} %d\n", v, c.votes[v])
	}
	for _, m := range []struct {
		name, help string
		n          int64
	}{
		{"model_calls_total", "Calls to the model.", c.modelCalls},
		{"embedding_calls_total", "Calls for embeddings.", c.embedCalls},
		{"prompt_tokens_total", "Tokens sent to the model.", c.promptTokens},
		{"completion_tokens_total", "Tokens the model wrote.", c.outTokens},
	} {
		head(m.name, "counter", m.help)
		fmt.Fprintf(&b, "precedent_%s %d\n", m.name, m.n)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	fmt.Fprint(w, b.String())
}
