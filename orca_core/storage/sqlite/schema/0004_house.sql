-- Records of any kind: what was told of memories alone says which kind it tells of.

UPDATE vectors SET kind = CASE kind WHEN 'long' THEN 'memory' WHEN 'short' THEN 'summary' ELSE kind END;
UPDATE meta SET key = 'vector_index vec_long_term_memories' WHERE key = 'vector_index';
DROP TRIGGER short_term_ends;
CREATE TRIGGER short_term_ends AFTER DELETE ON short_term_memories BEGIN
    DELETE FROM vectors WHERE kind = 'summary' AND id = old.id;
END;

-- What an operation did to a record: the changed fields before and after, as JSON objects.
CREATE TABLE history_of_any_kind (
    id        INTEGER PRIMARY KEY,
    operation INTEGER NOT NULL REFERENCES operations (id),
    kind      TEXT NOT NULL DEFAULT 'memory',
    memory_id INTEGER NOT NULL,            -- the record's number among its kind
    before    TEXT,                        -- NULL: the operation made the record
    after     TEXT NOT NULL,
    UNIQUE (operation, kind, memory_id)
) STRICT;
INSERT INTO history_of_any_kind (id, operation, memory_id, before, after)
    SELECT id, operation, memory_id, before, after FROM memory_history;
DROP TABLE memory_history;
ALTER TABLE history_of_any_kind RENAME TO memory_history;
CREATE INDEX history_of_memory ON memory_history (memory_id, kind);

CREATE TABLE usage_of_any_kind (
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
INSERT INTO usage_of_any_kind (id, round_id, memory_id, use, weight_before, weight_after, at)
    SELECT id, round_id, memory_id, use, weight_before, weight_after, at FROM memory_usage_log;
DROP TABLE memory_usage_log;
ALTER TABLE usage_of_any_kind RENAME TO memory_usage_log;
CREATE INDEX usage_of_memory ON memory_usage_log (memory_id, kind);

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
DROP TABLE receipt_refs;
CREATE TRIGGER receipt_ends AFTER DELETE ON turn_receipts BEGIN
    UPDATE receipt_texts SET held_by = held_by - 1
    WHERE id IN (SELECT value FROM json_each(old.body, '$.texts'));
    DELETE FROM receipt_texts WHERE held_by <= 0 AND id IN (SELECT value FROM json_each(old.body, '$.texts'));
END;

-- What was deleted for good, as a keyed hash of the statement, so that it is not learnt again by itself.
CREATE TABLE tombstones (
    scope  TEXT NOT NULL,
    digest BLOB NOT NULL,
    at     TEXT NOT NULL,
    PRIMARY KEY (scope, digest)
) STRICT, WITHOUT ROWID;

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
