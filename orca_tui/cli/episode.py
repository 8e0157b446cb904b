"""`orca episode`: the group. Its commands are imported when they are called."""

from __future__ import annotations

import click

from orca_tui.cli.commands import LazyGroup

READING = "orca_tui.cli.episode_reading"
CHANGING = "orca_tui.cli.episode_changing"

COMMANDS = {
    "list": (f"{READING}:list_episodes", "List episodes; those that live, unless told otherwise."),
    "search": (f"{READING}:search", "Search the episodes that live, by meaning and by words."),
    "show": (f"{READING}:show", "Show all of an episode."),
    "edit": (f"{CHANGING}:edit", "Change what an episode says."),
    "pin": (f"{CHANGING}:pin", "Pin episodes: nothing but you changes them, and they are not forgotten."),
    "unpin": (f"{CHANGING}:unpin", "Take pins off episodes."),
    "archive": (f"{CHANGING}:archive", "Archive episodes: they are kept, and not used."),
    "restore": (f"{CHANGING}:restore", "Bring archived or forgotten episodes back."),
    "accept": (f"{CHANGING}:accept", "Let episodes live that wait for you."),
    "reject": (f"{CHANGING}:reject", "Reject episodes that wait for you."),
    "delete": (f"{CHANGING}:delete", "Delete episodes for good."),
    "history": (f"{READING}:history", "Show what happened to an episode."),
    "why": ("orca_tui.cli.record_why:episode", "Show the turns that got an episode, why, and what came of it."),
    "target": ("orca_tui.cli.target:target", "List and rename what work is about."),
    "fade": ("orca_tui.cli.episode_fade:fade", "Forget episodes that nobody needs, as it is done once a day."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def episode() -> None:
    """List, search and change what was done and how it ended."""
