-- Votes of people whom nobody vouches for: kept, and counted nowhere. Made where
-- it isn't there yet: older versions don't look at it.

CREATE TABLE IF NOT EXISTS unproven (
	answer TEXT    NOT NULL REFERENCES journal (id) ON DELETE CASCADE,
	user   TEXT    NOT NULL,
	at     INTEGER NOT NULL,              -- microseconds since 1970 UTC
	value  TEXT    NOT NULL,              -- the latest: up or down
	reason TEXT    NOT NULL,
	why    TEXT    NOT NULL,
	PRIMARY KEY (answer, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS unproven_by_user ON unproven (user);
