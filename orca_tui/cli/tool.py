"""`orca tool`: the group. Its commands are imported when they are called."""

from __future__ import annotations

import click

from orca_tui.cli.commands import LazyGroup

READING = "orca_tui.cli.tool_reading"
CHANGING = "orca_tui.cli.tool_changing"

COMMANDS = {
    "list": (f"{READING}:list_tools", "List tools that were called, with figures, and whether a guide is there."),
    "show": (f"{READING}:show", "Show what is known of a tool: its guide, its figures, the latest calls."),
    "record": ("orca_tui.cli.tool_recording:record", "Record calls of tools."),
    "write": ("orca_tui.cli.tool_writing:write", "Write guides of tools now."),
    "edit": (f"{CHANGING}:edit", "Change what a guide says."),
    "pin": (f"{CHANGING}:pin", "Pin a guide: nothing but you changes it."),
    "unpin": (f"{CHANGING}:unpin", "Take pins off guides."),
    "archive": (f"{CHANGING}:archive", "Archive a guide: it is kept, and not used."),
    "restore": (f"{CHANGING}:restore", "Bring archived guides back."),
    "accept": (f"{CHANGING}:accept", "Let a guide live that waits for you."),
    "reject": (f"{CHANGING}:reject", "Reject a guide that waits for you."),
    "delete": (f"{CHANGING}:delete", "Delete what is known of a tool for good."),
    "history": (f"{CHANGING}:history", "Show what happened to a guide."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def tool() -> None:
    """Record calls of tools, and see what they taught."""
