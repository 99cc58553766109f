package bolt

import (
	"context"
	"errors"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"precedent/store"
)

const (
	// fetchMost is how many rows one message asks for at most: what the server
	// has begun to send has to be taken, even where the limits are reached.
	fetchMost = 200

	// retryWithin is how soon a query must have failed to be tried again. A
	// connection that died in the pool fails at once; what failed later has
	// waited enough.
	retryWithin = 2 * time.Second
)

// Run reads q in READ access mode. It pulls at most limits.Rows+1 rows and
// stops early where their values reach limits.Bytes; both set Truncated. The
// first row always comes, shortened if it is too large alone, up to maxRecord:
// larger ones end the query with an error that wraps store.ErrTooLarge. When ctx
// ends, Run returns at once and the server stops the query. A query that failed for
// want of a connection is tried once more.
func (g *Graph) Run(ctx context.Context, q store.Query, limits store.Limits) (store.Table, error) {
	limits = limits.WithDefaults()
	ctx, cancel := context.WithTimeout(ctx, limits.Timeout)
	defer cancel()
	var table store.Table
	_, err := g.read(ctx, q, min(limits.Rows+1, fetchMost), func(result neo4j.ResultWithContext) error {
		var err error
		if table, err = pull(ctx, result, limits); err != nil {
			return err
		}
		// Closing the session would throw away what wasn't pulled, too.
		if summary, err := result.Consume(ctx); err == nil {
			table.Problems = g.absent(summary.Notifications())
		}
		return nil
	})
	if err != nil {
		return store.Table{}, err
	}
	return table, nil
}

// pull takes rows from result until the limits are reached.
func pull(ctx context.Context, result neo4j.ResultWithContext, limits store.Limits) (store.Table, error) {
	columns, err := result.Keys()
	if err != nil {
		return store.Table{}, err
	}
	t := store.Table{Columns: columns}
	c := cutter{limits: limits, strict: true}
	for result.Next(ctx) {
		if len(t.Rows) == limits.Rows {
			t.Truncated = true
			break
		}
		row := make([]any, len(columns))
		before := c.shortened
		for i, v := range result.Record().Values {
			if row[i], err = c.value(v); err != nil {
				return store.Table{}, err
			}
		}
		if c.full() && len(t.Rows) > 0 {
			c.shortened = before
			t.Truncated = true
			break
		}
		c.strict = false
		t.Rows = append(t.Rows, row)
	}
	t.Shortened = c.shortened
	return t, result.Err()
}

// read runs q and gives its result to use, unless that is nil, and then the
// summary, which only comes where use has taken all rows or is nil. Its errors
// are sorted.
func (g *Graph) read(ctx context.Context, q store.Query, fetch int, use func(neo4j.ResultWithContext) error) (neo4j.ResultSummary, error) {
	params := make(map[string]any, len(q.Params))
	for name, v := range q.Params {
		var err error
		if params[name], err = toDriver("$"+name, v); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	summary, err := g.readOnce(ctx, q.Text, params, fetch, use)
	if ctx.Err() == nil && time.Since(start) < retryWithin && isLost(err) {
		summary, err = g.readOnce(ctx, q.Text, params, fetch, use)
	}
	return summary, g.explainError(ctx, err)
}

// isLost tells whether a query failed only for the connection or server it went to.
func isLost(err error) bool {
	if _, ok := errors.AsType[*neo4j.ConnectivityError](err); ok {
		return true
	}
	e, ok := errors.AsType[*neo4j.Neo4jError](err)
	return ok && (e.IsRetriableCluster() || e.Code == "Neo.ClientError.Security.AuthorizationExpired")
}

func (g *Graph) readOnce(ctx context.Context, text string, params map[string]any, fetch int, use func(neo4j.ResultWithContext) error) (summary neo4j.ResultSummary, err error) {
	session := g.driver.NewSession(ctx, neo4j.SessionConfig{
		AccessMode: neo4j.AccessModeRead, DatabaseName: g.config.Database, FetchSize: fetch,
	})
	// Closing throws away what wasn't pulled; what goes wrong there concerns no row.
	defer session.Close(ctx)
	var limit []func(*neo4j.TransactionConfig)
	if deadline, ok := ctx.Deadline(); ok {
		limit = append(limit, neo4j.WithTxTimeout(max(time.Millisecond, time.Until(deadline))))
	}
	result, err := session.Run(ctx, text, params, limit...)
	if err != nil {
		return nil, err
	}
	if use != nil {
		return nil, use(result)
	}
	return result.Consume(ctx)
}
