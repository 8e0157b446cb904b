"""`orca activity`: what was done to records of every kind, and what the memory agent read."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.serialize.events import operation_made_json, run_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.words.history_words import activity_texts, quiet_runs

SHOWN = 20
LOOKED_AT = 200
"""Among so many runs those that found something are looked for."""


@command()
@option("--limit", type=click.IntRange(min=1), default=SHOWN, metavar="N", help="At most so many.")
@option("--all", "with_quiet", is_flag=True, help="Also each run that found nothing.")
@as_json_option
@pass_runtime
def activity(runtime: Runtime, *, limit: int, with_quiet: bool, as_json: bool) -> None:
    """Show what was done to memories, tasks, episodes, knowledge and guides, newest first.

    A line begins with the number of an operation, which orca memory undo takes, or names a run, which orca extract
    --show explains."""
    with runtime.orca() as orca:
        operations = orca.run(orca.engine.history.activity(limit))
        runs = orca.run(orca.engine.runs.runs(limit if as_json or with_quiet else max(limit, LOOKED_AT)))
    if as_json:
        runtime.output.json(
            {
                "operations": [operation_made_json(operation, changes) for operation, changes in operations],
                "runs": [run_json(run) for run in runs],
            }
        )
        return
    quiet = [] if with_quiet else quiet_runs(runs)
    lines = activity_texts(operations, runs, runtime.output.marks, quiet=quiet)[:limit]
    if lines:
        runtime.output.line("\n".join(lines))
    else:
        runtime.output.note(_("Nothing has happened yet."))
