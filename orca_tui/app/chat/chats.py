"""The chats: begun, chosen, opened at a start, named, forked, deleted, saved, searched; and what was sent before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from gettext import gettext as _
from pathlib import Path

from orca_core.model.errors import NotFound, OrcaError
from orca_core.model.record_types import plain_ref
from orca_core.model.sessions import MessageQuery, MessagesFound, Round, Session
from orca_core.model.tasks import TASKS, TaskView
from orca_core.model.views import InboxCount
from orca_core.rules.text.cleaning import one_line
from orca_tui.app.bridge import Bridge
from orca_tui.app.chat.chat_state import Named, Question, StartDone
from orca_tui.app.chat.opinions import Acting
from orca_tui.app.chat.prompt import MAX_HISTORY, Prompt
from orca_tui.app.chat.scrollback import ChatEnd, end_of
from orca_tui.app.chat.turns import Talk
from orca_tui.app.chat.welcome import plain_welcome
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import AskLine, Choice, Confirm, Pick
from orca_tui.files import new_file
from orca_tui.language import counted, explained
from orca_tui.marks import Marks
from orca_tui.times import day_words
from orca_tui.words.inbox_words import waiting_line
from orca_tui.words.turn_words import chat_markdown


class Prompts:
    """The history of one prompt."""

    def __init__(self, stage: Stage, bridge: Bridge, prompt: Prompt) -> None:
        self._stage = stage
        self._bridge = bridge
        self._prompt = prompt

    def recall(self) -> None:
        """What was sent in earlier sittings comes back with the up key."""
        if not self._prompt.past:
            sessions = self._bridge.orca.sessions
            self._stage.ask(lambda: sessions.questions(MAX_HISTORY), self._prompt.remember, group="look past")

    def search(self) -> None:
        """Choose one of the messages that were sent before."""
        past = [Choice(text.replace("\n", " "), text) for text in reversed(self._prompt.past)]

        def chosen(text: str | None) -> None:
            if text is not None:
                self._prompt.fill(text)

        self._stage.push(Pick(_("What you sent"), past), chosen)

    def edit(self) -> None:
        """Go on writing in the user's editor."""
        text = self._stage.edit(self._prompt.text)
        if text is not None:
            self._prompt.fill(text.rstrip("\n"))


MOST_FOUND = 50


