"""`orca task`: the group. Its commands are imported when they are called."""

from __future__ import annotations

import click

from orca_tui.cli.commands import LazyGroup

READING = "orca_tui.cli.task_reading"
WORKING = "orca_tui.cli.task_working"
PLANNING = "orca_tui.cli.task_planning"
DELETING = "orca_tui.cli.task_deleting"

COMMANDS = {
    "list": (f"{READING}:list_tasks", "List tasks, newest first."),
    "show": (f"{READING}:show", "Show all of a task; of the latest in progress, unless told otherwise."),
    "start": (f"{WORKING}:start", "Start a task."),
    "step": (f"{WORKING}:step", "Add a step, or change the one with this number."),
    "edit": (f"{PLANNING}:edit", "Edit all steps of a task at once, in your editor."),
    "done": (f"{WORKING}:done", "End a task: it becomes an episode, which can be found later."),
    "drop": (f"{WORKING}:drop", "Drop tasks: they are over, and become no episode."),
    "delete": (f"{DELETING}:delete", "Delete tasks for good, with their steps."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def task() -> None:
    """Say what is being worked on, step by step."""
