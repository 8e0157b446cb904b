"""`orca tool write`: write guides of tools now."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.errors import InvalidInput
from orca_tui.cli.commands import as_json_option, command
from orca_tui.cli.completions import records
from orca_tui.cli.run_outcomes import FAILURES, watched
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.words.tool_words import guide_made_line


@command(examples=("orca tool write", "orca tool write web_search"))
@click.argument("tool", type=ANY_TEXT, shell_complete=records("tool"), required=False)
@as_json_option
@pass_runtime
def write(runtime: Runtime, tool: str | None, as_json: bool) -> None:
    """Write guides of tools now.

    Of all tools with new calls, or of one. Otherwise that is done in the background: see memory.tools.summary_count and
    memory.tools.summary_after. A guide that you pinned or wrote is written anew only where you name its tool."""
    with runtime.orca() as orca:
        tools = orca.engine.tools
        if not tools.is_writing:
            raise InvalidInput(
                template="no guides are written", hint="see memory_agent.enabled and memory.tools.enabled"
            )
        if tool is not None:
            orca.run(tools.show(tool))
        shown = watched(runtime, orca, lambda: tools.write(tool or ""), guide_made_line, as_json=as_json)
    if not shown and not as_json:
        runtime.output.note(_("Nothing to write: no call came since."))
    if any(event.state in FAILURES for event in shown):
        raise click.exceptions.Exit(1)
