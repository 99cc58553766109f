CREATE TABLE events (
	seq    INTEGER PRIMARY KEY,
	id     TEXT    NOT NULL UNIQUE,
	queue  TEXT    NOT NULL,
	user   TEXT    NOT NULL,
	body   TEXT    NOT NULL,             -- '' once it is done
	state  TEXT    NOT NULL DEFAULT '',  -- how far it has come, by whoever works on it
	tries  INTEGER NOT NULL DEFAULT 0,   -- times it was handed out
	after  INTEGER NOT NULL DEFAULT 0,   -- not handed out before, in milliseconds since 1970
	at     INTEGER NOT NULL,             -- when it came, likewise
	done   INTEGER NOT NULL DEFAULT 0    -- when it was done, likewise; 0: not yet
) STRICT;
CREATE INDEX events_open ON events (queue, seq) WHERE done = 0;
CREATE INDEX events_done ON events (done) WHERE done > 0;

CREATE TABLE shown (
	chat    TEXT    NOT NULL,
	channel TEXT    NOT NULL,
	message TEXT    NOT NULL,
	answer  TEXT    NOT NULL,  -- '' while there is none yet
	event   TEXT    NOT NULL,  -- that it replies to
	user    TEXT    NOT NULL,
	body    TEXT    NOT NULL,
	at      INTEGER NOT NULL,
	PRIMARY KEY (chat, channel, message)
) STRICT, WITHOUT ROWID;
CREATE INDEX shown_by_answer ON shown (answer) WHERE answer <> '';
CREATE INDEX shown_by_user ON shown (user, at);
CREATE INDEX shown_by_event ON shown (event);
CREATE INDEX shown_by_time ON shown (at);

CREATE TABLE votes (
	answer TEXT    NOT NULL,
	user   TEXT    NOT NULL,
	value  TEXT    NOT NULL,  -- the latest
	at     INTEGER NOT NULL,
	PRIMARY KEY (answer, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE seen (
	chat    TEXT NOT NULL,
	channel TEXT NOT NULL,
	message TEXT NOT NULL,
	at      INTEGER NOT NULL,
	PRIMARY KEY (chat, channel)
) STRICT, WITHOUT ROWID;

CREATE TABLE spent (
	day    TEXT    NOT NULL,  -- 2026-01-31, UTC
	who    TEXT    NOT NULL,  -- a user, a channel, or '' for all
	tokens INTEGER NOT NULL,
	PRIMARY KEY (day, who)
) STRICT, WITHOUT ROWID;
