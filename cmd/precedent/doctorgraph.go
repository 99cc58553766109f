package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"precedent/bot"
	"precedent/engine"
	"precedent/store"
	"precedent/store/bolt"
	"precedent/store/cases"
	"precedent/store/written"
)

// lookAtGraphs opens every graph that is configured, and its case library.
// writable is whether the data folder is.
func (p *program) lookAtGraphs(ctx context.Context, s settings, writable bool, chats tokens) []bot.Finding {
	var found []bot.Finding
	var idle [][]string
	for i, graph := range s.graphs() {
		s.engine = s.of(graph)
		here, unhidden := lookAtGraph(ctx, s, writable)
		idle = append(idle, unhidden)
		if i > 0 {
			for n := range here {
				here[n].What = graph + ": " + here[n].What
			}
		}
		found = append(found, here...)
	}
	if err := hidesNothing(idle); err != nil {
		found = append(found, advised("configuration", bot.Wrong, strings.TrimPrefix(err.Error(), "configuration: ")))
	}
	return append(found, curators(s, chats))
}

// lookAtGraph opens the graph with its library. Where the library can't be, the
// graph is opened with one that is thrown away. idle are the entries of hide that
// match nothing in it.
func lookAtGraph(ctx context.Context, s settings, writable bool) (found []bot.Finding, idle []string) {
	c := s.engine
	c.Model = nil // looked at by itself
	var library []bot.Finding
	if writable {
		e, warnings, err := engine.Open(ctx, c)
		if err == nil {
			defer e.Close(context.WithoutCancel(ctx))
			return append(lookInto(ctx, e, s, warnings), lookAtLibrary(ctx, e, s)), e.HidesNothing()
		}
		if !errors.Is(err, cases.ErrFile) {
			return unopenedFor(err), nil
		}
		library = []bot.Finding{advised("case library", bot.Wrong, strings.TrimPrefix(err.Error(), "opening the case library: "))}
	}
	aside, err := os.MkdirTemp("", "precedent-doctor-")
	if err != nil {
		return append(library, bot.Finding{Part: "graph", State: bot.Absent, What: "not tried yet", Cure: "set the data folder right first"}), nil
	}
	defer os.RemoveAll(aside)
	c.Data = aside
	e, _, err := engine.Open(ctx, c)
	if err != nil {
		return append(unopenedFor(err), library...), nil
	}
	defer e.Close(context.WithoutCancel(ctx))
	return append(lookInto(ctx, e, s, nil), library...), e.HidesNothing()
}

// unopenedFor says why a graph doesn't open, each mistake of the operator's by itself.
func unopenedFor(err error) []bot.Finding {
	if wrong, ok := errors.AsType[written.Mistakes](err); ok {
		return mistaken(wrong)
	}
	return []bot.Finding{unopened(err)}
}

// unopened says why a graph doesn't open, and what to do.
func unopened(err error) bot.Finding {
	f := bot.Finding{Part: "graph", State: bot.Wrong, What: strings.TrimPrefix(err.Error(), "opening the graph: ")}
	switch {
	case errors.Is(err, store.ErrDenied):
		f.Cure = "check NEO4J_USERNAME and NEO4J_PASSWORD, and that this user may read the database"
	case errors.Is(err, store.ErrMissing):
		f.Cure = "check NEO4J_DATABASE, or leave it out for the user's own"
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrTimeout):
		f.Cure = "start Neo4j, or set NEO4J_URI (or --graph) to where it is: bolt://host:7687 for one server, neo4j+s:// for Aura; does the network let Bolt through?"
	case errors.Is(err, bolt.ErrAddress):
		f.Cure = "write NEO4J_URI (or --graph) as neo4j://host:7687, with the user in NEO4J_USERNAME and NEO4J_PASSWORD"
	case fileError(err):
		f.Cure = "correct that file; README says which format the files have"
	default:
		f = advised("configuration", bot.Wrong, strings.TrimPrefix(f.What, engine.ErrConfig.Error()+": "))
		if f.Cure == "" {
			f.Cure = "set --graph, or the file of --config, right"
		}
	}
	return f
}

