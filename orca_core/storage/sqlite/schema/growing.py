"""Counts that grow with what they count: kept by triggers, so that nobody counts rows while a person waits."""

from __future__ import annotations

import apsw

_TAGGED = ("long_term_memories", "episodes", "tasks")
_READABLE = "CASE WHEN json_valid({0}) THEN {0} ELSE '[]' END"
_TAGS = f"SELECT DISTINCT value FROM json_each({_READABLE}) WHERE type = 'text'"
_ONE_MORE = f"""
    INSERT INTO tag_counts (scope, tag, records) SELECT new.scope, value, 1 FROM ({_TAGS.format("new.tags")}) WHERE 1
        ON CONFLICT DO UPDATE SET records = records + 1;
"""
_ONE_LESS = f"""
    UPDATE tag_counts SET records = records - 1 WHERE scope = old.scope AND tag IN ({_TAGS.format("old.tags")});
    DELETE FROM tag_counts WHERE scope = old.scope AND records = 0 AND tag IN ({_TAGS.format("old.tags")});
"""
_COUNT = f"""
    INSERT INTO tag_counts (scope, tag, records)
    SELECT scope, value, count(DISTINCT id) FROM (
        SELECT r.scope, r.id, t.value FROM {{0}} r, json_each({_READABLE.format("r.tags")}) t WHERE t.type = 'text'
    ) WHERE 1 GROUP BY scope, value
        ON CONFLICT DO UPDATE SET records = records + excluded.records
"""
_TRIGGERS = """
    CREATE TRIGGER {0}_tags_came AFTER INSERT ON {0} WHEN new.tags <> '[]' BEGIN {1} END;
    CREATE TRIGGER {0}_tags_went AFTER DELETE ON {0} WHEN old.tags <> '[]' BEGIN {2} END;
    CREATE TRIGGER {0}_tags_moved AFTER UPDATE OF scope, tags ON {0}
        WHEN (old.scope, old.tags) <> (new.scope, new.tags) BEGIN {1} {2} END;
"""


def count_tags(connection: apsw.Connection) -> None:
    """Count the tags of all records, from here on as they come and go."""
    for table in _TAGGED:
        connection.execute(_COUNT.format(table))
        for _ in connection.execute(_TRIGGERS.format(table, _ONE_MORE, _ONE_LESS)):
            pass
