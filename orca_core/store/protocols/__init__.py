"""What the flows need from a database. Every handle is bound to one scope (a profile).

A method is one business read or one write in one transaction. Where a decision needs rows as they are inside that
transaction, the rule comes in as an argument (docs/decisions/0002). Search takes vectors and tokens, never the
syntax of an engine. Every method may raise StorageError.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct, field

from orca_core.model.errors import StorageError
from orca_core.model.records import Kind
from orca_core.store.protocols.cleaning import CleaningStore
from orca_core.store.protocols.episodes import EpisodeStore
from orca_core.store.protocols.exchange import ExchangeStore
from orca_core.store.protocols.fading import FadingStore
from orca_core.store.protocols.feed import ChangeFeed
from orca_core.store.protocols.feedback import ActionStore, ActReadings, PromotionStore, SupportStore
from orca_core.store.protocols.index import IndexCare, Unembedded, VectorStore
from orca_core.store.protocols.knowledge import KnowledgeStore
from orca_core.store.protocols.learning import AgentLedger, Leadership, LearningQueue, RunRecord, SummaryStore
from orca_core.store.protocols.memories import (
    Again,
    Evolve,
    FilteredLists,
    HistoryStore,
    MemoryImport,
    MemoryStore,
    PlanRetry,
    PlanUndo,
)
from orca_core.store.protocols.messages import MessageSearch
from orca_core.store.protocols.records import DecideRecords, RecordStore
from orca_core.store.protocols.search import Search
from orca_core.store.protocols.talk import ContextLimits, DialogueStore, ReceiptStore, SessionStore
from orca_core.store.protocols.tasks import TaskStore
from orca_core.store.protocols.tools import GuideStore, ToolStore
from orca_core.store.protocols.upkeep import Housekeeping

__all__ = [
    "ActReadings",
    "ActionStore",
    "Again",
    "AgentLedger",
    "ChangeFeed",
    "CleaningStore",
    "ContextLimits",
    "DecideRecords",
    "DialogueStore",
    "EpisodeStore",
    "Evolve",
    "ExchangeStore",
    "FadingStore",
    "FilteredLists",
    "GuideStore",
    "HistoryStore",
    "Housekeeping",
    "IndexCare",
    "KnowledgeStore",
    "Leadership",
    "LearningQueue",
    "MemoryImport",
    "MemoryStore",
    "MessageSearch",
    "OpenedDatabase",
    "PlanRetry",
    "PlanUndo",
    "ReceiptStore",
    "RecordStore",
    "RunRecord",
    "SessionStore",
    "Stores",
    "SummaryStore",
    "SupportStore",
    "TaskStore",
    "ToolStore",
    "Unembedded",
    "VectorStore",
]


class Stores(Struct, frozen=True):
    """One database, seen through its ports, in one scope."""

    dialogues: DialogueStore
    sessions: SessionStore
    messages: MessageSearch
    memories: MemoryStore
    filtered: FilteredLists
    imports: MemoryImport
    exchange: ExchangeStore
    history: HistoryStore
    search: Search
    vectors: VectorStore
    indexes: IndexCare
    fading: FadingStore
    cleaning: CleaningStore
    receipts: ReceiptStore
    context_limits: ContextLimits
    learning: LearningQueue
    runs: RunRecord
    summaries: SummaryStore
    episodes: EpisodeStore
    ledger: AgentLedger
    leadership: Leadership
    feed: ChangeFeed
    housekeeping: Housekeeping
    tasks: TaskStore
    knowledge: KnowledgeStore
    actions: ActionStore
    act_readings: ActReadings
    supports: SupportStore
    promotions: PromotionStore
    tools: ToolStore
    guides: GuideStore
    records: Mapping[Kind, RecordStore[Any]] = field(default_factory=dict)
    """Those of every kind but memories and summaries."""
    failure: StorageError | None = None
    """Why the database can't be used, where these stores replace it."""


class OpenedDatabase(Protocol):
    """One database; scopes are views of it. It stays open until this handle and every scope of it are closed, in any
    order."""

    def scope(self, name: str, also: tuple[str, ...] = ()) -> Stores:
        """The ports of a scope. `also` are scopes whose memories are read with its own; messages are not, and writes
        go to its own scope."""
        ...

    async def aclose(self) -> None: ...
