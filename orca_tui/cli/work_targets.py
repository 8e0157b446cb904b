"""`orca episode target` and `orca knowledge target`: what work is about."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.record_types import EPISODE, KNOWLEDGE, TASK, Ref
from orca_core.serialize.work import targets_json
from orca_tui.cli.commands import Group
from orca_tui.cli.parameters import ANY_TEXT
from orca_tui.cli.records import print_operations
from orca_tui.cli.runtime import Runtime
from orca_tui.words.work_words import renamed_line, target_line

target = Group("target", help="List and rename what work is about.")


@target.command("list", examples=("orca episode target list", "orca episode target list --json"))
def list_targets(runtime: Runtime) -> None:
    """List what work is about, and how much of it is known."""
    with runtime.open_orca() as opened:
        counts = opened.run(opened.orca.work.knowledge.targets())
    if runtime.as_json:
        runtime.output.json(targets_json(counts))
        return
    for each in counts:
        runtime.output.line(target_line(each, runtime.output.marks))
    if not counts:
        runtime.output.note(_("No target yet: a task or an episode has one."))


@target.command(examples=("orca episode target rename nginx web",))
@click.argument("old", type=ANY_TEXT)
@click.argument("new", type=ANY_TEXT)
def rename(runtime: Runtime, old: str, new: str) -> None:
    """Give a target another name, or join it with another one.

    All episodes, knowledge and tasks with it are changed, however they spell it."""
    with runtime.open_orca() as opened:
        renamed = opened.run(opened.orca.work.knowledge.rename_target(old, new))
        refs = [
            *(Ref(EPISODE, each) for each in renamed.episodes),
            *(Ref(KNOWLEDGE, each) for each in renamed.knowledge),
            *(Ref(TASK, each) for each in renamed.tasks),
        ]
        print_operations(runtime, opened, (renamed.operation,), refs, (renamed_line(renamed, old, new),))
