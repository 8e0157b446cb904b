"""`orca restore`: a backup in the place of the database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from gettext import gettext as _

import click

from orca_core.model.backups import Progress, Restored, RestorePlan
from orca_core.model.errors import InvalidInput
from orca_core.serialize.reports import restored_json
from orca_tui import core
from orca_tui.cli.backstage import Backstage
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import backup_names
from orca_tui.cli.deleting import YES_WORDS
from orca_tui.cli.progress import copy_teller
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.log import log_kept
from orca_tui.signals import signals_raise
from orca_tui.words.upkeep_words import loss_words, plan_lines


@command(
    examples=("orca backup list", "orca restore orca-2026-11-20-120007Z --dry-run", "orca restore /media/usb/orca.db")
)
@click.argument("backup", metavar="FILE|NAME", type=ANY_TEXT, shell_complete=backup_names)
@option("--yes", is_flag=True, help="Do not ask.")
@option("--dry-run", is_flag=True, help="Check it and say what it would change, and change nothing.")
@as_json_option
@pass_runtime
def restore(runtime: Runtime, *, backup: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Bring back what a backup holds.

    It takes the place of the whole database, of every profile: what came after it is gone with that, and what was
    changed since is as before. The first of each are named, with --json all. What you deleted since stays deleted. What
    stands here now is kept as a backup first. Quit every Orca that has the database open before.

    The backup is checked before anything is changed, and brought up to date where an older Orca made it."""
    loaded = runtime.load()
    with signals_raise(), log_kept(loaded.home), Backstage() as backstage:
        work = core.open_restore(loaded, backup, runtime.profile)
        try:
            if not (yes or dry_run):
                _see_that_it_can_be_asked(runtime, as_json=as_json)
            _run(runtime, backstage, work.prepare(is_dry=dry_run))
            if not as_json:
                _show(runtime, work.plan)
            if not (yes or dry_run):
                _ask(runtime)
            restored = None if dry_run else _run(runtime, backstage, work.carry_out())
        finally:
            backstage.run(work.aclose())
            as_it_was = _("stopped: the database is as it was")
            runtime.if_stopped = _("stopped, but it is restored") if work.is_in_place else as_it_was
    if as_json:
        runtime.output.json(restored_json(work.plan, restored))
    elif restored is not None:
        _tell(runtime, restored)


def _run(runtime: Runtime, backstage: Backstage, steps: AsyncIterator[Progress | Restored]) -> Restored | None:
    tell = copy_teller(runtime.output)
    with backstage.stream(lambda _stop: steps) as (arriving, _stop_now):
        for step in arriving:
            if isinstance(step, Restored):
                return step
            tell(step)
    return None


def _see_that_it_can_be_asked(runtime: Runtime, *, as_json: bool) -> None:
    hint = "add --yes to restore without being asked, or --dry-run to look"
    if as_json:
        raise InvalidInput(template="--json asks nothing", hint=hint)
    if not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal to ask in", hint=hint)


def _show(runtime: Runtime, plan: RestorePlan) -> None:
    for each in plan_lines(plan, runtime.output.marks):
        runtime.output.line(each)
    if loss := loss_words(plan):
        runtime.output.line(loss)


def _ask(runtime: Runtime) -> None:
    try:
        answer = runtime.output.ask(_("restore it? [y/N] "))
    except EOFError:
        answer = ""
    if answer.strip().lower() not in YES_WORDS:
        runtime.output.note(_("nothing was changed"))
        raise click.exceptions.Exit(1)


def _tell(runtime: Runtime, restored: Restored) -> None:
    runtime.output.line(_("restored: {backup}").format(backup=restored.backup.path.name))
    if restored.kept is not None and not restored.is_kept_readable:
        kept = _("what stood here could not be read; it is kept as {path}")
        runtime.output.note(kept.format(path=restored.kept))
    elif restored.kept is not None:
        way = _("what stood here is kept: orca restore {name} brings it back")
        runtime.output.note(way.format(name=restored.kept.name))
