"""`orca memory`: the group. Its commands are imported when they are called."""

from __future__ import annotations

import click

from orca_tui.cli.commands import LazyGroup

READING = "orca_tui.cli.memory_reading"
CHANGING = "orca_tui.cli.memory_changing"
INBOX = "orca_tui.cli.memory_inbox"
DECIDING = "orca_tui.cli.memory_deciding"
TAKING_BACK = "orca_tui.cli.memory_deleting"

COMMANDS = {
    "list": (f"{READING}:list_memories", "List memories; those that live, unless told otherwise."),
    "search": (f"{READING}:search", "Search the memories that live, by meaning and by words."),
    "show": (f"{READING}:show", "Show all of one memory."),
    "add": (f"{CHANGING}:add", "Remember something."),
    "edit": (f"{CHANGING}:edit", "Change a memory, by options or in your editor."),
    "pin": (f"{CHANGING}:pin", "Pin memories: nothing but you changes them."),
    "unpin": (f"{CHANGING}:unpin", "Take pins off."),
    "archive": (f"{CHANGING}:archive", "Archive memories: they are kept, and not used."),
    "restore": (f"{CHANGING}:restore", "Bring archived memories back."),
    "inbox": (f"{INBOX}:inbox", "List the candidates: what was learnt and waits for you."),
    "accept": (f"{DECIDING}:accept", "Let candidates live. What they would replace is archived."),
    "reject": (f"{DECIDING}:reject", "Refuse candidates: they are not learnt again in the same words."),
    "never": (f"{INBOX}:never", "Never learn this again, in whatever words; also of memories that live."),
    "merge": (f"{INBOX}:merge", "Make one memory of several: the first one stays, the others are archived."),
    "duplicates": (f"{INBOX}:duplicates", "List memories that may say the same, or contradict each other."),
    "delete": (f"{TAKING_BACK}:delete", "Delete memories for good."),
    "history": (f"{READING}:history", "Show what happened to a memory."),
    "why": ("orca_tui.cli.record_why:memory", "Show the turns that got a memory, why, and what came of it."),
    "undo": (f"{TAKING_BACK}:undo", "Take back the last change by hand, or the operation OP."),
    "redo": (f"{TAKING_BACK}:redo", "Take back the last undo, or the undo OP."),
    "export": ("orca_tui.cli.memory_export:export", "Write all that Orca remembers as one JSON document."),
    "clean": (
        "orca_tui.cli.memory_clean:clean",
        "Archive what sank below the threshold, merge what says just the same, drop what expired.",
    ),
    "import": (
        "orca_tui.cli.memory_import:import_",
        "Bring in what orca memory export wrote, or what mem0, ChatGPT or Claude exported: FILE, or stdin.",
    ),
    "stats": (f"{READING}:stats", "Count what is stored."),
    "reindex": (f"{TAKING_BACK}:reindex", "Make anew what memories, episodes, knowledge and messages are found by."),
}


@click.group(cls=LazyGroup, commands_by_name=COMMANDS)
def memory() -> None:
    """List, search and change what Orca remembers."""
