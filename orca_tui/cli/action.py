"""`orca action`: what was done, and what it supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import gettext as _
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import ACTIONS, Action, ActionRecorded, naming
from orca_core.model.record_types import Ref, memory_ref, plain_ref
from orca_core.serialize.values import timestamp_json
from orca_core.serialize.work import action_json, taken_json
from orca_tui.cli.commands import Group, Option
from orca_tui.cli.output import TableColumn
from orca_tui.cli.parameters import (
    ANY_TEXT,
    MOMENT,
    SHOWN_ID,
    TASK_ID,
    json_object,
    text_of_file,
)
from orca_tui.cli.records import RecordCommands, print_operations, session_option, text_option
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.language import N_
from orca_tui.words.feedback_words import about_words, act_line, act_text, recorded_lines, standing_words
from orca_tui.words.memory_words import standing_word
from orca_tui.words.tool_words import taken_lines

SHOWN = 20
FILE = click.Path(path_type=Path)

action = Group("action", help="Record what was done: liked, edited, collected; see what it supports.")


@action.command(
    params=[
        click.Argument(["type_word"], metavar="TYPE", type=ANY_TEXT),
        session_option("The session that it is about."),
        Option(["--round"], type=click.IntRange(1, 2**31), metavar="N", help="The round that it is about."),
        text_option("--message", "The message, by a name that a client has for it.", metavar="M", default=""),
        Option(["--task"], type=TASK_ID, metavar="N", help="The task that it is about."),
        text_option("--tool", "The tool that it is about.", metavar="T", default=""),
        text_option("--call", "The call of that tool.", metavar="C", default=""),
        Option(["--record"], type=SHOWN_ID, metavar="ID", help="What stood before the model: 7, e3, k2 or g4."),
        text_option("--data", "What comes with it: a JSON object.", metavar="JSON"),
        Option(["--previous"], type=FILE, metavar="FILE", help="What was there before an edit."),
        Option(["--current"], type=FILE, metavar="FILE", help="What is there after it."),
        text_option("--query", "What was asked."),
        Option(["--at"], type=MOMENT, metavar="TIME", help="When it was done; else now."),
    ],
    examples=(
        "orca action add LIKE --session s --round 1",
        "orca action add CANCEL_LIKE --session s --round 1",
        "orca action add NOT_HELPFUL --session s --round 1 --record 7",
        "orca action add EDIT_FILE --session s --previous before.md --current after.md",
        'orca action add START_CHAT --session s --query "answer me in short sentences"',
    ),
)
def add(
    runtime: Runtime,
    *,
    type_word: str,
    session_id: str | None,
    record: Ref | None,
    data: str | None,
    previous: Path | None,
    current: Path | None,
    query: str | None,
    **about: Any,
) -> None:
    """Record an act: what was liked, edited, collected, asked.

    TYPE is LIKE, DISLIKE, NOT_HELPFUL, EDIT_FILE, EDIT_ROADMAP, START_CHAT, FOLLOWUP_CHAT, BREAK_CHAT, COLLECT_SESSION,
    COLLECT_TOOL, TASK_STOP, EXECUTE_SHELL_COMMAND or BROWSER_OPERATION. CANCEL_LIKE, CANCEL_DISLIKE,
    CANCEL_NOT_HELPFUL, UNCOLLECT_SESSION and UNCOLLECT_TOOL take back.

    What it shows of you is read in the background, and waits until it was shown on several days."""
    further = _data(data, previous, current, query, record)
    with runtime.open_orca() as opened:
        acts = opened.orca.feedback.actions
        _tell(runtime, opened, opened.run(acts.record(type_word, session_id or "", data=further, **about)))


class ActWithMemories(Struct, frozen=True):
    """An act with the memories that it supports."""

    act: Action
    memories: tuple[int, ...]


def _texts(_runtime: Runtime, opened: OpenOrca, ids: Sequence[int]) -> list[str]:
    return [_text(opened, each) for each in opened.run(_supporting(opened, ids))]


def _text(opened: OpenOrca, found: ActWithMemories) -> str:
    views = opened.run(opened.orca.memories.views(found.memories)) if found.memories else []
    return act_text(found.act, [(view.memory, standing_word(view.memory, view.status)) for view in views])


async def _supporting(opened: OpenOrca, ids: Sequence[int]) -> list[ActWithMemories]:
    actions = opened.orca.feedback.actions
    supports = await actions.speaks_for(ids)
    return [ActWithMemories(each, supports.get(each.id, ())) for each in await actions.get(ids)]


async def _listed(opened: OpenOrca, **filters: Any) -> tuple[Sequence[ActWithMemories], int]:
    page = await opened.orca.feedback.actions.page(**filters)
    return await _supporting(opened, [each.id for each in page.records]), page.total


ACTION_COMMANDS = RecordCommands(
    group=action,
    type=ACTIONS,
    service=lambda opened: opened.orca.feedback.actions,
    line=act_line,
    plural="actions",
    to_json=lambda row: action_json(row.act, row.memories),
    columns=(
        TableColumn(N_("id"), lambda row: str(plain_ref(ACTIONS.ref(row.act)))),
        TableColumn(N_("at"), lambda row: timestamp_json(row.act.at) or ""),
        TableColumn(N_("type"), lambda row: row.act.type.value),
        TableColumn(N_("status"), lambda row: standing_words(row.act)),
        TableColumn(N_("supports"), lambda row: " ".join(f"#{memory}" for memory in row.memories)),
        TableColumn(N_("about"), lambda row: about_words(row.act), takes_rest=True),
    ),
    texts=_texts,
)
ACTION_COMMANDS.list(
    "List acts, newest first.",
    session_option("Only of this session."),
    Option(["--standing"], is_flag=True, help="Only those that were not taken back."),
    find=_listed,
    nothing=N_("No act yet, or none like this: orca action add records one."),
    examples=("orca action list", "orca action list --session s --standing --json"),
    limit=SHOWN,
)
ACTION_COMMANDS.show(
    """Show all of an act, and the memories that it supports.

    An act supports a memory once it was read and shows something. One that was taken back supports none.""",
    examples=("orca action show a1", "orca action show a1 a2 --json"),
)


def _data(
    data_text: str | None, previous: Path | None, current: Path | None, query: str | None, record: Ref | None
) -> Mapping[str, Any] | None:
    """What comes with the act. Raises InvalidInput where it is said twice, or by half."""
    ways = (data_text is not None, previous is not None or current is not None, query is not None, record is not None)
    if sum(ways) > 1:
        raise InvalidInput(
            template="--data, --previous with --current, --query, and --record: only one of them can be given"
        )
    if data_text is not None:
        return json_object(data_text, "--data", '{"query": "answer in short sentences"}')
    if record is not None:
        return naming(record)
    if query is not None:
        return {"query": query}
    if previous is None and current is None:
        return None
    if previous is None or current is None:
        raise InvalidInput(
            template="--previous and --current belong together", hint="/dev/null is a file with nothing in it"
        )
    return {"previous": text_of_file(previous), "current": text_of_file(current)}


def _tell(runtime: Runtime, opened: OpenOrca, recorded: ActionRecorded | None) -> None:
    taken = None if recorded is None else recorded.calls
    called = [] if taken is None else taken_lines(taken)
    more = {} if taken is None else {"calls": taken_json(taken)}
    if recorded is None or not recorded.is_kept:
        if not runtime.as_json:
            runtime.output.note(_("acts are not recorded: memory.actions.enabled is false"))
        disabled = [{"id": None, "reason": "disabled"}]
        print_operations(runtime, opened, (), (), called, refused=disabled, **more)
    elif recorded.is_known:
        ref = ACTIONS.ref(recorded.action)
        lines = [f"{_('stands already')}  {act_line(recorded.action)}"]
        refused = [{"id": plain_ref(ref), "reason": "stands_already"}]
        print_operations(runtime, opened, (), (), lines, refused=refused)
    else:
        acts = [ACTIONS.ref(each) for each in (recorded.action, *recorded.withdrawn)]
        refs = [*acts, *(memory_ref(each.id) for each in recorded.memories)]
        lines = recorded_lines(recorded.action, recorded.withdrawn, recorded.memories)
        if recorded.took_back_nothing:
            called = [_("nothing was taken back: no act stands on what it names")]
        print_operations(runtime, opened, (recorded.operation,), refs, [*lines, *called], **more)
