-- Which memories come from one conversation, in the order of its rounds: what stands beside a memory is found by it.

CREATE INDEX IF NOT EXISTS memories_of_session ON long_term_memories
    (scope, origin_session, coalesce(json_extract(origin_rounds, '$[0]'), 0), id) WHERE origin_session IS NOT NULL;
