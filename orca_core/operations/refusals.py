"""What persons refused, as records that are still here: a machine does not bring it back in other spelling."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from orca_core.model.memories import State
from orca_core.model.records import RecordType
from orca_core.rules.memory import same_statements
from orca_core.store.ports import Rows, any_of

_MAY_BE_REFUSED = (State.REJECTED.value, State.ARCHIVED.value)


class Refusals:
    """Those of one kind in one scope, inside a transaction; read when first asked for."""

    def __init__(self, rows: Rows, record_type: RecordType[Any]) -> None:
        self._rows = rows
        self._type = record_type

    def same(self, record: Any) -> Any | None:
        """The refused record that says what this one says; None where there is none."""
        stated = same_statements.stated_by(record)
        if not stated or not self._refused:
            return None
        return next((self._by_key[key] for key in same_statements.keys_of(stated) if key in self._by_key), None)

    def has_words_of(self, record: Any) -> bool:
        """Whether a refused record has the same words in another order."""
        if not self._refused:
            return False
        said = same_statements.words_of(same_statements.stated_by(record))
        return bool(said) and said in self._words

    @cached_property
    def _refused(self) -> list[Any]:
        found = self._rows.select(self._type.table, self._type.names, any_of("state", _MAY_BE_REFUSED), order=("id",))
        return [each for each in map(self._type.from_row, found) if same_statements.refusal_of(each)]

    @cached_property
    def _by_key(self) -> Mapping[str, Any]:
        return {key: each for each in self._refused for key in same_statements.keys_of(same_statements.stated_by(each))}

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(same_statements.words_of(same_statements.stated_by(each)) for each in self._refused)
