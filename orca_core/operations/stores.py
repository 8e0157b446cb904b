"""What services and pipelines need of a database, in one scope (a profile).

A method is one read or one write in one transaction. Every method may raise StorageError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar

from msgspec import Struct, field

from orca_core.model.errors import StorageError
from orca_core.model.memories import ShortTerm
from orca_core.model.record_types import Kind
from orca_core.operations.episodes import EpisodeStore
from orca_core.operations.exports import ExportStore
from orca_core.operations.feedback_store import FeedbackStore
from orca_core.operations.guides import ToolStore
from orca_core.operations.imports import ImportStore
from orca_core.operations.knowledge_store import KnowledgeStore
from orca_core.operations.learning_queue import LearningQueue
from orca_core.operations.memories import MemoryStore
from orca_core.operations.message_search import MessageSearch
from orca_core.operations.model_usage import ModelUsage
from orca_core.operations.operations import ScopedStore
from orca_core.operations.record_store import RecordStore
from orca_core.operations.retention import RetentionStore
from orca_core.operations.sessions import SessionStore
from orca_core.operations.tasks import TaskStore
from orca_core.operations.undo import HistoryStore
from orca_core.operations.vectors import VectorStore
from orca_core.store.ports import (
    Rows,
    Upkeep,
)

T = TypeVar("T")


class Search(ScopedStore):
    """Finds records of a scope, and of those that are read with it, by words and by vectors."""

    async def at_once(self, look: Callable[[Rows], T]) -> T:
        """Return what `look` finds. It runs on a thread that reads, decides by rules what to ask next, and sees one
        moment."""
        return await self._transactions.read(look)

    async def random_cosines(self, model: str, pairs: int, seed: int) -> list[float]:
        """Return cosines of random pairs of live memories: the embedder's noise. Few or none in a young store."""
        return await self.at_once(lambda rows: rows.vectors.random_cosines(model, pairs, seed))

    async def short_term(self, session_id: str, now: datetime, ttl_days: int, limit: int) -> list[ShortTerm]:
        """Return this session's summaries and the latest of other sessions, newest first, not expired."""
        return await self.at_once(lambda rows: rows.lists.short_term(session_id, now, ttl_days, limit))


class Stores(Struct, frozen=True):
    """One database, in one scope."""

    sessions: SessionStore
    messages: MessageSearch
    memories: MemoryStore
    imports: ImportStore
    exports: ExportStore
    history: HistoryStore
    search: Search
    vectors: VectorStore
    learning: LearningQueue
    tasks: TaskStore
    episodes: EpisodeStore
    knowledge: KnowledgeStore
    feedback: FeedbackStore
    tools: ToolStore
    retention: RetentionStore
    model_usage: ModelUsage
    upkeep: Upkeep
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
