package engine

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"time"

	"precedent/engine/model"
	"precedent/guardrails"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/cypher"
	"precedent/store/text"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var prompts = template.Must(template.New("").Option("missingkey=error").ParseFS(promptFiles, "prompts/*.tmpl"))

// prompt renders a prompt file; what stands above a line "---" is the system's part.
func prompt(file string, fields any) (model.Prompt, error) {
	var b bytes.Buffer
	if err := prompts.ExecuteTemplate(&b, file, fields); err != nil {
		return model.Prompt{}, fmt.Errorf("rendering %s: %w", file, err)
	}
	system, user, _ := strings.Cut(b.String(), "\n---\n")
	return model.Prompt{System: strings.TrimSpace(system), User: strings.TrimSpace(user), SchemaName: strings.TrimSuffix(file, ".tmpl")}, nil
}

// foreign is text that people, the graph or a model wrote. In a prompt it stands in
// quotes on one line, so that nothing in it looks like a part of the prompt.
type foreign string

// String is how a template prints it.
func (f foreign) String() string { return text.Quote(string(f)) }

// writing are the fields of prompts/write.tmpl. Those that are plain strings are
// lines of ours already.
type writing struct {
	Schema   string // the same for all questions; "" if it is too long
	Part     string // of the schema, that the question touches
	Cases    []similar
	Turns    []earlier
	Links    []linked
	Values   []shownList
	Words    []meantWord
	Rejected []rejected
	Failed   []failed
	Today    string // date, weekday and zone
	Language string // of the question
	Question foreign
}

// What a prompt shows beside the question.
type (
	similar struct{ Question, Query foreign } // a case
	earlier struct {                          // a turn
		Restated, Query foreign
		Params          string // as JSON
	}
	linked struct { // a link
		Mention  foreign
		Property string // with its label
		Value    foreign
	}
	rejected struct{ Query, Reason foreign }
	failed   struct{ Query, Refused foreign } // a draft
)

// paramText is params as one line of JSON, "" if there are none.
func paramText(params map[string]any) string {
	if len(params) == 0 {
		return ""
	}
	b, err := json.Marshal(params)
	if err != nil {
		return ""
	}
	return text.Line(string(b))
}

// draft is the model's reply to prompts/write.tmpl.
type draft struct {
	Restated string  `json:"restated" description:"the question as it stands alone"`
	Action   string  `json:"action" enum:"query,clarify,refuse"`
	Query    string  `json:"query" description:"Cypher, if action is query"`
	Params   []param `json:"params" description:"values of the query's parameters"`
	Clarify  string  `json:"clarify" description:"the question back, if action is clarify"`
	Refusal  string  `json:"refusal" description:"off_topic or missing_schema, if action is refuse"`
	Missing  string  `json:"missing" description:"what the graph lacks, if refusal is missing_schema"`
}

// param is one parameter of a draft; a strict schema has no free maps.
type param struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Prose takes a reply that is Cypher, or has it in its only code fence.
func (d *draft) Prose(text string) bool {
	parts := strings.Split(text, "```")
	switch len(parts) {
	case 1:
	case 3:
		text = parts[1]
		if language, rest, ok := strings.Cut(text, "\n"); ok && !strings.ContainsAny(strings.TrimSpace(language), " (") {
			text = rest
		}
	default:
		return false
	}
	if _, err := cypher.Parse(text); err != nil {
		return false
	}
	*d = draft{Action: "query", Query: strings.TrimSpace(text)}
	return true
}

// Members takes a query under the names that models give it, and parameters as an
// object.
func (d *draft) Members(object map[string]any) {
	for name, other := range map[string]string{"query": "cypher", "params": "parameters"} {
		if _, ok := object[name]; !ok && object[other] != nil {
			object[name] = object[other]
			delete(object, other)
		}
	}
	if params, ok := object["params"].(map[string]any); ok {
		list := []any{}
		for _, name := range slices.Sorted(maps.Keys(params)) {
			list = append(list, map[string]any{"name": name, "value": params[name]})
		}
		object["params"] = list
	}
}

