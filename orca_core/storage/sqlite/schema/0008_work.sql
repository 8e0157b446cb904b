-- Work: tasks with their steps, episodes, knowledge; and what the runs that make them read.

CREATE TABLE tasks (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    uid             TEXT NOT NULL,
    scope           TEXT NOT NULL,
    session_id      TEXT NOT NULL,
    request         TEXT NOT NULL,
    started_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,          -- also when a step of it was changed
    summary         TEXT NOT NULL DEFAULT '',
    target          TEXT NOT NULL DEFAULT '',
    context         TEXT NOT NULL DEFAULT '{}',     -- JSON
    "trigger"       TEXT NOT NULL DEFAULT 'user_request',
    tags            TEXT NOT NULL DEFAULT '[]',     -- JSON
    status          TEXT NOT NULL DEFAULT 'in_progress',
    ended_at        TEXT,
    outcome         TEXT,
    outcome_summary TEXT NOT NULL DEFAULT '',
    origin_kind     TEXT NOT NULL,
    origin_session  TEXT,
    origin_rounds   TEXT NOT NULL DEFAULT '[]',
    origin_quote    TEXT,
    origin_model    TEXT,
    UNIQUE (scope, uid)
) STRICT;
CREATE INDEX tasks_of_session ON tasks (scope, session_id, id);
CREATE INDEX tasks_listed ON tasks (scope, status, id);

CREATE TABLE task_steps (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    scope        TEXT NOT NULL,
    task         INTEGER NOT NULL,
    number       INTEGER NOT NULL CHECK (number >= 1),
    description  TEXT NOT NULL,
    tool         TEXT NOT NULL DEFAULT '',
    status       TEXT NOT NULL DEFAULT 'pending',
    started_at   TEXT,
    completed_at TEXT,
    -- Last, for they may be large: what is read without them touches none of their pages.
    args         TEXT NOT NULL DEFAULT '{}',        -- JSON
    result       TEXT NOT NULL DEFAULT '',
    UNIQUE (task, number)
) STRICT;

CREATE TABLE episodes (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    uid              TEXT NOT NULL,
    scope            TEXT NOT NULL,
    text             TEXT NOT NULL,         -- what it is found by, made of the other fields
    trigger_summary  TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    updated_at       TEXT NOT NULL,
    aged_from        TEXT NOT NULL,         -- when it was made, or brought back last
    trigger_type     TEXT NOT NULL DEFAULT 'user_request',
    target           TEXT NOT NULL DEFAULT '',
    steps            TEXT NOT NULL DEFAULT '[]',    -- JSON
    outcome          TEXT NOT NULL DEFAULT 'unknown',
    outcome_summary  TEXT NOT NULL DEFAULT '',
    tags             TEXT NOT NULL DEFAULT '[]',    -- JSON
    state            TEXT NOT NULL DEFAULT 'live',
    held_because     TEXT,
    archived_because TEXT,
    archived_at      TEXT,
    pinned           INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    access_count     INTEGER NOT NULL DEFAULT 0,
    last_accessed    TEXT,
    consolidated_into INTEGER,
    task             INTEGER,
    origin_kind      TEXT NOT NULL,
    origin_session   TEXT,
    origin_rounds    TEXT NOT NULL DEFAULT '[]',
    origin_quote     TEXT,
    origin_model     TEXT,
    tokens           TEXT NOT NULL DEFAULT '',      -- search tokens, separated by blanks
    UNIQUE (scope, uid)
) STRICT;
CREATE INDEX episodes_listed ON episodes (scope, state, id);
CREATE INDEX episodes_of_target ON episodes (scope, target) WHERE target <> '';
CREATE INDEX episodes_of_session ON episodes (scope, origin_session) WHERE origin_session IS NOT NULL;
CREATE UNIQUE INDEX episodes_of_task ON episodes (task) WHERE task IS NOT NULL;
CREATE INDEX episodes_of_knowledge ON episodes (consolidated_into) WHERE consolidated_into IS NOT NULL;

CREATE VIRTUAL TABLE episodes_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO episodes_text (episodes_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE episodes_vocabulary USING fts5vocab (episodes_text, row);

CREATE TABLE knowledge (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    uid              TEXT NOT NULL,
    scope            TEXT NOT NULL,
    text             TEXT NOT NULL,         -- what it is found by, made of the other fields
    topic            TEXT NOT NULL,
    content          TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    updated_at       TEXT NOT NULL,
    target           TEXT NOT NULL DEFAULT '',
    key_points       TEXT NOT NULL DEFAULT '[]',    -- JSON
    source_episodes  TEXT NOT NULL DEFAULT '[]',    -- JSON: numbers of episodes
    confidence       REAL NOT NULL DEFAULT 0.5 CHECK (confidence BETWEEN 0 AND 1),
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
CREATE INDEX knowledge_listed ON knowledge (scope, state, id);
CREATE INDEX knowledge_of_target ON knowledge (scope, target) WHERE target <> '';
-- A deleted episode is taken out of the sources that the history of knowledge names.
CREATE INDEX history_of_knowledge ON memory_history (id) WHERE kind = 'knowledge';

CREATE VIRTUAL TABLE knowledge_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO knowledge_text (knowledge_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE knowledge_vocabulary USING fts5vocab (knowledge_text, row);

-- A consolidation reads episodes on one target; a reading for episodes reads rounds of a session, as an extraction does.
ALTER TABLE extraction_runs ADD COLUMN target TEXT NOT NULL DEFAULT '';
ALTER TABLE extraction_runs ADD COLUMN episodes TEXT NOT NULL DEFAULT '[]';    -- JSON: numbers of the episodes that it reads
-- The last round of a session up to which it was read for episodes. What was said before this step is not read: an
-- update must not cost a model's answer for each old chat.
ALTER TABLE sessions ADD COLUMN episodes_through INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET episodes_through = coalesce((
    SELECT max(r.number) FROM rounds r WHERE r.scope = sessions.scope AND r.session_id = sessions.id
), 0);

-- Which episodes and knowledge stand in the exchange of a run, shown or made: deleting one deletes the exchange.
CREATE TABLE run_records (
    kind      TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    run       INTEGER NOT NULL REFERENCES extraction_runs (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, record_id, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_records_of_run ON run_records (run);
