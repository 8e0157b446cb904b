"""`orca knowledge`: the group. Its commands are imported when they are called."""

from __future__ import annotations

import click

from orca_tui.cli.commands import LazyGroup

READING = "orca_tui.cli.knowledge_reading"
CHANGING = "orca_tui.cli.knowledge_changing"

COMMANDS = {
    "list": (f"{READING}:list_knowledge", "List knowledge; what lives, unless told otherwise."),
    "search": (f"{READING}:search", "Search the knowledge that lives, by meaning and by words."),
    "show": (f"{READING}:show", "Show all of a piece of knowledge, with the episodes that it was made of."),
    "target": ("orca_tui.cli.target:target", "List and rename what work is about."),
    "edit": (f"{CHANGING}:edit", "Change what knowledge says."),
    "pin": (f"{CHANGING}:pin", "Pin knowledge: nothing but you changes it."),
    "unpin": (f"{CHANGING}:unpin", "Take pins off knowledge."),
    "archive": (f"{CHANGING}:archive", "Archive knowledge: it is kept, and not used."),
    "restore": (f"{CHANGING}:restore", "Bring archived knowledge back."),
    "accept": (f"{CHANGING}:accept", "Let knowledge live that waits for you."),
    "reject": (f"{CHANGING}:reject", "Reject knowledge that waits for you."),
    "delete": (f"{CHANGING}:delete", "Delete knowledge for good."),
    "history": (f"{READING}:history", "Show what happened to a piece of knowledge."),
    "why": (
        "orca_tui.cli.record_why:knowledge",
        "Show the turns that got knowledge, why, and what came of it.",
    ),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def knowledge() -> None:
    """List, search and change what past work taught."""
