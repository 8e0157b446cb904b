"""A kind of record, described once: its fields, its source for recall, its view for people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Generic

from msgspec import Struct

from orca_core.model.episodes import EPISODES
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.llm import Clock
from orca_core.model.records import R, RecordType
from orca_core.model.views import RecordView
from orca_core.rules.retrieval.choosing.injection import RecallPlan
from orca_core.rules.work.lines import episode_line, knowledge_line
from orca_core.services.chat.record_source import RecordSource, Slots
from orca_core.services.chat.sources import Source
from orca_core.services.shared.search import MemorySearch

MakeSource = Callable[[RecordType[Any], MemorySearch, Clock], Source]


class KindOfRecord(Struct, Generic[R], frozen=True):
    """Hand its `type` to the database and all of it to `compose`: records of this kind are then found, injected,
    cited, shown in receipts, changed and undone. Memories and summaries are built in."""

    type: RecordType[R]
    view: RecordView[R]
    source: MakeSource = RecordSource


def _fields(record_type: RecordType[Any]) -> Callable[[Any], dict[str, Any]]:
    """All of a record, by the names of its columns."""
    return lambda record: record_type.plain(record, record_type.names)


def _source(count: Callable[[RecallPlan], int], line: Callable[[R], str]) -> MakeSource:
    return partial(RecordSource, slots=Slots(count, lambda plan: plan.work_floor), line=line)


KINDS: tuple[KindOfRecord[Any], ...] = (
    KindOfRecord(
        KNOWLEDGES,
        RecordView(_fields(KNOWLEDGES), knowledge_line),
        _source(lambda plan: plan.knowledge_count, knowledge_line),
    ),
    KindOfRecord(
        EPISODES,
        RecordView(_fields(EPISODES), episode_line),
        _source(lambda plan: plan.episode_count, episode_line),
    ),
)
"""The kinds that Orca itself knows beside memories and summaries, in the order in which the budget is filled."""
