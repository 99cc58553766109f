package cases

import (
	"context"
	"database/sql"

	"precedent/store"
)

// asShipped is the condition of a row that is as [Library.Sync] put it in.
const asShipped = `source = 'shipped' AND status = 'verified' AND instr(body, '"touched":true') = 0`

// OwnSince is [Library.Since] for a program that has the shipped cases at hand
// and needn't read them: own are the changed cases that people made, moved or
// edited, shipped the ids of changed ones that are as the program ships them.
// Since 0, own are all of them, and shipped is nil. A case that people removed
// comes with its ID and status retired only.
func (l *Library) OwnSince(ctx context.Context, seq int64) (own []store.Case, shipped []string, next int64, err error) {
	tx, err := l.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, seq, l.explain(err)
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM changes").Scan(&next); err != nil {
		return nil, nil, seq, l.explain(err)
	}
	if next == seq {
		return nil, nil, seq, nil
	}
	see := func(id string, r *row) {
		if r == nil {
			own = append(own, store.Case{ID: id, Status: store.Retired})
		} else {
			own = append(own, r.Case)
		}
	}
	if seq == 0 {
		err = eachRow(ctx, tx, see, "SELECT id, "+rowColumns+" FROM cases WHERE NOT ("+asShipped+") ORDER BY number")
		if err == nil {
			err = eachID(ctx, tx, func(id string) { see(id, nil) }, "SELECT case_id FROM changes EXCEPT SELECT id FROM cases")
		}
		return own, nil, next, l.explain(err)
	}
	const changed = " FROM (SELECT DISTINCT case_id AS changed FROM changes WHERE seq > ?) LEFT JOIN cases ON id = changed WHERE "
	err = eachID(ctx, tx, func(id string) { shipped = append(shipped, id) }, "SELECT changed"+changed+asShipped, seq)
	if err == nil {
		err = eachRow(ctx, tx, see, "SELECT changed, "+rowColumns+changed+"NOT coalesce("+asShipped+", 0) ORDER BY number", seq)
	}
	return own, shipped, next, l.explain(err)
}

func eachID(ctx context.Context, tx *sql.Tx, see func(id string), query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		see(id)
	}
	return rows.Err()
}
