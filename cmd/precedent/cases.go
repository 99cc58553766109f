package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/engine"
	"precedent/store"
	"precedent/store/cases"
	"precedent/store/written"
)

// casesCommand is the tree of commands on the library.
func (p *program) casesCommand(asJSON func() cli.Flag) *cli.Command {
	change := func() []cli.Flag {
		return []cli.Flag{asJSON(), p.text("user", "`USER` who does it; default: you"), p.text("why", "`WORDS` for the history")}
	}
	asIs := func() cli.Flag {
		return p.boolean("as-is", "keep it though words and query don't prove each other: it then answers exactly these words")
	}
	filter := func() []cli.Flag {
		return []cli.Flag{
			asJSON(),
			p.choice("status", "", "only cases in this state", "", "candidate", "verified", "quarantined", "rejected", "retired"),
			p.text("text", "only those whose id, words or query hold `TEXT`"),
			p.boolean("flagged", "only those that members want curators to look at"),
		}
	}
	return &cli.Command{Name: "cases", Usage: "look after the case library", Action: needsCommand, Commands: []*cli.Command{
		{Name: "list", Usage: "list cases; --json prints a case a line", Action: p.casesList, Flags: filter()},
		{Name: "show", Usage: "show one case", ArgsUsage: "ID", Action: p.casesShow, Flags: []cli.Flag{asJSON()}},
		{Name: "add", DisableSliceFlagSeparator: true, Usage: "add a verified case; {city} in the question and $city in the query stand for any value", ArgsUsage: "QUESTION QUERY", Action: p.casesAdd, Flags: append(change(),
			p.text("question", "`QUESTION`, in place of the first argument"), &cli.StringFlag{Name: "query", Aliases: []string{"cypher"}, Usage: "`CYPHER`, in place of the second", Sources: p.env("query")},
			p.texts("wording", "another `QUESTION` that the query answers, in any language; as often as there are"), p.texts("example", "`NAME=VALUE` for a slot; default: one that the graph has"),
			p.text("note", "`WORDS` on why the query is written that way"), p.boolean("empty-ok", "finding nothing is a right answer"), asIs())},
		{Name: "import", Usage: "add cases from a file, all or none", ArgsUsage: "FILE|-|movies", Action: p.casesImport, Flags: change()},
		p.schemaCommand(engine.CaseSchema),
		{Name: "export", Usage: "write cases, one a line", ArgsUsage: "[FILE]", Action: p.casesExport, Flags: filter()},
		{Name: "aliases", Usage: "list the other names for values that people taught; promote and reject take their ids", Action: p.casesAliases, Flags: []cli.Flag{asJSON(),
			p.choice("status", "", "only those in this state", "", "candidate", "verified", "rejected")}},
		{Name: "promote", Usage: "verify a case, or approve an alias", ArgsUsage: "ID", Action: p.move(store.Verified), Flags: append(change(), asIs())},
		{Name: "reject", Usage: "reject a candidate, or an alias", ArgsUsage: "ID", Action: p.move(store.Rejected), Flags: change()},
		{Name: "quarantine", Usage: "take a verified case out of use", ArgsUsage: "ID", Action: p.move(store.Quarantined), Flags: change()},
		{Name: "verify", Usage: "run every verified case with its example; what the graph no longer takes is out of use until it does", Action: p.casesVerify, Flags: []cli.Flag{asJSON()}},
		{Name: "history", Usage: "show who changed a case, and why", ArgsUsage: "ID", Action: p.casesHistory, Flags: []cli.Flag{asJSON()}},
		{Name: "undo", Usage: "undo the last change of a case", ArgsUsage: "ID", Action: p.casesUndo, Flags: change()},
	}}
}

// with opens the engine for do and closes it.
func (p *program) with(ctx context.Context, cmd *cli.Command, do func(context.Context, *engine.Engine) error) (err error) {
	ctx, stop := p.watched(ctx)
	defer stop()
	e, _, err := p.open(ctx, cmd)
	if err != nil {
		return err
	}
	defer closed(e, &err)
	return do(ctx, e)
}

// id is the one argument of a command: a case's id.
func id(cmd *cli.Command) (string, error) {
	if cmd.NArg() != 1 {
		return "", usagef("which case? %s ID; precedent cases list shows the ids", cmd.FullName())
	}
	return cmd.Args().First(), nil
}

func filterOf(cmd *cli.Command) cases.Filter {
	return cases.Filter{Status: store.Status(cmd.String("status")), Text: cmd.String("text"), Flagged: cmd.Bool("flagged")}
}

func (p *program) casesList(ctx context.Context, cmd *cli.Command) error {
	if err := noArgs(cmd); err != nil {
		return err
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
		found, err := e.Library().List(ctx, filterOf(cmd))
		if err != nil {
			return broke("listing cases", err)
		}
		if cmd.Bool("json") {
			return p.caseLines(p.out, found)
		}
		rows := make([][]any, len(found))
		for i, c := range found {
			rows[i] = []any{c.ID, string(c.Status), c.Question, int64(c.Votes.Up), int64(c.Votes.Down), c.Uses}
		}
		if len(rows) > 0 {
			fmt.Fprint(p.out, bot.Table([]string{"id", "status", "question", "up", "down", "uses"}, rows, p.listWidth()))
		}
		p.say("cases: %d", len(found))
		return nil
	})
}

