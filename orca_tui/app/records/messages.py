"""Messages of a list of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.message import Message

from orca_tui.app.records.kind import Kept, View


@dataclass
class RowsWanted(Message):
    """The list needs rows from here on; `restart` where it asks for other ones than before."""

    offset: int
    restart: bool = False


@dataclass
class RangeWanted(Message):
    """The rows from the first to the last are to be marked, whether they were looked at or not."""

    first: int
    last: int


@dataclass
class RowChosen(Message):
    """The cursor stands on another record; None where there is none. Where it moved, from the row `before`, it is to
    be shown."""

    view: View[Any] | None
    before: int | None = None


@dataclass
class RecordAction(Message):
    """Something is to be done to records: those that are marked, else the one under the cursor."""

    action: str
    records: tuple[Kept, ...]
