"""The tombstones of a scope, read once, for who asks of many records in a row."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import apsw

from orca_core.operations import tombstones
from orca_core.operations.tombstones import statements_of
from orca_core.rules.memory import same_statements
from orca_core.store.sqlite.engine.scope import hashers


class KnownDeleted:
    """What was deleted in a scope of the database behind a connection; of `digests` alone where they are given."""

    def __init__(self, connection: apsw.Connection, scope: str, digests: Collection[bytes] | None = None) -> None:
        if digests is None:
            rows = connection.execute("SELECT digest FROM tombstones WHERE scope = ?", (scope,))
            digests = {bytes(digest) for (digest,) in rows}
        self._digests = frozenset(digests)
        self._hashers = hashers(connection)

    def __bool__(self) -> bool:
        return bool(self._digests)

    def says(self, text: str) -> bool:
        """Whether a text says what a person deleted."""
        return any(self._is_there(each) for each in statements_of(text))

    def states(self, record: Any) -> bool:
        """Whether a record says what a person deleted."""
        stated = same_statements.stated_by(record)
        return bool(stated) and self.says(stated)

    def names(self, kind: str, uid: str) -> bool:
        """Whether a person deleted the record of this kind and name."""
        return self._is_there(tombstones.of_record(kind, uid))

    def faded(self, kind: str, uid: str) -> bool:
        """Whether it was deleted for its age."""
        return self._is_there(tombstones.of_faded(kind, uid))

    def session(self, session_id: str, created_at: str) -> bool:
        return self._is_there(tombstones.of_session(session_id, created_at))

    def round(self, session_id: str, number: int, started_at: str) -> bool:
        return self._is_there(tombstones.of_round(session_id, number, started_at))

    def calls(self, folded: str) -> bool:
        return self._is_there(tombstones.of_calls(folded))

    def _is_there(self, mark: str) -> bool:
        return bool(self._digests) and any(key_of(mark) in self._digests for key_of in self._hashers)
