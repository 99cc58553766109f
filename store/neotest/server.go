package neotest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/rogpeppe/go-internal/lockedfile"
)

// Version of the Neo4j that is started.
const Version = "5.26.19"

// startTimeout is how long a server may take until it answers, downloads not counted.
const startTimeout = 120 * time.Second

// A Server is a running Neo4j.
type Server struct {
	URI      string // bolt://host:port
	Username string // "" where it asks for no password
	Password string

	name         string // among those of a run
	driver       neo4j.DriverWithContext
	stop         func()
	loaded       [sha256.Size]byte // of the graph that Load left, if nothing was run since that may have changed it
	installation *installation     // nil where it is a container or somebody else's
}

// Options ask for a server that differs from the shared one.
type Options struct {
	Password string   // of user neo4j, at least 8 characters; "" asks for none
	Config   []string // further lines of neo4j.conf
	run      *run     // that the server is handed on in; nil: it is this process's alone
}

// errNone says why no server can be had on this machine.
var errNone = errors.New("no Neo4j for tests: set NEO4J_TEST_URI, or install Java 17 and Maven, or start a Docker engine")

var shared = sync.OnceValues(func() (*Server, error) {
	if uri := os.Getenv("NEO4J_TEST_URI"); uri != "" {
		return borrow(uri)
	}
	r, err := theRun()
	if err != nil {
		return nil, err
	}
	if s, err := r.take(); s != nil || err != nil {
		return s, err
	}
	s, err := launch(Options{run: r})
	if err != nil {
		return nil, err
	}
	return s, r.keep(s)
})

// Start returns the one server that all tests of this binary share, and after it
// those of the next binary in the same run of go test. It holds whatever was left
// there, so tests load what they need and must not run in parallel. Those that use
// the same graph do well to follow each other: see Keep.
func Start(t testing.TB) *Server {
	t.Helper()
	leaveOut(t)
	s, err := shared()
	return s.or(t, err)
}

var alone = sync.OnceValues(func() (*Server, error) {
	if os.Getenv("NEO4J_TEST_URI") != "" {
		return shared()
	}
	return launch(Options{})
})

// StartFresh is Start with a server that no other binary uses, for tests to which it matters
// what else was ever in the database: labels come in the order in which it first saw them,
// and it warns only of names that it never had.
func StartFresh(t testing.TB) *Server {
	t.Helper()
	leaveOut(t)
	s, err := alone()
	return s.or(t, err)
}

// StartWith returns a server of its own, empty, which stops at the end of the
// test. NEO4J_TEST_URI can't stand in for it.
func StartWith(t testing.TB, o Options) *Server {
	t.Helper()
	leaveOut(t)
	s, err := launch(o)
	s.or(t, err)
	t.Cleanup(s.stop)
	return s
}

// leaveOut skips t under -short.
func leaveOut(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short leaves out what needs a Neo4j")
	}
}

// Stop ends the server, as a restart or an outage would; Restart brings it back.
// The test is skipped where this machine's Java doesn't run it.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if s.installation == nil {
		t.Skip("only a server that Java runs here can be stopped")
	}
	if err := s.installation.shutdown(); err != nil {
		t.Fatal(err)
	}
}

// Restart starts a server again that Stop has ended, with the same graph and
// these further lines of neo4j.conf. A new graph can't be made under
// server.databases.default_to_read_only, so that has to come this way.
func (s *Server) Restart(t testing.TB, config ...string) {
	t.Helper()
	if err := s.installation.start(config); err != nil {
		t.Fatal(err)
	}
	if err := s.connect(s.installation.gone); err != nil {
		t.Fatal(err)
	}
}

// or returns s, or ends the test: skipped where this machine has no means to
// run a Neo4j, failed where it has and they didn't work, or on CI.
func (s *Server) or(t testing.TB, err error) *Server {
	t.Helper()
	switch {
	case err == nil:
		return s
	case errors.Is(err, errNone) && os.Getenv("CI") != "true":
		fmt.Fprintf(os.Stderr, "\n!!! %s LEFT OUT: %v\n\n", t.Name(), err)
		t.Skip(err)
	default:
		t.Fatalf("starting Neo4j: %v", err)
	}
	return nil
}

// borrow uses a server that is already up, alone until this process ends.
func borrow(uri string) (*Server, error) {
	// The lock dies with the process, so nothing has to release it. Until then
	// the server holds it: lockedfile panics once a lock is collected.
	unlock, err := lockedfile.MutexAt(lockPath(uri)).Lock()
	if err != nil {
		return nil, fmt.Errorf("waiting for a turn on %s: %w", uri, err)
	}
	s := &Server{URI: uri, Username: os.Getenv("NEO4J_TEST_USERNAME"), Password: os.Getenv("NEO4J_TEST_PASSWORD"), stop: unlock}
	if err := s.connect(nil); err != nil {
		unlock()
		return nil, fmt.Errorf("NEO4J_TEST_URI=%s: %w", uri, err)
	}
	return s, nil
}

// launch starts a server with what this machine has.
func launch(o Options) (*Server, error) {
	var missing []string
	for _, way := range []func(Options) (*Server, func() error, error){launchJars, launchDocker} {
		s, gone, err := way(o)
		if errors.Is(err, errNone) {
			missing = append(missing, err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := s.setPassword(o.Password, gone); err != nil {
			s.stop()
			return nil, err
		}
		return s, nil
	}
	return nil, fmt.Errorf("%w (%s)", errNone, strings.Join(missing, "; "))
}

// setPassword waits for the server and gives it password where it still has another.
func (s *Server) setPassword(password string, gone func() error) error {
	if err := s.connect(gone); err != nil || s.Password == password {
		return err
	}
	ctx := context.Background()
	_, err := neo4j.ExecuteQuery(ctx, s.driver, "ALTER CURRENT USER SET PASSWORD FROM $old TO $new",
		map[string]any{"old": s.Password, "new": password}, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("system"))
	if err = errors.Join(err, s.driver.Close(ctx)); err != nil {
		return fmt.Errorf("setting the password: %w", err)
	}
	s.Password = password
	return s.connect(gone)
}

// connect makes the driver and waits until the database answers. gone, if
// set, returns an error as soon as the server has ended.
func (s *Server) connect(gone func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	auth := neo4j.NoAuth()
	if s.Username != "" {
		auth = neo4j.BasicAuth(s.Username, s.Password, "")
	}
	for {
		driver, err := neo4j.NewDriverWithContext(s.URI, auth)
		if err != nil {
			return err
		}
		if err = driver.VerifyConnectivity(ctx); err == nil {
			err = answers(ctx, driver)
		}
		if e, ok := errors.AsType[*neo4j.Neo4jError](err); err == nil || ok && e.Code == "Neo.ClientError.Security.CredentialsExpired" {
			s.driver = driver
			return nil
		}
		driver.Close(context.WithoutCancel(ctx))
		if gone == nil {
			return err
		}
		if ended := gone(); ended != nil {
			return ended
		}
		if ctx.Err() != nil {
			return fmt.Errorf("not up after %v: %w", startTimeout, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// answers runs a query once; ExecuteQuery would try for 30 s.
func answers(ctx context.Context, driver neo4j.DriverWithContext) error {
	session := driver.NewSession(ctx, neo4j.SessionConfig{})
	defer session.Close(ctx)
	result, err := session.Run(ctx, "RETURN 1", nil)
	if err != nil {
		return err
	}
	_, err = result.Consume(ctx)
	return err
}