// query is the draft's query with its parameters as the graph takes them.
func (d draft) query() store.Query {
	q := store.Query{Text: strings.TrimSpace(d.Query), Params: map[string]any{}}
	for _, p := range d.Params {
		q.Params[strings.TrimPrefix(p.Name, "$")] = plainNumber(p.Value)
	}
	return q
}

// plainNumber turns JSON numbers into the graph's.
func plainNumber(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = plainNumber(x)
		}
		return out
	}
	return v
}

// maxRepairs is how often a draft that can't be used goes back to the model.
const maxRepairs = 2

// repair is why a draft goes back, in words for the model.
type repair string

func (r repair) Error() string { return string(r) }

// write has the model draft a query, checks and runs it, and sends it back
// with the reason where it can't be used.
func (a *asking) write(ctx context.Context) (settled bool) {
	for {
		d, err := a.draft(ctx)
		if err != nil {
			return a.modelFault(err)
		}
		why := a.settle(ctx, d)
		if why == nil {
			return true
		}
		back, ok := errors.AsType[repair](why)
		if !ok {
			return a.graphFault(why)
		}
		a.drafts = append(a.drafts, cases.Draft{Query: d.Query, Refused: string(back)})
		if a.Repairs == maxRepairs {
			a.forget()
			a.unanswered(a.w.NoQuery)
			return true
		}
		a.Repairs++
	}
}

// forget drops what a failed draft left in the answer.
func (a *asking) forget() {
	a.Query, a.Params, a.Columns, a.Rows, a.Truncated, a.Changes = "", map[string]any{}, []string{}, nil, false, []Change{}
}

// draft is one writing call.
func (a *asking) draft(ctx context.Context) (draft, error) {
	start := time.Now()
	a.progress(Progress{Stage: Writing})
	p, err := prompt("write.tmpl", a.writing(ctx))
	if err != nil {
		return draft{}, err
	}
	since(&a.Timings.Write, start)
	var d draft
	if err = a.ask(ctx, p, &d); err == nil {
		a.wrote += fmt.Sprintln(d)
	}
	return d, err
}

// writing is what the model is told.
func (a *asking) writing(ctx context.Context) writing {
	t := a.touch()
	w := writing{Question: foreign(a.Restated), Language: a.Language, Today: a.today(), Schema: a.text.text, Part: a.promptSchema(t),
		Cases: a.shownCases(), Values: a.shownValues(t), Words: a.meantWords()}
	a.told = fmt.Sprintln(w.Schema, w.Part, w.Values, w.Words)
	for _, t := range a.turns {
		if t.Query != "" && a.gate.judge(t.Query).Allow {
			w.Turns = append(w.Turns, earlier{foreign(t.Restated), foreign(t.Query), paramText(t.Params)})
		}
	}
	for _, l := range a.Links {
		w.Links = append(w.Links, linked{foreign(l.Mention), promptName(l.Label) + "." + promptName(l.Property), foreign(fmt.Sprint(l.Value))})
	}
	if found, err := a.library.RejectedFor(ctx, a.rd.Key()+"\n"); err == nil {
		for _, r := range found {
			if a.gate.judge(r.Query).Allow {
				w.Rejected = append(w.Rejected, a.shownRejection(r))
			}
		}
	}
	for _, d := range a.drafts {
		w.Failed = append(w.Failed, failed{foreign(d.Query), foreign(a.leaving(d.Refused))})
	}
	return w
}

// ask is one call of the model; its time counts as the model's.
func (a *asking) ask(ctx context.Context, p model.Prompt, into any) error {
	start := time.Now()
	u, err := a.model.Reply(ctx, p, into)
	since(&a.Timings.Model, start)
	a.ModelCalls += u.Calls
	a.PromptTokens += u.PromptTokens
	a.CompletionTokens += u.CompletionTokens
	return err
}

// settle makes the draft an answer; a repair says why it can't be.
func (a *asking) settle(ctx context.Context, d draft) error {
	if d.Restated != "" && len(a.turns) > 0 {
		a.Restated = d.Restated
		a.read(d.Restated)
	}
	switch d.Action {
	case "clarify":
		if why := a.unfounded(d); why != "" {
			return repair(why)
		}
		a.Route, a.Text = Clarify, a.askedBack(d.Clarify)
		return nil
	case "refuse":
		if why := a.unfounded(d); why != "" {
			return repair(why)
		}
		kind := guardrails.Kind(d.Refusal)
		if kind != "missing_schema" {
			kind = guardrails.OffTopic
		}
		a.turnedAway(kind, a.lacking(d.Missing))
		return nil
	}
	return a.useQuery(ctx, d.query())
}