// lookInto reads from a graph that is open.
func lookInto(ctx context.Context, e *engine.Engine, s settings, warnings []string) []bot.Finding {
	f := bot.Finding{Part: "graph", State: bot.Fine}
	if _, err := e.RunCypher(ctx, store.Query{Text: "RETURN 1 AS one"}); err != nil {
		f.State, f.What, f.Cure = bot.Wrong, "it opens and doesn't answer: "+err.Error(), "look at the database's own log"
		return []bot.Finding{f}
	}
	schema := e.Schema()
	var relationships int64
	for _, t := range schema.Types {
		relationships += t.Count
	}
	f.What = fmt.Sprintf("%s answers: %d labels, %d types, %d relationships", e.Name(), len(schema.Labels), len(schema.Types), relationships)
	found := []bot.Finding{f}
	switch {
	case len(schema.Labels) == 0:
		found[0].State, found[0].What, found[0].Cure = bot.Wrong, e.Name()+" is empty, or its user may see nothing of it", "load the graph, check NEO4J_DATABASE, or give the user the right to read"
	case strings.Contains(s.engine.Graph, "://"):
		found = append(found, lookAtRights(ctx, s))
	}
	found = append(found, lookAtValues(e)...)
	if len(schema.Labels) > 0 {
		found = append(found, lookAtFreshness(ctx, e)...)
	}
	found = append(found, mistaken(e.Mistakes())...)
	ofLibrary := e.Library().Warnings()
	said := e.Mistakes().Lines()
	for _, w := range warnings {
		if slices.Contains(said, w) {
			continue
		}
		part := "configuration"
		if slices.Contains(ofLibrary, w) {
			part = "data folder"
		}
		found = append(found, advised(part, bot.Doubtful, w))
	}
	return found
}

// lookAtValues says of each property whether questions may name its values, and why.
func lookAtValues(e *engine.Engine) []bot.Finding {
	by := map[engine.LinkKind][]string{}
	not := map[string][]string{}
	kinds := []engine.LinkKind{engine.Category, engine.Configured, engine.Named, engine.Identifier}
	n := 0
	for _, l := range e.Linkables() {
		if l.As == "" {
			not[l.Why] = append(not[l.Why], l.Name())
			continue
		}
		n++
		by[l.As] = append(by[l.As], fmt.Sprintf("%s (%d)", l.Name(), l.Values))
	}
	var can, cant []string
	for _, kind := range kinds {
		if len(by[kind]) > 0 {
			can = append(can, string(kind)+": "+strings.Join(by[kind], ", "))
		}
	}
	for _, why := range slices.Sorted(maps.Keys(not)) {
		cant = append(cant, why+": "+strings.Join(not[why], ", "))
	}
	f := bot.Finding{Part: "values", State: bot.Fine, What: strings.Join(can, "; ")}
	if n == 0 {
		f.State, f.What = bot.Doubtful, "questions can name none: no property holds names, categories or identifiers"
		f.Cure = "write properties under linkable in the configuration: {add: [Label.property]}"
	}
	found := []bot.Finding{f}
	if len(cant) > 0 {
		found = append(found, bot.Finding{Part: "values not named", State: bot.Fine, What: strings.Join(cant, "; "), Cure: ""})
	}
	for i := range found {
		found[i].What = bot.Line(found[i].What)
	}
	return found
}

// lookAtFreshness says how old what is known of a graph is, and which cases don't
// answer for what it lacks.
func lookAtFreshness(ctx context.Context, e *engine.Engine) (found []bot.Finding) {
	state := e.Freshness()
	if !state.Changes {
		return nil
	}
	f := bot.Finding{Part: "freshness", State: bot.Fine}
	age := time.Since(state.Read).Round(time.Second)
	f.What = fmt.Sprintf("schema %s, read %v ago", e.Schema().Hash, age)
	if age < time.Second {
		f.What = fmt.Sprintf("schema %s, read just now", e.Schema().Hash)
	}
	if state.Every > 0 {
		f.What += fmt.Sprintf("; looked at every %v", state.Every)
	} else {
		f.State, f.What, f.Cure = bot.Doubtful, f.What+"; what changes is not noticed", "set refresh: 15m in the configuration, or run precedent refresh after changes"
	}
	found = append(found, f)
	drifted, err := e.Drifted(ctx)
	switch {
	case err != nil:
		found = append(found, advised("cases", bot.Wrong, err.Error()))
	case len(drifted) > 0:
		found = append(found, bot.Finding{Part: "cases", State: bot.Doubtful,
			What: fmt.Sprintf("%d don't answer, since the graph lacks what they name. First: %s: %s", len(drifted), drifted[0].Case, drifted[0].Why()),
			Cure: "they come back with the names; precedent cases verify lists them; edit or retire those that are not to"})
	}
	return found
}

// readers are the roles of Neo4j that can't write (Operations Manual, "Built-in
// roles and privileges").
var readers, writers = []string{"PUBLIC", "reader"}, []string{"editor", "publisher", "architect", "admin"}

