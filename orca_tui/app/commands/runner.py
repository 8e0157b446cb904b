"""The commands of the prompt and of the palette: offered, completed, carried out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from gettext import gettext as _
from inspect import isawaitable

from textual.content import Content

from orca_tui.app.commands.desk import Desk
from orca_tui.app.commands.table import Command
from orca_tui.app.keymap import Key
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.app.widgets.key_line import key_name
from orca_tui.app.widgets.literal import joined, literal

NOT_IN_THE_PALETTE = frozenset({"app.stop", "app.commands", "app.interrupt", "app.next_pane", "app.previous_pane"})


class Commands:
    """A table of commands over one desk."""

    def __init__(self, table: Sequence[Command], desk: Desk) -> None:
        self.desk = desk
        self._by_name = {command.name: command for command in table}
        self._early: list[str] = []

    @property
    def words(self) -> dict[str, str]:
        """What each command does, in a few words."""
        return {command.name: _(command.words) for command in self._by_name.values()}

    @property
    def names(self) -> dict[str, bool]:
        """The commands, and whether each wants a text behind it."""
        return {command.name: command.wants_text for command in self._by_name.values()}

    def offer(self, names: Sequence[str], at: int, height: int) -> Content:
        """The commands that may be meant, the one that enter takes marked."""
        room = max(3, height // 3)
        first = max(0, min(at - room // 2, len(names) - room))
        cursor, words = self.desk.marks.cursor, self.words
        lines = [
            literal(f"{cursor if number == at else ' '} {name:<11} ", "bold" if number == at else "")
            + literal(words[name], "$foreground-muted")
            for number, name in enumerate(names[first : first + room], start=first)
        ]
        return joined(lines, "\n")

    async def carry_out(self, name: str) -> None:
        """A command that was chosen; one that wants a text is begun in the prompt."""
        command = self._by_name[name]
        if command.wants_text:
            self.desk.talk.prompt.fill(f"{name} ")
        else:
            await self._run(command, "")

    async def slash(self, line: str) -> None:
        """Carry out a command; the beginning of a name is enough where it is the only one. While the engine opens, it
        waits."""
        if self.desk.bridge.is_opening:
            self._early.append(line)
            return
        word, _blank, rest = line.strip().partition(" ")
        names = list(self._by_name)
        found = [name for name in names if name == word] or [name for name in names if name.startswith(word)]
        if len(found) != 1:
            self.desk.stage.note(_("no such command: {word} — /help lists them").format(word=word))
            return
        command = self._by_name[found[0]]
        if command.wants_text and not rest.strip():
            self.desk.stage.note(_("what? {word} TEXT").format(word=command.name))
            return
        await self._run(command, rest.strip())

    async def catch_up(self) -> None:
        """Carry out the commands that were sent while the engine opened."""
        early, self._early = self._early, []
        for line in early:
            await self.slash(line)

    async def _run(self, command: Command, rest: str) -> None:
        outcome = command.run(self.desk, rest)
        if isawaitable(outcome):
            await outcome


def palette(words: dict[str, str], keys: Iterable[Key]) -> Pick:
    """Every command of the prompt, and every key that counts everywhere and is no command by the same words."""
    commands = {each: name for name, each in words.items()}
    choices = [Choice(each, name, name) for each, name in commands.items()]
    shown = {_(key.words): key for key in keys if key.id not in NOT_IN_THE_PALETTE}
    choices += [Choice(each, key.action, key_name(key.keys)) for each, key in shown.items() if each not in commands]
    return Pick(_("Commands"), choices)
