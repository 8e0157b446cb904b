"""`orca action`: the group. Its commands are imported when they are called."""

from __future__ import annotations

import click

from orca_tui.cli.commands import LazyGroup

READING = "orca_tui.cli.action_reading"

COMMANDS = {
    "add": ("orca_tui.cli.action_recording:add", "Record an act: what was liked, edited, collected, asked."),
    "list": (f"{READING}:list_actions", "List acts, newest first."),
    "show": (f"{READING}:show", "Show all of an act, and the memories that it supports."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def action() -> None:
    """Record what was done: liked, edited, collected; see what it supports."""
