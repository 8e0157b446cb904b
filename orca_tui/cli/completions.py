"""What Click offers where tab is pressed beside records (`id_words`): words of a list, and names that stand in files of
the home. Loaded with its commands; what it reads is imported when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from orca_core.domain.memories import MemoryType
from orca_core.domain.work.tasks import TaskStatus
from orca_tui import core
from orca_tui.cli.runtime import Runtime

Offered = list["CompletionItem[str]"]
Completer = Callable[[click.Context, click.Parameter, str], Offered]

TYPES = tuple(each.value for each in MemoryType)
STATES = ("live", "all", "active", "archived", "candidate", "rejected")
TASK_STATES = ("all", "ended", *(each.value for each in TaskStatus))


def words(*known: str) -> Completer:
    """Offers the words of a list."""
    return lambda _context, _parameter, beginning: _begin_so(((each, "") for each in known), beginning)


def backup_names(context: click.Context, _parameter: click.Parameter, beginning: str) -> Offered:
    """The backups in their folder, newest first; files where none begins so."""
    import asyncio

    from orca_tui.words.backups import backup_row

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


def _begin_so(found: Iterable[tuple[str, str]], beginning: str) -> Offered:
    return [CompletionItem(name, help=said) for name, said in found if name.startswith(beginning)]


def _loaded(context: click.Context) -> core.LoadedSettings:
    runtime = context.ensure_object(Runtime)
    return core.read_settings(runtime.environ, runtime.config)
