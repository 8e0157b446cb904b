"""Which records of a list are marked: one by one, and by a range that follows the cursor. Knows no widget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, Generic

from orca_tui.app.records.kind import K, View

Rows = Mapping[int, View[Any]]
"""The views of the rows that were read, by the numbers of their rows."""


class Selection(Generic[K]):
    """Marks go by record and outlive the rows; a live range goes by rows, from where it began to the cursor."""

    def __init__(self) -> None:
        self._marked: dict[int, K] = {}
        self._unlisted: frozenset[int] = frozenset()
        self._begun_at: int | None = None

    def __bool__(self) -> bool:
        return bool(self._marked) or self.is_live

    @property
    def is_live(self) -> bool:
        """Whether a range follows the cursor."""
        return self._begun_at is not None

    @property
    def ids(self) -> tuple[int, ...]:
        """The records that are marked one by one."""
        return tuple(self._marked)

    @property
    def hidden(self) -> int:
        """How many of the marks the filter of the list hides."""
        return len(self._unlisted & self._marked.keys())

    def records(self, rows: Rows, cursor: int) -> tuple[K, ...]:
        """All that is marked and known, the oldest marks first, then the range from its top."""
        known = [rows[number].record for number in self._range(cursor) if number in rows]
        in_range = {record.id: record for record in known}
        return tuple({**self._marked, **in_range}.values())

    def count(self, rows: Rows, cursor: int) -> int:
        """How many are marked, the rows of the range that are not known yet among them."""
        return len(self.records(rows, cursor)) + len(self.missing(rows, cursor))

    def missing(self, rows: Rows, cursor: int) -> list[int]:
        """The rows of the range that are not known yet."""
        return [number for number in self._range(cursor) if number not in rows]

    def holds(self, record: K, number: int, cursor: int) -> bool:
        """Whether the record in this row is marked."""
        return record.id in self._marked or number in self._range(cursor)

    def toggle(self, record: K) -> None:
        if self._marked.pop(record.id, None) is None:
            self._marked[record.id] = record

    def mark(self, records: Sequence[K]) -> None:
        self._marked |= {record.id: record for record in records}

    def begin(self, number: int) -> None:
        """A range begins in this row."""
        self._begun_at = number

    def settle(self, rows: Rows, cursor: int) -> None:
        """What the range holds are marks from now on: its rows may come to stand elsewhere."""
        self._marked = {record.id: record for record in self.records(rows, cursor)}
        self._begun_at = None

    def drop_range(self) -> None:
        self._begun_at = None

    def clear(self) -> None:
        self._marked.clear()
        self._begun_at = None

    def replace(self, fresh: Mapping[int, K]) -> None:
        """Marked records as they are now."""
        self._marked = {key: fresh.get(key, record) for key, record in self._marked.items()}

    def now(self, there: Sequence[K], listed: Set[int]) -> None:
        """Only these of the marked ones are left, and only what is listed is in sight."""
        self._marked = {record.id: record for record in there if record.id in self._marked}
        self._unlisted = frozenset(self._marked) - listed

    def _range(self, cursor: int) -> range:
        if self._begun_at is None:
            return range(0)
        first, last = sorted((self._begun_at, cursor))
        return range(first, last + 1)
