"""Which tables belong to a scope, and which of them a scope shares."""

from __future__ import annotations

OF_NO_SCOPE = frozenset(
    "context_limits embedding_cache main_messages memory_history memory_usage_log meta receipt_heads receipt_texts"
    " run_memories short_term_sources subagent_messages texts_of_records turn_receipts vectors".split()
)
"""What hangs on a row that has a scope, or belongs to the database as a whole. Any other table has a column `scope`."""
OF_ONE_SCOPE = frozenset(
    "dialogue_buffer extraction_runs operations rounds sessions short_term_memories undecided_pairs".split()
)
"""What was said, learnt and done: it is read by its own scope alone. Records are read by whoever reads the scope."""


def scopes_of(table: str, own: str, read: tuple[str, ...]) -> tuple[str, ...]:
    """The scopes in which a table is read; none where it belongs to no scope."""
    if table in OF_NO_SCOPE:
        return ()
    return (own,) if table in OF_ONE_SCOPE else read
