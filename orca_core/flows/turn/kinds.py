"""A kind of record, described once: its fields, its source for recall, its view for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from orca_core.domain.ports import Clock
from orca_core.domain.records import R, RecordType
from orca_core.domain.stores.records import RecordStore
from orca_core.domain.views import RecordView
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.turn.record_source import RecordSource
from orca_core.flows.turn.sources import Source

MakeSource = Callable[[RecordType[Any], RecordStore[Any], MemorySearch, Clock], Source]


@dataclass(frozen=True, slots=True)
class KindOfRecord(Generic[R]):
    """Hand its `type` to the database and all of it to `compose`: records of this kind are then found, injected,
    cited, shown in receipts, changed and undone. Memories and summaries are built in."""

    type: RecordType[R]
    view: RecordView[R]
    source: MakeSource = RecordSource


KINDS: tuple[KindOfRecord[Any], ...] = ()
"""The kinds that Orca itself knows, beside memories and summaries."""
