package cases

import (
	"context"
	"database/sql"

	"precedent/store"
	"precedent/store/sqlite"
)

// asShipped is the condition of a row that is as [Library.Sync] put it in.
const asShipped = `source = 'shipped' AND status = 'verified' AND instr(body, '"touched":true') = 0`

// OwnSince is [Library.Since] for a program that has the shipped cases at hand
// and needn't read them: own are the changed cases that people made, moved or
// edited, shipped the ids of changed ones that are as the program ships them.
// Since 0, own are all of them, and shipped is nil. A case that people removed
// comes with its ID and status retired only.
func (l *Library) OwnSince(ctx context.Context, seq int64) (own []store.Case, shipped []string, next int64, err error) {
	see := func(id string, r *row) { own = append(own, caseNow(id, r)) }
	next, err = l.since(ctx, seq, func(tx *sql.Tx) (err error) {
		if seq == 0 {
			err = l.eachRow(ctx, tx, see, "SELECT id, "+rowColumns+" FROM cases WHERE NOT ("+asShipped+") ORDER BY number")
			if err != nil {
				return err
			}
			gone, err := sqlite.All(ctx, tx, scanText, "SELECT case_id FROM changes EXCEPT SELECT id FROM cases")
			for _, id := range gone {
				see(id, nil)
			}
			return err
		}
		// A cross join begins with the left side (sqlite.org/optoverview.html#crossjoin), which is short.
		shipped, err = sqlite.All(ctx, tx, scanText, "SELECT changed FROM "+changedSince+" CROSS JOIN cases ON id = changed WHERE "+asShipped, seq)
		if err != nil {
			return err
		}
		return l.eachRow(ctx, tx, see, "SELECT changed, "+rowColumns+" FROM "+changedSince+" LEFT JOIN cases ON id = changed WHERE NOT coalesce("+asShipped+", 0) ORDER BY number", seq)
	})
	return own, shipped, next, err
}
