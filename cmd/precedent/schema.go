package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"precedent/bot"
	"precedent/engine"
	"precedent/store"
)

// schema prints what the graph holds, without hidden names.
func (p *program) schema(ctx context.Context, cmd *cli.Command) (err error) {
	if err := noArgs(cmd); err != nil {
		return err
	}
	ctx, stop := p.watched(ctx)
	defer stop()
	e, _, err := p.open(ctx, cmd)
	if err != nil {
		return err
	}
	defer closed(e, &err)
	if cmd.Bool("json") {
		out := schemaOf(e.Name(), e.Schema())
		for _, l := range e.Linkables() {
			out.say(l)
		}
		return p.json(out)
	}
	p.say("%s", e.SchemaText())
	var said strings.Builder
	said.WriteString("Values that questions may name:\n")
	for _, l := range e.Linkables() {
		said.WriteString(linkLine(l))
	}
	if why := e.Stopped(); why != "" {
		said.WriteString("Read in part: " + why + "\n")
	}
	p.say("%s", said.String())
	return nil
}

// linkLine says whether the values of a property may be named, and why.
func linkLine(l engine.Linkable) string {
	if l.As == "" {
		return fmt.Sprintf("  %s: no: %s\n", bot.Line(l.Name()), l.Why)
	}
	return fmt.Sprintf("  %s: %s: %s; %d are known\n", bot.Line(l.Name()), l.As, l.Why, l.Values)
}

// say puts down whether the values of a property may be named, and why.
func (s *schemaJSON) say(l engine.Linkable) {
	for _, owners := range [][]labelJSON{s.Labels, s.Types} {
		for i := range owners {
			if owners[i].Name != l.Owner {
				continue
			}
			for j := range owners[i].Properties {
				if p := &owners[i].Properties[j]; p.Name == l.Property {
					p.Linkable = linkableJSON{string(l.As), l.Why, l.Values}
				}
			}
		}
	}
}

// The JSON of a schema.
type (
	schemaJSON struct {
		Graph         string         `json:"graph"`
		Labels        []labelJSON    `json:"labels"`
		Types         []labelJSON    `json:"types"`
		Relationships []relationJSON `json:"relationships"`
		Indexes       []indexJSON    `json:"indexes"`
		Reading       string         `json:"reading"` // complete or sampled
		Stops         []stopJSON     `json:"stops"`   // why it is sampled
		Hash          string         `json:"hash"`
	}
	labelJSON struct {
		Name       string         `json:"name"`
		Count      int64          `json:"count"`
		Properties []propertyJSON `json:"properties"`
	}
	propertyJSON struct {
		Name     string  `json:"name"`
		Type     string  `json:"type"`
		Present  int64   `json:"present"`
		Unique   bool    `json:"unique"`
		Distinct int64   `json:"distinct"` // -1 if not counted
		Samples  []value `json:"samples"`
		Min      value   `json:"min"`
		Max      value   `json:"max"`

		Linkable linkableJSON `json:"linkable"`
	}
	linkableJSON struct {
		As     string `json:"as"` // category, configured, name or identifier; "" isn't linkable
		Why    string `json:"why"`
		Values int    `json:"values"` // known
	}
	stopJSON struct {
		Part  string `json:"part"`  // a label or type; "" is the whole
		Limit string `json:"limit"` // time or scan
		At    int64  `json:"at"`    // milliseconds, or members
	}
	relationJSON struct {
		Start string `json:"start"`
		Type  string `json:"type"`
		End   string `json:"end"`
		Count int64  `json:"count"`
	}
	indexJSON struct {
		Name       string   `json:"name"`
		Type       string   `json:"type"`
		OnNodes    bool     `json:"on_nodes"`
		Labels     []string `json:"labels"`
		Properties []string `json:"properties"`
	}
)

// A value encodes as values of rows do.
type value struct{ v any }

func (v value) MarshalJSON() ([]byte, error) { return store.EncodeValue(v.v) }

func schemaOf(graph string, s *store.Schema) schemaJSON {
	out := schemaJSON{Graph: graph, Labels: []labelJSON{}, Types: []labelJSON{}, Relationships: []relationJSON{}, Indexes: []indexJSON{}, Reading: "complete", Stops: []stopJSON{}, Hash: s.Hash}
	if s.Sampled {
		out.Reading = "sampled"
	}
	for _, stop := range s.Stops {
		out.Stops = append(out.Stops, stopJSON{stop.Part, string(stop.Limit), stop.At})
	}
	for _, l := range s.Labels {
		out.Labels = append(out.Labels, labelJSON{l.Name, l.Count, propertiesOf(l.Properties)})
	}
	for _, t := range s.Types {
		out.Types = append(out.Types, labelJSON{t.Name, t.Count, propertiesOf(t.Properties)})
	}
	for _, r := range s.Relationships {
		out.Relationships = append(out.Relationships, relationJSON(r))
	}
	for _, i := range s.Indexes {
		out.Indexes = append(out.Indexes, indexJSON{i.Name, i.Type, i.OnNodes, listed(i.Labels), listed(i.Properties)})
	}
	return out
}

func propertiesOf(list []store.Property) []propertyJSON {
	out := []propertyJSON{}
	for _, q := range list {
		samples := []value{}
		for _, v := range q.Samples {
			samples = append(samples, value{v})
		}
		out = append(out, propertyJSON{q.Name, q.Type, q.Present, q.Unique, q.Distinct, samples, value{q.Min}, value{q.Max}, linkableJSON{}})
	}
	return out
}

// listed is list, an empty one where it is nil.
func listed(list []string) []string { return append([]string{}, list...) }
