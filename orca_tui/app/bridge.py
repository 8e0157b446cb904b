"""The only module with workers: it carries out what is asked of Orca, and posts the outcomes as messages."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct
from textual.app import App
from textual.message import Message
from textual.worker import Worker, WorkerState

from orca_core.config.config_file import LoadedSettings
from orca_core.model.diagnosis import Diagnosis
from orca_core.model.errors import OrcaError, StorageError
from orca_core.model.events import (
    ActsRead,
    ChangedElsewhere,
    Consolidated,
    Embedded,
    EpisodesRead,
    Event,
    Extraction,
    Failed,
    GuideMade,
    Missed,
    OperationMade,
    Promoted,
    Resting,
    Saved,
    SummaryFolded,
)
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, Operation, OperationHeader
from orca_core.model.sessions import TurnRequest

if TYPE_CHECKING:
    from orca_core.orca import Orca

T = TypeVar("T")

TryModel = Callable[[LoadedSettings], Awaitable[None]]
"""One call to the model of a configuration; raises OrcaError where it does not answer."""
OrcaOpener = Callable[[LoadedSettings], Awaitable["Orca"]]
ListModels = Callable[[LoadedSettings, str, str], Awaitable[list[str]]]
"""The models that a provider offers, by its name and a key that was typed; raises OrcaError."""


class Diagnose(Protocol):
    """All that `orca doctor` does, on a configuration."""

    def __call__(
        self, loaded: LoadedSettings, /, *, asks_network: bool, mends: bool, is_dry: bool
    ) -> Awaitable[Diagnosis]: ...


class Place(Struct, frozen=True):
    """A chat, and a round in it or its end."""

    session_id: str
    round: int | None = None


class Doors(Struct, frozen=True):
    """The functions with which the app opens an Orca, tries and lists models, and examines; without the last the
    doctor looks at Orca alone. And the chat that it is to begin with, where one was named."""

    open_orca: OrcaOpener
    try_model: TryModel
    list_models: ListModels
    begins_at: Place | None = None
    diagnose: Diagnose | None = None


class TakesKeys(Message):
    """The prompt is there and has the focus."""


class OrcaReady(Message):
    """The database is open."""


@dataclass
class OrcaFailed(Message):
    """The database can't be opened."""

    error: OrcaError


@dataclass
class TurnEvent(Message):
    """An event of the turn that runs."""

    event: Event


@dataclass
class TurnRefused(Message):
    """The turn could not begin."""

    error: OrcaError


class TurnEnded(Message):
    """The turn has ended."""


@dataclass
class Learnt(Message):
    """An event of learning in the background."""

    event: Event


@dataclass
class VectorsMade(Message):
    """How far embedding in the background is."""

    event: Embedded


class ChangedBehind(Message):
    """Another process or a chore wrote into the database, or live events were dropped."""


@dataclass
class WorkFailed(Message):
    """Work of a group that was asked of Orca failed."""

    error: OrcaError | Failed
    group: str


@dataclass
class WorkMended(Message):
    """Work of a group that failed last has succeeded."""

    group: str


