"""Every command of the prompt: its name, what the list says of it, what it does. A new one is an entry here."""

from __future__ import annotations

from gettext import gettext as _

from orca_core.model.feedback import ActionType
from orca_tui.app.commands.desk import Desk
from orca_tui.app.commands.entry import Entry
from orca_tui.app.state.chat import Instructed
from orca_tui.language import N_
from orca_tui.words.task_words import task_ending

Command = Entry[Desk]
"""One command. A key for it is an entry of `AFTER_PANES` in the keymap."""


def _instruct(desk: Desk, rest: str) -> None:
    desk.talk.turns.happen(Instructed(rest or None))
    desk.stage.note(_("the system prompt of this chat is set") if rest else _("the configured system prompt again"))


def _remember(desk: Desk, rest: str) -> None:
    desk.stage.ask(lambda: desk.bridge.engine.memories.add(rest), lambda _added: desk.stage.changed(anew=True))


def _show_why(desk: Desk, rest: str) -> None:
    desk.rounds.show_why(int(rest) if rest.isdecimal() else None)


def _learn(desk: Desk, _rest: str) -> None:
    desk.stage.ask(desk.bridge.engine.worker.learn_now, lambda _none: desk.stage.changed(), group="learn")


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
