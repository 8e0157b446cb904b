"""`orca memory undo | redo`; and what is said of an undo or an import that a signal
ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from gettext import gettext as _

import click

from orca_core.model.errors import StorageError
from orca_core.model.import_export import IMPORT
from orca_core.model.operations import Operation, Undone
from orca_core.serialize.events import operation_json
from orca_core.serialize.reports import conflict_json, outcome_json
from orca_tui.cli.commands import command
from orca_tui.cli.parameters import records
from orca_tui.cli.records import records_json
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.views import undone_lines
from orca_tui.signals import Signalled

LATEST = 5
"""Among so many operations it is looked for: another Orca may have written meanwhile."""
TURNED_BACK_BY = {"undo": "redo", "redo": "undo"}

IsOurs = Callable[[Operation], bool]
"""Whether an operation is the stopped command's: it came since, or was half done before."""


def nothing_came() -> str:
    """What is said as long as no import is done."""
    return _("stopped: nothing was brought in")


def nothing_was_taken_back() -> str:
    """What is said as long as no undo or redo has begun."""
    return _("stopped: nothing was taken back")


def import_words(latest: Sequence[Operation], is_ours: IsOurs) -> str:
    """Say what became of an import."""
    came = next((each for each in latest if is_ours(each) and each.header.action == IMPORT), None)
    if came is None:
        return nothing_came()
    return _("stopped, but all was brought in: orca memory undo {operation} takes it back").format(operation=came.id)


def undo_words(latest: Sequence[Operation], is_ours: IsOurs) -> str:
    """Say what became of an undo or a redo; an earlier one that is under way goes first."""
    own = [each for each in latest if each.header.action in TURNED_BACK_BY]
    found = next((each for each in own if each.under_way is not None or is_ours(each)), None)
    if found is None:
        return nothing_was_taken_back()
    fields = {"operation": found.id, "command": f"orca memory {TURNED_BACK_BY[found.header.action]} {found.id}"}
    if found.under_way is None:
        return _("stopped, but all was taken back: {command} turns [{operation}] round").format(**fields)
    words = _("stopped at {percent} %: [{operation}] goes on in the app or by orca upkeep; {command} turns it round")
    return words.format(percent=found.under_way.percent, **fields)


@contextmanager
def reported_if_stopped(
    runtime: Runtime, opened: OpenOrca, words: Callable[[Sequence[Operation], IsOurs], str]
) -> Iterator[None]:
    """Where a signal ends what is done within, say at the end of the process what became of it."""
    before = opened.run(opened.orca.reached()) or 0
    half_done = {each.id for each in opened.run(opened.orca.history.waiting())}
    try:
        yield
        runtime.if_stopped = ""
    except (KeyboardInterrupt, Signalled):
        runtime.if_stopped = _outcome(opened, lambda each: each.id > before or each.id in half_done, words)
        raise


def _outcome(opened: OpenOrca, is_ours: IsOurs, words: Callable[[Sequence[Operation], IsOurs], str]) -> str:
    try:
        latest = opened.run(opened.orca.history.activity(LATEST))
    except StorageError:
        return _("stopped: orca activity shows what was done")
    return words([operation for operation, _changes in latest], is_ours)


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


def _turn_back(runtime: Runtime, work: Callable[[OpenOrca], Awaitable[Undone]]) -> None:
    runtime.if_stopped = nothing_was_taken_back()
    with runtime.open_orca() as opened, reported_if_stopped(runtime, opened, undo_words):
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
