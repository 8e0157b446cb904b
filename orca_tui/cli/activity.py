"""`orca activity`: what was done to records of every kind, and what the memory agent read."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.wire.feed import operation_made_json
from orca_core.wire.learning import run_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.words.activity import activity_texts

SHOWN = 20


@command()
@option("--limit", type=click.IntRange(min=1), default=SHOWN, metavar="N", help="At most so many.")
@as_json_option
@pass_runtime
def activity(runtime: Runtime, limit: int, as_json: bool) -> None:
    """Show what was done to memories, tasks, episodes and knowledge, newest first.

    A line begins with the number of an operation, which orca memory undo takes, or names a run, which orca extract
    --show explains."""
    with runtime.orca() as orca:
        operations = orca.run(orca.engine.history.activity(limit))
        runs = orca.run(orca.engine.runs.runs(limit))
    if as_json:
        runtime.output.json(
            {
                "operations": [operation_made_json(operation, changes) for operation, changes in operations],
                "runs": [run_json(run) for run in runs],
            }
        )
        return
    lines = activity_texts(operations, runs, runtime.output.marks)[:limit]
    if lines:
        runtime.output.line("\n".join(lines))
    else:
        runtime.output.note(_("Nothing has happened yet."))
