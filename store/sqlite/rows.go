package sqlite

import (
	"context"
	"database/sql"
)

// A Querier is what can be asked: a [sql.DB], or a [sql.Tx].
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Each calls see for each row that a query gives, with what scans it, until see
// returns an error. It returns that error, or the query's.
func Each(ctx context.Context, in Querier, see func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := in.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := see(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// All returns what read makes of each row that a query gives; nil with an error.
func All[T any](ctx context.Context, in Querier, read func(scan func(...any) error) (T, error), query string, args ...any) (all []T, err error) {
	err = Each(ctx, in, func(scan func(...any) error) error {
		one, err := read(scan)
		all = append(all, one)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Changed counts the rows that a statement changed, given what executing it returned.
func Changed(done sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}
