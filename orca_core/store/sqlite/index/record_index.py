"""Keeps the words and the vectors of a record in step with its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from orca_core.model.records import RecordType, Ref
from orca_core.store.ports import Coming, Telling
from orca_core.store.sqlite.index import vector_index, vector_store, word_index
from orca_core.store.sqlite.index.index_tables import KindTables
from orca_core.store.sqlite.index.word_index import ComingWords, live_ids_near

IndexTerms = Callable[[str, datetime], Sequence[str]]
"""The rule that chooses the words by which a text is found (`rules.text.search_terms.index_terms`)."""


class SQLiteRecordIndex:
    """The index of one transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        scope: str,
        tables: KindTables,
        index_terms: IndexTerms,
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._tables = tables
        self._index_terms = index_terms

    def columns(self, text: str, made_at: datetime) -> Mapping[str, Any]:
        return {"tokens": " ".join(self._index_terms(text, made_at))}

    def put(self, record_type: RecordType[Any], record_id: int, kept: Mapping[str, Any]) -> None:
        tables = self._tables.of(record_type.kind)
        word_index.put_words(self._connection, self._scope, record_id, str(kept["tokens"]), tables)

    def drop(self, record_type: RecordType[Any], record_id: int) -> None:
        tables = self._tables.of(record_type.kind)
        word_index.drop_words(self._connection, record_id, tables)
        vector_index.drop_vectors(self._connection, [record_id], tables)

    def live_near(
        self,
        record_type: RecordType[Any],
        text: str,
        made_at: datetime,
        limit: int,
        telling: Telling,
        coming: Coming | None = None,
    ) -> list[int]:
        tokens, tables = self._index_terms(text, made_at), self._tables.of(record_type.kind)
        said = None if coming is None else ComingWords.of(self._scope, coming.number, str(coming.kept["tokens"]))
        return live_ids_near(self._connection, tables, self._scope, tokens, limit, telling, said)

    def set_live(self, ref: Ref, is_live: bool) -> None:
        vector_index.set_live(self._connection, ref.id, is_live, self._tables.of(ref.kind))

    def key_of(self, text: str) -> str:
        return vector_store.hasher(self._connection)(text).hex()

    def keys_of(self, text: str) -> list[str]:
        return [key_of(text).hex() for key_of in vector_store.hashers(self._connection)]
