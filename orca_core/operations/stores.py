"""What services and pipelines need of a database, in one scope (a profile).

A method is one read or one write in one transaction. Every method may raise StorageError.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct, field

from orca_core.model.errors import StorageError
from orca_core.model.record_types import Kind
from orca_core.operations.actions import ActionStore
from orca_core.operations.episodes import EpisodeStore
from orca_core.operations.feedback_store import ActReadings, PromotionStore
from orca_core.operations.guides import GuideStore
from orca_core.operations.history import HistoryStore
from orca_core.operations.knowledge_store import KnowledgeStore
from orca_core.operations.learning_queue import LearningQueue
from orca_core.operations.memories import MemoryStore
from orca_core.operations.model_usage import AgentLedger, ContextLimits
from orca_core.operations.receipts import ReceiptStore
from orca_core.operations.record_store import RecordStore
from orca_core.operations.retention import CleaningStore, FadingStore
from orca_core.operations.runs import RunRecord
from orca_core.operations.search import Search
from orca_core.operations.sessions import SessionStore
from orca_core.operations.summaries import SummaryStore
from orca_core.operations.supports import SupportStore
from orca_core.operations.tasks import TaskStore
from orca_core.operations.tool_calls import ToolStore
from orca_core.store.ports import (
    Leadership,
    MessageSearch,
    Transfers,
    Upkeep,
    VectorStore,
)


class Stores(Struct, frozen=True):
    """One database, in one scope."""

    sessions: SessionStore
    messages: MessageSearch
    memories: MemoryStore
    exchange: Transfers
    history: HistoryStore
    search: Search
    vectors: VectorStore
    indexes: Upkeep
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
    housekeeping: Upkeep
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
        """The stores of a scope. `also` are scopes whose memories are read with its own; messages are not, and writes
        go to its own scope."""
        ...

    async def aclose(self) -> None: ...
