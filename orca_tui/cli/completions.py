"""What Click offers where tab is pressed: words of a list, names that stand in files of the home, records with their
titles. Loaded with its commands; what it reads is imported when it is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from orca_core.model.memories import MemoryType
from orca_core.model.tasks import TaskStatus
from orca_tui import core
from orca_tui.cli.runtime import Runtime
from orca_tui.text_rules import one_line

Offered = list["CompletionItem[str]"]
Completer = Callable[[click.Context, click.Parameter, str], Offered]

TYPES = tuple(each.value for each in MemoryType)
STATES = ("live", "all", "active", "archived", "candidate", "rejected")
TASK_STATES = ("all", "ended", *(each.value for each in TaskStatus))
MOST_RECORDS = 100
TITLE_CHARS = 60
_OF_STATE = {"pin": "live ", "unpin": "pinned ", "archive": "live ", "restore": "archived "}
"""Records of which state a command takes; any, where it is not here."""
_SAFE_NAME = re.compile(r"[\w.@+-][\w.@+:-]*")
"""A name that no shell reads as anything else. Others are not offered."""


def words(*known: str) -> Completer:
    """Offers the words of a list."""
    return lambda _context, _parameter, beginning: _begin_so(((each, "") for each in known), beginning)


def backup_names(context: click.Context, _parameter: click.Parameter, beginning: str) -> Offered:
    """The backups in their folder, newest first; files where none begins so."""
    import asyncio

    from orca_tui.words.upkeep_words import backup_row

    _folder, found = asyncio.run(core.list_backups(_loaded(context)))
    rows = (backup_row(each) for each in found)
    return _begin_so(((name, f"{at} {size}") for name, at, size, *_rest in rows), beginning) or [
        CompletionItem(beginning, type="file")
    ]


def prompt_names(context: click.Context, _parameter: click.Parameter, beginning: str) -> Offered:
    """The names of prompts."""
    found = core.prompts_in(_loaded(context).home)
    return _begin_so(dict.fromkeys((each.name, "") for each in found), beginning)


def provider_names(context: click.Context, _parameter: click.Parameter, beginning: str) -> Offered:
    """The providers that are configured, and those that Orca knows by name."""
    return _begin_so(core.provider_names(_loaded(context)), beginning)


def records(what: str) -> Completer:
    """Offers what `core.titles` calls so, with titles, clean and short. A memory may be typed as `m3`."""

    def offer(context: click.Context, _parameter: click.Parameter, beginning: str) -> Offered:
        runtime = context.ensure_object(Runtime)
        prefix = beginning[:1] if what.endswith("memory") and beginning[:1] in ("m", "M") else ""
        found = core.titles(
            runtime.environ, runtime.config, runtime.profile, what, beginning.removeprefix(prefix), MOST_RECORDS
        )
        return [
            CompletionItem(prefix + name, help=one_line(title, TITLE_CHARS).replace(",", "，"))  # fish cuts at a comma
            for name, title in found
            if _SAFE_NAME.fullmatch(name)
        ]

    return offer


def records_for(context: click.Context, kind: str) -> Completer:
    """Offers the records of a kind that this command may be given: only archived ones are restored."""
    command = str(context.info_name)
    if kind == "task":
        return records(kind if command in ("show", "delete") else f"open {kind}")
    return records(f"{_OF_STATE.get(command, '')}{kind}")


def _begin_so(found: Iterable[tuple[str, str]], beginning: str) -> Offered:
    return [CompletionItem(name, help=said) for name, said in found if name.startswith(beginning)]


def _loaded(context: click.Context) -> core.LoadedSettings:
    runtime = context.ensure_object(Runtime)
    return core.read_settings(runtime.environ, runtime.config)
