"""`orca why`: the receipt of a turn."""

from __future__ import annotations

import click

from orca_core.serialize.memories import receipt_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.record_ids import ROUND
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import SESSION_ID
from orca_tui.cli.views import receipt_text


@command()
@click.argument("number", metavar="[ROUND]", type=ROUND, required=False)
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="The session of ROUND; else the latest.")
@as_json_option
@pass_runtime
def why(runtime: Runtime, number: int | None, session_id: str | None, as_json: bool) -> None:
    """Show which memories a turn got, and why.

    Without ROUND the latest turn is meant."""
    with runtime.orca() as orca:
        receipt = orca.run(orca.engine.sessions.receipt(session_id, number))
    if as_json:
        runtime.output.json(receipt_json(receipt))
    else:
        runtime.output.line(receipt_text(receipt, runtime.output.marks))
