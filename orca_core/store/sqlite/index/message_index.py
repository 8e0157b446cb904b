"""The full-text index of what was said, and its queue: messages that are not in it yet.

It holds no text. What takes a message out makes its words again from the text, so that both must follow the same rules:
`meta` says which ones it was made by, and an index that was made by others is made anew."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import apsw
from msgspec import Struct

from orca_core.rules.text.literal_search import folding_version, written_words
from orca_core.store.sqlite.engine.meta import meta, set_meta
from orca_core.store.sqlite.index.index_tables import forget_word_table
from orca_core.store.sqlite.index.word_index import tag, tagged

TABLE = "message_text"
MADE_BY = "message_text"
"""The key in `meta` of the rules that the index was made by."""
_OUT_OF_STEP = "out of step"
_MESSAGE = """
    SELECT m.id, r.scope, r.session_id, m.role, m.content FROM main_messages m JOIN rounds r ON r.id = m.round_id
    WHERE m.round_id = ?
"""


class Said(Struct, frozen=True):
    """A message as the index knows it."""

    id: int
    scope: str
    session_id: str
    role: str
    content: str


def make_index(connection: apsw.Connection) -> None:
    """The empty index, in place of one that is there. Every character beyond ASCII belongs to a word: what is a word
    the rules have decided."""
    forget_word_table(connection, TABLE)
    connection.execute(
        f"CREATE VIRTUAL TABLE {TABLE} USING fts5 (tokens, content='', tokenize=\"ascii tokenchars '_'\")"
    )
    connection.execute(f"INSERT INTO {TABLE} ({TABLE}, rank) VALUES ('secure-delete', 1)")
    note_rules(connection)


def note_rules(connection: apsw.Connection) -> None:
    """Note that the index is made by the rules of now."""
    set_meta(connection, MADE_BY, folding_version())


def note_out_of_step(connection: apsw.Connection) -> None:
    """Note that some of it is wrong: it is made anew."""
    set_meta(connection, MADE_BY, _OUT_OF_STEP)


def rebuild(connection: apsw.Connection) -> None:
    """Drop what is indexed; every message waits."""
    make_index(connection)
    connection.execute("INSERT OR IGNORE INTO unindexed_messages (id) SELECT id FROM main_messages")


def is_stale(connection: apsw.Connection) -> bool:
    """Whether it was made by other rules."""
    return meta(connection, MADE_BY) != folding_version()


def put(connection: apsw.Connection, said: Said) -> None:
    """Index a message; it waits no more."""
    if not is_indexed(connection, said.id):
        connection.execute(f"INSERT INTO {TABLE} (rowid, tokens) VALUES (?, ?)", (said.id, _tokens(said)))
    connection.execute("DELETE FROM unindexed_messages WHERE id = ?", (said.id,))


def drop(connection: apsw.Connection, messages: Iterable[Said]) -> None:
    """Take messages out of the index and of the queue; their rows must still hold what they held. An index that was
    made by other rules is dropped whole when it is made anew."""
    for said in messages:
        connection.execute("DELETE FROM unindexed_messages WHERE id = ?", (said.id,))
        if not is_indexed(connection, said.id):
            continue
        if is_stale(connection):
            note_out_of_step(connection)
        else:
            connection.execute(
                f"INSERT INTO {TABLE} ({TABLE}, rowid, tokens) VALUES ('delete', ?, ?)", (said.id, _tokens(said))
            )


def of_round(connection: apsw.Connection, round_id: int) -> list[Said]:
    """What was said in a round."""
    return [Said(*row) for row in connection.execute(_MESSAGE, (round_id,))]


def is_indexed(connection: apsw.Connection, message_id: int) -> bool:
    row = connection.execute(f"SELECT 1 FROM {TABLE}_docsize WHERE id = ?", (message_id,)).fetchone()
    return row is not None


def word_of_session(session_id: str) -> str:
    """The word that all messages of a session have; no text holds one that begins so."""
    return "_s" + blake2b(session_id.encode("utf-8", "replace"), digest_size=8).hexdigest()


def word_of_role(role: str) -> str:
    return f"_{role}"


def expression(scope: str, phrases: Iterable[tuple[Iterable[str], bool]], *further: str) -> str:
    """A query for messages of a scope that hold all phrases, each with whether its last word may go on. Words hold no
    quotation mark: nothing in them is read as syntax."""
    sought = [f'"{tagged(scope, phrase)}"{"*" if is_open else ""}' for phrase, is_open in phrases]
    return " AND ".join([*sought, *(f'"{tag(scope)}{word}"' for word in further)])


def _tokens(said: Said) -> str:
    return tagged(said.scope, [word_of_session(said.session_id), word_of_role(said.role), *written_words(said.content)])
