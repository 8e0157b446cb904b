-- What learning in the background needs: kinds of runs, the rounds of each, candidates that would replace another
-- memory, and pairs that the rules could not decide.

ALTER TABLE long_term_memories ADD COLUMN would_replace INTEGER;

ALTER TABLE extraction_runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'extract';
ALTER TABLE extraction_runs ADD COLUMN rounds TEXT NOT NULL DEFAULT '[]';      -- JSON: ids of the rounds that it reads
ALTER TABLE extraction_runs ADD COLUMN again INTEGER NOT NULL DEFAULT 0;       -- 1: the rounds had been read before
CREATE INDEX runs_open ON extraction_runs (scope, state, next_at);
CREATE INDEX buffer_of_run ON dialogue_buffer (run) WHERE run IS NOT NULL;
CREATE INDEX agent_messages_of_run ON subagent_messages (run);

CREATE TABLE undecided_pairs (
    scope   TEXT NOT NULL,
    newer   INTEGER NOT NULL,
    older   INTEGER NOT NULL,
    why     TEXT NOT NULL,
    at      TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
    PRIMARY KEY (newer, older)
) STRICT, WITHOUT ROWID;