// lookAtRights says whether the user of a Neo4j could write, were it not for the
// bot's own locks.
func lookAtRights(ctx context.Context, s settings) bot.Finding {
	f := bot.Finding{Part: "graph's user", State: bot.Fine}
	c := s.engine.Neo4j
	c.URI = s.engine.Graph
	g, err := bolt.Open(ctx, c)
	if err != nil {
		return unopened(err)
	}
	defer g.Close(context.WithoutCancel(ctx))
	if readOnly(ctx, g, c.Database) {
		f.What = "the database takes no writes"
		return f
	}
	who, err := g.Run(ctx, store.Query{Text: "SHOW CURRENT USER YIELD roles"}, store.DefaultLimits)
	const reader = "give the bot a user of its own with the role reader alone: CREATE USER …; GRANT ROLE reader TO …"
	var roles []string
	if err == nil && len(who.Rows) == 1 {
		list, _ := who.Rows[0][0].([]any)
		for _, role := range list {
			roles = append(roles, fmt.Sprint(role))
		}
	}
	isOf := func(list []string) func(string) bool {
		return func(role string) bool { return slices.Contains(list, role) }
	}
	switch {
	case err != nil:
		f.State, f.What, f.Cure = bot.Doubtful, "whether it may write can't be found out", "see that it may not"
	case len(roles) == 0:
		f.State, f.What = bot.Doubtful, "it may write: this Neo4j has no roles (Community). The bot itself refuses to"
		f.Cure = "for a further lock, ask a copy or replica that has server.databases.default_to_read_only=true"
	case slices.ContainsFunc(roles, isOf(writers)):
		f.State, f.What, f.Cure = bot.Doubtful, "it may write, with the roles "+strings.Join(roles, ", ")+". The bot itself refuses to", reader
	case slices.ContainsFunc(roles, func(role string) bool { return !slices.Contains(readers, role) }):
		f.What = "has the roles " + strings.Join(roles, ", ") + "; none of Neo4j's own that write"
	default:
		f.What = "may not write"
	}
	return f
}

// readOnly tells whether a database takes no writes, as far as it says.
func readOnly(ctx context.Context, g *bolt.Graph, name string) bool {
	t, err := g.Run(ctx, store.Query{Text: "SHOW DATABASES YIELD name, access, home"}, store.DefaultLimits)
	if err != nil {
		return false
	}
	for _, row := range t.Rows {
		if home, _ := row[2].(bool); strings.EqualFold(fmt.Sprint(row[0]), name) || name == "" && home {
			return row[1] == "read-only"
		}
	}
	return false
}

// lookAtLibrary counts the cases.
func lookAtLibrary(ctx context.Context, e *engine.Engine, s settings) bot.Finding {
	f := bot.Finding{Part: "case library", State: bot.Fine}
	all, err := e.Library().List(ctx, cases.Filter{})
	if err != nil {
		return advised(f.Part, bot.Wrong, err.Error())
	}
	count := map[store.Status]int{}
	for _, c := range all {
		count[c.Status]++
	}
	var parts []string
	for _, status := range []store.Status{store.Verified, store.Candidate, store.Quarantined, store.Rejected, store.Retired} {
		if count[status] > 0 || status == store.Verified {
			parts = append(parts, fmt.Sprintf("%d %s", count[status], status))
		}
	}
	f.What = "cases: " + strings.Join(parts, ", ")
	if count[store.Verified] == 0 {
		f.State, f.Cure = bot.Doubtful, "teach it some: precedent cases add QUESTION QUERY, precedent cases import FILE, or 👍 on answers by the model"
	}
	return f
}

// curators says whose votes make a case.
func curators(s settings, chats tokens) bot.Finding {
	f := bot.Finding{Part: "curators", State: bot.Fine, What: "you, at the command line"}
	if len(s.curators) > 0 {
		f.What = strings.Join(s.curators, ", ")
	}
	quorum := fmt.Sprintf("%d members' votes verify a case as well", s.engine.Quorum)
	if s.engine.Quorum == 0 {
		quorum = "members' votes verify none (quorum 0)"
	}
	f.What += "; " + quorum
	if len(s.curators) == 0 && (chats.slack() || chats.discord != "") {
		f.State, f.What = bot.Doubtful, "nobody on the chats; "+quorum
		f.Cure = "name some: PRECEDENT_CURATORS=slack:U1,slack-group:S1,discord:2,discord-role:3"
	}
	return f
}
