-- Format 1. Tables are the truth; the tables named wording_… can be rebuilt from them.

CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE cases (
	number   INTEGER PRIMARY KEY,
	id       TEXT    NOT NULL UNIQUE,
	status   TEXT    NOT NULL,
	source   TEXT    NOT NULL,
	key      TEXT    NOT NULL,            -- identity of a candidate, or ''
	private  INTEGER NOT NULL,            -- asked in private, not approved yet
	backing  TEXT    NOT NULL,            -- who stands behind the status
	revision INTEGER NOT NULL,            -- the change that made it so
	body     TEXT    NOT NULL,            -- JSON of a row
	uses     INTEGER NOT NULL DEFAULT 0,
	up       INTEGER NOT NULL DEFAULT 0,
	down     INTEGER NOT NULL DEFAULT 0,
	flag     TEXT    NOT NULL DEFAULT ''  -- why a curator should look
) STRICT;
CREATE UNIQUE INDEX cases_by_key ON cases (key) WHERE key <> '';
CREATE INDEX cases_by_status ON cases (status, private);
CREATE INDEX cases_by_flag ON cases (flag) WHERE flag <> '';

CREATE TABLE changes (
	seq    INTEGER PRIMARY KEY AUTOINCREMENT,
	at     INTEGER NOT NULL,              -- microseconds since 1970 UTC
	case_id TEXT   NOT NULL,
	by     TEXT    NOT NULL,
	why    TEXT    NOT NULL,
	was    TEXT    NOT NULL,              -- status before, '' when added
	became TEXT    NOT NULL,              -- status after, '' when an addition was undone
	before TEXT,                          -- JSON of the row before
	after  TEXT,                          -- JSON of the row after
	undoes INTEGER REFERENCES changes (seq),
	answer TEXT    NOT NULL DEFAULT '',   -- the vote that caused it: answer and voter
	voter  TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX changes_by_case ON changes (case_id, seq);
CREATE TRIGGER changes_stay BEFORE UPDATE ON changes BEGIN SELECT raise(ABORT, 'changes are append-only'); END;
CREATE TRIGGER changes_last BEFORE DELETE ON changes BEGIN SELECT raise(ABORT, 'changes are append-only'); END;

CREATE TABLE askers (
	case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
	user    TEXT NOT NULL,
	PRIMARY KEY (case_id, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
	number  INTEGER PRIMARY KEY,
	id      TEXT NOT NULL UNIQUE,
	conversation TEXT NOT NULL,
	case_id TEXT NOT NULL,
	body    TEXT NOT NULL                 -- JSON of an entry
) STRICT;
CREATE INDEX journal_by_conversation ON journal (conversation, number);

CREATE TABLE ballots (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	at      INTEGER NOT NULL,
	answer  TEXT    NOT NULL REFERENCES journal (id),
	case_id TEXT    NOT NULL,
	user    TEXT    NOT NULL,
	curator INTEGER NOT NULL,
	value   TEXT    NOT NULL,
	reason  TEXT    NOT NULL,
	why     TEXT    NOT NULL
) STRICT;
CREATE INDEX ballots_by_answer ON ballots (answer, user, seq);
CREATE INDEX ballots_by_case ON ballots (case_id);
CREATE TRIGGER ballots_last BEFORE DELETE ON ballots BEGIN SELECT raise(ABORT, 'ballots are append-only'); END;

CREATE TABLE vectors (
	case_id  TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
	language TEXT NOT NULL,
	model    TEXT NOT NULL,
	hash     INTEGER NOT NULL,            -- of the text it was made from
	vector   BLOB NOT NULL,               -- float32, little-endian
	PRIMARY KEY (model, case_id, language)
) STRICT;

-- One row per wording of a case that may be recalled: rowid = number * 256 + position.
CREATE VIRTUAL TABLE wording_index USING fts5 (
	tokens, content = '', contentless_delete = 1,
	tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
CREATE VIRTUAL TABLE wording_terms USING fts5vocab (wording_index, 'row');
