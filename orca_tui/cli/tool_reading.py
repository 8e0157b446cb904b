"""`orca tool list | show`: looking, without changing anything."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.serialize.values import timestamp_json
from orca_core.serialize.work import tool_shown_json, tools_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import records
from orca_tui.cli.output import Column
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.words.tool_words import guide_words, seconds_words, tool_text

SHOWN = 10


@command("list", examples=("orca tool list", "orca tool list --json"))
@as_json_option
@pass_runtime
def list_tools(runtime: Runtime, as_json: bool) -> None:
    """List tools that were called, with figures, and whether a guide is there.

    The most used come first."""
    with runtime.orca() as orca:
        views = orca.run(orca.engine.tools.every())
    if as_json:
        runtime.output.json(tools_json(views))
        return
    columns = (
        Column(_("tool"), takes_rest=True),
        Column(_("guide")),
        Column(_("calls"), is_number=True),
        Column(_("succeeded"), is_number=True),
        Column(_("median s"), is_number=True),
        Column(_("95 % s"), is_number=True),
        Column(_("last call")),
    )
    rows = [
        (
            each.figures.tool,
            guide_words(each),
            str(each.figures.calls),
            str(each.figures.succeeded),
            seconds_words(each.figures.median_s),
            seconds_words(each.figures.p95_s),
            timestamp_json(each.figures.last_at) or "-",
        )
        for each in views
    ]
    runtime.output.table(columns, rows)
    if not views:
        runtime.output.note(_("No call of a tool was recorded yet: orca tool record records some."))


@command(examples=("orca tool show web_search", "orca tool show web_search --calls 3 --json"))
@click.argument("tool", type=ANY_TEXT, shell_complete=records("tool"))
@option("--calls", "limit", type=click.IntRange(min=0), default=SHOWN, metavar="N", help="So many of the latest calls.")
@as_json_option
@pass_runtime
def show(runtime: Runtime, tool: str, limit: int, as_json: bool) -> None:
    """Show what is known of a tool: its guide, its figures, the latest calls.

    A guide that waits for you is shown, too. What programs get of a tool is the guide that lives, and the figures."""
    with runtime.orca() as orca:
        view = orca.run(orca.engine.tools.show(tool))
        calls = orca.run(orca.engine.tools.calls(tool, limit))
    if as_json:
        runtime.output.json(tool_shown_json(view, calls))
    else:
        runtime.output.line(tool_text(view, calls, runtime.output.marks))
