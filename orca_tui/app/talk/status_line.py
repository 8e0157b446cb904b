"""What the header, the strip and the titles say, from the engine's counts and the state of the talk."""

from __future__ import annotations

from gettext import gettext as _

from textual.content import Content

from orca_core.domain.errors import NotFound
from orca_core.domain.learning import Queue
from orca_core.domain.refs import SUMMARY
from orca_tui.app.bridge import Bridge
from orca_tui.app.memory.memory_list import STATUSES, MemoryList
from orca_tui.app.talk.receipts import turn_figures
from orca_tui.app.talk.turns import Turns
from orca_tui.app.widgets.header_line import HeaderState
from orca_tui.app.widgets.literal import literal
from orca_tui.language import N_, sentence_and_way_out
from orca_tui.marks import Marks

SORT_WORDS = {"weight": N_("weight"), "used": N_("last used"), "new": N_("newest"), "type": N_("type")}
LIST_WORDS = {
    "live": N_("live"),
    "all": N_("all"),
    "archived": N_("archived"),
    "candidate": N_("candidate"),
    "core": N_("core"),
    "rejected": N_("rejected"),
}


def thousands(tokens: int) -> str:
    """A size in thousands; of a small one also the tenths."""
    return f"{tokens / 1000:.1f}" if tokens < 10_000 else f"{tokens / 1000:.0f}"


class Overview:
    """Counts that several places show."""

    def __init__(self, bridge: Bridge, turns: Turns, marks: Marks) -> None:
        self._bridge = bridge
        self._turns = turns
        self._marks = marks
        self._counts: dict[str, int] = {}
        self._queue = Queue(waiting={})
        self._title = ""

    async def look(self) -> None:
        """Count anew. Raises StorageError."""
        engine = self._bridge.engine
        self._counts = (await engine.memories.counts()) if self._bridge.is_ready else {}
        self._queue = await engine.runs.queue()
        if self._turns.session_id is not None and engine.levels.store_failure is None:
            try:
                session, _rounds = await engine.sessions.show(self._turns.session_id)
            except NotFound:  # by another Orca
                self._turns.title = _("this chat was deleted")
            else:
                self._turns.title = session.title

    def header(self) -> HeaderState:
        settings = self._bridge.loaded.settings
        provider = settings.providers.get(settings.provider)
        injection = self._turns.view.injection
        tokens = ""
        if injection is not None and provider is not None:
            takes = injection.context_tokens or provider.context_tokens
            tokens = f"{injection.prompt_tokens / 1000:.1f}k/{thousands(takes)}k"
        return HeaderState(
            title=self._turns.title,
            model=provider.model if provider else "",
            is_demo=provider is None,
            is_private=self._turns.is_private,
            level=self._turns.level,
            kept=self._counts.get("active", 0) + self._counts.get("core", 0),
            core=self._counts.get("core", 0),
            inbox=self._counts.get("candidate", 0),
            parked=self._queue.parked,
            is_resting=self._bridge.is_ready and self._bridge.engine.worker.rests_until is not None,
            buffered=self._buffered(),
            tokens=tokens,
        )

    def strip(self, *, is_at_end: bool, is_narrow: bool) -> str:
        """The line above the prompt: what waits, what is under way, and on a narrow screen what the panes would say."""
        if self._turns.editing is not None:
            return _("editing message {number}: enter sends it again · esc leaves it").format(
                number=self._turns.editing
            )
        if self._turns.queued:
            return _("queued: {count} · the up key in an empty prompt takes it back").format(count=self._turns.queued)
        if not is_at_end:
            return _("more below · end follows")
        injection = self._turns.view.injection
        if injection is None or not is_narrow:
            return ""
        short = sum(item.ref.kind == SUMMARY for item in injection.injected)
        words = _("{count} in this turn · {short} short {long} long").format(
            count=len(injection.injected), short=short, long=len(injection.injected) - short
        )
        return f"{self._marks.receipt} {words}   F2 {_('why')}  F3 {_('all')}"

    def turn_title(self) -> Content:
        injection = self._turns.view.injection
        figures = turn_figures(injection) if injection is not None else ""
        return literal(f"{_('This turn')} ", "bold") + literal(f" {figures}", "$foreground-muted")

    def memories_title(self, rows: MemoryList) -> Content:
        status, is_usual = _(LIST_WORDS[rows.status]), rows.status == STATUSES[0]
        words = [str(rows.count), rows.marked_words(), "" if is_usual else status, rows.type]
        words += [_("sort: {word}").format(word=_(SORT_WORDS[rows.sort])), status if is_usual else ""]
        told = f" {self._marks.dot} ".join(word for word in words if word)
        return literal(f"{_('Memories')} ", "bold") + literal(told, "$foreground-muted")

    def welcome(self) -> str:
        """What an empty chat says: what Orca is, what to try, how to leave the demo; or why nothing can be kept."""
        failure = self._bridge.engine.levels.store_failure if self._bridge.is_ready else None
        if failure is not None:
            can_still = _("You can chat all the same; nothing is remembered, and nothing of it is saved.")
            return "\n\n".join(words for words in (*sentence_and_way_out(failure), can_still) if words)
        lines = [
            _("Orca remembers you, and shows how: beside the chat you see what was put before the model, and why."),
            _("Try: “remember: I use neovim”, and then: “which editor do I use?”"),
        ]
        if not self._bridge.loaded.settings.provider:
            lines.append(_("This is the built-in demo. ctrl+l connects a real model, or: orca config init"))
        return "\n\n".join(lines)

    def _buffered(self) -> str:
        session = self._turns.session_id
        waiting = self._queue.waiting.get(session, 0) if session else 0
        size = self._bridge.loaded.settings.memory_agent.extract.batch_size
        return _("learns at {size}: {waiting}").format(waiting=waiting, size=size) if waiting else ""
