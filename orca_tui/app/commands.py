"""What slash commands and the palette ask for: each opens a screen or asks the bridge."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING

from textual.content import Content

from orca_core.config.edit import change_config
from orca_core.config.file import FILE_NAME
from orca_core.domain.errors import OrcaError
from orca_core.domain.memories import Memory
from orca_tui.app.connecting.providers import Providers
from orca_tui.app.memory.inbox import InboxScreen
from orca_tui.app.talk.chats import Chats
from orca_tui.app.talk.prompt import MAX_HISTORY
from orca_tui.app.talk.rounds import Rounds
from orca_tui.app.widgets.dialogs import Choice, Confirm, Pick
from orca_tui.app.widgets.literal import joined, literal
from orca_tui.language import sentence_and_way_out

if TYPE_CHECKING:
    from orca_tui.app.screens.main import MainScreen

Handler = Callable[[str], Awaitable[None]]
WANT_TEXT = frozenset({"/remember", "/forget"})


class Commands:
    """Everything that is not a turn and not a row of a list."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._bridge = screen.bridge
        self.chats = Chats(screen)
        self.rounds = Rounds(screen, self.chats)
        self.providers = Providers(screen)
        self.words: dict[str, tuple[str, Handler]] = {
            "/new": (_("begin a new chat"), self._new),
            "/chats": (_("list the chats"), self._chats),
            "/rename": (_("name this chat"), self.chats.rename),
            "/fork": (_("go on from here in a new chat"), self.chats.fork),
            "/export": (_("save this chat as Markdown"), self.chats.export),
            "/search": (_("search all messages"), self.chats.search),
            "/model": (_("choose a model"), self._model),
            "/system": (_("set the system prompt of this chat"), self._system),
            "/remember": (_("remember TEXT"), self._remember),
            "/forget": (_("archive what is meant by TEXT"), self._forget),
            "/why": (_("why this turn got what it got"), self._why),
            "/memory": (_("show the memories"), self._memory),
            "/review": (_("review what was learnt"), self._review),
            "/extract": (_("learn now from what waits"), self._extract),
            "/undo": (_("take back the last change"), self._undo),
            "/redo": (_("take back the last undo"), self._redo),
            "/doctor": (_("check that everything works"), self._doctor),
            "/theme": (_("choose the colours"), self._theme),
            "/private": (_("keep nothing of what is said from here on"), self.chats.private),
            "/help": (_("keys and commands"), self._help),
            "/quit": (_("leave"), self._quit),
        }

    @property
    def names(self) -> dict[str, bool]:
        """The commands, and whether each wants a text behind it."""
        return {name: name in WANT_TEXT for name in self.words}

    def offer(self, names: Sequence[str], at: int, height: int) -> Content:
        """The commands that may be meant, the one that enter takes marked."""
        room = max(3, height // 3)
        first = max(0, min(at - room // 2, len(names) - room))
        lines = [
            literal(f"{self._screen.marks.cursor if number == at else ' '} {name:<11} ", "bold" if number == at else "")
            + literal(self.words[name][0], "$foreground-muted")
            for number, name in enumerate(names[first : first + room], start=first)
        ]
        return joined(lines, "\n")

    async def carry_out(self, name: str) -> None:
        """A command that was chosen; one that wants a text is begun in the prompt."""
        if name in WANT_TEXT:
            self._screen.prompt.fill(f"{name} ")
        else:
            await self.words[name][1]("")

    def keep_theme(self, theme: str) -> None:
        """Write the colours that were chosen into the configuration."""
        loaded = self._bridge.loaded
        path = loaded.path or loaded.home / FILE_NAME
        try:
            change_config(path, {"ui.theme": theme})
        except OrcaError as error:
            self._screen.note(sentence_and_way_out(error)[0])

    async def slash(self, line: str) -> None:
        """Carry out a command; the beginning of a name is enough where it is the only one."""
        word, _blank, rest = line.strip().partition(" ")
        found = [name for name in self.words if name == word] or [name for name in self.words if name.startswith(word)]
        if len(found) != 1:
            self._screen.note(_("no such command: {word} — /help lists them").format(word=word))
            return
        if found[0] in WANT_TEXT and not rest.strip():
            self._screen.note(_("what? {word} TEXT").format(word=found[0]))
            return
        await self.words[found[0]][1](rest.strip())

    def unqueue(self) -> None:
        """The message that waits goes back into the prompt."""
        sent = self._screen.turns.unqueue()
        if sent is not None:
            self._screen.prompt.fill(sent.text)
        self._screen.redraw()

    def recall_prompts(self) -> None:
        """What was sent in earlier sittings comes back with the up key."""
        if not self._screen.prompt.past:
            sessions = self._bridge.engine.sessions
            self._bridge.ask(lambda: sessions.questions(MAX_HISTORY), self._screen.prompt.remember, group="look past")

    def offer_to_forget(self, ids: Sequence[int]) -> None:
        """The user asked to forget something: which of these is meant?"""

        def ask(memories: list[Memory]) -> None:
            detail = "\n".join(f"#{memory.id}  {memory.content}" for memory in memories)

            def answered(yes: bool | None) -> None:
                if yes:
                    archive = self._bridge.engine.memories.archive
                    self._bridge.ask(lambda: archive(list(ids)), lambda _changed: self._screen.rows.ask_again())

            self._screen.app.push_screen(Confirm(_("Archive these?"), detail, _("Archive")), answered)

        self._bridge.ask(lambda: self._bridge.engine.memories.get(ids), ask, group="look forget")

    def inbox(self) -> None:
        if self._bridge.is_ready:
            self._screen.app.push_screen(InboxScreen(self._bridge, self._screen.marks), lambda _none: self._reviewed())

    def search_prompts(self) -> None:
        """Choose one of the messages that were sent before."""
        past = [Choice(text.replace("\n", " "), text) for text in reversed(self._screen.prompt.past)]

        def chosen(text: str | None) -> None:
            if text is not None:
                self._screen.prompt.fill(text)

        self._screen.app.push_screen(Pick(_("What you sent"), past), chosen)

    def _reviewed(self) -> None:
        self._screen.rows.ask_again()
        self._screen.changed()

    async def _new(self, _rest: str) -> None:
        await self.chats.new()

    async def _chats(self, _rest: str) -> None:
        self.chats.choose()

    async def _model(self, _rest: str) -> None:
        self.providers.choose()

    async def _system(self, rest: str) -> None:
        self._screen.turns.system_prompt = rest or None
        self._screen.note(
            _("the system prompt of this chat is set") if rest else _("the configured system prompt again")
        )

    async def _remember(self, rest: str) -> None:
        self._bridge.ask(lambda: self._bridge.engine.memories.add(rest), lambda _added: self._screen.rows.ask_again())

    async def _forget(self, rest: str) -> None:
        def found(ids: list[int]) -> None:
            if ids:
                self.offer_to_forget(ids)
            else:
                self._screen.note(_("nothing is remembered that this could mean"))

        self._bridge.ask(lambda: self._near(rest), found, group="look forget")

    async def _near(self, text: str) -> list[int]:
        return [hit.memory.id for hit in (await self._bridge.engine.search.find(text, 5)).hits]

    async def _why(self, rest: str) -> None:
        self.rounds.show_why(int(rest) if rest.isdecimal() else None)

    async def _memory(self, _rest: str) -> None:
        self._screen.show_pane("memories")

    async def _review(self, _rest: str) -> None:
        self.inbox()

    async def _extract(self, _rest: str) -> None:
        self._bridge.ask(self._bridge.engine.worker.learn_now, lambda _none: self._screen.changed(), group="learn")

    async def _undo(self, _rest: str) -> None:
        self._screen.memories.undo()

    async def _redo(self, _rest: str) -> None:
        self._screen.memories.redo()

    async def _doctor(self, _rest: str) -> None:
        self.providers.doctor()

    async def _theme(self, _rest: str) -> None:
        self._screen.app.action_change_theme()

    async def _help(self, _rest: str) -> None:
        await self._screen.app.run_action("help")

    async def _quit(self, _rest: str) -> None:
        await self._screen.app.run_action("quit")
