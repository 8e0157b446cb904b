"""`orca context`: all that is known for one question, as an agent is told it."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.serialize.work import context_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import SESSION_ID
from orca_tui.words.memory_words import reason_phrase


@command(
    examples=(
        'orca context "nginx gives 502"',
        'orca context "nginx gives 502" --session s --json',
    )
)
@click.argument("query", metavar="QUERY")
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="With messages and the task of this session.")
@as_json_option
@pass_runtime
def context(runtime: Runtime, query: str, session_id: str | None, as_json: bool) -> None:
    """Show all that is known for a question.

    With a session also its messages and its task. Of the tools that the question or the
    task names, their guides. Episodes, knowledge and guides that are shown count as accessed."""
    with runtime.orca() as orca:
        found = orca.run(orca.engine.work.context.build(session_id, query))
    if as_json:
        runtime.output.json(context_json(found))
    elif found.text:
        runtime.output.line(found.text)
    else:
        runtime.output.note(_("Nothing is known for this."))
    if not as_json:
        for rule in found.rules:
            runtime.output.note(reason_phrase(rule))