// wideList is the width in columns of a list that goes to no terminal.
const wideList = 160

func (p *program) listWidth() int {
	pr := p.print(false)
	if pr.Width == nil {
		return wideList
	}
	return cmp.Or(pr.Width(), wideList)
}

// caseLines writes cases as the JSON lines that import reads.
func (p *program) caseLines(to io.Writer, list []store.Case) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	for _, c := range list {
		if err := e.Encode(exported(c)); err != nil {
			return broke("writing cases", err)
		}
	}
	return nil
}

// exported is c with empty lists for none and its examples' floats kept as such.
func exported(c store.Case) store.Case {
	c.Wordings = listed(c.Wordings)
	slots := make([]store.Slot, len(c.Slots))
	for i, s := range c.Slots {
		s.Example = value{s.Example}
		slots[i] = s
	}
	c.Slots = slots
	return c
}

func (p *program) casesShow(ctx context.Context, cmd *cli.Command) error {
	name, err := id(cmd)
	if err != nil {
		return err
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
		c, err := e.Library().Case(ctx, name)
		if err != nil {
			return broke("showing", err)
		}
		if cmd.Bool("json") {
			return p.json(exported(c))
		}
		stands, err := e.Library().Standing(ctx, name)
		if err != nil {
			return broke("showing", err)
		}
		p.showCase(c, stands)
		if d, doubted := e.Doubt(c.ID); doubted {
			p.say("doubted   it answers exactly its words: %v", d)
		}
		return nil
	})
}

func (p *program) showCase(c store.Case, stands cases.Standing) {
	p.say("%s  %s", c.ID, c.Status)
	p.say("question  %s", c.Question)
	for _, w := range c.Wordings {
		p.say("wording   %s", w)
	}
	p.say("query     %s", strings.ReplaceAll(strings.TrimSpace(c.Query), "\n", "\n          "))
	for _, s := range c.Slots {
		of := s.Type
		if s.Property != "" {
			of = strings.TrimPrefix(s.Label+"."+s.Property, ".") + ", " + of
		}
		p.say("slot      $%s (%s), such as %s", s.Name, of, bot.Cell(s.Example))
	}
	if c.Note != "" {
		p.say("note      %s", c.Note)
	}
	if c.AsIs {
		p.say("as is     a wording that words and query don't prove answers exactly as it is written")
	}
	p.say("source    %s %s, %s", c.Source, c.Author, c.Created.Format("2006-01-02"))
	if c.VerifiedAt != nil {
		p.say("verified  by %s, %s", c.VerifiedBy, c.VerifiedAt.Format("2006-01-02"))
	}
	p.say("votes     %d up, %d down; used %d times", c.Votes.Up, c.Votes.Down, c.Uses)
	if stands.Unproven > 0 {
		p.say("unproven  %d more voted over HTTP, and nobody vouches for their names", stands.Unproven)
	}
	if stands.Flag != "" {
		p.say("flagged   %s", stands.Flag)
	}
	if stands.Private {
		p.say("private   asked in private only; promoting shows its words to others")
	}
}

func (p *program) casesAdd(ctx context.Context, cmd *cli.Command) error {
	question, query := cmp.Or(cmd.String("question"), cmd.Args().Get(0)), cmp.Or(cmd.String("query"), cmd.Args().Get(1))
	if question == "" || query == "" || cmd.NArg() > 2 {
		return usagef("add what? precedent cases add \"Who directed The Matrix?\" \"MATCH …\"")
	}
	slots, err := engine.Examples(cmd.StringSlice("example"))
	if err != nil {
		return failure{exitUsage, err}
	}
	var wordings []string
	if others := cmd.StringSlice("wording"); len(others) > 0 {
		wordings = append([]string{question}, others...)
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
		c, added, err := e.Add(ctx, store.Case{Question: question, Wordings: wordings, Slots: slots, Query: query, Note: cmd.String("note"), EmptyOK: cmd.Bool("empty-ok"), AsIs: cmd.Bool("as-is")}, p.by(cmd), cmd.String("why"))
		switch {
		case err != nil:
			return broke("adding", doubted(err))
		case cmd.Bool("json"):
			return p.json(exported(c))
		case !added:
			p.say("%s is asked and answered like that already; nothing is added", c.ID)
			return nil
		}
		p.say("%s is added and %s", c.ID, c.Status)
		for _, w := range c.Wordings {
			p.say("wording   %s", w)
		}
		if c.AsIs {
			p.say("as is     it answers exactly these words: %s", c.Question)
		}
		return nil
	})
}

// doubted is an error that says how a curator overrules it, where one may.
func doubted(err error) error {
	if _, ok := errors.AsType[cases.Doubt](err); ok {
		return fmt.Errorf("%w; put the words or the query right, or keep it as it is with --as-is: it then answers exactly these words", err)
	}
	return err
}

