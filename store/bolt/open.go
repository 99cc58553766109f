package bolt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	_ "time/tzdata" // zones named by DateTime values, where the machine has none

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"precedent/store"
)

// A Config says which database to read and how hard. Zero fields mean the
// defaults that are given.
type Config struct {
	URI      string // neo4j or bolt, with +s or +ssc for TLS: neo4j+s://host:7687
	Username string // "" connects without authentication
	Password string
	Database string // "" is the user's home database

	Connections int           // most connections to one server; 20
	Acquire     time.Duration // longest wait for a free connection; 10 s
	Connect     time.Duration // longest wait for a network connection; 5 s
	Idle        time.Duration // connections idle for longer are tested before use; 1 minute

	ScanLimit   int64 // Schema reads labels and types with up to so many members in full; 1,000,000
	SampleSize  int64 // and so many members of larger ones, or where time is short; 1,000
	CountValues int64 // Schema counts distinct values of properties that up to so many members have; 100,000

	Hide []string // what Schema leaves out, as [store.NewHidden] reads it; Run and Explain take what they are given
}

func (c Config) withDefaults() Config {
	c.Connections = positive(c.Connections, 20)
	c.Acquire = positive(c.Acquire, 10*time.Second)
	c.Connect = positive(c.Connect, 5*time.Second)
	c.Idle = positive(c.Idle, time.Minute)
	c.ScanLimit = positive(c.ScanLimit, 1_000_000)
	c.SampleSize = positive(c.SampleSize, 1000)
	c.CountValues = positive(c.CountValues, 100_000)
	return c
}

func positive[T int | int64 | time.Duration](v, otherwise T) T {
	if v > 0 {
		return v
	}
	return otherwise
}

// A Graph is a database of Neo4j. It is safe for concurrent use.
type Graph struct {
	config Config
	driver neo4j.DriverWithContext
	schema atomic.Pointer[store.Schema] // the last one read: Explain takes nearest names from it
}

var _ store.Graph = (*Graph)(nil)

// Open connects and makes sure that the database answers and the user may
// read it. Errors wrap ErrAddress, or store.ErrUnavailable, ErrDenied,
// ErrMissing or ErrTimeout.
func Open(ctx context.Context, c Config) (*Graph, error) {
	if err := checkAddress(c.URI); err != nil {
		return nil, err
	}
	g := &Graph{config: c.withDefaults()}
	auth := neo4j.NoAuth()
	if c.Username != "" || c.Password != "" {
		auth = neo4j.BasicAuth(c.Username, c.Password, "")
	}
	driver, err := neo4j.NewDriverWithContext(c.URI, auth, func(d *config.Config) {
		d.MaxConnectionPoolSize = g.config.Connections
		d.ConnectionAcquisitionTimeout = g.config.Acquire
		d.SocketConnectTimeout = g.config.Connect
		d.ConnectionLivenessCheckTimeout = g.config.Idle
		d.TelemetryDisabled = true
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAddress, err)
	}
	g.driver = driver
	if err := connectBy(driver, g.dial); err != nil {
		return nil, fmt.Errorf("opening %s: %w", c.URI, err)
	}
	if err := g.greet(ctx); err != nil {
		driver.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return g, nil
}

// greet connects for the first time and runs a query. In this driver (v5.28)
// first connections of several goroutines race, so one is made before anybody
// has g; and to a server that takes a connection but never speaks it waits for
// as long as its ctx, so that gets a deadline.
func (g *Graph) greet(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, g.config.Acquire)
	defer cancel()
	err := g.explainError(within, g.driver.VerifyConnectivity(within))
	if err == nil {
		_, err = g.Run(within, store.Query{Text: "RETURN 1"}, store.Limits{})
	}
	if errors.Is(err, store.ErrTimeout) && ctx.Err() == nil {
		return &failure{store.ErrUnavailable, fmt.Sprintf(
			"%s takes the connection but doesn't answer: is this its Bolt port (usually 7687)?", g.config.URI), err}
	}
	return err
}

// Close closes the connections.
func (g *Graph) Close(ctx context.Context) error {
	if err := g.driver.Close(ctx); err != nil {
		return fmt.Errorf("closing the connections to %s: %w", g.config.URI, err)
	}
	return nil
}

// Name is the database as people would name it: its URI and name, no secrets.
func (g *Graph) Name() string {
	if g.config.Database == "" {
		return g.config.URI
	}
	return strings.TrimSuffix(g.config.URI, "/") + "/" + g.config.Database
}