class Bridge:
    """One Orca, and groups of work that never cancel each other: turn, look, change, learn."""

    def __init__(self, app: App[int], loaded: LoadedSettings, doors: Doors, clock: Clock) -> None:
        self.loaded = loaded
        self.clock = clock
        self.doors = doors
        self.mistakes: list[Exception] = []
        self.is_opening = True
        self.when_started: Callable[[], None] = lambda: None
        """Called once, when the first Orca is open, or can't be opened."""
        self._failing: set[str] = set()
        self._is_closing = False
        self._app = app
        self._orca: Orca | None = None
        self._stop = asyncio.Event()
        self._turn: Worker[None] | None = None
        self._lost: StorageError | None = None

    @property
    def orca(self) -> Orca:
        """Orca, once it is open."""
        assert self._orca is not None
        return self._orca

    @property
    def is_ready(self) -> bool:
        return self._orca is not None

    @property
    def is_answering(self) -> bool:
        return self._turn is not None and self._turn.state in (WorkerState.PENDING, WorkerState.RUNNING)

    @property
    def unsaved(self) -> StorageError | None:
        """Why the last round is not saved; None where all are."""
        return self._orca.saves.failure if self._orca is not None else self._lost

    def open(self) -> None:
        """Open Orca."""
        self._app.run_worker(self._open(), group="open", exit_on_error=False)

    def send(self, request: TurnRequest) -> None:
        """Run a turn; its events are posted as messages, `TurnEnded` last."""
        self._stop = asyncio.Event()
        self._turn = self._app.run_worker(self._run_turn(request), group="turn", exit_on_error=False)

    def stop(self) -> None:
        """End the answer; what came of it is kept."""
        self._stop.set()

    def ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], *, group: str = "change") -> None:
        """Run work with Orca and call `then` with its result. A newer question of a group `look…` replaces an
        older one; changes are never replaced. Nothing starts while the app closes."""

        async def asked() -> None:
            await self._ask(work, then, group)

        self._app.run_worker(asked, group=group, exclusive=group.startswith("look"), exit_on_error=False)  # type: ignore[arg-type]  # no worker has a result

    def give_up(self, group: str) -> None:
        """Cancel the work of this group."""
        self._app.workers.cancel_group(self._app, group)

    def leave(self, patience_s: float, then: Callable[[], None]) -> None:
        """Close in the background, then call `then`, however closing ended."""

        async def left() -> None:
            try:
                await self.close(patience_s=patience_s)
            finally:
                then()

        self._app.run_worker(left, group="leave", exit_on_error=False)  # type: ignore[arg-type]  # no worker has a result

    async def close(self, *, patience_s: float) -> None:
        """Stop the turn, learn what is left until the timeout, close Orca."""
        if self._orca is None:
            return
        self._is_closing = True
        self._stop.set()
        if self._turn is not None and self.is_answering:
            await asyncio.wait({asyncio.ensure_future(self._turn.wait())}, timeout=2.0)
        await self._orca.worker.finish(patience_s)
        await self._orca.aclose()
        self._lost = self._orca.saves.failure
        self._orca = None

    async def reopen(self, loaded: LoadedSettings, keep: Callable[[], None] = lambda: None) -> None:
        """Switch to another configuration: open a new Orca, keep the configuration, close the old Orca. On
        OrcaError the old one stays open."""
        fresh = await self.doors.open_orca(loaded)
        try:
            keep()
        except OrcaError:
            await fresh.aclose()
            raise
        reached = await fresh.reached()  # before its worker wakes: what that tidies away is seen
        before, self._orca = self._orca, fresh
        self.loaded = loaded
        self._app.run_worker(self._listen(fresh, reached), group="events", exit_on_error=False)
        if before is not None:
            await before.aclose()
        self._tell(OrcaReady())
        fresh.worker.wake()

    async def _open(self) -> None:
        try:
            await self.reopen(self.loaded)
        except OrcaError as error:
            self._tell(OrcaFailed(error))
        finally:
            self.is_opening = False
            self.when_started()

    async def _listen(self, orca: Orca, after: int | None) -> None:
        """Post the events beside the turn until Orca closes. A turn's own events come from the turn."""
        async with aclosing(orca.events(after)) as notices:
            async for notice in notices:
                match notice.event:
                    case Extraction() | SummaryFolded() | Resting():
                        self._tell(Learnt(notice.event))
                    case EpisodesRead() | ActsRead() | Consolidated() | GuideMade():
                        self._tell(Learnt(notice.event))
                    case Promoted():
                        self._tell(Learnt(notice.event))
                    case Saved():
                        self._tell(TurnEvent(notice.event))
                    case Embedded():
                        self._tell(VectorsMade(notice.event))
                    case OperationMade(Operation(header=OperationHeader(actor=Actor.CLEAN))):
                        self._tell(ChangedBehind())
                    case ChangedElsewhere() | Missed():
                        self._tell(ChangedBehind())
                    case Failed() if not notice.session_id:
                        self._tell(WorkFailed(notice.event, "look overview"))

    async def _run_turn(self, request: TurnRequest) -> None:
        try:
            async for event in self.orca.chat.turn(request, self._stop):
                self._tell(TurnEvent(event))
        except OrcaError as error:
            self._tell(TurnRefused(error))
        except Exception as error:  # noqa: BLE001  # the chat goes on; it is said where the answer would be
            self._tell(TurnRefused(self._mistake(error)))
        finally:
            self._tell(TurnEnded())

    async def _ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], group: str) -> None:
        orca = self._orca
        try:
            then(await work())
        except OrcaError as error:
            self._failed(error, group)
        except Exception as error:  # noqa: BLE001  # a mistake in one look must not end the chat; it is said
            if orca is self._orca and not self._is_closing:  # else Orca closed while this work ran
                self._failed(self._mistake(error), group)
        else:
            if group in self._failing:
                self._failing.discard(group)
                self._tell(WorkMended(group))

    def _failed(self, error: OrcaError, group: str) -> None:
        self._failing.add(group)
        self._tell(WorkFailed(error, group))

    def _mistake(self, error: Exception) -> OrcaError:
        """A mistake in Orca as an error that can be shown and reported."""
        self.mistakes.append(error)
        where = traceback.extract_tb(error.__traceback__)[-1]
        return OrcaError(
            template="a mistake in Orca: {what} ({where})",
            hint="please report it; the chat goes on",
            what=f"{type(error).__name__}: {error}"[:200],
            where=f"{Path(where.filename).name}:{where.lineno}",
        )

    def _tell(self, message: Message) -> None:
        """Post a message to the main screen, whatever screen is on top."""
        self._app.screen_stack[0].post_message(message)
