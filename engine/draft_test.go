package engine_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"

	"precedent/engine"
	"precedent/engine/model"
	"precedent/engine/modeltest"
)

// TestLooseReplies has the model answer in other shapes than it was asked for.
func TestLooseReplies(t *testing.T) {
	const query = "MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: 'Thriller'}) WHERE 'France' IN m.countries AND m.year >= 1950 AND m.runtime > 100 RETURN m.title AS title"
	const withParams = "MATCH (m:Movie)-[:IN_GENRE]->(:Genre {name: $genre}) WHERE 'France' IN m.countries AND m.year >= $year AND m.runtime > 100 RETURN m.title AS title"
	quoted, _ := json.Marshal(query)
	var reply atomic.Pointer[string]
	m := modeltest.Respond(t, func(string) modeltest.Reply { return modeltest.Text(*reply.Load()) })
	e, _, err := engine.Open(t.Context(), engine.Config{Data: engine.Shipped.Copy(t), Model: &model.Config{BaseURL: m.URL, Name: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	for name, c := range map[string]struct {
		reply string
		want  engine.Route
	}{
		"bare":                  {query, engine.ByModel},
		"fence":                 {"```cypher\n" + query + "\n```", engine.ByModel},
		"fence without a name":  {"```\n" + query + "\n```", engine.ByModel},
		"one line fence":        {"```" + query + "```", engine.ByModel},
		"prose and a fence":     {"Here is the query:\n\n```cypher\n" + query + "\n```\nIt finds the films.", engine.ByModel},
		"thoughts":              {"<think>MATCH what?</think>\n" + query, engine.ByModel},
		"cypher":                {`{"cypher": ` + string(quoted) + `}`, engine.ByModel},
		"query alone":           {`{"query": ` + string(quoted) + `}`, engine.ByModel},
		"params as an object":   {`{"action": "query", "query": "` + withParams + `", "params": {"genre": "Thriller", "year": 1950}}`, engine.ByModel},
		"parameters":            {`{"query": "` + withParams + `", "parameters": {"$genre": "Thriller", "$year": 1950}}`, engine.ByModel},
		"two fences":            {"```\n" + query + "\n```\nor\n```\n" + query + "\n```", engine.Unanswered},
		"prose":                 {"I would look for thrillers.", engine.Unanswered},
		"a change in a fence":   {"```cypher\nMATCH (n) DETACH DELETE n\n```", engine.Unanswered},
		"a call of a procedure": {"```cypher\nCALL dbms.shutdown()\n```", engine.Unanswered},
	} {
		t.Run(name, func(t *testing.T) {
			reply.Store(&c.reply)
			a := e.Ask(t.Context(), engine.Question{Text: "which French thrillers since 1950 are over 100 minutes"}, nil)
			if a.Route != c.want || c.want == engine.ByModel && len(a.Rows) != 2 {
				t.Errorf("%s with %d rows, want %s: %s", a.Route, len(a.Rows), c.want, a.Text)
			}
		})
	}
}
