"""The full-text index of long-term memories. Each word stands in it under its scope, so that how common a word is, and
what a search for it costs, is a matter of one profile and no other."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import apsw


def tag(scope: str) -> str:
    """What the scope's words begin with: letters and digits, which the tokenizer keeps in one with the word. Should two
    scopes share one, a search costs more and still finds its own memories only."""
    return blake2b(scope.encode("utf-8", "replace"), digest_size=4).hexdigest() + "_"


def tagged(scope: str, tokens: Iterable[str]) -> str:
    """The scope's words as the index has them, separated by blanks."""
    own = tag(scope)
    return " ".join(own + token for token in tokens)


def put(connection: apsw.Connection, scope: str, memory_id: int, tokens: str) -> None:
    """Add a memory's words, as its row has them."""
    connection.execute(
        "INSERT INTO long_term_text (rowid, tokens) VALUES (?, ?)", (memory_id, tagged(scope, tokens.split()))
    )


def drop(connection: apsw.Connection, memory_id: int) -> None:
    """Take a memory's words out; its row must still hold them, and be in its scope."""
    row = connection.execute("SELECT scope, tokens FROM long_term_memories WHERE id = ?", (memory_id,)).fetchone()
    assert row is not None
    connection.execute(
        "INSERT INTO long_term_text (long_term_text, rowid, tokens) VALUES ('delete', ?, ?)",
        (memory_id, tagged(str(row[0]), str(row[1]).split())),
    )


def rebuild(connection: apsw.Connection) -> None:
    """Fill the index anew from the memories."""
    connection.execute("INSERT INTO long_term_text (long_term_text) VALUES ('delete-all')")
    for memory_id, scope, tokens in connection.execute("SELECT id, scope, tokens FROM long_term_memories").fetchall():
        put(connection, str(scope), int(str(memory_id)), str(tokens))
