"""A talk as it goes on: which session it is in, and the questions that it asks back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from gettext import gettext as _

from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.memories import Memory
from orca_core.model.sessions import NewSession, SessionById, TurnRequest, new_session_id
from orca_tui.cli.output import Output
from orca_tui.cli.runtime import OpenOrca
from orca_tui.cli.turns import TurnOutcome
from orca_tui.words.memory_words import memory_line

ALL_WORDS = ("all", "全部")


class Conversation:
    """What a line-by-line talk knows between two lines."""

    def __init__(self, orca: OpenOrca, output: Output, request: TurnRequest) -> None:
        self.orca = orca
        self.output = output
        self.next_request = request
        self.is_over = False

    @property
    def session_id(self) -> str | None:
        """The session at hand; None where it begins with the next line."""
        session = self.next_request.session
        return session.id if isinstance(session, SessionById) else None

    @property
    def where(self) -> str:
        """Which session the next line belongs to. Raises StorageError."""
        if self.session_id is not None:
            try:
                session, _rounds = self.orca.run(self.orca.engine.sessions.show(self.session_id, last=0))
            except NotFound:
                return _("the next line begins the session {id}").format(id=self.session_id)
            words = f"{session.id}  {session.title}  ({_('rounds')}: {session.rounds})"
            return _("going on in: {session}").format(session=words)
        return _("the next line begins a new session")

    def went_on(self, outcome: TurnOutcome) -> None:
        """The next turn follows this one, in its session."""
        if outcome.session_id is not None:
            session = SessionById(outcome.session_id, may_be_new=not outcome.is_saved)
            self.next_request = replace(self.next_request, session=session)

    def named(self) -> str:
        """The name of the session at hand; one that begins gets its own now, before its first line."""
        if self.session_id is None:
            session = SessionById(new_session_id(datetime.now(UTC)), may_be_new=True)
            self.next_request = replace(self.next_request, session=session)
            return session.id
        return self.session_id

    def begin_anew(self) -> None:
        """The next turn opens a session."""
        self.next_request = replace(self.next_request, session=NewSession())

    def offer_to_forget(self, ids: Sequence[int]) -> None:
        """Show what may be meant, ask which, and archive that. Raises OrcaError."""
        if not ids:
            self.output.note(_("nothing is remembered that this could mean"))
            return
        memories = self.orca.run(self.orca.engine.memories.get(ids))
        for memory in memories:
            self.output.note(memory_line(memory))
        chosen = self._ask_which(memories)
        if not chosen:
            self.output.note(_("nothing was archived"))
            return
        changed = self.orca.run(self.orca.engine.memories.archive(chosen))
        for memory in changed.memories:
            self.output.note(f"{_('archived')}  {memory_line(memory)}")

    def _ask_which(self, memories: Sequence[Memory]) -> list[int]:
        """The ids that were named, of those offered; asked again while something else was typed."""
        offered = [memory.id for memory in memories]
        while True:
            try:
                words = self.output.ask(_("archive which? (numbers, all, or nothing) ")).replace("#", " ").split()
            except (EOFError, KeyboardInterrupt):
                self.output.note("")
                return []
            if any(word in ALL_WORDS for word in words):
                return offered
            if all(word.isdecimal() and int(word) in offered for word in words):
                return list(dict.fromkeys(int(word) for word in words))
