package bolt

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"precedent/store"
)

// A failure is an error of package store, the words for it, and the driver's
// error, which is not repeated in the text.
type failure struct {
	kind  error
	text  string
	cause error
}

func (f *failure) Error() string   { return f.kind.Error() + ": " + f.text }
func (f *failure) Unwrap() []error { return []error{f.kind, f.cause} }

// explainError sorts an error of the driver. ctx is the one that the call ran
// under: once it is done, what the driver says is only a consequence.
func (g *Graph) explainError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("reading the graph: %w", ctx.Err())
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return &failure{store.ErrTimeout, "the time for it ran out; ask for less, or raise the time limit", err}
	}
	if errors.Is(err, errLargeRecord) {
		return &failure{store.ErrTooLarge, fmt.Sprintf("one row of its result takes more than %d MiB: return less of it, not whole collections", maxRecord>>20), err}
	}
	if e, ok := errors.AsType[*neo4j.Neo4jError](err); ok {
		return g.explainServerError(e, err)
	}
	if e, ok := errors.AsType[*neo4j.TokenExpiredError](err); ok {
		return &failure{store.ErrDenied, "the login expired: " + e.Message, err}
	}
	if _, ok := errors.AsType[*neo4j.ConnectivityError](err); ok {
		return &failure{store.ErrUnavailable, g.unreachable(err), err}
	}
	if e, ok := errors.AsType[*neo4j.UsageError](err); ok && !strings.Contains(e.Message, "closed") {
		return &failure{store.ErrQuery, e.Message, err}
	}
	return &failure{store.ErrUnavailable, g.unreachable(err), err}
}

// unreachable says what stands between us and the server.
func (g *Graph) unreachable(err error) string {
	text := err.Error()
	scheme, _, _ := strings.Cut(g.config.URI, ":")
	encrypted := strings.Contains(scheme, "+")
	switch {
	case strings.Contains(text, "connection refused"), strings.Contains(text, "actively refused"):
		return fmt.Sprintf("nothing answers at %s: is Neo4j running, and is this its Bolt port (usually 7687)?", g.config.URI)
	case strings.Contains(text, "no such host"):
		return fmt.Sprintf("the host of %s is not known: check NEO4J_URI", g.config.URI)
	case strings.Contains(text, "routing"):
		return fmt.Sprintf("%s gives no server to read from: is it a cluster without a leader, or a single server that bolt:// would reach?", g.config.URI)
	case strings.Contains(text, "ool"): // Pool closed, Timeout while waiting for connection … pool
		return fmt.Sprintf("no connection to %s is free: it is closed, or all %d are in use", g.config.URI, g.config.Connections)
	}
	if encrypted {
		return fmt.Sprintf("no encrypted connection to %s: +s needs a certificate that this machine trusts, +ssc takes any, a scheme without either doesn't encrypt", g.config.URI)
	}
	return fmt.Sprintf("the connection to %s broke: is Neo4j running, and does the network let Bolt through?", g.config.URI)
}

// explainServerError sorts what the server said, by its status code
// (Neo4j Status Codes 5, "Neo4j error codes").
func (g *Graph) explainServerError(e *neo4j.Neo4jError, err error) error {
	kind, text := store.ErrQuery, e.Msg
	switch code := strings.TrimPrefix(e.Code, "Neo."); {
	case code == "ClientError.Security.Unauthorized":
		kind, text = store.ErrDenied, "wrong user or password: check NEO4J_USERNAME and NEO4J_PASSWORD"
	case code == "ClientError.Security.AuthenticationRateLimit":
		kind, text = store.ErrDenied, "too many attempts with a wrong password: wait some seconds, then check NEO4J_USERNAME and NEO4J_PASSWORD"
	case code == "ClientError.Security.CredentialsExpired":
		kind, text = store.ErrDenied, "the password must be changed first: log in with cypher-shell or the browser and choose another"
	case strings.HasPrefix(code, "ClientError.Security."):
		kind = store.ErrDenied
	case code == "ClientError.Statement.AccessMode":
		text = "the query would change the graph, which is only read"
	case code == "ClientError.Database.DatabaseNotFound":
		kind, text = store.ErrMissing, fmt.Sprintf("database %q not found: check NEO4J_DATABASE, or leave it out for the user's own", g.config.Database)
	case strings.HasPrefix(code, "ClientError.Transaction.TransactionTimedOut"),
		code == "TransientError.Transaction.LockAcquisitionTimeout":
		kind, text = store.ErrTimeout, "the time for it ran out; ask for less, or raise the time limit"
	case code == "ClientError.Transaction.Terminated", code == "TransientError.Transaction.Terminated":
		kind, text = store.ErrTimeout, "an operator or the server ended the query"
	case strings.Contains(code, "OutOfMemory"), strings.Contains(code, "MemoryLimit"):
		kind, text = store.ErrTooLarge, "the query needs more memory than the database allows; ask for less"
	case strings.HasPrefix(code, "TransientError."), strings.HasPrefix(code, "ClientError.Cluster."),
		strings.HasPrefix(code, "DatabaseError.General."), code == "ClientError.General.DatabaseUnavailable":
		kind = store.ErrUnavailable
	}
	return &failure{kind, text, err}
}
