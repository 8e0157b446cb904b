"""What slash commands, keys on a message and the palette ask for: each opens a screen or asks the bridge."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from gettext import gettext as _
from typing import TYPE_CHECKING

from orca_core.domain.memories import Memory
from orca_core.domain.recall import Receipt
from orca_tui.app.chats import Chats
from orca_tui.app.clipboard import copy
from orca_tui.app.editor import edited
from orca_tui.app.light_markdown import code_blocks
from orca_tui.app.messages import TranscriptAction
from orca_tui.app.providers import Providers
from orca_tui.app.receipts import as_content, why_lines
from orca_tui.app.screens.dialogs import AskLine, Choice, Confirm, Pick, TextView
from orca_tui.app.screens.inbox import InboxScreen

if TYPE_CHECKING:
    from orca_tui.app.screens.main import MainScreen

Handler = Callable[[str], Awaitable[None]]


class Commands:
    """Everything that is not a turn and not a row of a list."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen
        self._bridge = screen.bridge
        self._code_at: tuple[int, int] = (0, 0)
        self.chats = Chats(screen)
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
            "/private": (_("keep nothing of what is said from here on"), self._private),
            "/help": (_("keys and commands"), self._help),
            "/quit": (_("leave"), self._quit),
        }

    async def slash(self, line: str) -> None:
        """Carry out a command; the beginning of a name is enough where it is the only one."""
        word, _blank, rest = line.strip().partition(" ")
        found = [name for name in self.words if name == word] or [name for name in self.words if name.startswith(word)]
        if len(found) != 1:
            self._screen.note(_("no such command: {word} — /help lists them").format(word=word))
            return
        await self.words[found[0]][1](rest.strip())

    async def transcript(self, action: TranscriptAction) -> None:
        """What a key on a message asks for."""
        match action.action:
            case "copy":
                self._copied(action.text)
            case "copy_code":
                self._copy_code(action)
            case "regenerate":
                if self._is_last(action.round):
                    await self._screen.turns.again(action.round)
            case "edit":
                await self._edit_and_resend(action.round)
            case "why":
                self._show_why(action.round)
            case "editor":
                edited(self._screen.app, action.text)

    def offer_to_forget(self, ids: Sequence[int]) -> None:
        """The user asked to forget something: which of these is meant?"""

        def ask(memories: list[Memory]) -> None:
            detail = "\n".join(f"#{memory.id}  {memory.content}" for memory in memories)

            def answered(yes: bool | None) -> None:
                if yes:
                    archive = self._bridge.engine.curate.archive
                    self._bridge.ask(lambda: archive(list(ids)), lambda _changed: self._screen.rows.ask_again())

            self._screen.app.push_screen(Confirm(_("Archive these?"), detail, _("Archive")), answered)

        self._bridge.ask(lambda: self._bridge.engine.curate.get(ids), ask, group="look forget")

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

    def _copied(self, text: str) -> None:
        self._screen.note(copy(self._screen.app, text))

    def _copy_code(self, action: TranscriptAction) -> None:
        """The next code block of the message at each press."""
        blocks = code_blocks(action.text)
        if not blocks:
            self._screen.note(_("no code in this message"))
            return
        at = (self._code_at[1] + 1) % len(blocks) if self._code_at[0] == action.round else 0
        self._code_at = (action.round, at)
        self._copied(blocks[at])

    def _is_last(self, number: int) -> bool:
        last = self._screen.transcript.last
        if last is not None and last.number == number:
            return True
        self._screen.note(_("only the last answer can be given again; e on an older one begins a fork"))
        return False

    async def _edit_and_resend(self, number: int) -> None:
        """Another question in the place of the last one; from an older one a new chat goes on."""
        view = next(view for view in self._screen.transcript.rounds if view.number == number)

        async def send(text: str) -> None:
            if not self._is_last_silently(number):
                await self.chats.fork_before(number)
                self._screen.prompt.fill(text)
            else:
                await self._screen.turns.again(number, text)

        def answered(text: str | None) -> None:
            if text and text.strip():
                self._screen.call_later(send, text)

        self._screen.app.push_screen(AskLine(_("Edit and send again"), view.question), answered)

    def _is_last_silently(self, number: int) -> bool:
        last = self._screen.transcript.last
        return last is not None and last.number == number

    def _show_why(self, number: int | None) -> None:
        def show(receipt: Receipt) -> None:
            title = _("Why: round {number}").format(number=receipt.round)
            self._screen.app.push_screen(TextView(title, as_content(why_lines(receipt, self._screen.marks))))

        if self._screen.turns.is_private or self._screen.turns.session_id is None:
            self._screen.note(_("there is no turn yet"))
            return
        session_id = self._screen.turns.session_id
        self._bridge.ask(lambda: self._bridge.engine.sessions.receipt(session_id, number), show, group="look why")

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
        if rest:
            self._bridge.ask(lambda: self._bridge.engine.curate.add(rest), lambda _added: self._screen.rows.ask_again())

    async def _forget(self, rest: str) -> None:
        def found(ids: list[int]) -> None:
            if ids:
                self.offer_to_forget(ids)
            else:
                self._screen.note(_("nothing is remembered that this could mean"))

        if rest:
            self._bridge.ask(lambda: self._near(rest), found, group="look forget")

    async def _near(self, text: str) -> list[int]:
        return [hit.memory.id for hit in (await self._bridge.engine.search.find(text, 5)).hits]

    async def _why(self, rest: str) -> None:
        self._show_why(int(rest) if rest.isdigit() else None)

    async def _memory(self, _rest: str) -> None:
        self._screen.show_pane("memories")

    async def _review(self, _rest: str) -> None:
        self.inbox()

    async def _extract(self, _rest: str) -> None:
        self._bridge.ask(self._bridge.engine.learner.learn_now, lambda _none: self._screen.changed(), group="learn")

    async def _undo(self, _rest: str) -> None:
        self._screen.memories.undo()

    async def _redo(self, _rest: str) -> None:
        self._screen.memories.redo()

    async def _doctor(self, _rest: str) -> None:
        self.providers.doctor()

    async def _theme(self, _rest: str) -> None:
        self._screen.app.action_change_theme()

    async def _private(self, _rest: str) -> None:
        is_private = not self._screen.turns.is_private
        self._screen.turns.go_private(is_private)
        await self._screen.transcript.clear(
            _("Private: nothing of what is said here is kept. /private ends it.") if is_private else ""
        )
        self._screen.redraw()

    async def _help(self, _rest: str) -> None:
        await self._screen.app.run_action("help")

    async def _quit(self, _rest: str) -> None:
        await self._screen.app.run_action("quit")
