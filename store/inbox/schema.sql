CREATE TABLE events (
	seq    INTEGER PRIMARY KEY,
	id     TEXT    NOT NULL UNIQUE,
	queue  TEXT    NOT NULL,
	user   TEXT    NOT NULL,
	body   TEXT    NOT NULL,             -- '' once it is done
	state  TEXT    NOT NULL DEFAULT '',  -- how far it has come, by whoever works on it
	tries  INTEGER NOT NULL DEFAULT 0,   -- times it was handed out
	after  INTEGER NOT NULL DEFAULT 0,   -- not handed out before, in milliseconds since 1970
	since  INTEGER NOT NULL DEFAULT 0,   -- when it was put off until then, likewise
	at     INTEGER NOT NULL,             -- when it came, likewise
	done   INTEGER NOT NULL DEFAULT 0    -- when it was done, likewise; 0: not yet
) STRICT;
CREATE INDEX events_open ON events (seq, queue) WHERE done = 0;
CREATE INDEX events_by_queue ON events (queue, seq) WHERE done = 0;
CREATE INDEX events_waiting ON events (after, since, queue) WHERE done = 0 AND after > 0;
CREATE INDEX events_done ON events (done) WHERE done > 0;

CREATE TABLE shown (
	chat    TEXT    NOT NULL,
	channel TEXT    NOT NULL,
	message TEXT    NOT NULL,  -- '' where the network tells no id
	lone    TEXT    NOT NULL,  -- the event if message is '', else ''
	answer  TEXT    NOT NULL,  -- '' while there is none yet
	event   TEXT    NOT NULL,  -- that it replies to
	user    TEXT    NOT NULL,
	body    TEXT    NOT NULL,
	at      INTEGER NOT NULL,
	PRIMARY KEY (chat, channel, message, lone)
) STRICT, WITHOUT ROWID;
CREATE INDEX shown_by_chat ON shown (chat, at, message, lone) WHERE answer <> '' AND message <> '';
CREATE INDEX shown_by_answer ON shown (answer) WHERE answer <> '';
CREATE INDEX shown_by_user ON shown (user, at, message, lone);
CREATE INDEX shown_by_event ON shown (event);
CREATE INDEX shown_by_time ON shown (at);

CREATE TABLE votes (
	answer TEXT    NOT NULL,
	user   TEXT    NOT NULL,
	value  TEXT    NOT NULL,  -- the latest
	at     INTEGER NOT NULL,
	PRIMARY KEY (answer, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX votes_by_time ON votes (at);

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
