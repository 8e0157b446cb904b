"""`orca backup`, `orca backup list`."""

from __future__ import annotations

import os
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.model.backups import BackedUp
from orca_core.model.errors import InvalidInput
from orca_core.serialize.reports import backed_up_json, backups_json
from orca_tui import core
from orca_tui.cli.backstage import Backstage
from orca_tui.cli.commands import ActingGroup, as_json_option, command, option
from orca_tui.cli.output import Column
from orca_tui.cli.progress import copy_teller
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.language import counted
from orca_tui.log import log_kept
from orca_tui.signals import signals_raise
from orca_tui.words.upkeep_words import backup_row, counts_words, megabytes

COMMANDS = {"list": ("orca_tui.cli.backup:list_", "List the backups, newest first.")}


@click.group(
    "backup",
    cls=ActingGroup,
    commands_by_name=COMMANDS,
    invoke_without_command=True,
    examples=("orca backup", "orca backup -o /media/usb/", "orca backup list"),
)
@option(
    "-o",
    "--output",
    "into",
    type=click.Path(),
    metavar="FILE|DIR",
    help="Write it here, not into the folder of the backups.",
)
@option(
    "--keep",
    type=click.IntRange(0, 10_000),
    metavar="N",
    help="Keep so many in its folder, the newest; 0 keeps all (default: backup.keep).",
)
@option("--force", is_flag=True, help="Overwrite FILE.")
@as_json_option
@click.pass_context
@pass_runtime
def backup(
    runtime: Runtime, ctx: click.Context, *, into: str | None, keep: int | None, force: bool, as_json: bool
) -> None:
    """Copy the database, whole and checked, while Orca runs.

    The copy is one file, as of the moment at which it began: all profiles, chats, memories and what was learnt. Its
    rows are counted and its pages checked before it gets its name; then the oldest ones in the folder go. orca restore
    brings one back.

    The configuration and your own prompts (agents/) are not in it: they are files of your own."""
    if ctx.invoked_subcommand is not None:
        return
    made = _made(runtime, None if into is None else _place(into), keep, force=force)
    if as_json:
        runtime.output.json(backed_up_json(made))
        return
    runtime.output.line(str(made.backup.path))
    told = counts_words(made.backup.counts)
    runtime.output.note(_("{size}, checked: {counts}").format(size=megabytes(made.backup.bytes), counts=told))
    if made.dropped:
        runtime.output.note(
            counted("{count} older backup was deleted", "{count} older backups were deleted", len(made.dropped))
        )


def _place(typed: str) -> Path:
    """A file or a folder; what ends in a slash is a folder. Raises InvalidInput where there is no such one."""
    if not typed:
        raise InvalidInput(template="-o names no file and no folder", hint="leave it out, or name one")
    path = Path(typed)
    if typed.endswith(os.sep) and not path.is_dir():
        raise InvalidInput(template="{path}: there is no such folder", hint="make it first", path=path)
    return path


def _made(runtime: Runtime, into: Path | None, keep: int | None, *, force: bool) -> BackedUp:
    loaded = runtime.load()
    tell = copy_teller(runtime.output)
    made: list[BackedUp] = []
    runtime.if_stopped = _("stopped: no backup was made")
    with signals_raise(), log_kept(loaded.home), Backstage() as backstage:
        steps = core.back_up(loaded, into, keep, overwrites=force)
        with backstage.stream(lambda _stop: steps) as (arriving, _stop_now):
            for step in arriving:
                if isinstance(step, BackedUp):
                    made.append(step)
                    runtime.if_stopped = ""
                else:
                    tell(step)
    return made[0]


@command("list")
@as_json_option
@pass_runtime
def list_(runtime: Runtime, as_json: bool) -> None:
    """List the backups, newest first.

    They lie in the folder backups beside the database."""
    loaded = runtime.load()
    with Backstage() as backstage:
        folder, backups = backstage.run(core.list_backups(loaded))
    if as_json:
        runtime.output.json(backups_json(folder, backups))
        return
    columns = [Column(each) for each in (_("name"), _("made"), _("size"), _("made for"))]
    runtime.output.table([*columns, Column(_("holds"), takes_rest=True)], [backup_row(each) for each in backups])
    if not backups:
        runtime.output.note(_("There is no backup in {folder}.").format(folder=folder))
