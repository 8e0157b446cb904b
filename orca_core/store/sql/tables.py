"""Which tables belong to a scope, and which of them a scope shares."""

from __future__ import annotations

OF_NO_SCOPE = frozenset(
    "context_limits embedding_cache main_messages memory_history memory_usage_log meta receipt_heads receipt_texts"
    " run_memories run_records short_term_sources subagent_messages texts_of_records tool_support turn_receipts"
    " unindexed_messages vectors".split()
)
"""Tables without a column `scope`: their rows belong to a row that has one, or to the whole database."""
OF_ONE_SCOPE = frozenset(
    "actions dialogue_buffer extraction_runs guides operations rounds sessions short_term_memories supports"
    " task_steps tasks tombstones tool_calls undecided_pairs".split()
)
"""Tables that only their own scope reads: what was said, learnt and done. Records are read by every scope that is
given them."""
_KEYS = {"dialogue_buffer": ("id", "round_id"), "sessions": ()}


def keys_of(table: str) -> tuple[str, ...]:
    """Columns that name one row of the table, whatever its scope. The name of a session is one in its scope."""
    return _KEYS.get(table, ("id",))


def scopes_of(table: str, own: str, read: tuple[str, ...]) -> tuple[str, ...]:
    """The scopes in which a table is read; none where the table belongs to no scope."""
    if table in OF_NO_SCOPE:
        return ()
    return (own,) if table in OF_ONE_SCOPE else read
