-- All tables of a database. Times are ISO 8601 in UTC with microseconds and Z, so that they sort as text. Columns stand
-- in the order in which homes that were made before this file have them.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('cache_secret', lower(hex(randomblob(32))));


-- Chats

CREATE TABLE sessions (
    rowid      INTEGER PRIMARY KEY,
    id         TEXT NOT NULL,
    scope      TEXT NOT NULL,
    title      TEXT NOT NULL,
    created_at TEXT NOT NULL,
    used_at    TEXT NOT NULL,              -- when its latest round began: `latest session` goes by it
    summary    TEXT,                       -- the running summary, and the last round that it covers
    summary_through  INTEGER NOT NULL DEFAULT 0,
    is_named         INTEGER NOT NULL DEFAULT 0 CHECK (is_named IN (0, 1)),    -- 1: a person gave the title, which is kept
    episodes_through INTEGER NOT NULL DEFAULT 0,    -- the last round up to which it was read for episodes
    UNIQUE (scope, id)
) STRICT;
CREATE INDEX sessions_used ON sessions (scope, used_at);

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
    -- Why it ended as it did, as JSON {"kind", "template", "hint_template", "fields"}: an error, or a cut by the server.
    -- NULL where nothing is to be said.
    cause       TEXT,
    -- The session in which it was first said, where it came into this one by a fork: what is deleted with its messages
    -- takes the copies along.
    said_in     TEXT,
    UNIQUE (scope, session_id, number, attempt),
    FOREIGN KEY (scope, session_id) REFERENCES sessions (scope, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX rounds_streaming ON rounds (state) WHERE state = 'streaming';
CREATE INDEX rounds_replaced ON rounds (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX rounds_copied ON rounds (scope, said_in, number) WHERE said_in IS NOT NULL;
CREATE INDEX rounds_standing ON rounds (scope, session_id, number) WHERE replaced_by IS NULL;
CREATE INDEX rounds_of_scope ON rounds (scope);
CREATE INDEX rounds_counted ON rounds (scope, model)
    WHERE state = 'done' AND usage IS NOT NULL AND estimated_prompt_tokens > 0;

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

-- The words of what was said. Every character beyond ASCII belongs to a word: what is a word the rules have decided,
-- and `meta` says which rules. It holds no text: what takes a message out makes its words again.
CREATE VIRTUAL TABLE message_text USING fts5 (tokens, content='', tokenize="ascii tokenchars '_'");
INSERT INTO message_text (message_text, rank) VALUES ('secure-delete', 1);

-- Messages that are not in it yet: a fork's, an answer while it comes. They are indexed in the background.
CREATE TABLE unindexed_messages (
    id INTEGER PRIMARY KEY REFERENCES main_messages (id) ON DELETE CASCADE
) STRICT;
CREATE TRIGGER message_waits AFTER INSERT ON main_messages BEGIN
    INSERT OR IGNORE INTO unindexed_messages (id) VALUES (new.id);
END;

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
CREATE INDEX short_term_oldest ON short_term_memories (scope, created_at);
-- However a summary goes (replaced, too many, too old, with its round), its vectors go along.
CREATE TRIGGER short_term_ends AFTER DELETE ON short_term_memories BEGIN
    DELETE FROM vectors WHERE kind = 'summary' AND id = old.id;
END;

-- Which round a summary told of: known for as long as the round is, though summaries expire.
CREATE TABLE short_term_sources (
    id       INTEGER PRIMARY KEY,
    round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX short_term_sources_of_round ON short_term_sources (round_id);
CREATE TRIGGER short_term_begins AFTER INSERT ON short_term_memories BEGIN
    INSERT INTO short_term_sources (id, round_id) VALUES (new.id, new.round_id);
END;

-- How long a prompt a model takes, as its server named it when it refused one; `configured` is what the configuration
-- said then, `token_ratio` how the server counted over what the rules estimated.
CREATE TABLE context_limits (
    endpoint    TEXT NOT NULL,
    model       TEXT NOT NULL,
    tokens      INTEGER NOT NULL,
    configured  INTEGER NOT NULL,
    at          TEXT NOT NULL,
    token_ratio REAL,
    PRIMARY KEY (endpoint, model)
) STRICT, WITHOUT ROWID;


-- Receipts

CREATE TABLE turn_receipts (
    round_id INTEGER PRIMARY KEY REFERENCES rounds (id) ON DELETE CASCADE,
    body     TEXT NOT NULL                 -- JSON, in pieces: texts of records stand in receipt_texts
) STRICT;
CREATE TRIGGER receipt_ends AFTER DELETE ON turn_receipts BEGIN
    UPDATE receipt_texts SET held_by = held_by - 1
    WHERE id IN (SELECT value FROM json_each(old.body, '$.texts'));
    DELETE FROM receipt_texts WHERE held_by <= 0 AND id IN (SELECT value FROM json_each(old.body, '$.texts'));
END;

-- What receipts show of records: each text of a record once, with how many receipts hold it. Ids are never used again:
-- a receipt that names one which is not there shows that it was deleted.
CREATE TABLE receipt_texts (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    content TEXT NOT NULL,
    held_by INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Which texts go with which record; one that could not be cut into pieces goes with any of several.
CREATE TABLE texts_of_records (
    kind   TEXT NOT NULL,
    record INTEGER NOT NULL,
    text   INTEGER NOT NULL REFERENCES receipt_texts (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, record, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX records_of_text ON texts_of_records (text);
-- How blocks begin: Orca's own words, the same in most.
CREATE TABLE receipt_heads (
    id      INTEGER PRIMARY KEY,
    content TEXT NOT NULL UNIQUE
) STRICT;


-- Memories

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
    would_replace  INTEGER,                         -- of a candidate: the memory in whose place it would stand
    cues           TEXT NOT NULL DEFAULT '[]',      -- JSON: situations and questions in which it should come to mind
    cues_by        TEXT,                            -- NULL: nobody has written any yet
    confirmed_by   TEXT,                            -- a person's hand, typed words, or NULL: its supports
    searched       INTEGER NOT NULL DEFAULT 0,      -- programs' searches count as visits while it waits
    searched_at    TEXT,
    -- Where an imported one was before: the program whose file it came in, the title of its chat there.
    elsewhere_program TEXT NOT NULL DEFAULT '',
    elsewhere_chat    TEXT NOT NULL DEFAULT '',
    UNIQUE (scope, content),
    UNIQUE (scope, uid)
) STRICT;
CREATE INDEX long_term_listed ON long_term_memories (scope, state, weight DESC);
CREATE INDEX long_term_typed ON long_term_memories (scope, state, type, weight DESC);
CREATE INDEX long_term_pinned ON long_term_memories (scope, id) WHERE pinned = 1;
-- Those of a scope, a state and a type, in each order in which they are listed.
CREATE INDEX long_term_by_weight ON long_term_memories (scope, state, type, pinned DESC, weight DESC);
CREATE INDEX long_term_by_use ON long_term_memories (scope, state, type, coalesce(last_accessed, '') DESC);
CREATE INDEX long_term_by_age ON long_term_memories (scope, state, type, created_at);
CREATE INDEX long_term_waiting ON long_term_memories (scope, updated_at) WHERE state = 'candidate';
CREATE INDEX memories_superseded ON long_term_memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_to_replace ON long_term_memories (would_replace) WHERE would_replace IS NOT NULL;
CREATE INDEX memories_without_cues ON long_term_memories (scope, weight DESC) WHERE cues_by IS NULL AND state = 'live';
-- Those of one conversation, in the order of its rounds: what stands beside a memory is found by it.
CREATE INDEX memories_of_session ON long_term_memories
    (scope, origin_session, coalesce(json_extract(origin_rounds, '$[0]'), 0), id) WHERE origin_session IS NOT NULL;

-- Their search tokens. A row is taken out by the 'delete' command with the tokens that it was put in with, which leaves
-- no tombstone and no token behind. So it is for the other kinds.
CREATE VIRTUAL TABLE long_term_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO long_term_text (long_term_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE long_term_vocabulary USING fts5vocab (long_term_text, row);

-- The index of cues, a row each, so that the words of two are not mixed. Made from long_term_memories.cues.
CREATE TABLE memory_cues (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    scope     TEXT NOT NULL,
    memory_id INTEGER NOT NULL,
    cue       TEXT NOT NULL,
    tokens    TEXT NOT NULL,               -- search tokens, separated by blanks
    live      INTEGER NOT NULL             -- 1: a search finds it, as its memory
) STRICT;
CREATE INDEX cues_of_memory ON memory_cues (memory_id);
CREATE VIRTUAL TABLE cue_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO cue_text (cue_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE cue_vocabulary USING fts5vocab (cue_text, row);

-- Pairs that the rules could not decide.
CREATE TABLE undecided_pairs (
    scope   TEXT NOT NULL,
    newer   INTEGER NOT NULL,
    older   INTEGER NOT NULL,
    why     TEXT NOT NULL,
    at      TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
    PRIMARY KEY (newer, older)
) STRICT, WITHOUT ROWID;
CREATE INDEX undecided_older ON undecided_pairs (older);

CREATE TABLE memory_usage_log (
    id            INTEGER PRIMARY KEY,
    round_id      INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
    kind          TEXT NOT NULL DEFAULT 'memory',
    memory_id     INTEGER NOT NULL,
    use           TEXT NOT NULL,
    weight_before REAL,                    -- NULL: a kind whose records have no weight
    weight_after  REAL,
    at            TEXT NOT NULL,
    UNIQUE (round_id, kind, memory_id)
) STRICT;
CREATE INDEX usage_of_memory ON memory_usage_log (memory_id, kind);

-- How many memories there are of each state, type and weight: whatever a list counts is a sum of some.
CREATE TABLE memory_counts (
    scope    TEXT NOT NULL,
    state    TEXT NOT NULL,
    type     TEXT NOT NULL,
    weight   REAL NOT NULL,
    memories INTEGER NOT NULL,
    PRIMARY KEY (scope, state, type, weight)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER memory_came AFTER INSERT ON long_term_memories BEGIN
    INSERT INTO memory_counts (scope, state, type, weight, memories)
        VALUES (new.scope, new.state, new.type, new.weight, 1)
        ON CONFLICT DO UPDATE SET memories = memories + 1;
END;
CREATE TRIGGER memory_went AFTER DELETE ON long_term_memories BEGIN
    UPDATE memory_counts SET memories = memories - 1
        WHERE scope = old.scope AND state = old.state AND type = old.type AND weight = old.weight;
    DELETE FROM memory_counts
        WHERE scope = old.scope AND state = old.state AND type = old.type AND weight = old.weight AND memories = 0;
END;
CREATE TRIGGER memory_moved AFTER UPDATE OF scope, state, type, weight ON long_term_memories
WHEN (old.scope, old.state, old.type, old.weight) <> (new.scope, new.state, new.type, new.weight) BEGIN
    INSERT INTO memory_counts (scope, state, type, weight, memories)
        VALUES (new.scope, new.state, new.type, new.weight, 1)
        ON CONFLICT DO UPDATE SET memories = memories + 1;
    UPDATE memory_counts SET memories = memories - 1
        WHERE scope = old.scope AND state = old.state AND type = old.type AND weight = old.weight;
    DELETE FROM memory_counts
        WHERE scope = old.scope AND state = old.state AND type = old.type AND weight = old.weight AND memories = 0;
END;


-- Tasks, episodes, knowledge

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
    says             TEXT NOT NULL DEFAULT '',      -- the fingerprint of what it says
    read_as          TEXT,                          -- the one that a consolidation read; NULL: none did
    UNIQUE (scope, uid)
) STRICT;
CREATE INDEX episodes_listed ON episodes (scope, state, id);
CREATE INDEX episodes_of_target ON episodes (scope, target) WHERE target <> '';
CREATE INDEX episodes_of_session ON episodes (scope, origin_session) WHERE origin_session IS NOT NULL;
CREATE UNIQUE INDEX episodes_of_task ON episodes (task) WHERE task IS NOT NULL;
CREATE INDEX episodes_of_knowledge ON episodes (consolidated_into) WHERE consolidated_into IS NOT NULL;
CREATE INDEX episodes_waiting ON episodes (scope, updated_at) WHERE state = 'candidate';
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
CREATE INDEX knowledge_waiting ON knowledge (scope, updated_at) WHERE state = 'candidate';
CREATE VIRTUAL TABLE knowledge_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO knowledge_text (knowledge_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE knowledge_vocabulary USING fts5vocab (knowledge_text, row);


-- Acts, what supports a memory, calls of tools, guides

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
CREATE INDEX guides_waiting ON guides (scope, updated_at) WHERE state = 'candidate';
CREATE VIRTUAL TABLE guides_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO guides_text (guides_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE guides_vocabulary USING fts5vocab (guides_text, row);

-- Operations, and what was deleted

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
    undone_by  INTEGER REFERENCES operations (id),
    under_way  TEXT                        -- how far an undo or redo of much is that is done in slices; NULL: it is done
) STRICT;
CREATE INDEX operations_of_round ON operations (round_id) WHERE round_id IS NOT NULL;
CREATE INDEX operations_under_way ON operations (scope) WHERE under_way IS NOT NULL;
CREATE INDEX operations_of_scope ON operations (scope);

-- What an operation did to a record: the changed fields before and after, as JSON objects.
CREATE TABLE memory_history (
    id        INTEGER PRIMARY KEY,
    operation INTEGER NOT NULL REFERENCES operations (id),
    kind      TEXT NOT NULL DEFAULT 'memory',
    memory_id INTEGER NOT NULL,            -- the record's number among its kind
    before    TEXT,                        -- NULL: the operation made the record
    after     TEXT NOT NULL,
    UNIQUE (operation, kind, memory_id)
) STRICT;
CREATE INDEX history_of_memory ON memory_history (memory_id, kind);
-- A deleted episode is taken out of the sources that the history of knowledge names.
CREATE INDEX history_of_knowledge ON memory_history (id) WHERE kind = 'knowledge';

-- What was deleted for good, as a keyed hash of the statement, so that it is not learnt again by itself.
CREATE TABLE tombstones (
    scope  TEXT NOT NULL,
    digest BLOB NOT NULL,
    at     TEXT NOT NULL,
    PRIMARY KEY (scope, digest)
) STRICT, WITHOUT ROWID;

-- Which tags there are, and how many records of all kinds bear each.
CREATE TABLE tag_counts (
    scope   TEXT NOT NULL,
    tag     TEXT NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY (scope, tag)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER long_term_memories_tags_came AFTER INSERT ON long_term_memories WHEN new.tags <> '[]' BEGIN
    INSERT INTO tag_counts (scope, tag, records)
        SELECT new.scope, value, 1 FROM (
            SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(new.tags) THEN new.tags ELSE '[]' END)
            WHERE type = 'text'
        ) WHERE 1
        ON CONFLICT DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER long_term_memories_tags_went AFTER DELETE ON long_term_memories WHEN old.tags <> '[]' BEGIN
    UPDATE tag_counts SET records = records - 1 WHERE scope = old.scope AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
    DELETE FROM tag_counts WHERE scope = old.scope AND records = 0 AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
END;
CREATE TRIGGER long_term_memories_tags_moved AFTER UPDATE OF scope, tags ON long_term_memories
WHEN (old.scope, old.tags) <> (new.scope, new.tags) BEGIN
    INSERT INTO tag_counts (scope, tag, records)
        SELECT new.scope, value, 1 FROM (
            SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(new.tags) THEN new.tags ELSE '[]' END)
            WHERE type = 'text'
        ) WHERE 1
        ON CONFLICT DO UPDATE SET records = records + 1;
    UPDATE tag_counts SET records = records - 1 WHERE scope = old.scope AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
    DELETE FROM tag_counts WHERE scope = old.scope AND records = 0 AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
END;
CREATE TRIGGER episodes_tags_came AFTER INSERT ON episodes WHEN new.tags <> '[]' BEGIN
    INSERT INTO tag_counts (scope, tag, records)
        SELECT new.scope, value, 1 FROM (
            SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(new.tags) THEN new.tags ELSE '[]' END)
            WHERE type = 'text'
        ) WHERE 1
        ON CONFLICT DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER episodes_tags_went AFTER DELETE ON episodes WHEN old.tags <> '[]' BEGIN
    UPDATE tag_counts SET records = records - 1 WHERE scope = old.scope AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
    DELETE FROM tag_counts WHERE scope = old.scope AND records = 0 AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
END;
CREATE TRIGGER episodes_tags_moved AFTER UPDATE OF scope, tags ON episodes
WHEN (old.scope, old.tags) <> (new.scope, new.tags) BEGIN
    INSERT INTO tag_counts (scope, tag, records)
        SELECT new.scope, value, 1 FROM (
            SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(new.tags) THEN new.tags ELSE '[]' END)
            WHERE type = 'text'
        ) WHERE 1
        ON CONFLICT DO UPDATE SET records = records + 1;
    UPDATE tag_counts SET records = records - 1 WHERE scope = old.scope AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
    DELETE FROM tag_counts WHERE scope = old.scope AND records = 0 AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
END;
CREATE TRIGGER tasks_tags_came AFTER INSERT ON tasks WHEN new.tags <> '[]' BEGIN
    INSERT INTO tag_counts (scope, tag, records)
        SELECT new.scope, value, 1 FROM (
            SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(new.tags) THEN new.tags ELSE '[]' END)
            WHERE type = 'text'
        ) WHERE 1
        ON CONFLICT DO UPDATE SET records = records + 1;
END;
CREATE TRIGGER tasks_tags_went AFTER DELETE ON tasks WHEN old.tags <> '[]' BEGIN
    UPDATE tag_counts SET records = records - 1 WHERE scope = old.scope AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
    DELETE FROM tag_counts WHERE scope = old.scope AND records = 0 AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
END;
CREATE TRIGGER tasks_tags_moved AFTER UPDATE OF scope, tags ON tasks
WHEN (old.scope, old.tags) <> (new.scope, new.tags) BEGIN
    INSERT INTO tag_counts (scope, tag, records)
        SELECT new.scope, value, 1 FROM (
            SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(new.tags) THEN new.tags ELSE '[]' END)
            WHERE type = 'text'
        ) WHERE 1
        ON CONFLICT DO UPDATE SET records = records + 1;
    UPDATE tag_counts SET records = records - 1 WHERE scope = old.scope AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
    DELETE FROM tag_counts WHERE scope = old.scope AND records = 0 AND tag IN (
        SELECT DISTINCT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags ELSE '[]' END)
        WHERE type = 'text'
    );
END;


-- What the memory agent reads, was asked and said

-- Rounds that wait to be read.
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
CREATE INDEX buffer_of_run ON dialogue_buffer (run) WHERE run IS NOT NULL;

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
    error      TEXT,
    kind       TEXT NOT NULL DEFAULT 'extract',
    rounds     TEXT NOT NULL DEFAULT '[]', -- JSON: ids of the rounds that it reads
    again      INTEGER NOT NULL DEFAULT 0, -- 1: the rounds had been read before
    target     TEXT NOT NULL DEFAULT '',   -- what the episodes are about, or the tool
    episodes   TEXT NOT NULL DEFAULT '[]', -- JSON: numbers of the episodes that it reads
    acts       TEXT NOT NULL DEFAULT '[]'  -- JSON: numbers of the acts that it reads
) STRICT;
CREATE INDEX runs_open ON extraction_runs (scope, state, next_at);
CREATE INDEX runs_of_session ON extraction_runs (scope, session_id);
CREATE INDEX runs_of_scope ON extraction_runs (scope);
CREATE INDEX runs_ended ON extraction_runs (scope, state, ended_at);
CREATE INDEX run_of_acts ON extraction_runs (kind, state) WHERE kind IN ('actions', 'guides');

CREATE TABLE subagent_messages (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    run     INTEGER NOT NULL REFERENCES extraction_runs (id) ON DELETE CASCADE,
    role    TEXT NOT NULL,
    content TEXT NOT NULL,
    model   TEXT NOT NULL DEFAULT '',
    usage   TEXT,
    at      TEXT NOT NULL
) STRICT;
CREATE INDEX agent_messages_of_run ON subagent_messages (run);

-- Which runs were shown a memory, or came to it.
CREATE TABLE run_memories (
    memory_id INTEGER NOT NULL,
    run       INTEGER NOT NULL REFERENCES extraction_runs (id) ON DELETE CASCADE,
    PRIMARY KEY (memory_id, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_memories_of_run ON run_memories (run);

-- Which episodes and knowledge stand in the exchange of a run, shown or made: deleting one deletes the exchange.
CREATE TABLE run_records (
    kind      TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    run       INTEGER NOT NULL REFERENCES extraction_runs (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, record_id, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_records_of_run ON run_records (run);

-- The ledger: every call of the memory agent, whatever came of it, with what it cost.
CREATE TABLE agent_calls (
    id                INTEGER PRIMARY KEY,
    scope             TEXT NOT NULL,
    job               TEXT NOT NULL,
    model             TEXT NOT NULL,
    at                TEXT NOT NULL,
    day               TEXT NOT NULL,       -- as the user's calendar had it: 2026-11-20
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    estimated         INTEGER NOT NULL,    -- 1: by Orca's rules, for the provider did not count them
    cost              REAL,                -- NULL: nobody named a price
    currency          TEXT
) STRICT;
CREATE INDEX agent_calls_of_day ON agent_calls (scope, day);


-- Vectors, and words counted

-- The truth about vectors; vec_long_term_memories and its like are indexes over it, made by the store for one model's
-- dimensions (meta 'vector_index …') because their width is fixed when they are made.
CREATE TABLE vectors (
    kind   TEXT NOT NULL,
    id     INTEGER NOT NULL,
    model  TEXT NOT NULL,
    vector BLOB NOT NULL,                  -- float16, little-endian, unit length
    PRIMARY KEY (kind, id, model)
) STRICT;

-- Which vectors came, went or changed their state, latest last: what holds the codes of many in memory reads only
-- these again. The last 20,000 are kept; who is farther behind reads all.
CREATE TABLE vector_changes (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id   INTEGER NOT NULL
) STRICT;
CREATE TRIGGER vector_came AFTER INSERT ON vectors BEGIN
    INSERT INTO vector_changes (kind, id) VALUES (new.kind, new.id);
    DELETE FROM vector_changes WHERE seq <= last_insert_rowid() - 20000;
END;
CREATE TRIGGER vector_went AFTER DELETE ON vectors BEGIN
    INSERT INTO vector_changes (kind, id) VALUES (old.kind, old.id);
    DELETE FROM vector_changes WHERE seq <= last_insert_rowid() - 20000;
END;

-- Vectors of questions by the keyed hash of the text (meta 'cache_secret'): no text stands here.
CREATE TABLE embedding_cache (
    key     BLOB NOT NULL,
    model   TEXT NOT NULL,
    vector  BLOB NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (key, model)
) STRICT;
CREATE INDEX embedding_cache_oldest ON embedding_cache (used_at);

-- How many records of a kind hold each word, under its scope as in the full-text index, and under the scope's own mark
-- how many records there are. Where `meta` says so they are being counted, slice by slice.
CREATE TABLE word_counts (
    kind    TEXT NOT NULL,
    word    TEXT NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY (kind, word)
) STRICT, WITHOUT ROWID;
