"""`orca eval`: the group. Its commands are imported when they are called."""

from __future__ import annotations

import click

from orca_tui.cli.commands import LazyGroup

COMMANDS = {
    "retrieval": ("orca_tui.cli.evaluating_retrieval:retrieval", "Measure how well questions find what answers them."),
    "rules": ("orca_tui.cli.evaluating_rules:rules", "Show what stored turns would have got under other settings."),
}


@click.group("eval", cls=LazyGroup, commands_by_name=COMMANDS)
def evaluating() -> None:
    """Measure how well memories are found. Nothing that is stored is changed."""
