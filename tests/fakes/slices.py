"""Undo and redo in slices, however little they change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw
from fakes.deleting import opened
from fakes.documents import a_memory, brought, document
from hypothesis import strategies as st

from orca_core.operations import undo
from orca_core.operations.stores import Stores
from orca_core.store.sqlite.engine import database

WHOLE = 0
SLICES = st.sampled_from((WHOLE, 1, 2, 3))


ENDED = "1:a process of long ago"
"""The owner of what nobody carries on."""


class CutError(Exception):
    pass


@contextmanager
def slices_of(size: int) -> Iterator[None]:
    """So many records a transaction, without a pause between two; all in one where it is `WHOLE`."""
    with (
        patch.object(undo, "AT_ONCE", 0 if size else undo.AT_ONCE),
        patch.object(database, "FIRST", size),
        patch.object(database, "next_slice_size", lambda _size, _worked_s: size),
        patch.object(database, "PAUSE_S", 0.0),
    ):
        yield


@contextmanager
def cut_before(last: int) -> Iterator[None]:
    """What is taken back in it breaks off before this slice."""
    slices = count(1)
    take_slice = undo.HistoryStore._slice

    def counted(*given: Any) -> Any:
        if next(slices) == last:
            raise CutError
        return take_slice(*given)

    with patch.object(undo.HistoryStore, "_slice", counted), suppress(CutError):
        yield


async def imported(folder: Path) -> Stores:
    """A home into which twenty memories came by one operation."""
    stores = await opened(folder)
    await brought(stores, document(*(a_memory(f"I use tool {number}") for number in range(20))))
    return stores


def now_carried_on_by(folder: Path, owner: str) -> None:
    """What is under way is carried on by this owner from here on."""
    connection = apsw.Connection(str(folder / "orca.db"))
    connection.execute(
        "UPDATE operations SET under_way = json_set(under_way, '$.owner', ?) WHERE under_way <> ''", [owner]
    )
    assert connection.changes() == 1
    connection.close()
