-- Version 16: what a turn or a key waits for costs as much in a large home as in a small one.

-- How many memories there are of each state, type and weight: whatever a list counts is a sum of some.
CREATE TABLE memory_counts (
    scope    TEXT NOT NULL,
    state    TEXT NOT NULL,
    type     TEXT NOT NULL,
    weight   REAL NOT NULL,
    memories INTEGER NOT NULL,
    PRIMARY KEY (scope, state, type, weight)
) STRICT, WITHOUT ROWID;

INSERT INTO memory_counts (scope, state, type, weight, memories)
    SELECT scope, state, type, weight, count(*) FROM long_term_memories GROUP BY scope, state, type, weight;

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

-- The memories of a scope, a state and a type, in each order in which they are listed.
CREATE INDEX long_term_by_weight ON long_term_memories (scope, state, type, pinned DESC, weight DESC);
CREATE INDEX long_term_by_use ON long_term_memories (scope, state, type, coalesce(last_accessed, '') DESC);
CREATE INDEX long_term_by_age ON long_term_memories (scope, state, type, created_at);
CREATE INDEX long_term_waiting ON long_term_memories (scope, updated_at) WHERE state = 'candidate';
CREATE INDEX episodes_waiting ON episodes (scope, updated_at) WHERE state = 'candidate';
CREATE INDEX knowledge_waiting ON knowledge (scope, updated_at) WHERE state = 'candidate';
CREATE INDEX guides_waiting ON guides (scope, updated_at) WHERE state = 'candidate';

-- Which tags there are, and how many records of all kinds bear each.
CREATE TABLE tag_counts (
    scope   TEXT NOT NULL,
    tag     TEXT NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY (scope, tag)
) STRICT, WITHOUT ROWID;

-- Chats by their last use, rounds as they stand in them, the newest of a scope, and what a model counted.
CREATE INDEX sessions_used ON sessions (scope, used_at);
CREATE INDEX rounds_standing ON rounds (scope, session_id, number) WHERE replaced_by IS NULL;
CREATE INDEX rounds_of_scope ON rounds (scope);
CREATE INDEX rounds_counted ON rounds (scope, model)
    WHERE state = 'done' AND usage IS NOT NULL AND estimated_prompt_tokens > 0;

CREATE INDEX operations_of_scope ON operations (scope);
CREATE INDEX runs_of_scope ON extraction_runs (scope);
CREATE INDEX runs_ended ON extraction_runs (scope, state, ended_at);