func (p *program) casesImport(ctx context.Context, cmd *cli.Command) error {
	if cmd.NArg() != 1 {
		return usagef("import what? precedent cases import FILE, - for standard input, or movies for the cases that ship")
	}
	name, from := cmd.Args().First(), io.Reader(nil)
	switch name {
	case "movies":
	case "-":
		name, from = "standard input", p.in
	default:
		f, err := written.Open(name)
		if err != nil {
			return usagef("the cases can't be read: %w; name a file, or - for standard input", err)
		}
		defer f.Close()
		from = f
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
		p.limitMemory(filepath.Dir(filepath.Dir(e.Library().Path())), importMemory)
		progress, stop := p.importing()
		done, err := e.Import(ctx, name, from, p.by(cmd), progress)
		stop()
		switch {
		case ctx.Err() != nil:
			return failure{exitFault, errors.New("interrupted: nothing was imported")}
		case err != nil:
			return broke("nothing was imported", err)
		case done == engine.Imported{}:
			return usagef("%s holds no cases; %s", name, aCase(name))
		case cmd.Bool("json"):
			return p.json(done)
		case done.Changed > 0:
			p.say("cases imported: %d; there already: %d; put as they are in %s: %d", done.Added, done.Present, name, done.Changed)
			return nil
		case done.Present > 0:
			p.say("cases imported: %d; there already: %d", done.Added, done.Present)
			return nil
		}
		p.say("cases imported: %d", done.Added)
		return nil
	})
}

// Times at which a long import says how far it is.
const (
	importShownEvery = 200 * time.Millisecond // at a terminal
	importSaidEvery  = 10 * time.Second       // elsewhere, a line each
)

// importing returns what says on standard error how far an import is, and what
// ends that.
func (p *program) importing() (progress func(checked, added int), stop func()) {
	return p.counting(func(checked, added int) string {
		if added > 0 {
			return fmt.Sprintf("%d of %d cases added", added, checked)
		}
		return fmt.Sprintf("%d cases checked", checked)
	})
}

// aCase says how a case is written in a file of that name.
func aCase(name string) string {
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		return `write a list of them, such as - {id: count, query: "MATCH …", en: [how many films are there]}`
	}
	return `write one a line, such as {"question":"how many films are there","query":"MATCH …"}`
}

func (p *program) casesExport(ctx context.Context, cmd *cli.Command) error {
	if cmd.NArg() > 1 {
		return usagef("export where? precedent cases export FILE, or without FILE to standard output")
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) (err error) {
		found, err := e.Library().List(ctx, filterOf(cmd))
		if err != nil {
			return broke("exporting", err)
		}
		name := cmd.Args().First()
		if name == "" || name == "-" {
			return p.caseLines(p.out, found)
		}
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return broke("exporting", err)
		}
		if err := errors.Join(p.caseLines(f, found), f.Close()); err != nil {
			return broke("exporting", err)
		}
		p.say("cases exported: %d", len(found))
		return nil
	})
}

// move returns the command that moves a case to a status.
func (p *program) move(to store.Status) cli.ActionFunc {
	return func(ctx context.Context, cmd *cli.Command) error {
		name, err := id(cmd)
		if err != nil {
			return err
		}
		return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
			if isAlias(ctx, e, name) {
				return p.decide(ctx, cmd, e, name, to)
			}
			ch, err := e.Library().Move(ctx, name, to, cases.Change{By: p.by(cmd), Why: cmd.String("why"), AsIs: cmd.Bool("as-is")})
			if err != nil {
				return broke("moving", doubted(err))
			}
			return p.changed(cmd, ch)
		})
	}
}

func (p *program) casesUndo(ctx context.Context, cmd *cli.Command) error {
	name, err := id(cmd)
	if err != nil {
		return err
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
		ch, err := e.Library().UndoLast(ctx, name, p.by(cmd))
		if err != nil {
			return broke("undoing", err)
		}
		return p.changed(cmd, ch)
	})
}

func (p *program) casesHistory(ctx context.Context, cmd *cli.Command) error {
	name, err := id(cmd)
	if err != nil {
		return err
	}
	return p.with(ctx, cmd, func(ctx context.Context, e *engine.Engine) error {
		changes, err := history(ctx, e, name)
		if err != nil {
			return broke("reading the history", err)
		}
		for _, ch := range changes {
			if err := p.changed(cmd, ch); err != nil {
				return err
			}
		}
		return nil
	})
}

// changed prints a change as a line.
func (p *program) changed(cmd *cli.Command, ch cases.Change) error {
	if cmd.Bool("json") {
		return p.json(ch)
	}
	line := fmt.Sprintf("%s  %s  %s → %s  by %s", ch.At.Format("2006-01-02 15:04:05"), ch.Case, cmp.Or(string(ch.From), "nothing"), cmp.Or(string(ch.To), "nothing"), ch.By)
	if ch.Why != "" {
		line += ": " + ch.Why
	}
	p.say("%s", line)
	return nil
}

// by is who changes a case.
func (p *program) by(cmd *cli.Command) string { return cmp.Or(cmd.String("user"), p.operator()) }
