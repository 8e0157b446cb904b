"""A kind of record, described once: what it is made of, how it comes before the model, how people see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from orca_core.domain.ports import Clock
from orca_core.domain.records import RecordType
from orca_core.domain.stores.records import RecordStore
from orca_core.domain.views import RecordView
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.turn.record_source import RecordSource
from orca_core.flows.turn.sources import Source

R = TypeVar("R")

MakeSource = Callable[[RecordType[Any], RecordStore[Any], MemorySearch, Clock], Source]


@dataclass(frozen=True, slots=True)
class KindOfRecord(Generic[R]):
    """Hand its `type` to the database and all of it to `compose`: it is found, injected, cited, shown in receipts,
    changed and taken back from then on. Memories and summaries are there without being named."""

    type: RecordType[R]
    view: RecordView[R]
    source: MakeSource = RecordSource
