"""The only place with workers: what is asked of the engine goes in here, what comes of it goes out as messages."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from textual.app import App
from textual.worker import Worker, WorkerState

from orca_core.api import Orca
from orca_core.domain.dialogues import TurnRequest
from orca_core.domain.errors import OrcaError, StorageError
from orca_core.domain.events import Extraction, Failed, Folded, Resting, Saved
from orca_core.domain.feed import ChangedElsewhere, Missed
from orca_core.domain.ports import Clock
from orca_tui.app import messages
from orca_tui.configuration import LoadedSettings

T = TypeVar("T")

TryModel = Callable[[LoadedSettings], Awaitable[None]]
"""One call to the model of a configuration; raises OrcaError where it does not answer."""
OpenEngine = Callable[[LoadedSettings], Awaitable[Orca]]
ListModels = Callable[[LoadedSettings, str, str], Awaitable[list[str]]]
"""The models that a provider offers, by its name and a key that was typed; raises OrcaError."""


@dataclass(frozen=True, slots=True)
class Doors:
    """What the app is given to reach the engine, and models that are not configured yet."""

    open_engine: OpenEngine
    try_model: TryModel
    list_models: ListModels


class Bridge:
    """One engine, and the groups of work that never cancel each other: the turn, looking, changing, learning."""

    def __init__(self, app: App[int], loaded: LoadedSettings, doors: Doors, clock: Clock) -> None:
        self.loaded = loaded
        self.clock = clock
        self.doors = doors
        self.mistakes: list[Exception] = []
        self._failing: set[str] = set()
        self._is_closing = False
        self._app = app
        self._engine: Orca | None = None
        self._stop = asyncio.Event()
        self._turn: Worker[None] | None = None
        self._lost: StorageError | None = None

    @property
    def engine(self) -> Orca:
        """The engine, once it is open."""
        assert self._engine is not None
        return self._engine

    @property
    def is_ready(self) -> bool:
        return self._engine is not None

    @property
    def is_answering(self) -> bool:
        return self._turn is not None and self._turn.state in (WorkerState.PENDING, WorkerState.RUNNING)

    @property
    def unsaved(self) -> StorageError | None:
        """Why what was said last is not saved; None where all is."""
        return self._engine.saves.failure if self._engine is not None else self._lost

    def open(self) -> None:
        """Open the engine behind the first frame."""
        self._app.run_worker(self._open(), group="open", exit_on_error=False)

    def send(self, request: TurnRequest) -> None:
        """Carry out a turn; its events come as messages, `TurnEnded` last."""
        self._stop = asyncio.Event()
        self._turn = self._app.run_worker(self._run_turn(request), group="turn", exit_on_error=False)

    def stop(self) -> None:
        """End the answer; what came of it is kept."""
        self._stop.set()

    def ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], *, group: str = "change") -> None:
        """Do something with the engine and hand the outcome on. A newer question of the group `look…` takes the place
        of an older one; changes never do. What is asked while the app closes is never begun."""

        async def asked() -> None:
            await self._ask(work, then, group)

        self._app.run_worker(asked, group=group, exclusive=group.startswith("look"), exit_on_error=False)  # type: ignore[arg-type]

    def give_up(self, group: str) -> None:
        """Nobody waits for what was asked in this group any more."""
        self._app.workers.cancel_group(self._app, group)

    def leave(self, patience_s: float, then: Callable[[], None]) -> None:
        """Close behind the screen, and hand on that it is done, whatever came of it."""

        async def left() -> None:
            try:
                await self.close(patience_s=patience_s)
            finally:
                then()

        self._app.run_worker(left, group="leave", exit_on_error=False)  # type: ignore[arg-type]

    async def close(self, *, patience_s: float) -> None:
        """Stop what runs, learn what is left as far as the patience goes, close the engine."""
        if self._engine is None:
            return
        self._is_closing = True
        self._stop.set()
        if self._turn is not None and self.is_answering:
            await asyncio.wait({asyncio.ensure_future(self._turn.wait())}, timeout=2.0)
        await self._engine.worker.finish(patience_s)
        await self._engine.aclose()
        self._lost = self._engine.saves.failure
        self._engine = None

    async def reopen(self, loaded: LoadedSettings, keep: Callable[[], None] = lambda: None) -> None:
        """Another configuration: the old engine ends, a new one begins, once the configuration could be kept. Raises
        OrcaError, the old one still open."""
        fresh = await self.doors.open_engine(loaded)
        try:
            keep()
        except OrcaError:
            await fresh.aclose()
            raise
        before, self._engine = self._engine, fresh
        self.loaded = loaded
        self._app.run_worker(self._listen(fresh), group="events", exit_on_error=False)
        if before is not None:
            await before.aclose()
        self._tell(messages.EngineReady())
        fresh.worker.wake()

    async def _open(self) -> None:
        try:
            await self.reopen(self.loaded)
        except OrcaError as error:
            self._tell(messages.EngineFailed(error))

    async def _listen(self, engine: Orca) -> None:
        """Hand on what happens beside the turn, to the end of the engine. A turn's own events come from the turn."""
        async with aclosing(engine.events()) as notices:
            async for notice in notices:
                match notice.event:
                    case Extraction() | Folded() | Resting():
                        self._tell(messages.Learnt(notice.event))
                    case Saved():
                        self._tell(messages.TurnEvent(notice.event))
                    case ChangedElsewhere() | Missed():
                        self._tell(messages.ChangedBehind())
                    case Failed() if not notice.session_id:
                        self._tell(messages.WorkFailed(notice.event, "look overview"))

    async def _run_turn(self, request: TurnRequest) -> None:
        try:
            async for event in self.engine.chat.turn(request, self._stop):
                self._tell(messages.TurnEvent(event))
        except OrcaError as error:
            self._tell(messages.TurnRefused(error))
        except Exception as error:  # noqa: BLE001  # the chat goes on; it is said where the answer would be
            self._tell(messages.TurnRefused(self._mistake(error)))
        finally:
            self._tell(messages.TurnEnded())

    async def _ask(self, work: Callable[[], Awaitable[T]], then: Callable[[T], None], group: str) -> None:
        engine = self._engine
        try:
            then(await work())
        except OrcaError as error:
            self._failed(error, group)
        except Exception as error:  # noqa: BLE001  # a mistake in one look must not end the chat; it is said
            if engine is self._engine and not self._is_closing:  # else it was closed under whoever still looked
                self._failed(self._mistake(error), group)
        else:
            if group in self._failing:
                self._failing.discard(group)
                self._tell(messages.WorkMended(group))

    def _failed(self, error: OrcaError, group: str) -> None:
        self._failing.add(group)
        self._tell(messages.WorkFailed(error, group))

    def _mistake(self, error: Exception) -> OrcaError:
        """What Orca itself did wrong, as something that can be said and reported."""
        self.mistakes.append(error)
        where = traceback.extract_tb(error.__traceback__)[-1]
        return OrcaError(
            template="a mistake in Orca: {what} ({where})",
            hint="please report it; the chat goes on",
            what=f"{type(error).__name__}: {error}"[:200],
            where=f"{Path(where.filename).name}:{where.lineno}",
        )

    def _tell(self, message: object) -> None:
        """To the main screen, wherever the user is."""
        self._app.screen_stack[0].post_message(message)  # type: ignore[arg-type]
