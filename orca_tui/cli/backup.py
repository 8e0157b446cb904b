"""`orca backup`, `orca backup list`, `orca restore`."""

from __future__ import annotations

import os
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.model.backups import BackupMade, RestorePlan, RestoreResult
from orca_core.model.errors import InvalidInput
from orca_core.serialize.reports import backup_made_json, backups_json, restored_json
from orca_tui.cli.commands import ActingGroup, command, option
from orca_tui.cli.delete_command import ask_yes_or_no, check_can_be_asked
from orca_tui.cli.loop_thread import LoopThread
from orca_tui.cli.output import TableColumn
from orca_tui.cli.parameters import ANY_TEXT, backup_names
from orca_tui.cli.progress import copy_teller
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.language import N_, counted
from orca_tui.words.upkeep_words import backup_row, counts_words, loss_words, megabytes, plan_lines


@click.group(
    cls=ActingGroup,
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
@click.pass_context
@pass_runtime
def backup(runtime: Runtime, ctx: click.Context, *, into: str | None, keep: int | None, force: bool) -> None:
    """Copy the database, whole and checked, while Orca runs.

    The copy is one file, as of the moment at which it began: all profiles, chats, memories and what was learnt. Its
    rows are counted and its pages checked before it gets its name; then the oldest ones in the folder go. orca restore
    brings one back.

    The configuration and your own prompts (agents/) are not in it: they are files of your own."""
    if ctx.invoked_subcommand is not None:
        return
    made = _made(runtime, None if into is None else _place(into), keep, force=force)
    if runtime.as_json:
        runtime.output.json(backup_made_json(made))
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


def _made(runtime: Runtime, into: Path | None, keep: int | None, *, force: bool) -> BackupMade:
    from orca_core.database_files import back_up

    runtime.if_stopped = _("stopped: no backup was made")
    with runtime.loop() as (loaded, loop):
        steps = back_up(loaded, into, keep, overwrites=force)
        made = loop.follow(steps, BackupMade, copy_teller(runtime.output))
        runtime.if_stopped = ""
    assert made is not None
    return made


@backup.command("list", examples=("orca backup list", "orca backup list --json"))
def list_(runtime: Runtime) -> None:
    """List the backups, newest first.

    They lie in the folder backups beside the database."""
    from orca_core.database_files import list_backups

    loaded = runtime.load()
    with LoopThread() as loop:
        folder, backups = loop.run(list_backups(loaded))
    if runtime.as_json:
        runtime.output.json(backups_json(folder, backups))
        return
    columns = [TableColumn(each) for each in (N_("name"), N_("made"), N_("size"), N_("made for"))]
    runtime.output.table([*columns, TableColumn(N_("holds"), takes_rest=True)], [backup_row(each) for each in backups])
    if not backups:
        runtime.output.note(_("There is no backup in {folder}.").format(folder=folder))


@command(
    examples=("orca backup list", "orca restore orca-2026-11-20-120007Z --dry-run", "orca restore /media/usb/orca.db")
)
@click.argument("backup", metavar="FILE|NAME", type=ANY_TEXT, shell_complete=backup_names)
@option("--yes", is_flag=True, help="Do not ask.")
@option("--dry-run", is_flag=True, help="Check it and say what it would change, and change nothing.")
def restore(runtime: Runtime, *, backup: str, yes: bool, dry_run: bool) -> None:
    """Bring back what a backup holds.

    It takes the place of the whole database, of every profile: what came after it is gone with that, and what was
    changed since is as before: how many of each is said first. What you deleted since stays deleted. What stands here
    now is kept as a backup first. Quit every Orca that has the database open before.

    The backup is checked before anything is changed, and brought up to date where an older Orca made it."""
    from orca_core.database_files import Restore

    tell = copy_teller(runtime.output)
    with runtime.loop() as (loaded, loop):
        work = Restore(loaded, backup, runtime.profile)
        try:
            if not (yes or dry_run):
                check_can_be_asked(runtime, N_("add --yes to restore without being asked, or --dry-run to look"))
            loop.follow(work.prepare(is_dry=dry_run), RestoreResult, tell)
            if not runtime.as_json:
                _show(runtime, work.plan)
            if not (yes or dry_run or ask_yes_or_no(runtime, _("restore it? [y/N] "))):
                runtime.output.note(_("nothing was changed"))
                raise click.exceptions.Exit(1)
            restored = None if dry_run else loop.follow(work.carry_out(), RestoreResult, tell)
        finally:
            loop.run(work.aclose())
            as_it_was = _("stopped: the database is as it was")
            runtime.if_stopped = _("stopped, but it is restored") if work.is_in_place else as_it_was
    if runtime.as_json:
        runtime.output.json(restored_json(work.plan, restored))
    elif restored is not None:
        _tell(runtime, restored)


def _show(runtime: Runtime, plan: RestorePlan) -> None:
    for each in plan_lines(plan):
        runtime.output.line(each)
    if loss := loss_words(plan):
        runtime.output.line(loss)


def _tell(runtime: Runtime, restored: RestoreResult) -> None:
    runtime.output.line(_("restored: {backup}").format(backup=restored.backup.path.name))
    if restored.kept is not None and not restored.is_kept_readable:
        kept = _("what stood here could not be read; it is kept as {path}")
        runtime.output.note(kept.format(path=restored.kept))
    elif restored.kept is not None:
        way = _("what stood here is kept: orca restore {name} brings it back")
        runtime.output.note(way.format(name=restored.kept.name))
