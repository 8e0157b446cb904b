"""Takes out of a database of today what older schemas did not have."""

from __future__ import annotations

_TAGGED = ("long_term_memories", "episodes", "tasks")
_INDEXES = (
    "long_term_by_weight long_term_by_use long_term_by_age long_term_waiting episodes_waiting knowledge_waiting"
    " guides_waiting sessions_used rounds_standing rounds_of_scope rounds_counted operations_of_scope runs_of_scope"
    " runs_ended"
).split()
WITHOUT_COUNTS = (
    *(f"DROP TRIGGER memory_{what}" for what in ("came", "went", "moved")),
    *(f"DROP TRIGGER {table}_tags_{what}" for table in _TAGGED for what in ("came", "went", "moved")),
    *(f"DROP INDEX {index}" for index in _INDEXES),
    "DROP TABLE memory_counts",
    "DROP TABLE tag_counts",
)
"""Before schema 16: counts by triggers, and lists by indexes."""
