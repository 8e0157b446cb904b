"""`orca consolidate`: make knowledge of past work now."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.events import Consolidated
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.run_outcomes import FAILURES, watched
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.words.work_words import consolidated_line


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
        consolidation = orca.engine.learning.knowledge
        if not consolidation.is_on:
            raise InvalidInput(
                template="no knowledge is made", hint="see memory_agent.enabled and memory.consolidate.enabled"
            )

        def line(event: Consolidated) -> str:
            return consolidated_line(event, runtime.output.marks)

        shown = watched(runtime, orca, lambda: consolidation.run(target), line, as_json=as_json)
    if not shown and not as_json:
        runtime.output.note(_("Nothing to consolidate: orca knowledge target list shows what there is."))
    if any(event.state in FAILURES for event in shown):
        raise click.exceptions.Exit(1)
