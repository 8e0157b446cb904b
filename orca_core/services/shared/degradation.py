"""What fails: as events of a turn, as causes of runs, and as the level of memory that still works."""

from __future__ import annotations

import asyncio
import traceback
from pathlib import Path

from orca_core.model.errors import Mistake, OrcaError, StorageError
from orca_core.model.events import Failed, LevelChanged
from orca_core.model.llm import Clock
from orca_core.model.recall import Level
from orca_core.model.record_types import Cause
from orca_core.owned_tasks import LOG
from orca_core.rules.retrieval.match_evidence import Circuit, after_failure, after_success, is_closed
from orca_core.settings import MemorySettings
from orca_core.store.ports import Upkeep


def cause(error: Exception) -> str:
    """The cause of work that failed in the background. An exception that is no OrcaError is a mistake in Orca: its
    kind and its place are recorded, its message is not, for that may hold what a user wrote."""
    if isinstance(error, OrcaError):
        return str(error)
    LOG.error("something broke in the background", exc_info=error)
    return f"something broke that should not: {type(error).__name__} ({_place_of(error)})"


def mistake(error: Exception) -> OrcaError:
    """The error that ended a turn. An exception that is no OrcaError is reported to the event loop, too."""
    if isinstance(error, OrcaError):
        return error
    report = {"message": "a turn broke for a mistake in Orca", "exception": error}
    asyncio.get_running_loop().call_exception_handler(report)
    return Mistake(what=type(error).__name__, where=_place_of(error))


def of_a_port(error: Exception, who: str) -> OrcaError:
    """The failure of an embedder or a reranker, which may raise what it likes. What it promised not to raise is logged
    by its kind and place: its message may hold what a user wrote in private."""
    if isinstance(error, OrcaError):
        return error
    told = Mistake(what=type(error).__name__, where=_place_of(error))
    LOG.error("%s broke: %s (%s)", who, told.fields["what"], told.fields["where"])
    return told


def _place_of(error: Exception) -> str:
    steps = traceback.extract_tb(error.__traceback__)
    return f"{Path(steps[-1].filename).name}:{steps[-1].lineno}" if steps else "nowhere"


def failed(error: OrcaError) -> Failed:
    """An error as an event."""
    return Failed(
        kind=error.kind,
        message=error.message,
        hint=error.hint,
        template=error.sentence_template,
        hint_template=error.way_out_template,
        fields=dict(error.fields),
    )


def not_saved(error: StorageError) -> Failed:
    """The event for a failed save: the answer comes all the same."""
    return Failed(
        kind="not_saved",
        message=f"not saved: {error.message}",
        hint=error.hint,
        template="not saved: {reason}",
        hint_template=error.way_out_template,
        fields={**error.fields, "reason": error.message, "reason_template": error.sentence_template},
    )


class Levels:
    """The level of one Orca: by configuration, by the state of the tables, by the embedder's health."""

    def __init__(
        self,
        memory: MemorySettings,
        housekeeping: Upkeep,
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
