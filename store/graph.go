package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Graph is a property graph that can only be read. The embedded graph and
// Neo4j over Bolt are the two we ship; both pass the same tests.
type Graph interface {
	// Run reads q. At most limits.Rows rows come back; where there were more,
	// Table.Truncated is set. Errors wrap ErrQuery (the query is at fault;
	// ErrTooLarge where it is so for its size), ErrUnsupported (a valid query
	// that this graph can't run), ErrTimeout, ErrUnavailable, ErrDenied or
	// ErrMissing.
	Run(ctx context.Context, q Query, limits Limits) (Table, error)

	// Explain asks the graph to plan q with its parameters and without
	// running it. Problems are what the graph says of names and parameters
	// (unknown label, type, property; missing parameter), never of style or
	// speed. An error is as for Run.
	Explain(ctx context.Context, q Query) ([]Problem, error)

	// Schema describes the graph. It takes at most about budget; a part that
	// was not reached makes the schema Sampled.
	Schema(ctx context.Context, budget time.Duration) (*Schema, error)

	// Close frees what the graph holds. Later calls to Run fail.
	Close(ctx context.Context) error
}

// A Rereader is a graph that others change while we read it, and that tells cheaply
// whether they did.
type Rereader interface {
	// Pulse is a sign of what the graph holds. It takes some milliseconds,
	// however large the graph is.
	Pulse(ctx context.Context) (Pulse, error)

	// SchemaAgain is Schema, but that the parts of before that are the same, as
	// two pulses name them, aren't read again.
	SchemaAgain(ctx context.Context, budget time.Duration, before *Schema, same func(part string) bool) (*Schema, error)
}

// A Pulse is a sign of each part of a graph: labels and types as [LabelPart] and
// [TypePart] name them, and whatever else the graph can tell of. A part whose sign
// is another has changed; one whose sign is the same has most likely not.
type Pulse map[string]string

// LabelPart is how a [Pulse] names a label, and TypePart a type.
func LabelPart(name string) string { return "label " + name }
func TypePart(name string) string  { return "type " + name }

// TransactionPart is the part of a [Pulse] that changes with every change of the
// graph, and with nothing else; "" where the graph can't tell.
const TransactionPart = "last transaction"

// A Query is Cypher text and its parameters. Parameters are values as in a
// Table, without nodes, relationships and paths.
type Query struct {
	Text   string         `json:"query"`
	Params map[string]any `json:"params"`

	// Now is the instant that date(), datetime() and the like tell where they are
	// given none, on the clock of its location. Zero means the time at which the
	// query is run, in UTC. Neo4j has a clock of its own, and goes by that.
	Now time.Time `json:"-"`
}

// Limits bound one reading of a graph. Zero fields mean the defaults of [DefaultLimits].
type Limits struct {
	Rows    int           // most rows returned
	List    int           // most items of one list value; the rest is dropped and said
	Text    int           // most runes of one string value; the rest is dropped and said
	Bytes   int           // most bytes held by all values together, roughly
	Memory  int           // most bytes that our process holds for a query while it runs
	Timeout time.Duration // of the transaction
}

// DefaultLimits are the limits used where none are given.
var DefaultLimits = Limits{Rows: 1000, List: 200, Text: 4000, Bytes: 8 << 20, Memory: 96 << 20, Timeout: 30 * time.Second}

// WithDefaults returns l with its zero fields set.
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits
	if l.Rows > 0 {
		d.Rows = l.Rows
	}
	if l.List > 0 {
		d.List = l.List
	}
	if l.Text > 0 {
		d.Text = l.Text
	}
	if l.Bytes > 0 {
		d.Bytes = l.Bytes
	}
	if l.Memory > 0 {
		d.Memory = l.Memory
	}
	if l.Timeout > 0 {
		d.Timeout = l.Timeout
	}
	return d
}

// A Table is the result of a query. Values are: nil, bool, int64, float64,
// string, []any, map[string]any, [Node], [Relationship], [Path], [Point] and
// the temporal types [Date], [LocalTime], [Time], [LocalDateTime], [DateTime],
// [Duration].
type Table struct {
	Columns   []string
	Rows      [][]any
	Truncated bool // there were more rows than Limits.Rows
	Shortened int  // values shortened or dropped by Limits (long lists, long texts)

	// Problems are names in the query of which the graph said, as it ran it, that
	// it has none: what then comes of it says nothing.
	Problems []Problem
}

// A Problem is what checking or explaining found wrong with a query.
type Problem struct {
	Kind    string `json:"kind"` // label, type, property, direction, value, cost, parameter
	Name    string `json:"name"`
	Nearest string `json:"nearest,omitempty"` // the nearest name that exists, or ""
	Pos     int    `json:"pos"`               // byte offset in the query text, -1 if unknown
	Message string `json:"-"`                 // the sentence that goes back to the model
}

// Errors of graphs. They are wrapped with what happened; test with errors.Is.
var (
	ErrQuery       = errors.New("query rejected")      // syntax, types, missing parameter
	ErrUnsupported = errors.New("not supported")       // the embedded graph lacks it
	ErrTimeout     = errors.New("query took too long") // deadline of ctx or limits
	ErrUnavailable = errors.New("graph unreachable")   // network, server down, no leader
	ErrDenied      = errors.New("graph denied access") // wrong password, no rights
	ErrMissing     = errors.New("database not found")  // wrong database name

	// ErrTooLarge is an ErrQuery: the query would hold more than Limits.Memory,
	// or a value or row of it is too large to be had.
	ErrTooLarge = fmt.Errorf("%w: too large", ErrQuery)
)
