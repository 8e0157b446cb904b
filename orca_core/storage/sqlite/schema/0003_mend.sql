-- Why a round ended as it did, as JSON {"kind", "template", "hint_template", "fields"}: an error, or a cut by the
-- server. NULL where nothing is to be said.
ALTER TABLE rounds ADD COLUMN cause TEXT;

-- Vectors of questions by the keyed hash of the text (meta 'cache_secret'): no text stands here. What stood in the old
-- table in plain words is wiped with it, out of the journal too.
DROP TABLE embedding_cache;
CREATE TABLE embedding_cache (
    key     BLOB NOT NULL,
    model   TEXT NOT NULL,
    vector  BLOB NOT NULL,
    used_at TEXT NOT NULL,
    PRIMARY KEY (key, model)
) STRICT;
CREATE INDEX embedding_cache_oldest ON embedding_cache (used_at);
INSERT INTO meta (key, value) VALUES ('cache_secret', lower(hex(randomblob(32))));
INSERT OR REPLACE INTO meta (key, value) VALUES ('wipe_pending', '1');

-- Which round a summary told of: known for as long as the round is, though summaries expire.
CREATE TABLE short_term_sources (
    id       INTEGER PRIMARY KEY,
    round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX short_term_sources_of_round ON short_term_sources (round_id);
INSERT INTO short_term_sources (id, round_id) SELECT id, round_id FROM short_term_memories;
CREATE TRIGGER short_term_begins AFTER INSERT ON short_term_memories BEGIN
    INSERT INTO short_term_sources (id, round_id) VALUES (new.id, new.round_id);
END;
-- However a summary goes (replaced, too many, too old, with its round), its vectors go along.
CREATE TRIGGER short_term_ends AFTER DELETE ON short_term_memories BEGIN
    DELETE FROM vectors WHERE kind = 'short' AND id = old.id;
END;
CREATE INDEX short_term_oldest ON short_term_memories (scope, created_at);
DELETE FROM vectors WHERE kind = 'short' AND id NOT IN (SELECT id FROM short_term_memories);
DELETE FROM vectors WHERE kind = 'long' AND id NOT IN (SELECT id FROM long_term_memories);

-- Which receipts hold the text of which memory or summary (`7`, `s41`), so that deleting finds them.
CREATE TABLE receipt_refs (
    ref      TEXT NOT NULL,
    round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
    PRIMARY KEY (ref, round_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_refs_of_round ON receipt_refs (round_id);
INSERT OR IGNORE INTO receipt_refs (ref, round_id)
    SELECT json_extract(item.value, '$.ref'), t.round_id FROM turn_receipts t, json_each(t.body, '$.injection.injected') item
    UNION SELECT json_extract(item.value, '$.ref'), t.round_id FROM turn_receipts t, json_each(t.body, '$.injection.dropped') item;

-- Which runs of the memory agent were shown a memory, or came to it.
CREATE TABLE run_memories (
    memory_id INTEGER NOT NULL,
    run       INTEGER NOT NULL REFERENCES extraction_runs (id) ON DELETE CASCADE,
    PRIMARY KEY (memory_id, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_memories_of_run ON run_memories (run);

-- 1: a person gave the title, which is kept whatever becomes of the first question.
ALTER TABLE sessions ADD COLUMN is_named INTEGER NOT NULL DEFAULT 0 CHECK (is_named IN (0, 1));

-- What deleting asks for: without these it reads whole tables.
CREATE INDEX rounds_replaced ON rounds (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX runs_of_session ON extraction_runs (scope, session_id);
CREATE INDEX memories_superseded ON long_term_memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_to_replace ON long_term_memories (would_replace) WHERE would_replace IS NOT NULL;
CREATE INDEX undecided_older ON undecided_pairs (older);

-- Rounds that were replaced while they waited to be learnt from: nobody reads them any more.
DELETE FROM dialogue_buffer
WHERE state <> 'done' AND round_id IN (SELECT id FROM rounds WHERE replaced_by IS NOT NULL);

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

-- The session in which a round was first said, where it came into this one by a fork: what is deleted with its messages
-- takes the copies along. Forks that are there already show by what they have in common.
ALTER TABLE rounds ADD COLUMN said_in TEXT;
CREATE INDEX rounds_copied ON rounds (scope, said_in, number) WHERE said_in IS NOT NULL;
UPDATE rounds SET said_in = original.session_id
FROM (SELECT r.id, first_value(r.session_id) OVER (
          PARTITION BY r.scope, r.number, r.started_at, m.content ORDER BY r.id) AS session_id
      FROM rounds r JOIN main_messages m ON m.round_id = r.id AND m.role = 'user') original
WHERE original.id = rounds.id AND original.session_id <> rounds.session_id;
