"""Commands as data: their names, words and handlers; what carries them out, and the controllers that they reach."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from gettext import gettext as _
from inspect import isawaitable
from typing import Any

from msgspec import Struct
from textual.content import Content

from orca_core.model.feedback import ActionType
from orca_core.model.record_types import MEMORY, Kind
from orca_core.model.tasks import Step
from orca_tui.app.bridge import Bridge
from orca_tui.app.chat.chat_state import Instructed
from orca_tui.app.chat.chats import Chats, Prompts
from orca_tui.app.chat.opinions import Acting, Helping
from orca_tui.app.chat.rounds import Cited, Rounds
from orca_tui.app.chat.turns import Talk
from orca_tui.app.connecting.doctor import Doctor
from orca_tui.app.connecting.providers import Providers
from orca_tui.app.keymap import Entry, Key
from orca_tui.app.records.inbox import InboxScreen
from orca_tui.app.records.kind import Place, RecordKind
from orca_tui.app.records.memory_dialogs import Forgetting
from orca_tui.app.records.memory_pane import MemoriesPane
from orca_tui.app.records.shelf import Undoing
from orca_tui.app.stage import Stage
from orca_tui.app.widgets.dialogs import Choice, Pick
from orca_tui.app.widgets.key_line import key_name
from orca_tui.app.widgets.text import joined, literal, padded
from orca_tui.app.work.work_pane import WorkPane
from orca_tui.app.work.working import Starring, Working
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.task_words import task_ending


class Desk(Struct, frozen=True):
    """The controllers that commands hand their work to."""

    stage: Stage
    bridge: Bridge
    marks: Marks
    kinds: Mapping[Kind, RecordKind[Any, Any]]
    talk: Talk
    chats: Chats
    rounds: Rounds
    acting: Acting
    prompts: Prompts
    providers: Providers
    doctor: Doctor
    forgetting: Forgetting
    undoing: Undoing
    working: Working
    starring: Starring
    step: Callable[[], Step | None]
    """The step under the cursor, where the task is looked at."""
    show_pane: Callable[[str], None]
    run_action: Callable[[str], Awaitable[object]]
    """An action of the app, by its name."""

    def review(self) -> None:
        """Open the inbox; what was decided there is looked at when it closes."""
        if self.bridge.is_ready:
            self.stage.push(InboxScreen(self.bridge, self.kinds, self.marks), self._reviewed)

    def _reviewed(self, place: Place | None) -> None:
        self.stage.changed(anew=True)
        if place is not None:
            self.chats.resume(place.session_id, place.round)


Command = Entry[Desk]
"""One command. A key for it is an entry of `AFTER_PANES` in the keymap."""


def _instruct(desk: Desk, rest: str) -> None:
    desk.talk.turns.happen(Instructed(rest or None))
    desk.stage.note(_("the system prompt of this chat is set") if rest else _("the configured system prompt again"))


def _remember(desk: Desk, rest: str) -> None:
    desk.stage.ask(lambda: desk.bridge.orca.memories.add(rest), lambda _added: desk.stage.changed(anew=True))


def _show_why(desk: Desk, rest: str) -> None:
    desk.rounds.show_why(int(rest) if rest.isdecimal() else None)


def _learn(desk: Desk, _rest: str) -> None:
    desk.stage.ask(desk.bridge.orca.worker.learn_now, lambda _none: desk.stage.changed(), group="learn")


def _task(desk: Desk, rest: str) -> None:
    if rest:
        desk.working.begin(rest)
    else:
        desk.show_pane("work")


def _plan(desk: Desk, _rest: str) -> None:
    desk.working.with_current(desk.working.edit_plan)


def _end_task(desk: Desk, rest: str) -> None:
    desk.working.end(*task_ending(rest))


def _star_call(desk: Desk, _rest: str) -> None:
    desk.working.with_current(lambda task: desk.starring.turn_latest(task, desk.step()))


def _like(desk: Desk, _rest: str) -> None:
    desk.acting.judge(desk.talk.transcript.chosen, ActionType.LIKE)


def _dislike(desk: Desk, _rest: str) -> None:
    desk.acting.judge(desk.talk.transcript.chosen, ActionType.DISLIKE)


COMMANDS = (
    Command("/new", N_("begin a new chat"), lambda desk, _rest: desk.chats.new()),
    Command("/chats", N_("list the chats"), lambda desk, _rest: desk.chats.choose()),
    Command("/rename", N_("name this chat"), lambda desk, rest: desk.chats.rename(rest)),
    Command("/fork", N_("go on from here in a new chat"), lambda desk, rest: desk.chats.fork(rest)),
    Command("/export", N_("save this chat as Markdown"), lambda desk, rest: desk.chats.export(rest)),
    Command("/search", N_("search all messages"), lambda desk, rest: desk.chats.search(rest)),
    Command("/model", N_("choose a model"), lambda desk, _rest: desk.providers.choose()),
    Command("/system", N_("set the system prompt of this chat"), _instruct),
    Command("/remember", N_("remember TEXT"), _remember, wants_text=True),
    Command(
        "/forget",
        N_("archive what is meant by TEXT"),
        lambda desk, rest: desk.forgetting.find(rest),
        wants_text=True,
    ),
    Command("/task", N_("start a task: TEXT; or show it"), _task),
    Command(
        "/step", N_("add the step TEXT to the task"), lambda desk, rest: desk.working.add_step(rest), wants_text=True
    ),
    Command("/steps", N_("edit all steps of the task in $EDITOR"), _plan),
    Command("/done", N_("end the task: success, partial or failed, and a few words"), _end_task),
    Command("/like", N_("like the answer; again takes it back"), _like),
    Command("/dislike", N_("dislike the answer; again takes it back"), _dislike),
    Command("/star", N_("give this chat a star, or take it away"), lambda desk, _rest: desk.acting.star()),
    Command("/starcall", N_("give a tool call of the task a star, or take it away"), _star_call),
    Command("/why", N_("why this turn got what it got"), _show_why),
    Command("/memory", N_("show the memories"), lambda desk, _rest: desk.show_pane("memories")),
    Command("/review", N_("review what was learnt"), lambda desk, _rest: desk.review()),
    Command("/extract", N_("learn now from what waits"), _learn),
    Command("/undo", N_("take back the last change"), lambda desk, _rest: desk.undoing.undo()),
    Command("/redo", N_("take back the last undo"), lambda desk, _rest: desk.undoing.redo()),
    Command(
        "/doctor",
        N_("check that everything works; --network asks servers, --fix mends"),
        lambda desk, rest: desk.doctor.examine(rest),
    ),
    Command("/theme", N_("choose the colours"), lambda desk, _rest: desk.run_action("change_theme")),
    Command("/private", N_("keep nothing of what is said from here on"), lambda desk, _rest: desk.chats.private()),
    Command("/help", N_("keys and commands"), lambda desk, _rest: desk.run_action("help")),
    Command("/quit", N_("leave"), lambda desk, _rest: desk.run_action("quit")),
)


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
        """Carry out a command; the beginning of a name is enough where it is the only one. While Orca opens, it
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
        """Carry out the commands that were sent while Orca opened."""
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


