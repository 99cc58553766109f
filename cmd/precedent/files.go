package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/engine"
	"precedent/store/movies"
	"precedent/store/written"
)

// filesCommands are those that look at files that people write: each says what is
// wrong, and what such a file may hold.
func (p *program) filesCommands(asJSON func() cli.Flag) []*cli.Command {
	glossary := func(c *engine.Config) *[]string { return &c.Glossaries }
	aliases := func(c *engine.Config) *[]string { return &c.Aliases }
	return []*cli.Command{
		{Name: "glossary", Usage: "look at files of words for the schema", Action: needsCommand, Commands: []*cli.Command{
			{Name: "check", Usage: "say every mistake in files, or in those of the configuration, held against the graph", ArgsUsage: "[FILE…]", Flags: []cli.Flag{asJSON()},
				Action: func(ctx context.Context, cmd *cli.Command) error { return p.checkWords(ctx, cmd, "glossary", glossary) }},
			p.schemaCommand(engine.GlossarySchema)}},
		{Name: "aliases", Usage: "look at files of other names for values", Action: needsCommand, Commands: []*cli.Command{
			{Name: "check", Usage: "say every mistake in files, or in those of the configuration, held against the graph", ArgsUsage: "[FILE…]", Flags: []cli.Flag{asJSON()},
				Action: func(ctx context.Context, cmd *cli.Command) error { return p.checkWords(ctx, cmd, "aliases", aliases) }},
			p.schemaCommand(engine.AliasSchema)}},
		{Name: "config", Usage: "look at a configuration", Action: needsCommand, Commands: []*cli.Command{
			{Name: "check", Usage: "say every mistake in a configuration, held against its graphs; default: that of --config", ArgsUsage: "[FILE]", Flags: []cli.Flag{asJSON()}, Action: p.checkConfig},
			p.schemaCommand(func() ([]byte, error) { return written.Schema("The configuration of Precedent", configFile{}) })}},
	}
}

// schemaCommand prints the JSON Schema of files that people write.
func (p *program) schemaCommand(of func() ([]byte, error)) *cli.Command {
	return &cli.Command{Name: "schema", Usage: "print the JSON Schema of such files, for editors", Action: func(_ context.Context, cmd *cli.Command) error {
		if err := noArgs(cmd); err != nil {
			return err
		}
		text, err := of()
		if err == nil {
			_, err = p.out.Write(text)
		}
		return broke("writing", err)
	}}
}

// checkWords says the mistakes in files of words; of is where the settings name such files,
// under key.
func (p *program) checkWords(ctx context.Context, cmd *cli.Command, key string, of func(*engine.Config) *[]string) error {
	ctx, stop := p.watched(ctx)
	defer stop()
	s, err := p.settings(cmd, false)
	if err != nil {
		return err
	}
	c := s.of(s.engine.Graph)
	c.Elsewhere = false
	files := cmd.Args().Slice()
	if len(files) > 0 {
		*of(&c) = files
	} else {
		files = slices.DeleteFunc(slices.Clone(*of(&c)), func(name string) bool { return name == movies.Name })
	}
	if len(files) == 0 {
		return usagef("there is nothing to check; name a file, or write one under %s in the file of --config", key)
	}
	found, err := engine.Check(ctx, c)
	return p.checked(cmd, files, found, err)
}

// checkConfig says the mistakes in a configuration.
func (p *program) checkConfig(ctx context.Context, cmd *cli.Command) error {
	if cmd.NArg() > 1 {
		return usagef("one configuration at a time; %s is one too many", cmd.Args().Get(1))
	}
	if cmd.NArg() == 1 {
		if err := cmd.Set("config", cmd.Args().First()); err != nil {
			return usagef("%w", err)
		}
	}
	path := cmd.String("config")
	if path == "" {
		return usagef("there is nothing to check; name a file, or give one with --config")
	}
	ctx, stop := p.watched(ctx)
	defer stop()
	_, _, found, err := readConfig(path)
	if err != nil || len(found.Of(written.Wrong)) > 0 {
		return p.checked(cmd, []string{path}, found, err)
	}
	s, err := p.settings(cmd, false)
	if err != nil {
		return err
	}
	var idle [][]string
	for _, graph := range s.graphs() {
		c := s.of(graph)
		c.Aliases, c.Glossaries = nil, nil
		more, nothing, cerr := engine.CheckNames(ctx, c)
		if err = cerr; err != nil {
			break
		}
		idle = append(idle, nothing)
		if len(s.graphs()) == 1 {
			found = append(found, more...)
		}
	}
	if len(idle) > 1 && err == nil {
		for _, entry := range everywhere(idle) {
			at := s.engine.Placed("hide", slices.Index(s.engine.Hide, entry))
			found = append(found, at.At(written.Wrong, "precedent schema --graph shows the names of each", "hide: no graph has %s, so this hides nothing", entry))
		}
	}
	return p.checked(cmd, []string{path}, found, err)
}

// checked prints the mistakes in files, and then err, where the graph told nothing.
func (p *program) checked(cmd *cli.Command, files []string, found written.Mistakes, err error) error {
	found = slices.DeleteFunc(found.InOrder(), func(m written.Mistake) bool { return !slices.Contains(files, m.File) })
	for _, m := range found {
		if cmd.Bool("json") {
			if err := p.json(m); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintln(p.out, bot.Line(m.Error())); err != nil {
			return broke("writing", err)
		}
	}
	switch {
	case err != nil && ctxEnded(err):
		return failure{exitFault, errors.New("interrupted")}
	case err != nil:
		return broke("", fmt.Errorf("the graph can't be asked, so names aren't checked: %w", err))
	case len(found) > len(found.Of(written.Note)):
		return failure{code: exitUsage}
	case !cmd.Bool("json") && len(found) == 0:
		p.say("no mistakes")
	}
	return nil
}

func ctxEnded(err error) bool { return errors.Is(err, context.Canceled) }
