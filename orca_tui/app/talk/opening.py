"""What a start shows: the chat that was named, the latest as it stands, or a new one that really is new."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from orca_core.model.errors import NotFound, OrcaError
from orca_core.model.records import plain_ref
from orca_core.model.sessions import Round, Session
from orca_core.model.tasks import TASKS, TaskView
from orca_core.model.views import Waiting
from orca_tui.app.bridge import Bridge
from orca_tui.app.stage import Stage
from orca_tui.app.state.chat import StartDone
from orca_tui.app.talk.scrollback import ChatEnd, end_of
from orca_tui.app.talk.talk import Talk
from orca_tui.language import counted, explained
from orca_tui.text_rules import one_line
from orca_tui.times import day_words
from orca_tui.words.inbox_words import waiting_line

TASK_CHARS = 60


class Opening:
    """Finds, once, the chat that a start goes on in."""

    def __init__(self, stage: Stage, bridge: Bridge, talk: Talk) -> None:
        self._stage = stage
        self._bridge = bridge
        self._talk = talk

    def begin(self) -> None:
        """Show the chat that was named; else the latest, or a new one, as `ui.start` has it."""
        self._stage.ask(self._start, lambda _none: None, group="look chat")

    async def _start(self) -> None:
        turns, welcome = self._talk.turns, self._talk.welcome()
        try:
            found = await self._chat()
            async with turns.changing:
                if not turns.state.is_opening:  # another chat was chosen meanwhile
                    return
                if found is None:
                    await self._talk.transcript.clear(welcome)
                else:
                    await self._show(*found)
        except OrcaError:
            await self._talk.transcript.clear(welcome)
            raise
        finally:
            turns.happen(StartDone())
            self._stage.later(self._started)

    async def _started(self) -> None:
        self._stage.changed()
        self._stage.redraw()
        await self._talk.turns.send_next()
        self._stage.ask(self._waiting, lambda found: self._announce(*found), group="look waiting")

    async def _waiting(self) -> tuple[Waiting, list[TaskView]]:
        engine = self._bridge.engine
        return await engine.inbox.waiting(), await engine.work.tasks.idle()

    def _announce(self, waiting: Waiting, idle: Sequence[TaskView]) -> None:
        """What waits in the inbox, and which tasks nobody goes on with: said once a start."""
        lines = []
        if words := waiting_line(waiting, self._bridge.clock.now()):
            lines.append(_("— {waiting} · f5 shows them").format(waiting=words))
        if idle:
            lines.append(self._idle_line(idle))
        if lines:
            self._stage.later(self._talk.transcript.say, "\n".join(lines), "notice")

    def _idle_line(self, idle: Sequence[TaskView]) -> str:
        """The offer to end a task, the one of this chat first."""
        session_id = self._talk.session_id
        task = min(idle, key=lambda view: view.task.session_id != session_id).task
        days = (self._bridge.clock.now() - task.updated_at).days
        is_here = task.session_id == session_id
        way = _("/done ends it") if is_here else _("orca task done {id} ends it").format(id=plain_ref(TASKS.ref(task)))
        words = _("— untouched for {days} days: “{task}” · {way}")
        more = counted("{count} more like it", "{count} more like it", len(idle) - 1) if len(idle) > 1 else ""
        line = words.format(days=days, task=one_line(task.request, TASK_CHARS), way=way)
        return f"{line} · {more}" if more else line

    async def _show(self, session: Session, rounds: tuple[Round, ...]) -> None:
        place = self._bridge.doors.begins_at
        at = None if place is None else place.round
        if at is not None and all(each.number != at for each in rounds):
            self._stage.note(explained(NotFound(what="round", id=at)))
            at = None
        below = self._continued(rounds) if at is None else ""
        await self._talk.turns.show(session, rounds, self._talk.welcome(), at=at, below=below)

    async def _chat(self) -> ChatEnd | None:
        """The chat to begin with: the one that was named, else as the settings say. Raises NotFound, StorageError."""
        place = self._bridge.doors.begins_at
        if place is None:
            return await self._latest()
        return await end_of(self._bridge.engine.sessions, place.session_id, place.round)

    async def _latest(self) -> ChatEnd | None:
        """The chat used last, where a start goes on in it. Raises StorageError."""
        if self._bridge.loaded.settings.ui.start != "latest":
            return None
        sessions = self._bridge.engine.sessions
        while (latest := await sessions.latest()) is not None:
            try:
                return await end_of(sessions, latest.id)
            except NotFound:  # deleted this moment: the one before it is the latest
                continue
        return None

    def _continued(self, rounds: Sequence[Round]) -> str:
        """Since when a chat rested, and the way to another one."""
        if not rounds:
            return ""
        when = day_words(rounds[-1].at, self._bridge.clock.now())
        return _("— continued from {when} · ctrl+n begins a new chat").format(when=when)
