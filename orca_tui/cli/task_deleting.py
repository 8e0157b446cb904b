"""`orca task delete`: what can not be taken back."""

from __future__ import annotations

import click

from orca_core.model.records import TASK, Ref
from orca_tui.cli.commands import as_json_option, command
from orca_tui.cli.deleting import ask_to_delete, see_that_it_can_be_asked, tell_deleted, yes_option
from orca_tui.cli.proving import Proving, proof_option, proof_to_json, tell_proof
from orca_tui.cli.record_ids import TASK_ID
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.words.task_words import task_line


@command(
    examples=(
        "orca task delete w3",
        "orca task delete w3 --yes --json",
    )
)
@click.argument("ids", metavar="ID...", type=TASK_ID, nargs=-1, required=True)
@yes_option
@proof_option
@as_json_option
@pass_runtime
def delete(runtime: Runtime, *, ids: tuple[int, ...], yes: bool, proof: bool, as_json: bool) -> None:
    """Delete tasks for good, with their steps.

    Undo does not bring them back. Episodes that they became stay; --proof says where words of them are left."""
    wanted = list(dict.fromkeys(ids))
    proving = Proving(is_wanted=proof)
    see_that_it_can_be_asked(runtime, yes=yes, as_json=as_json)
    with runtime.orca() as orca:
        tasks = orca.engine.work.tasks
        lines = [task_line(view) for view in orca.run(tasks.get(wanted))]
        if not yes:
            ask_to_delete(runtime, lines)
        proving.look(orca, TASK, wanted)
        is_wiped = orca.run(tasks.delete(wanted))
    proven = proving.prove()
    refs = [Ref(TASK, each) for each in wanted]
    tell_deleted(runtime, refs, lines, is_wiped=is_wiped, as_json=as_json, **proof_to_json(proven))
    if proven is not None and not as_json:
        tell_proof(runtime.output, proven)
