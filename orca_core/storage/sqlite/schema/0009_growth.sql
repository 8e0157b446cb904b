-- Growth: acts, what supports a memory, calls of tools, and guides.

-- What a memory lives on: a person's hand, typed words, or (NULL) its supports. Programs' searches count as visits while it waits.
ALTER TABLE long_term_memories ADD COLUMN confirmed_by TEXT;
ALTER TABLE long_term_memories ADD COLUMN searched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE long_term_memories ADD COLUMN searched_at TEXT;
UPDATE long_term_memories SET confirmed_by = CASE
    WHEN origin_kind <> 'extraction' OR id IN (
        SELECT h.memory_id FROM memory_history h JOIN operations o ON o.id = h.operation
        WHERE h.kind = 'memory' AND o.actor = 'user' AND o.undoes IS NULL AND o.undone_by IS NULL AND (
            o.action IN ('add', 'remember') OR json_type(h.after, '$.content') IS NOT NULL
            OR json_type(h.after, '$.type') IS NOT NULL OR json_type(h.after, '$.tags') IS NOT NULL
            OR json_type(h.after, '$.state') IS NOT NULL
        )
    ) THEN 'hand'
    ELSE 'typed'
END
WHERE state NOT IN ('candidate', 'rejected');

CREATE TABLE actions (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    uid            TEXT NOT NULL,
    scope          TEXT NOT NULL,
    type           TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    at             TEXT NOT NULL,
    round          INTEGER,                     -- its number in the session
    round_id       INTEGER,                     -- the attempt that was meant
    message        TEXT NOT NULL DEFAULT '',    -- a client's own name of it
    task           INTEGER,
    tool           TEXT NOT NULL DEFAULT '',
    call           TEXT NOT NULL DEFAULT '',
    data           TEXT NOT NULL DEFAULT '{}',  -- JSON
    state          TEXT NOT NULL DEFAULT 'standing',
    read           TEXT NOT NULL DEFAULT 'never',
    origin_kind    TEXT NOT NULL,
    origin_session TEXT,
    origin_rounds  TEXT NOT NULL DEFAULT '[]',
    origin_quote   TEXT,
    origin_model   TEXT,
    UNIQUE (scope, uid)
) STRICT;
CREATE INDEX actions_of_session ON actions (scope, session_id, id);
CREATE INDEX actions_of_round ON actions (round_id) WHERE round_id IS NOT NULL;
CREATE INDEX actions_waiting ON actions (scope, id) WHERE read = 'waiting';

CREATE TABLE supports (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      TEXT NOT NULL,
    memory     INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    source     TEXT NOT NULL,       -- what it rests on: supports with one source are one
    at         TEXT NOT NULL,
    act        INTEGER,
    session_id TEXT,
    round      INTEGER,
    state      TEXT NOT NULL DEFAULT 'standing'
) STRICT;
CREATE UNIQUE INDEX supports_once ON supports (memory, kind, source, coalesce(act, 0));
CREATE INDEX supports_of_act ON supports (act) WHERE act IS NOT NULL;

-- Every call counts for ever, by a slim row; only the latest of a tool keep what they were given and answered.
CREATE TABLE tool_calls (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      TEXT NOT NULL,
    tool       TEXT NOT NULL,
    folded     TEXT NOT NULL,       -- the name as it is compared
    identity   TEXT NOT NULL,       -- a keyed hash of what makes it this call
    session_id TEXT NOT NULL DEFAULT '',
    call_id    TEXT NOT NULL DEFAULT '',
    step       INTEGER,
    at         TEXT NOT NULL,
    success    INTEGER NOT NULL CHECK (success IN (0, 1)),
    seconds    REAL,
    tokens     INTEGER,
    is_slim    INTEGER NOT NULL DEFAULT 0 CHECK (is_slim IN (0, 1)),
    is_read    INTEGER NOT NULL DEFAULT 0 CHECK (is_read IN (0, 1)),    -- a run for a guide has read it, or what came later
    error      TEXT NOT NULL DEFAULT '',    -- how its answer begins, where it failed
    input      TEXT NOT NULL DEFAULT '',
    output     TEXT NOT NULL DEFAULT '',
    UNIQUE (scope, identity)
) STRICT;
CREATE INDEX tool_calls_of_tool ON tool_calls (scope, folded, id);
CREATE INDEX tool_calls_unread ON tool_calls (scope, folded) WHERE is_read = 0;
CREATE INDEX tool_calls_of_step ON tool_calls (step) WHERE step IS NOT NULL;
CREATE INDEX tool_calls_of_session ON tool_calls (scope, session_id) WHERE session_id <> '';

CREATE TABLE guides (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    uid              TEXT NOT NULL,
    scope            TEXT NOT NULL,
    text             TEXT NOT NULL,
    target           TEXT NOT NULL,         -- the tool
    created_at       TEXT NOT NULL,
    updated_at       TEXT NOT NULL,
    through          INTEGER NOT NULL DEFAULT 0,    -- the last call that it was written of
    version          INTEGER NOT NULL DEFAULT 1,
    state            TEXT NOT NULL DEFAULT 'live',
    held_because     TEXT,
    archived_because TEXT,
    archived_at      TEXT,
    pinned           INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    access_count     INTEGER NOT NULL DEFAULT 0,
    last_accessed    TEXT,
    origin_kind      TEXT NOT NULL,
    origin_session   TEXT,
    origin_rounds    TEXT NOT NULL DEFAULT '[]',
    origin_quote     TEXT,
    origin_model     TEXT,
    tokens           TEXT NOT NULL DEFAULT '',
    UNIQUE (scope, uid)
) STRICT;
CREATE INDEX guides_listed ON guides (scope, state, id);
CREATE INDEX guides_of_tool ON guides (scope, target);

CREATE VIRTUAL TABLE guides_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO guides_text (guides_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE guides_vocabulary USING fts5vocab (guides_text, row);

-- A run reads acts, or calls of the tool that `target` names.
ALTER TABLE extraction_runs ADD COLUMN acts TEXT NOT NULL DEFAULT '[]';    -- JSON: numbers of the acts that it reads
CREATE INDEX run_of_acts ON extraction_runs (kind, state) WHERE kind IN ('actions', 'guides');
