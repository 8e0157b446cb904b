"""Texts of the header, the strip and the title of the turn: functions of the state of the chat and of some counts."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.events import Embedded
from orca_core.model.learning import Queue
from orca_core.model.record_types import GUIDE, SUMMARY, TASK
from orca_core.model.tasks import TaskView
from orca_core.settings import Settings
from orca_tui.app.bridge import Bridge
from orca_tui.app.chat.chat_state import ChatState, Named
from orca_tui.app.chat.turns import Turns
from orca_tui.app.widgets.header_line import HeaderState
from orca_tui.language import counted
from orca_tui.marks import Marks


class Counts(Struct, frozen=True):
    """The latest counts of Orca: memories by status, what waits to be learnt, how many candidates of
    every kind wait for the user, the task of the chat that is in progress, and how far embedding is."""

    memories: Mapping[str, int] = field(default_factory=dict)
    queue: Queue = field(default_factory=lambda: Queue(waiting={}))
    is_resting: bool = False
    to_review: int = 0
    task: TaskView | None = None
    embedding: Embedded | None = None


class Counting:
    """Counts again when memories changed."""

    def __init__(self, bridge: Bridge, turns: Turns) -> None:
        self.counts = Counts()
        self._bridge = bridge
        self._turns = turns

    async def look(self) -> None:
        """Count anew, and look what the chat is called by now, and its marks. Raises StorageError."""
        orca = self._bridge.orca
        memories = (await orca.memories.counts()) if self._bridge.is_ready else {}
        queue = await orca.runs.queue()
        is_resting = orca.worker.rests_until is not None
        to_review = (await orca.inbox.waiting()).count
        self.counts = Counts(memories, queue, is_resting, to_review, await self._task(), self.counts.embedding)
        session_id = self._turns.session_id
        is_stored = session_id is not None and not self._turns.state.is_unstored
        if session_id is not None and is_stored and orca.levels.store_failure is None:
            try:
                session, _none = await orca.sessions.show(session_id, last=0)
            except NotFound:  # by another Orca
                self._turns.happen(Named(_("this chat was deleted")))
            else:
                self._turns.happen(Named(session.title))
                await self._turns.past.judge(session_id)

    async def _task(self) -> TaskView | None:
        """What the chat is working on."""
        session_id = None if self._turns.is_private else self._turns.session_id
        return None if session_id is None else await self._bridge.orca.work.tasks.current(session_id)

    def embedded(self, event: Embedded | None) -> None:
        """How far embedding is; None where another Orca has just been opened."""
        is_over = event is None or event.have == event.whole
        self.counts = replace(self.counts, embedding=None if is_over else event)


def thousands(tokens: int) -> str:
    """A size in thousands; of a small one also the tenths."""
    return f"{tokens / 1000:.1f}" if tokens < 10_000 else f"{tokens / 1000:.0f}"


def header_of(state: ChatState, counts: Counts, settings: Settings) -> HeaderState:
    """What the header tells."""
    provider = settings.providers.get(settings.provider)
    injection = state.turn.injection
    tokens = ""
    if injection is not None and provider is not None:
        takes = injection.context_tokens or provider.context_tokens
        tokens = f"{injection.prompt_tokens / 1000:.1f}k/{thousands(takes)}k"
    waiting = counts.queue.waiting.get(state.session_id, 0) if state.session_id else 0
    size = counts.queue.learns_at
    return HeaderState(
        title=state.title or (_("new chat") if state.is_new else ""),
        task=_task_of(state, counts),
        model=provider.model if provider else "",
        is_demo=provider is None,
        is_private=state.is_private,
        level=state.level,
        kept=counts.memories.get("active", 0) + counts.memories.get("core", 0),
        core=counts.memories.get("core", 0),
        inbox=counts.to_review,
        parked=counts.queue.parked,
        is_resting=counts.is_resting,
        embedded=f"{counts.embedding.have:,}/{counts.embedding.whole:,}" if counts.embedding else "",
        buffered=_("learns at {size}: {waiting}").format(waiting=waiting, size=size) if waiting else "",
        tokens=tokens,
    )


def _task_of(state: ChatState, counts: Counts) -> str:
    """What this chat is working on; what was counted may belong to the one before."""
    task = None if state.is_private or counts.task is None else counts.task.task
    return "" if task is None or task.session_id != state.session_id else task.request


def strip_of(state: ChatState, marks: Marks, *, is_at_end: bool, is_narrow: bool) -> str:
    """The line above the prompt: what waits, what is under way, and on a narrow screen what the panes would say."""
    if state.editing is not None:
        return _("editing message {number}: enter sends it again · esc leaves it").format(number=state.editing)
    if state.queue and state.is_opening:
        words = _("queued for the chat that opens: {count} · the up key in an empty prompt takes it back")
        return words.format(count=len(state.queue))
    if state.queue:
        return _("queued: {count} · the up key in an empty prompt takes it back").format(count=len(state.queue))
    if not is_at_end:
        return _("more below · end follows")
    injection = state.turn.injection
    if injection is None or not is_narrow:
        return ""
    kinds = [item.ref.kind for item in injection.injected]
    short, task, guides = (kinds.count(each) for each in (SUMMARY, TASK, GUIDE))
    words = _("{count} in this turn · {short} short {long} long").format(
        count=len(kinds), short=short, long=len(kinds) - short - task - guides
    )
    if guides:
        words += " " + counted("{count} guide", "{count} guides", guides)
    if found := len(injection.looked_up):
        words += f" {marks.dot} " + _("{count} looked up").format(count=found)
    return f"{marks.receipt} {words}   F2 {_('why')}  F3 {_('all')}"
