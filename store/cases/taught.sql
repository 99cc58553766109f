-- Other names for values that people taught. Made where they aren't there yet:
-- libraries from before this have none, and older versions don't look at them.

CREATE TABLE IF NOT EXISTS taught (
	number   INTEGER PRIMARY KEY,
	id       TEXT    NOT NULL UNIQUE,
	key      TEXT    NOT NULL,            -- the folded name
	name     TEXT    NOT NULL,            -- as typed
	label    TEXT    NOT NULL,
	property TEXT    NOT NULL,
	value    TEXT    NOT NULL,            -- as stored in the graph
	status   TEXT    NOT NULL,            -- candidate, verified, rejected
	by       TEXT    NOT NULL,            -- who taught it
	answer   TEXT    NOT NULL,            -- that it was taught on
	private  INTEGER NOT NULL,            -- taught in private, not approved yet
	note     TEXT    NOT NULL,
	at       INTEGER NOT NULL,            -- microseconds since 1970 UTC
	UNIQUE (key, label, property, value)
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS taught_once ON taught (key) WHERE status = 'verified';

CREATE TABLE IF NOT EXISTS taught_changes (
	seq    INTEGER PRIMARY KEY AUTOINCREMENT,
	at     INTEGER NOT NULL,              -- microseconds since 1970 UTC
	alias  TEXT    NOT NULL,              -- its id
	by     TEXT    NOT NULL,
	why    TEXT    NOT NULL,
	was    TEXT    NOT NULL,              -- status before, '' when taught
	became TEXT    NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS taught_changes_by_alias ON taught_changes (alias, seq);
CREATE TRIGGER IF NOT EXISTS taught_changes_stay BEFORE UPDATE ON taught_changes BEGIN SELECT raise(ABORT, 'changes are append-only'); END;
CREATE TRIGGER IF NOT EXISTS taught_changes_last BEFORE DELETE ON taught_changes BEGIN SELECT raise(ABORT, 'changes are append-only'); END;

CREATE TABLE IF NOT EXISTS teachers (
	alias TEXT NOT NULL REFERENCES taught (id) ON DELETE CASCADE,
	user  TEXT NOT NULL,
	PRIMARY KEY (alias, user)
) STRICT, WITHOUT ROWID;
