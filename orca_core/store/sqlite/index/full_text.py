"""The words of records and of messages, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

import apsw

from orca_core.model.recall import TextHit, TokenStatistics, Which
from orca_core.model.record_types import MEMORY, Kind, RecordType
from orca_core.model.sessions import Judge, MessageIndexState, MessagesHeld, MessagesSought
from orca_core.operations.columns import to_json
from orca_core.rules.text.search_terms import index_terms
from orca_core.store.ports import Coming, Telling
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index import message_index, message_search, word_index
from orca_core.store.sqlite.index.index_tables import BROKEN, IndexTables, KindTables


class SQLiteFullText:
    """The port `FullText` on a connection: writes to its own scope, finds in all of `scopes`."""

    def __init__(self, connection: apsw.Connection, own: str, scopes: tuple[str, ...], tables: KindTables) -> None:
        self._connection = connection
        self._own = own
        self._scopes = scopes
        self._tables = tables
        self._counts: dict[Kind, word_index.Counts] = {}

    def columns(self, text: str, made_at: datetime) -> Mapping[str, Any]:
        return {"tokens": " ".join(index_terms(text, made_at))}

    def put(self, record_type: RecordType[Any], record_id: int, kept: Mapping[str, Any]) -> None:
        tables = self._tables.of(record_type.kind)
        word_index.put_words(self._connection, self._own, record_id, str(kept["tokens"]), tables)

    def drop(self, record_type: RecordType[Any], record_id: int) -> None:
        word_index.drop_words(self._connection, record_id, self._tables.of(record_type.kind))

    def live_near(
        self,
        record_type: RecordType[Any],
        text: str,
        made_at: datetime,
        limit: int,
        telling: Telling,
        coming: Coming | None = None,
    ) -> list[int]:
        tokens, tables, of_scope = index_terms(text, made_at), self._tables.of(record_type.kind), (self._own,)
        said = None
        if coming is not None:
            said = word_index.ComingWords.of(self._own, coming.number, str(coming.kept["tokens"]))
        counts = word_index.Counts(self._connection, tables, of_scope, said)
        tells = counts.tells(telling(counts.frequencies(tokens)))
        hits = word_index.nearest(self._connection, tables, of_scope, tells, limit, coming=said)
        return [hit.ref.id for hit in hits]

    def statistics(self, tokens: Sequence[str], *, kind: Kind = MEMORY) -> TokenStatistics:
        counts = self._counts_of(self._tables.of(kind))
        return TokenStatistics(counts.documents, counts.frequencies(tokens))

    def by_tokens(
        self, tokens: Sequence[str], limit: int, *, which: Which = Which.LIVE, kind: Kind = MEMORY
    ) -> list[TextHit]:
        if not tokens:
            return []
        tables = self._tables.of(kind)
        tells = self._counts_of(tables).tells(tokens)
        return word_index.nearest(self._connection, tables, self._scopes, tells, limit, which)

    def words_of(self, kind: Kind, ids: Sequence[int]) -> dict[int, list[str]]:
        rows = self._connection.execute(
            "SELECT m.id, m.tokens FROM json_each(?) wanted"
            f" CROSS JOIN {self._tables.of(kind).rows} m ON m.id = wanted.value WHERE {among('m.scope', self._scopes)}",
            (to_json(list(ids)), *self._scopes),
        )
        return {row[0]: row[1].split() for row in rows}

    def put_messages(self, round_id: int, role: str) -> None:
        """A broken index keeps nothing from being said: what can't be indexed waits, which searches and the doctor
        say."""
        with suppress(*BROKEN), self._savepoint():
            if not message_index.is_stale(self._connection):
                for said in message_index.of_round(self._connection, round_id):
                    if said.role == role:
                        message_index.put(self._connection, said)

    def drop_messages(self, round_id: int) -> None:
        try:
            with self._savepoint():
                message_index.drop(self._connection, message_index.of_round(self._connection, round_id))
        except BROKEN:
            message_index.note_out_of_step(self._connection)

    def find_messages(self, sought: MessagesSought, judge: Judge) -> MessagesHeld:
        return message_search.find(self._connection, self._own, sought, judge)

    def waiting_messages(self) -> int:
        return message_search.waiting_count(self._connection)

    def index_messages(self) -> bool:
        return message_search.index_slice(self._connection)

    def are_messages_stale(self) -> bool:
        return message_index.is_stale(self._connection)

    def rebuild_messages(self) -> None:
        message_index.rebuild(self._connection)

    def examine_messages(self) -> MessageIndexState:
        return message_search.examine(self._connection)

    def _counts_of(self, tables: IndexTables) -> word_index.Counts:
        if tables.kind not in self._counts:
            self._counts[tables.kind] = word_index.Counts(self._connection, tables, self._scopes)
        return self._counts[tables.kind]

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        """FTS5 writes when a further one begins, else not before the commit, where a failure would take all of the
        transaction with it."""
        with self._connection:
            yield
            with self._connection:
                pass
