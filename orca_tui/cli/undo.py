"""`orca memory undo | redo`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import click

from orca_core.model.operations import UndoOutcome
from orca_core.serialize.events import operation_json
from orca_core.serialize.reports import conflict_json, outcome_json
from orca_tui.cli.commands import command
from orca_tui.cli.parameters import records
from orca_tui.cli.records import records_json
from orca_tui.cli.runtime import OpenOrca, Runtime, stopped_words
from orca_tui.words.history_words import undone_lines

operation_argument = click.argument(
    "operation", metavar="[OP]", type=int, shell_complete=records("operation"), required=False
)


@command(examples=("orca memory undo", "orca memory undo 1"))
@operation_argument
def undo(runtime: Runtime, operation: int | None) -> None:
    """Take back the last change by hand, or the operation OP.

    What a turn did to weights is taken back only where OP names it. A delete stays, and so does the restoring of a
    backup: the backup that was made before it is named then."""
    _turn_back(runtime, lambda opened: opened.orca.history.undo(operation))


@command(examples=("orca memory redo",))
@operation_argument
def redo(runtime: Runtime, operation: int | None) -> None:
    """Take back the last undo, or the undo OP."""
    _turn_back(runtime, lambda opened: opened.orca.history.redo(operation))


def _turn_back(runtime: Runtime, work: Callable[[OpenOrca], Awaitable[UndoOutcome]]) -> None:
    runtime.if_stopped = stopped_words()
    with runtime.open_orca() as opened:
        undone = opened.run(work(opened))
        if not runtime.as_json:
            runtime.output.line("\n".join(undone_lines(undone)))
            return
        changed = opened.run(records_json(opened.orca, undone.refs))
        runtime.output.json(
            outcome_json(
                (undone.operation,),
                changed,
                [conflict_json(each) for each in undone.conflicts],
                count=undone.changed,
                unnamed=undone.unnamed,
                undid=operation_json(undone.undid),
                later=[operation_json(each) for each in undone.later],
                passed_over=[
                    {**operation_json(each.operation), "kept": each.kept or None} for each in undone.passed_over
                ],
                finished=[operation_json(each) for each in undone.finished],
            )
        )
