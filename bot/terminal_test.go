package bot_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"precedent/bot"
	"precedent/engine"
	"precedent/store"
)

// chat returns a terminal whose engine answers with tables, and what it prints.
func chat(in string, ask func(context.Context, engine.Question, func(engine.Progress)) engine.Answer) (*bot.Terminal, *strings.Builder) {
	out := new(strings.Builder)
	return &bot.Terminal{
		Bot: &bot.Bot{Ask: ask, Vote: func(_ context.Context, v engine.Vote) (engine.Voted, error) {
			return engine.Voted{Answer: v.Answer, Reason: fmt.Sprintf("%s by %s, %q, curator %v", v.Value, v.User, v.Reason, v.Curator)}, nil
		}},
		Graph: "movies",
		Examples: func(language string, n int) []string {
			return []string{language + " one", language + " two"}[:min(n, 2)]
		},
		Schema: func() string { return "(:Movie)\n" },
		Case: func(context.Context, string) (store.Case, error) {
			return store.Case{Note: "because \x1b[2J"}, nil
		},
		User: "terminal:ada", Out: out, Lines: bot.Piped(strings.NewReader(in), out, false),
	}, out
}

// table answers with n rows.
func table(n int) func(context.Context, engine.Question, func(engine.Progress)) engine.Answer {
	id := "nolan"
	return func(_ context.Context, q engine.Question, _ func(engine.Progress)) engine.Answer {
		a := engine.Answer{
			ID: "A1", Question: q.Text, Restated: q.Text, Language: "en", Route: engine.ByCase, Text: "films of " + q.Text, Query: "MATCH (m) RETURN m",
			Params: map[string]any{"year": int64(2000), "name": `a"b`}, Columns: []string{"title", "year"},
			Case: &id, Cases: []engine.ShownCase{{ID: id, Question: "films of Nolan", Score: 1}},
			Links: []store.Link{{Mention: "Nolan", Label: "Person", Property: "name", Value: "Christopher Nolan", How: store.ByAlias}},
		}
		if q.Model {
			a.Route, a.Case, a.Repairs = engine.ByModel, nil, 2
		}
		for i := range n {
			a.Rows = append(a.Rows, []any{fmt.Sprintf("film %d", i+1), int64(2000 + i)})
		}
		return a
	}
}

// TestTerminal looks for what a chat says, in this order.
func TestTerminal(t *testing.T) {
	tests := []struct {
		name string
		in   string
		ask  func(context.Context, engine.Question, func(engine.Progress)) engine.Answer
		want []string
	}{
		{"the first screen", "", echo, []string{"Precedent answers", "Precedent 依据", "movies", "none", "1  en one", "2  en two", "3  zh one", "/help", "Bye."}},
		{"an offered question", "3\n", echo, []string{"> 3\n", "> zh one\n", "zh one\n", "written now", "answer a-zh one"}},
		{"all three, one after another", "1\n2\n", echo, []string{"> en one", "> en two"}},
		{"pages", "x\n/more\n/more\n", table(30), []string{"film 25 ", "rows 1–25 of 30 · /more shows the next 5", "film 26 ", "film 30 ", "rows 26–30 of 30", "no more rows"}},
		{"why", "x\n/why\n", table(1), []string{"✓ verified case", "a verified case answered", "Case nolan: films of Nolan", "because ␛[2J", "“Nolan” is Person.name = Christopher Nolan (another name for it)"}},
		{"cypher", "x\n/cypher\n", table(1), []string{"MATCH (m) RETURN m\n", `$name = "a\"b"`, "$year = 2000"}},
		{"the model instead", "x\n/model\n", table(1), []string{"verified case", "written now by the model · repaired 2 times"}},
		{"votes", "x\n👍🏽\n-\n3\n/undo\n- value\n+\n", table(1), []string{
			`up by terminal:ada, "", curator true`, `down by terminal:ada, ""`, "1 a value", `down by terminal:ada, "wording"`, `none by`, `"value"`, "up by"}},
		{"nothing to vote on", "+\n/why\n/more\n", echo, []string{"no answer to vote on", "no answer yet", "no answer yet"}},
		{"choices", "which\n2\n", echo, []string{"1  Michael 01", "2  Michael 02", "1  Michael 11"}},
		{"schema and examples", "/schema\n/examples\n2\n", echo, []string{"(:Movie)", "1  en one", "> en two"}},
		{"a new conversation", "which\n/new\n1\n", echo, []string{"A new conversation.", "> 1\n1\n"}},
		{"an unknown command", "/dance\n", echo, []string{"no command /dance", "/examples"}},
		{"a path isn't a command", "/usr/bin\n", echo, []string{"> /usr/bin\n/usr/bin\n"}},
		{"the language is the question's", "谁\n/more\n", func(ctx context.Context, q engine.Question, p func(engine.Progress)) engine.Answer {
			a := echo(ctx, q, p)
			a.Language = "zh"
			return a
		}, []string{"模型刚写的查询", "没有更多了"}},
		{"what is understood", "x\n", func(ctx context.Context, q engine.Question, p func(engine.Progress)) engine.Answer {
			a := echo(ctx, q, p)
			a.Restated = "x of Nolan"
			return a
		}, []string{"understood as: x of Nolan"}},
		{"text can't steer", "a\x1b[2Jb\n", echo, []string{"> a␛[2Jb\na␛[2Jb\n"}},
		{"leaving", "/quit\nx\n", echo, []string{"Bye.\n"}},
		{"the last line needs no end", "x", echo, []string{"> x\nx\n"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			term, out := chat(test.in, test.ask)
			if err := term.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if strings.ContainsRune(out.String(), '\x1b') {
				t.Errorf("an escape got out: %q", out)
			}
			rest := out.String()
			for _, want := range test.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q in what is left of\n%s", want, out)
				}
				rest = after
			}
		})
	}
}

// TestInterrupt checks that Ctrl-C stops the question at work, and that a
// second one leaves without waiting for it.
func TestInterrupt(t *testing.T) {
	ctrlC, held := make(chan os.Signal), make(chan bool)
	defer close(held)
	term, out := chat("one\ntwo\nthree\n", func(ctx context.Context, q engine.Question, p func(engine.Progress)) engine.Answer {
		switch q.Text {
		case "one":
			ctrlC <- os.Interrupt
			<-ctx.Done()
			return engine.Answer{Route: engine.Fault, Text: "too slow"}
		case "three":
			ctrlC <- os.Interrupt
			ctrlC <- os.Interrupt
			<-held // a graph that doesn't let go
		}
		return echo(ctx, q, p)
	})
	term.Interrupts = ctrlC
	if err := term.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, said, _ := strings.Cut(out.String(), "\n> one")
	if want := "\nStopped.\n\n> two\ntwo\n✎ written now by the model · answer a-two\n\n> three\nBye.\n"; said != want {
		t.Errorf("got %q, want %q", said, want)
	}
}
