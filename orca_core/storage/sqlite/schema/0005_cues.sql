-- Cues: situations and questions in which a memory should come to mind.

ALTER TABLE long_term_memories ADD COLUMN cues TEXT NOT NULL DEFAULT '[]';  -- JSON
ALTER TABLE long_term_memories ADD COLUMN cues_by TEXT;                     -- NULL: nobody has written any yet

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
CREATE INDEX memories_without_cues ON long_term_memories (scope, weight DESC) WHERE cues_by IS NULL AND state = 'live';

-- The words of the cues, kept as those of the memories are.
CREATE VIRTUAL TABLE cue_text USING fts5 (
    tokens, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
INSERT INTO cue_text (cue_text, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE cue_vocabulary USING fts5vocab (cue_text, row);
