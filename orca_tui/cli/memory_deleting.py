"""`orca memory delete | undo | redo | reindex`: what can not be taken back, what can, and what changes no memory."""

from __future__ import annotations

from functools import partial
from gettext import gettext as _

import click

from orca_core.model.operations import Undone
from orca_core.model.records import MEMORY, memory_ref
from orca_core.serialize.events import operation_json
from orca_core.serialize.reports import conflict_json, outcome_json, proof_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import records
from orca_tui.cli.deleting import ask_to_delete, see_that_it_can_be_asked, tell_deleted, yes_option
from orca_tui.cli.outcomes import records_json
from orca_tui.cli.progress import teller
from orca_tui.cli.proving import Proving, proof_option, tell_proof
from orca_tui.cli.record_ids import MEMORY_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.stopped import nothing_was_taken_back, told_if_stopped, undo_words
from orca_tui.cli.upkeep import tell_embedded
from orca_tui.cli.views import undone_lines
from orca_tui.words.memory_words import memory_line
from orca_tui.words.upkeep_words import reindex_words

operation_argument = click.argument(
    "operation", metavar="[OP]", type=int, shell_complete=records("operation"), required=False
)


@command()
@click.argument("ids", metavar="ID...", type=MEMORY_ID, nargs=-1, required=True)
@yes_option
@option("--with-messages", is_flag=True, help="Delete the messages that they came from, too.")
@proof_option
@as_json_option
@pass_runtime
def delete(
    runtime: Runtime, *, ids: tuple[int, ...], yes: bool, with_messages: bool, proof: bool, as_json: bool
) -> None:
    """Delete memories for good.

    The text is gone from the database, its history and its receipts; undo does not bring it back. To put a memory
    aside, archive it.

    It does not come back by learning, import or a restored backup, unless you say it again. What lies in a backup
    stays there: --proof says so, and where else anything is left."""
    wanted = list(dict.fromkeys(ids))
    proving = Proving(is_wanted=proof)
    see_that_it_can_be_asked(runtime, yes=yes, as_json=as_json)
    with runtime.orca() as orca:
        lines = [memory_line(each) for each in orca.run(orca.engine.memories.get(wanted))]
        if not yes:
            ask_to_delete(runtime, lines, _of_their_messages(with_messages))
        proving.look(orca, MEMORY, wanted)
        deletion = orca.run(orca.engine.memories.delete(wanted, with_messages=with_messages))
    proven = proving.prove()
    tell_deleted(
        runtime,
        [memory_ref(each) for each in deletion.ids],
        [" ".join(f"#{each}" for each in deletion.ids)],
        is_wiped=deletion.finished,
        as_json=as_json,
        messages=[{"session_id": session_id, "round": number} for session_id, number in deletion.messages],
        **({} if proven is None else {"proof": proof_json(proven)}),
    )
    if deletion.messages and not as_json:
        runtime.output.note(_("these messages still hold what they came from:"))
        for session_id, number in deletion.messages:
            runtime.output.note(_("  session {session} round {round}").format(session=session_id, round=number))
    if proven is not None and not as_json:
        tell_proof(runtime.output, proven)


@command()
@operation_argument
@as_json_option
@pass_runtime
def undo(runtime: Runtime, operation: int | None, as_json: bool) -> None:
    """Take back the last change by hand, or the operation OP.

    What a turn did to weights is taken back only where OP names it. A delete stays, and so does the restoring of a
    backup: the backup that was made before it is named then."""
    runtime.if_stopped = nothing_was_taken_back()
    with runtime.orca() as orca, told_if_stopped(runtime, orca, undo_words):
        _tell(runtime, orca, orca.run(orca.engine.history.undo(operation)), as_json=as_json)


@command()
@operation_argument
@as_json_option
@pass_runtime
def redo(runtime: Runtime, operation: int | None, as_json: bool) -> None:
    """Take back the last undo, or the undo OP."""
    runtime.if_stopped = nothing_was_taken_back()
    with runtime.orca() as orca, told_if_stopped(runtime, orca, undo_words):
        _tell(runtime, orca, orca.run(orca.engine.history.redo(operation)), as_json=as_json)


@command()
@as_json_option
@pass_runtime
def reindex(runtime: Runtime, as_json: bool) -> None:
    """Make anew what memories, episodes, knowledge and messages are found by.

    The words are indexed again from what is stored, and vectors of what is gone are dropped. Nothing is embedded anew
    that has a vector."""
    with runtime.orca() as orca:
        tell = teller(runtime.output, reindex_words)
        orca.run(orca.engine.doctor.reindex(tell))
        stop_listening = orca.engine.worker.subscribe(partial(tell_embedded, tell))
        orca.run(orca.engine.worker.tidy())
        stop_listening()
    if as_json:
        runtime.output.json(outcome_json((), ()))
    else:
        runtime.output.line(_("indexed anew"))


def _of_their_messages(go_too: bool) -> str:
    if go_too:
        return _("The messages that they came from go with them.")
    return _("The messages that they came from stay; --with-messages takes them too.")


def _tell(runtime: Runtime, orca: OpenOrca, undone: Undone, *, as_json: bool) -> None:
    if not as_json:
        runtime.output.line("\n".join(undone_lines(undone)))
        return
    changed = orca.run(records_json(orca.engine, undone.refs))
    runtime.output.json(
        outcome_json(
            (undone.operation,),
            changed,
            [conflict_json(each) for each in undone.conflicts],
            count=undone.changed,
            unnamed=undone.unnamed,
            undid=operation_json(undone.undid),
            later=[operation_json(each) for each in undone.later],
            passed_over=[{**operation_json(each.operation), "kept": each.kept or None} for each in undone.passed_over],
            finished=[operation_json(each) for each in undone.finished],
        )
    )
