"""`orca consolidate`: make knowledge of past work now."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.domain.errors import InvalidInput
from orca_core.domain.events import Consolidated
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.run_outcomes import tell_runs
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.words.knowledge import consolidated_line

FAILURES = ("failed", "unreadable")


@command(
    examples=(
        "orca consolidate",
        "orca consolidate --target nginx",
    )
)
@option("--target", type=ANY_TEXT, metavar="TARGET", help="Only of this, with as many episodes as there are.")
@as_json_option
@pass_runtime
def consolidate(runtime: Runtime, *, target: str | None, as_json: bool) -> None:
    """Make knowledge of past work now.

    Otherwise memory.consolidate.min_episodes episodes on one target become knowledge in the background, and each
    further one renews it. What no episode says waits in the inbox: orca memory inbox."""
    with runtime.orca() as orca:
        consolidation = orca.engine.work.consolidation
        if not consolidation.is_on:
            raise InvalidInput(
                template="no knowledge is made", hint="see memory_agent.enabled and memory.consolidate.enabled"
            )
        shown: list[Consolidated] = []
        with orca.backstage.stream(lambda _stop: consolidation.run(target)) as (events, _stop_now):
            for event in events:
                shown.append(event)
                line = consolidated_line(event, runtime.output.marks)
                if event.state == "running":
                    runtime.output.note(f"{line} …")
                elif not as_json:
                    runtime.output.line(line)
        orca.run(orca.engine.worker.tidy())
        if as_json:
            tell_runs(runtime, orca, shown)
    if not shown and not as_json:
        runtime.output.note(_("Nothing to consolidate: orca knowledge target list shows what there is."))
    if any(event.state in FAILURES for event in shown):
        raise click.exceptions.Exit(1)
