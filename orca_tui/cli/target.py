"""`orca episode target` and `orca knowledge target`: what work is about."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.records import EPISODE, KNOWLEDGE, TASK, Ref
from orca_core.serialize.work import targets_json
from orca_tui.cli.commands import LazyGroup, as_json_option, command
from orca_tui.cli.outcomes import Outcome, tell
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.words.work_words import renamed_line, target_line

COMMANDS = {
    "list": ("orca_tui.cli.target:list_targets", "List what work is about, and how much of it is known."),
    "rename": ("orca_tui.cli.target:rename", "Give a target another name, or join it with another one."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def target() -> None:
    """List and rename what work is about."""


@command(
    "list",
    examples=(
        "orca episode target list",
        "orca episode target list --json",
    ),
)
@as_json_option
@pass_runtime
def list_targets(runtime: Runtime, as_json: bool) -> None:
    """List what work is about, and how much of it is known."""
    with runtime.orca() as orca:
        counts = orca.run(orca.engine.work.knowledge.targets())
    if as_json:
        runtime.output.json(targets_json(counts))
        return
    for each in counts:
        runtime.output.line(target_line(each, runtime.output.marks))
    if not counts:
        runtime.output.note(_("No target yet: a task or an episode has one."))


@command(examples=("orca episode target rename nginx web",))
@click.argument("old", type=ANY_TEXT)
@click.argument("new", type=ANY_TEXT)
@as_json_option
@pass_runtime
def rename(runtime: Runtime, old: str, new: str, as_json: bool) -> None:
    """Give a target another name, or join it with another one.

    All episodes, knowledge and tasks with it are changed, however they spell it."""
    with runtime.orca() as orca:
        renamed = orca.run(orca.engine.work.knowledge.rename_target(old, new))
        refs = [
            *(Ref(EPISODE, each) for each in renamed.episodes),
            *(Ref(KNOWLEDGE, each) for each in renamed.knowledge),
            *(Ref(TASK, each) for each in renamed.tasks),
        ]
        outcome = Outcome((renamed.operation,), refs, (renamed_line(renamed, old, new),))
        tell(runtime, orca, outcome, as_json=as_json)
