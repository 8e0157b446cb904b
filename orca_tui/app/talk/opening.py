"""What a start shows: the latest chat as it stands, or a new one that really is new."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING

from orca_core.domain.dialogues import Round, Session
from orca_core.domain.errors import NotFound, OrcaError
from orca_tui.times import day_words

if TYPE_CHECKING:
    from orca_tui.app.screens.main import MainScreen


class Opening:
    """Finds, once, the chat that a start goes on in."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._bridge = screen.bridge

    def begin(self) -> None:
        """Show the latest chat, or a new one, as `ui.start` has it."""
        self._bridge.ask(self._start, lambda _none: None, group="look chat")

    async def _start(self) -> None:
        turns, welcome = self._screen.turns, self._screen.overview.welcome()
        try:
            latest = await self._latest()
            async with turns.changing:
                if not turns.is_opening:  # another chat was chosen meanwhile
                    return
                if latest is None:
                    await self._screen.transcript.clear(welcome)
                else:
                    session, rounds = latest
                    await turns.show(session.id, session.title, rounds, welcome, below=self._continued(rounds))
        except OrcaError:
            await self._screen.transcript.clear(welcome)
            raise
        finally:
            turns.is_opening = False
            self._screen.call_later(self._started)

    async def _started(self) -> None:
        self._screen.changed()
        self._screen.redraw()
        await self._screen.turns.send_next()

    async def _latest(self) -> tuple[Session, tuple[Round, ...]] | None:
        """The chat used last, where a start goes on in it. Raises StorageError."""
        if self._bridge.loaded.settings.ui.start != "latest":
            return None
        sessions = self._bridge.engine.sessions
        while (latest := await sessions.latest()) is not None:
            try:
                return await sessions.show(latest.id)
            except NotFound:  # deleted this moment: the one before it is the latest
                continue
        return None

    def _continued(self, rounds: Sequence[Round]) -> str:
        """Since when a chat rested, and the way to another one."""
        if not rounds:
            return ""
        when = day_words(rounds[-1].at, self._bridge.clock.now())
        return _("— continued from {when} · ctrl+n begins a new chat").format(when=when)