class Chats:
    """Actions on whole chats."""

    def __init__(self, stage: Stage, bridge: Bridge, talk: Talk, acting: Acting, marks: Marks) -> None:
        self._stage = stage
        self._bridge = bridge
        self._talk = talk
        self._acting = acting
        self._marks = marks

    async def new(self) -> None:
        """The next message begins another chat."""
        if self._talk.turns.is_answering:
            self._stage.note(_("stop the answer first: esc"))
            return
        async with self._talk.turns.changing:
            self._talk.turns.begin_new()
            await self._talk.transcript.clear(self._talk.welcome())
        self._stage.redraw()
        self._talk.prompt.focus()

    async def private(self) -> None:
        """From here on nothing is kept; or everything again, in a new chat."""
        if self._talk.turns.is_answering:
            self._stage.note(_("stop the answer first: esc"))
            return
        async with self._talk.turns.changing:
            is_private = not self._talk.turns.is_private
            self._talk.turns.go_private(is_private)
            words = (
                _("Private: nothing of what is said here is kept. /private ends it.")
                if is_private
                else _("No longer private: what is said from here on is kept, in a new chat.")
            )
            await self._talk.transcript.clear(plain_welcome(words))
        self._stage.redraw()

    def choose(self, at: str = "") -> None:
        """The list of chats: enter resumes, ctrl+r names, ctrl+t stars, ctrl+d deletes; beginning at one of them."""
        if self._bridge.is_ready:
            stars = self._acting.with_stars
            self._stage.ask(lambda: stars(500), lambda found: self._pick(*found, at), group="look chats")

    def resume(self, session_id: str, at: int | None = None) -> None:
        """Go on in a chat, looking at its end or at one of its rounds."""
        if self._talk.turns.is_answering:
            self._stage.note(_("stop the answer first: esc"))
            return
        read = partial(end_of, self._bridge.orca.sessions, session_id, at, whole=self._talk.turns.is_private)
        self._stage.ask(read, lambda found: self._show(found, at), group="look chat")

    async def rename(self, rest: str) -> None:
        session_id = self._talk.turns.session_id
        if session_id is None:
            self._stage.note(_("this chat has no name yet: it begins with your first message"))
        elif rest:
            self._stage.ask(lambda: self._bridge.orca.sessions.rename(session_id, rest), self._renamed)
        else:
            self._ask_name(session_id, self._talk.turns.state.title)

    async def fork(self, rest: str) -> None:
        """A new chat with what was said so far, or up to round N."""
        last = self._talk.transcript.last
        if self._talk.turns.session_id is None or last is None:
            self._stage.note(_("there is nothing to go on from yet"))
            return
        self._fork_through(int(rest) if rest.isdecimal() else last.said.number)

    def fork_before(self, number: int, sent: Question) -> None:
        """A new chat with what was said before a round, and another message in its place."""
        self._fork_through(number - 1, sent)

    async def export(self, rest: str) -> None:
        """Write the chat to a file; one that is there already is not written over."""
        session_id = self._talk.turns.session_id
        if session_id is None:
            self._stage.note(_("there is nothing to save yet"))
            return
        name = rest or f"orca-{session_id}.md"

        def write(found: ChatEnd) -> None:
            path = Path(name).expanduser()
            if path.exists():
                self._stage.note(_("{path} is there already: name another file").format(path=path))
                return
            try:
                with new_file(path, force=False) as file:
                    file.write(chat_markdown(*found))
            except OrcaError as error:
                self._stage.note(explained(error))
            else:
                self._stage.note(_("saved: {path}").format(path=path))

        self._stage.ask(lambda: self._bridge.orca.sessions.show(session_id), write)

    async def search(self, rest: str) -> None:
        """Through all that was ever said."""
        if rest:
            self._search(rest)
        else:
            self._stage.push(AskLine(_("Search all messages")), self._search)

    def _search(self, text: str | None) -> None:
        if not text:
            return

        def go(value: str | None) -> None:
            if value:
                number, _colon, session_id = value.partition(":")
                self.resume(session_id, int(number))

        def show(found: MessagesFound) -> None:
            choices = [
                Choice(
                    each.snippet.text,
                    f"{each.round}:{each.session_id}",
                    f"{each.title} · {each.round}",
                    marks=each.snippet.marks,
                )
                for each in found.hits
            ]
            self._stage.push(
                Pick(
                    counted("{count} message", "{count} messages", len(found.hits)),
                    choices,
                    hint=_("enter goes to the chat"),
                ),
                go,
            )

        query = MessageQuery(text, limit=MOST_FOUND)
        self._stage.ask(lambda: self._bridge.orca.sessions.search(query), show, group="look search")

    def _pick(self, sessions: list[Session], stars: Collection[str], at: str) -> None:
        keys = {"ctrl+r": "rename", "ctrl+t": "star", "ctrl+d": "delete"}
        hint = _("enter resumes · ctrl+r names · ctrl+t stars · ctrl+d deletes · esc back")
        names = {session.id: session.title for session in sessions}

        def chosen(value: str | None) -> None:
            if value is None:
                return
            action, _colon, session_id = value.rpartition(":")
            match action:
                case "rename":
                    self._ask_name(session_id, names[session_id])
                case "star":
                    self._acting.star_chat(session_id, lambda: self.choose(session_id))
                case "delete":
                    self._ask_to_delete(session_id, names[session_id])
                case _:
                    self.resume(session_id)

        choices = titles(sessions, stars, self._marks.pinned)
        self._stage.push(Pick(_("Chats"), choices, keys=keys, hint=hint, at=at), chosen)

    def _ask_name(self, session_id: str, title: str) -> None:
        def named(name: str | None) -> None:
            if name is not None:
                self._stage.ask(lambda: self._bridge.orca.sessions.rename(session_id, name), self._renamed)

        self._stage.push(AskLine(_("Name of this chat"), title), named)

    def _ask_to_delete(self, session_id: str, title: str) -> None:
        if self._is_answered_in(session_id):
            self._stage.note(_("stop the answer first: esc"))
            return

        def answered(yes: bool | None) -> None:
            if yes and self._is_answered_in(session_id):  # a waiting message was sent meanwhile
                self._stage.note(_("stop the answer first: esc"))
            elif yes:
                self._stage.ask(
                    lambda: self._bridge.orca.sessions.delete(session_id), lambda _done: self._deleted(session_id)
                )

        detail = _("All that was said in it goes, for good. What was learnt from it stays.")
        self._stage.push(Confirm(_("Delete {title}?").format(title=title), detail, _("Delete")), answered)

    def _is_answered_in(self, session_id: str) -> bool:
        return self._talk.turns.is_answering and session_id == self._talk.turns.session_id

    def _deleted(self, session_id: str) -> None:
        if self._talk.turns.session_id == session_id:
            self._stage.later(self.new)
        self._stage.changed()
        self.choose()

    def _renamed(self, session: Session) -> None:
        if self._talk.turns.session_id == session.id:
            self._talk.turns.happen(Named(session.title))
        self._stage.redraw()

    def _show(self, found: ChatEnd, at: int | None = None) -> None:
        self._stage.later(self._go_on, *found, at)

    async def _go_on(self, session: Session, rounds: tuple[Round, ...], at: int | None = None) -> None:
        welcome = self._talk.welcome()
        async with self._talk.turns.changing:
            await self._talk.turns.show(session, rounds, welcome, at=at)
        if at is None:
            self._talk.prompt.focus()
        self._stage.changed()

    def _fork_through(self, number: int, sent: Question | None = None) -> None:
        session_id = self._talk.turns.session_id
        if session_id is None:
            return
        if self._talk.turns.is_answering:
            self._stage.note(_("stop the answer first: esc"))
            return
        sessions = self._bridge.orca.sessions

        async def forked() -> ChatEnd:
            fork = await sessions.fork(session_id, number)
            return await end_of(sessions, fork.id, whole=self._talk.turns.is_private)

        async def go_on(found: ChatEnd) -> None:
            await self._go_on(*found)
            if sent is not None:
                await self._talk.turns.submit(sent)

        self._stage.ask(forked, lambda found: self._stage.later(go_on, found))


def titles(sessions: Sequence[Session], stars: Collection[str], star: str) -> list[Choice]:
    """Chats as lines of a picker; some have a star."""
    return [
        Choice(
            f"{star} {session.title}" if session.id in stars else session.title,
            session.id,
            f"{session.created_at.astimezone():%Y-%m-%d %H:%M} · "
            + counted("{count} round", "{count} rounds", session.rounds),
        )
        for session in sessions
    ]


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

    async def _waiting(self) -> tuple[InboxCount, list[TaskView]]:
        orca = self._bridge.orca
        return await orca.inbox.waiting(), await orca.work.tasks.idle()

    def _announce(self, waiting: InboxCount, idle: Sequence[TaskView]) -> None:
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
        return await end_of(self._bridge.orca.sessions, place.session_id, place.round)

    async def _latest(self) -> ChatEnd | None:
        """The chat used last, where a start goes on in it. Raises StorageError."""
        if self._bridge.loaded.settings.ui.start != "latest":
            return None
        sessions = self._bridge.orca.sessions
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