def help_content(
    groups: Mapping[str, tuple[Key, ...]], focused: str, commands: Mapping[str, str], chosen_keys: Mapping[str, str]
) -> Content:
    """All of it: the `groups` of keys, the one that is `focused` first; `chosen_keys` come from the configuration."""
    lines: list[Content] = []
    for group in sorted(groups, key=lambda name: name != focused):
        lines.append(literal(_(group), "bold"))
        for key in groups[group]:
            keys = " ".join(key_name(each) for each in chosen_keys.get(key.id, key.keys).split(","))
            words = padded(_(key.words), 26)
            lines.append(literal(f"  {keys:<12} ") + literal(words) + literal(key.id, "$foreground-muted"))
        lines.append(Content(""))
    lines.append(literal(_("Prompt"), "bold"))
    for keys, words in (
        ("enter", _("send")),
        ("^j", _("newline")),
        ("up down", _("what you sent before")),
    ):
        lines.append(literal(f"  {keys:<12} ") + literal(words))
    lines += [literal(f"  {name:<12} ") + literal(words) for name, words in commands.items()]
    lines += [
        Content(""),
        literal(_("Other keys: [keys] in config.toml, by the names on the right."), "$foreground-muted"),
    ]
    return Content("\n").join(lines)


def make_commands(
    table: Sequence[Command] | None,
    stage: Stage,
    bridge: Bridge,
    talk: Talk,
    memories: MemoriesPane,
    work: WorkPane,
    marks: Marks,
    *,
    show_pane: Callable[[str], None],
    run_action: Callable[[str], Awaitable[object]],
) -> Commands:
    """The commands, those that were given or all that Orca has, and what they and the keys reach."""
    kinds: dict[Kind, RecordKind[Any, Any]] = {MEMORY: memories.kind, **work.body.kinds}
    acting = Acting(stage, bridge, talk)
    cited = Cited(stage, kinds, Helping(stage, bridge, talk), marks)
    chats = Chats(stage, bridge, talk, acting, marks)
    desk = Desk(
        stage=stage,
        bridge=bridge,
        marks=marks,
        kinds=kinds,
        talk=talk,
        chats=chats,
        rounds=Rounds(stage, bridge, talk, chats, acting, marks, cited),
        acting=acting,
        prompts=Prompts(stage, bridge, talk.prompt),
        providers=Providers(stage, bridge, marks),
        doctor=Doctor(stage, bridge),
        forgetting=Forgetting(stage, bridge),
        undoing=memories.shelf.undoing,
        working=work.body.working,
        starring=work.body.starring,
        step=lambda: work.step_looked_at,
        show_pane=show_pane,
        run_action=run_action,
    )
    return Commands(COMMANDS if table is None else table, desk)
