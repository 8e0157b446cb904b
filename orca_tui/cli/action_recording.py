"""`orca action add`: an act is recorded, as one operation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from gettext import gettext as _
from pathlib import Path
from typing import Any

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import ACTIONS, ActionRecorded, naming
from orca_core.model.records import Ref, memory_ref, plain_ref
from orca_core.serialize.work import taken_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.given import MOMENT, json_object, text_of_file
from orca_tui.cli.outcomes import Outcome, tell
from orca_tui.cli.record_ids import SHOWN_ID, TASK_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT, SESSION_ID
from orca_tui.words.act_words import act_line, recorded_lines
from orca_tui.words.tool_words import taken_lines

EXAMPLES = (
    "orca action add LIKE --session s --round 1",
    "orca action add CANCEL_LIKE --session s --round 1",
    "orca action add NOT_HELPFUL --session s --round 1 --record 7",
    "orca action add EDIT_FILE --session s --previous before.md --current after.md",
    'orca action add START_CHAT --session s --query "answer me in short sentences"',
)


@command(examples=EXAMPLES)
@click.argument("type_word", metavar="TYPE", type=ANY_TEXT)
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="The session that it is about.")
@option("--round", "number", type=click.IntRange(1, 2**31), metavar="N", help="The round that it is about.")
@option("--message", default="", type=ANY_TEXT, metavar="M", help="The message, by a name that a client has for it.")
@option("--task", "task_id", type=TASK_ID, metavar="N", help="The task that it is about.")
@option("--tool", default="", type=ANY_TEXT, metavar="T", help="The tool that it is about.")
@option("--call", default="", type=ANY_TEXT, metavar="C", help="The call of that tool.")
@option("--record", type=SHOWN_ID, metavar="ID", help="What stood before the model: 7, e3, k2 or g4.")
@option("--data", "data_text", type=ANY_TEXT, metavar="JSON", help="What comes with it: a JSON object.")
@option("--previous", type=click.Path(path_type=Path), metavar="FILE", help="What was there before an edit.")
@option("--current", type=click.Path(path_type=Path), metavar="FILE", help="What is there after it.")
@option("--query", type=ANY_TEXT, metavar="TEXT", help="What was asked.")
@option("--at", type=MOMENT, metavar="TIME", help="When it was done; else now.")
@as_json_option
@pass_runtime
def add(
    runtime: Runtime,
    *,
    type_word: str,
    session_id: str | None,
    number: int | None,
    message: str,
    task_id: int | None,
    tool: str,
    call: str,
    record: Ref | None,
    data_text: str | None,
    previous: Path | None,
    current: Path | None,
    query: str | None,
    at: datetime | None,
    as_json: bool,
) -> None:
    """Record an act: what was liked, edited, collected, asked.

    TYPE is LIKE, DISLIKE, NOT_HELPFUL, EDIT_FILE, EDIT_ROADMAP, START_CHAT, FOLLOWUP_CHAT, BREAK_CHAT, COLLECT_SESSION,
    COLLECT_TOOL, TASK_STOP, EXECUTE_SHELL_COMMAND or BROWSER_OPERATION. CANCEL_LIKE, CANCEL_DISLIKE,
    CANCEL_NOT_HELPFUL, UNCOLLECT_SESSION and UNCOLLECT_TOOL take back.

    What it shows of you is read in the background, and waits until it was shown on several days."""
    data = _data(data_text, previous, current, query, record)
    with runtime.orca() as orca:
        recorded = orca.run(
            orca.engine.feedback.actions.record(
                type_word,
                session_id or "",
                round=number,
                message=message,
                task=task_id,
                tool=tool,
                call=call,
                data=data,
                at=at,
            )
        )
        _tell(runtime, orca, recorded, as_json=as_json)


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


def _tell(runtime: Runtime, orca: OpenOrca, recorded: ActionRecorded | None, *, as_json: bool) -> None:
    taken = None if recorded is None else recorded.calls
    called = [] if taken is None else taken_lines(taken)
    more = {} if taken is None else {"calls": taken_json(taken)}
    if recorded is None or not recorded.is_kept:
        if not as_json:
            runtime.output.note(_("acts are not recorded: memory.actions.enabled is false"))
        disabled = [{"id": None, "reason": "disabled"}]
        tell(runtime, orca, Outcome((), (), called), as_json=as_json, refused=disabled, **more)
    elif recorded.is_known:
        ref = ACTIONS.ref(recorded.action)
        lines = [f"{_('stands already')}  {act_line(recorded.action)}"]
        refused = [{"id": plain_ref(ref), "reason": "stands_already"}]
        tell(runtime, orca, Outcome((), (), lines), as_json=as_json, refused=refused)
    else:
        acts = [ACTIONS.ref(each) for each in (recorded.action, *recorded.withdrawn)]
        refs = [*acts, *(memory_ref(each.id) for each in recorded.memories)]
        lines = recorded_lines(recorded.action, recorded.withdrawn, recorded.memories)
        if recorded.took_back_nothing:
            called = [_("nothing was taken back: no act stands on what it names")]
        tell(runtime, orca, Outcome((recorded.operation,), refs, [*lines, *called]), as_json=as_json, **more)
