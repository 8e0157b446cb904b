-- Which memories come from one conversation, in the order of its rounds: what stands beside a memory is found by it.

-- Rounds that can not be read would keep the index from being made: such a memory stands beside none.
UPDATE long_term_memories SET origin_rounds = '[]'
    WHERE CASE WHEN json_valid(origin_rounds) THEN json_type(origin_rounds) <> 'array' ELSE 1 END;

CREATE INDEX IF NOT EXISTS memories_of_session ON long_term_memories
    (scope, origin_session, coalesce(json_extract(origin_rounds, '$[0]'), 0), id) WHERE origin_session IS NOT NULL;
