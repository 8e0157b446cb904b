-- The first schema. Times are ISO 8601 in UTC with microseconds and Z, so that they sort as text.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    rowid      INTEGER PRIMARY KEY,
    id         TEXT NOT NULL,
    scope      TEXT NOT NULL,
    title      TEXT NOT NULL,
    created_at TEXT NOT NULL,
    used_at    TEXT NOT NULL,              -- when its latest round began: `latest session` goes by it
    summary    TEXT,                       -- the running summary, and the last round that it covers
    summary_through INTEGER NOT NULL DEFAULT 0,
    UNIQUE (scope, id)
) STRICT;

-- One row an attempt. The latest attempt of a number has replaced_by NULL.
CREATE TABLE rounds (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    scope       TEXT NOT NULL,
    session_id  TEXT NOT NULL,
    number      INTEGER NOT NULL CHECK (number >= 1),
    attempt     INTEGER NOT NULL CHECK (attempt >= 1),
    replaced_by INTEGER REFERENCES rounds (id),
    state       TEXT NOT NULL,
    owner       TEXT,                      -- the process that writes it while it is streaming
    finish      TEXT,
    model       TEXT NOT NULL DEFAULT '',
    estimated_prompt_tokens INTEGER NOT NULL DEFAULT 0,
    usage       TEXT,                      -- JSON, as the provider counted
    started_at  TEXT NOT NULL,
    finished_at TEXT,
    UNIQUE (scope, session_id, number, attempt),
    FOREIGN KEY (scope, session_id) REFERENCES sessions (scope, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX rounds_streaming ON rounds (state) WHERE state = 'streaming';

CREATE TABLE main_messages (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    round_id  INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
    role      TEXT NOT NULL,
    content   TEXT NOT NULL,
    spans     TEXT,                        -- JSON, of a user's message: [{"text", "source"}]
    reasoning TEXT NOT NULL DEFAULT '',
    citations TEXT,                        -- JSON, of an answer: [{"id", "at"}]
    at        TEXT NOT NULL,
    UNIQUE (round_id, role)
) STRICT;

CREATE TABLE short_term_memories (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      TEXT NOT NULL,
    session_id TEXT NOT NULL,
    round_id   INTEGER NOT NULL UNIQUE REFERENCES rounds (id) ON DELETE CASCADE,
    round      INTEGER NOT NULL,
    content    TEXT NOT NULL,
    question   TEXT NOT NULL,
    trusted    INTEGER NOT NULL CHECK (trusted IN (0, 1)),
    tokens     TEXT NOT NULL,              -- search tokens, separated by blanks
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX short_term_newest ON short_term_memories (scope, session_id, id);

CREATE TABLE long_term_memories (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    uid            TEXT NOT NULL,
    scope          TEXT NOT NULL,
    content        TEXT NOT NULL CHECK (length(content) BETWEEN 2 AND 2000),
    type           TEXT NOT NULL,
    tags           TEXT NOT NULL DEFAULT '[]',      -- JSON
    confidence     REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    weight         REAL NOT NULL DEFAULT 1.0 CHECK (weight >= 0),
    state          TEXT NOT NULL DEFAULT 'live',
    held_because   TEXT,
    archived_because TEXT,
    pinned         INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    access_count   INTEGER NOT NULL DEFAULT 0,
    used           INTEGER NOT NULL DEFAULT 0,
    seen           INTEGER NOT NULL DEFAULT 1,
    last_accessed  TEXT,
    created_at     TEXT NOT NULL,
    updated_at     TEXT NOT NULL,
    origin_kind    TEXT NOT NULL,
    origin_session TEXT,
    origin_rounds  TEXT NOT NULL DEFAULT '[]',      -- JSON: round numbers
    origin_quote   TEXT,
    origin_model   TEXT,
    superseded_by  INTEGER,
    tokens         TEXT NOT NULL,                   -- search tokens, separated by blanks
    UNIQUE (scope, content),
    UNIQUE (scope, uid)
) STRICT;
CREATE INDEX long_term_listed ON long_term_memories (scope, state, weight DESC);
CREATE INDEX long_term_typed ON long_term_memories (scope, state, type, weight DESC);
CREATE INDEX long_term_pinned ON long_term_memories (scope, id) WHERE pinned = 1;

-- The search tokens of every long-term memory. Rebuilt from long_term_memories.tokens; a row is taken out by the
-- 'delete' command with the tokens that it was put in with, which leaves no tombstone and no token behind.
CREATE VIRTUAL TABLE long_term_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO long_term_text (long_term_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE long_term_vocabulary USING fts5vocab (long_term_text, row);

-- The truth about vectors; vec_long_term_memories is an index over it, made by the store for one model's
-- dimensions (meta 'vector_index') because its width is fixed when it is made.
CREATE TABLE vectors (
    kind   TEXT NOT NULL,                  -- long | short
    id     INTEGER NOT NULL,
    model  TEXT NOT NULL,
    vector BLOB NOT NULL,                  -- float16, little-endian, unit length
    PRIMARY KEY (kind, id, model)
) STRICT;

CREATE TABLE memory_usage_log (
    id            INTEGER PRIMARY KEY,
    round_id      INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
    memory_id     INTEGER NOT NULL,
    use           TEXT NOT NULL,
    weight_before REAL NOT NULL,
    weight_after  REAL NOT NULL,
    at            TEXT NOT NULL,
    UNIQUE (round_id, memory_id)
) STRICT;
CREATE INDEX usage_of_memory ON memory_usage_log (memory_id);

CREATE TABLE operations (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      TEXT NOT NULL,
    actor      TEXT NOT NULL,
    action     TEXT NOT NULL,
    at         TEXT NOT NULL,
    session_id TEXT,
    round      INTEGER,
    round_id   INTEGER,                    -- of a turn's weights: the attempt that moved them
    undoes     INTEGER REFERENCES operations (id),
    undone_by  INTEGER REFERENCES operations (id)
) STRICT;
CREATE INDEX operations_of_round ON operations (round_id) WHERE round_id IS NOT NULL;

-- What an operation did to a memory: the changed fields before and after, as JSON objects.
CREATE TABLE memory_history (
    id        INTEGER PRIMARY KEY,
    operation INTEGER NOT NULL REFERENCES operations (id),
    memory_id INTEGER NOT NULL,
    before    TEXT,                        -- NULL: the operation made the memory
    after     TEXT NOT NULL,
    UNIQUE (operation, memory_id)
) STRICT;
CREATE INDEX history_of_memory ON memory_history (memory_id);

-- Rounds that wait to be read by the memory agent.
CREATE TABLE dialogue_buffer (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      TEXT NOT NULL,
    session_id TEXT NOT NULL,
    round_id   INTEGER NOT NULL UNIQUE REFERENCES rounds (id) ON DELETE CASCADE,
    state      TEXT NOT NULL DEFAULT 'new',
    run        INTEGER REFERENCES extraction_runs (id),
    at         TEXT NOT NULL
) STRICT;
CREATE INDEX buffer_waiting ON dialogue_buffer (scope, state, session_id);

CREATE TABLE extraction_runs (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      TEXT NOT NULL,
    session_id TEXT NOT NULL,
    state      TEXT NOT NULL,
    tries      INTEGER NOT NULL DEFAULT 0,
    next_at    TEXT,
    started_at TEXT NOT NULL,
    ended_at   TEXT,
    operation  INTEGER REFERENCES operations (id),
    result     TEXT,                       -- JSON: stored, confirmed, replaced, candidates, dropped with reasons
    error      TEXT
) STRICT;

-- What the memory agent was asked and what it said.
CREATE TABLE subagent_messages (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    run     INTEGER NOT NULL REFERENCES extraction_runs (id) ON DELETE CASCADE,
    role    TEXT NOT NULL,
    content TEXT NOT NULL,
    model   TEXT NOT NULL DEFAULT '',
    usage   TEXT,
    at      TEXT NOT NULL
) STRICT;

CREATE TABLE turn_receipts (
    round_id INTEGER PRIMARY KEY REFERENCES rounds (id) ON DELETE CASCADE,
    body     TEXT NOT NULL                 -- JSON: domain.recall.Receipt
) STRICT;

CREATE TABLE embedding_cache (
    model   TEXT NOT NULL,
    text    TEXT NOT NULL,
    vector  BLOB NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (model, text)
) STRICT;
CREATE INDEX embedding_cache_oldest ON embedding_cache (used_at);
