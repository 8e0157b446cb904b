"""Computes how much of the memory works, and announces each change once."""

from __future__ import annotations

from orca_core.model.errors import StorageError
from orca_core.model.events import LevelChanged
from orca_core.model.llm import Clock
from orca_core.model.recall import Level
from orca_core.model.records import Cause
from orca_core.rules.retrieval.evidence import Circuit, after_failure, after_success, is_closed
from orca_core.settings import MemorySettings
from orca_core.store.ports import Housekeeping


class Levels:
    """The level of one engine: by configuration, by the state of the tables, by the embedder's health."""

    def __init__(
        self,
        memory: MemorySettings,
        housekeeping: Housekeeping,
        clock: Clock,
        store_failure: StorageError | None = None,
    ) -> None:
        self.store_failure = store_failure
        self._memory = memory
        self._housekeeping = housekeeping
        self._clock = clock
        self._circuit = Circuit()
        self._embedding_failure: Cause | None = None
        self._tables_checked = False
        self._tables_damaged = False
        self._announced = Level.FULL

    async def current(self) -> tuple[Level, Cause | None]:
        """The level and, where it is not the first, its cause."""
        if not self._memory.enabled:
            return Level.NONE, Cause("switched_off", template="memory.enabled is false")
        if self.store_failure is not None:
            return Level.NONE, Cause("store_out_of_reach", template="the database can not be opened")
        if not self._memory.long_term.enabled:
            return Level.SHORT_TERM_ONLY, Cause("switched_off", template="memory.long_term.enabled is false")
        if await self._are_tables_damaged():
            unreadable = Cause("tables", template="the tables of long-term memory can not be read")
            return Level.SHORT_TERM_ONLY, unreadable
        if self._embedding_failure is not None:
            return Level.TEXT_ONLY, self._embedding_failure
        return Level.FULL, None

    @property
    def may_embed(self) -> bool:
        """Whether the embedder may be asked: not for a minute after three failures in a row."""
        return is_closed(self._circuit, self._clock.monotonic())

    def embedding_failed(self, cause: Cause) -> None:
        self._circuit = after_failure(self._circuit, self._clock.monotonic())
        self._embedding_failure = cause

    def embedding_worked(self) -> None:
        self._circuit = after_success(self._circuit)
        self._embedding_failure = None

    def long_term_failed(self) -> None:
        """Record that a read of long-term memory failed: the next turn checks the tables again."""
        self._tables_checked = False

    async def announcement(self) -> LevelChanged | None:
        """The level, if it differs from the one announced last."""
        level, cause = await self.current()
        if level is self._announced:
            return None
        self._announced = level
        return LevelChanged(level, cause)

    async def _are_tables_damaged(self) -> bool:
        if not self._tables_checked or self._tables_damaged:
            self._tables_damaged = not await self._housekeeping.long_term_readable()
            self._tables_checked = True
        return self._tables_damaged