// unfounded says why a refusal or clarification isn't believed: the question
// names what the graph has, or a case asks nearly the same.
func (a *asking) unfounded(d draft) string {
	if len(a.drafts) > 0 && a.drafts[len(a.drafts)-1].Query == "" { // said twice
		return ""
	}
	if d.Action == "refuse" && d.Refusal == "missing_schema" {
		if name := a.inSchema(d.Missing); name != "" {
			return fmt.Sprintf("the graph does have this: %s", name)
		}
		return ""
	}
	if a.rd.Frame != nil {
		return fmt.Sprintf("the question is fair and clear; it asks: %s", a.rd.Key())
	}
	if len(a.Links) > 0 && d.Action == "refuse" {
		return fmt.Sprintf("the question names %s.%s %q, which the graph has", a.Links[0].Label, a.Links[0].Property, fmt.Sprint(a.Links[0].Value))
	}
	return ""
}

// inSchema is the name in the schema that words for something lacking mean, or "".
func (a *asking) inSchema(what string) string {
	if what == "" {
		return ""
	}
	return a.reader.Means(what)
}

// useQuery checks and runs the query; a repair says why it can't be used.
func (a *asking) useQuery(ctx context.Context, q store.Query) error {
	start := time.Now()
	q, err := a.check(ctx, q)
	since(&a.Timings.Check, start)
	if err != nil {
		return err
	}
	t, err := a.run(ctx, q)
	if errors.Is(err, store.ErrQuery) || errors.Is(err, store.ErrUnsupported) {
		return a.graphSays(err)
	}
	if err != nil {
		a.Query, a.Params = q.Text, q.Params
		return err
	}
	doubting := time.Now()
	wrong, told := a.doubt(ctx, q, t)
	err = a.object(slices.Concat(a.standing, wrong))
	since(&a.Timings.Doubt, doubting)
	if err != nil {
		return err
	}
	a.standing = append(a.standing, told...)
	a.Query, a.Params, a.Route = q.Text, q.Params, ByModel
	a.show(t)
	return a.word(ctx)
}

// check holds a draft against policy, schema and question. It returns the
// query as corrected.
func (a *asking) check(ctx context.Context, q store.Query) (store.Query, error) {
	v := a.gate.judge(q.Text)
	if !v.Allow {
		return q, repair(v.Reason)
	}
	a.Changes = a.Changes[:0]
	done := a.checked(ctx, q, v.Statement)
	for _, c := range done.Changes {
		a.Changes = append(a.Changes, Change{c.Kind, c.Before, c.After, c.Why})
	}
	var said []string
	for _, p := range done.Problems {
		if p.Kind != "cost" {
			said = append(said, a.problemSays(p))
		}
	}
	if len(said) > 0 {
		return q, repair(strings.Join(said, "; "))
	}
	q.Text, q.Params = done.Text, done.Params
	if why := a.policy.Draft(done.Statement, q.Params, a.ground()); why != "" {
		return q, repair(why)
	}
	start := time.Now()
	problems, err := a.explain(ctx, q, a.schema.Hash)
	since(&a.Timings.Database, start)
	if errors.Is(err, store.ErrQuery) || errors.Is(err, store.ErrUnsupported) {
		return q, repair("the graph says: " + err.Error())
	}
	if err != nil {
		return q, err
	}
	for _, p := range problems {
		said = append(said, p.Message)
	}
	if len(said) > 0 {
		return q, repair(strings.Join(said, "; "))
	}
	return q, a.object(a.mistaken(done, a.heldTo(a.leadsToOne(ctx))))
}

// modelFault ends the question where the model failed.
func (a *asking) modelFault(err error) bool {
	a.log.Error("asking the model", "ref", a.ID, "err", err)
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, model.ErrUnavailable) {
		return a.fault("timeout", err)
	}
	a.unanswered(a.w.ModelDown)
	a.Error = &Failure{Kind: "model", Message: a.w.ModelDown, Ref: a.ID}
	return true
}
