"""`orca tool`: calls of tools, and the guides that they taught."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from gettext import gettext as _
from pathlib import Path
from typing import Any

import click

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.record_types import CALL
from orca_core.model.tools import GUIDES
from orca_core.serialize.reports import deleted_json, outcome_json
from orca_core.serialize.values import timestamp_json
from orca_core.serialize.work import calls_from, taken_json, tool_shown_json, tools_json
from orca_tui.cli.commands import Group, Option, option
from orca_tui.cli.delete_command import DeleteCommand, proof_option, takes_deletion_options, yes_option
from orca_tui.cli.learning import FAILURES, run_and_report
from orca_tui.cli.output import TableColumn
from orca_tui.cli.parameters import (
    ANY_TEXT,
    MOMENT,
    json_value,
    read_piped,
    records,
    text_of_file,
)
from orca_tui.cli.records import RecordCommands, session_option, text_option
from orca_tui.cli.runtime import Runtime
from orca_tui.language import N_, counted
from orca_tui.words.tool_words import guide_line, guide_made_line, guide_words, seconds_words, taken_lines, tool_text

SHOWN = 10

tool = Group("tool", help="Record calls of tools, and see what they taught.")
TOOL = click.Argument(["tool"], type=ANY_TEXT, shell_complete=records("tool"))
COLUMNS = (
    TableColumn(N_("tool"), lambda view: view.figures.tool, takes_rest=True),
    TableColumn(N_("guide"), guide_words),
    TableColumn(N_("calls"), lambda view: str(view.figures.calls), is_number=True),
    TableColumn(N_("succeeded"), lambda view: str(view.figures.succeeded), is_number=True),
    TableColumn(N_("median s"), lambda view: seconds_words(view.figures.median_s), is_number=True),
    TableColumn(N_("95 % s"), lambda view: seconds_words(view.figures.p95_s), is_number=True),
    TableColumn(N_("last call"), lambda view: timestamp_json(view.figures.last_at) or "-"),
)


GUIDE_COMMANDS = RecordCommands(
    group=tool,
    type=GUIDES,
    service=lambda opened: opened.orca.guides,
    line=guide_line,
)


@tool.command("list", examples=("orca tool list", "orca tool list --json"))
def list_tools(runtime: Runtime) -> None:
    """List tools that were called, with figures, and whether a guide is there.

    The most used come first."""
    with runtime.open_orca() as opened:
        views = opened.run(opened.orca.tools.every())
    if runtime.as_json:
        runtime.output.json(tools_json(views))
        return
    nothing = _("No call of a tool was recorded yet: orca tool record records some.")
    runtime.output.page(COLUMNS, views, len(views), nothing)


@tool.command(params=[TOOL], examples=("orca tool show web_search", "orca tool show web_search --calls 3 --json"))
@option("--calls", "limit", type=click.IntRange(min=0), default=SHOWN, metavar="N", help="So many of the latest calls.")
def show(runtime: Runtime, tool: str, limit: int) -> None:
    """Show what is known of a tool: its guide, its figures, the latest calls.

    A guide that waits for you is shown, too. What programs get of a tool is the guide that lives, and the figures."""
    with runtime.open_orca() as opened:
        view = opened.run(opened.orca.tools.show(tool))
        calls = opened.run(opened.orca.tools.calls(tool, limit))
    if runtime.as_json:
        runtime.output.json(tool_shown_json(view, calls))
    else:
        runtime.output.line(tool_text(view, calls, runtime.output.marks))


EXAMPLES = (
    'orca tool record --tool web_search --input \'{"query": "nginx 502"}\' --output "3 results" --seconds 0.8',
    'orca tool record --tool web_search --input "nginx" --output "Timeout: no answer" --failed --session s --call c1',
    "orca tool record --file calls.json --session s",
    "cat calls.json | orca tool record",
)


@tool.command(
    params=[
        Option(
            ["--file", "path"], type=click.Path(path_type=Path), metavar="FILE", help="Read the calls from it, as JSON."
        ),
        text_option("--tool", "Record one call, of this tool.", metavar="NAME"),
        text_option("--input", "What it was given: a text, or a JSON object."),
        text_option("--output", "What it answered."),
        Option(["--failed"], is_flag=True, help="It failed; the answer begins with the error."),
        Option(["--call", "call_id"], type=ANY_TEXT, metavar="C", help="Its name in its session."),
        Option(["--seconds"], type=float, metavar="S", help="How long it took."),
        Option(["--tokens"], type=int, metavar="N", help="How many tokens it used."),
        Option(["--at"], type=MOMENT, metavar="TIME", help="When it ended; else now."),
        session_option("The session of calls that name none."),
    ],
    examples=EXAMPLES,
)
def record(
    runtime: Runtime, path: Path | None, tool: str | None, session_id: str | None, *, failed: bool, **said: Any
) -> None:
    """Record calls of tools.

    One by options, or any number as JSON, from a file or a pipe: one call, a list of them, or {"calls": […]}. A call
    has a tool, and may have input, output, success, seconds, tokens, at, call_id and session_id.

    A call that is reported again counts once. One that can't be read is refused by itself, with its place from 0 on;
    then the command fails, and the others are recorded."""
    own = {name: value for name, value in said.items() if value is not None}
    if "input" in own:
        own["input"] = _object_or_text(own["input"])
    calls = _calls(path, tool, {**own, "success": False} if failed else own)
    with runtime.open_orca() as opened:
        taken = opened.run(opened.orca.tools.record(calls, session_id or ""))
        if taken is None:
            raise InvalidInput(template="calls are not recorded", hint="memory.tools.enabled is false")
    if runtime.as_json:
        runtime.output.json(outcome_json((), (), **taken_json(taken)))
    else:
        runtime.output.line("\n".join(taken_lines(taken)))
    if taken.refused:
        raise click.exceptions.Exit(1)


@tool.command(examples=("orca tool write", "orca tool write web_search"))
@click.argument("tool", type=ANY_TEXT, shell_complete=records("tool"), required=False)
def write(runtime: Runtime, tool: str | None) -> None:
    """Write guides of tools now.

    Of all tools with new calls, or of one. Otherwise that is done in the background: see memory.tools.summary_count and
    memory.tools.summary_after. A guide that you pinned or wrote is written anew only where you name its tool."""
    with runtime.open_orca() as opened:
        tools = opened.orca.tools
        if not tools.is_writing:
            raise InvalidInput(
                template="no guides are written", hint="see memory_agent.enabled and memory.tools.enabled"
            )
        if tool is not None:
            opened.run(tools.show(tool))
        shown = run_and_report(runtime, opened, tools.write(tool or ""), guide_made_line)
    if not shown and not runtime.as_json:
        runtime.output.note(_("Nothing to write: no call came since."))
    if any(event.state in FAILURES for event in shown):
        raise click.exceptions.Exit(1)


GUIDE_COMMANDS.edit(
    """Change what a guide says.

    What you wrote no further call changes, unless you ask for it: orca tool write TOOL.""",
    examples=('orca tool edit g1 --text "Three words find more than a sentence."',),
)
GUIDE_COMMANDS.acts(
    {
        "pin": "Pin a guide: nothing but you changes it.",
        "unpin": "Take pins off guides.",
        "archive": "Archive a guide: it is kept, and not used.",
        "restore": "Bring archived guides back.",
        "accept": "Let a guide live that waits for you.",
        "reject": "Reject a guide that waits for you.",
    }
)


@tool.command(params=[TOOL], examples=("orca tool delete web_search", "orca tool delete web_search --only calls --yes"))
@option("--only", type=click.Choice(["calls", "guides"]), help="Keep the others.")
@yes_option
@proof_option
@takes_deletion_options
def delete(runtime: Runtime, *, tool: str, only: str | None, deletion: DeleteCommand) -> None:
    """Delete what is known of a tool for good.

    That is its calls with what they were given and answered, and every guide of it, also such as were put away. To put
    a guide aside, archive it."""
    with runtime.open_orca() as opened:
        tools = opened.orca.tools
        guides = [] if only == "calls" else opened.run(tools.guides_of(tool))
        calls = 0 if only == "guides" else sum(each.calls for each in opened.run(tools.figures([tool])))
        if not guides and not calls:
            raise NotFound(what="tool", id=tool, hint="orca tool list shows those that are known")
        lines = [guide_line(each) for each in guides]
        lines += [f"{tool}: {counted('{count} call', '{count} calls', calls)}"] if calls else []
        deletion.ask(lines)
        guide_ids = [each.id for each in guides]
        deletion.look(opened, GUIDES.kind, guide_ids)
        deletion.look(opened, CALL, [each.id for each in opened.run(tools.calls(tool, calls))] if calls else [])
        is_wiped = opened.run(opened.orca.guides.delete(guide_ids)).finished if guides else True
        deleted = opened.run(tools.delete(tool)) if calls else 0
    gone = [deleted_json(GUIDES.ref(each)) for each in guides]
    deletion.tell(gone, lines, is_wiped=is_wiped, calls=deleted)


GUIDE_COMMANDS.history("Show what happened to a guide.")


def _calls(path: Path | None, tool: str | None, own: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Raises InvalidInput where they are given in two ways, in none, or can't be read."""
    if tool is not None:
        if path is not None:
            raise InvalidInput(template="--file and --tool: only one of them can be given")
        return [{"tool": tool, **own}]
    if own:
        raise InvalidInput(template="a call needs the name of its tool", hint="--tool NAME")
    if path is None and sys.stdin.isatty():
        raise InvalidInput(
            template="there are no calls to record", hint="--tool records one, --file or a pipe brings them as JSON"
        )
    return calls_from(json_value(read_piped(sys.stdin) if path is None else text_of_file(path)))


def _object_or_text(given: str) -> Any:
    """A JSON object where it is one, so that the same input of another client is the same."""
    found = json_value(given)
    return found if isinstance(found, dict) else given
