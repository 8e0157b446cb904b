"""`orca doctor`: looks at everything, mends what it may, and runs when nothing else does."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.doctor import Diagnosis, failed
from orca_core.model.errors import ConfigError
from orca_core.model.recall import Level
from orca_core.serialize.reports import diagnosis_json
from orca_tui import core
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.output import Column
from orca_tui.cli.progress import teller
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.language import said
from orca_tui.words.health_words import (
    CHECK_WORDS,
    REPAIR_WORDS,
    diagnosis_note,
    evidence_lines,
    found_and_fix,
    left_note,
    repair_text,
)
from orca_tui.words.upkeep_words import check_words


@command(examples=("orca doctor", "orca doctor --network", "orca doctor --fix --dry-run"))
@option(
    "--network",
    is_flag=True,
    help="Ask each endpoint, too: its models, a token, an embedding; and try the verifier.",
)
@option("--fix", is_flag=True, help="Mend what can be mended without loss.")
@option("--dry-run", is_flag=True, help="With --fix: say what would be mended, and change nothing.")
@as_json_option
@pass_runtime
def doctor(runtime: Runtime, *, network: bool, fix: bool, dry_run: bool, as_json: bool) -> None:
    """Check that everything works.

    Without --network nobody is asked: the checks stay on this machine. With it each endpoint gets one word, at most,
    and the verifier a dozen sentences of Orca's own whose answers are known.

    --fix keeps others out of files, makes an index anew that is damaged or out of step, and merges memories that say
    just the same, which undo takes back. With --network it has parked runs tried again, too. All else is left to
    you."""
    if dry_run and not fix:
        raise click.UsageError(_("--dry-run goes with --fix"))
    diagnosis = _diagnosis(runtime, asks_network=network, mends=fix, is_dry=dry_run)
    if as_json:
        runtime.output.json(diagnosis_json(diagnosis))
    else:
        _show(runtime, diagnosis, mends=fix)
    if not diagnosis.is_healthy:
        raise click.exceptions.Exit(1)


def _diagnosis(runtime: Runtime, *, asks_network: bool, mends: bool, is_dry: bool) -> Diagnosis:
    try:
        loaded = runtime.load()
    except ConfigError as error:
        return _without_settings(runtime, error, mends=mends, is_dry=is_dry)
    from orca_tui.cli.backstage import Backstage
    from orca_tui.log import log_kept

    with log_kept(loaded.home), Backstage() as backstage:
        tell = teller(runtime.output, check_words, is_one=True)
        visit = core.diagnose(loaded, runtime.environ, tell, asks_network=asks_network, mends=mends, is_dry=is_dry)
        return backstage.run(visit)


def _without_settings(runtime: Runtime, error: ConfigError, *, mends: bool, is_dry: bool) -> Diagnosis:
    try:
        return core.diagnose_without_settings(runtime.environ, error, mends=mends, is_dry=is_dry)
    except ConfigError:  # there is no home either
        return Diagnosis(Level.NONE, (failed("config", "fail", error),))


def _show(runtime: Runtime, diagnosis: Diagnosis, *, mends: bool) -> None:
    columns = (Column(_("state")), Column(_("check")), Column(_("found"), takes_rest=True, wraps=True))
    rows = [(_(REPAIR_WORDS[each.state]), said(each.name), repair_text(each)) for each in diagnosis.repairs]
    for check in diagnosis.checks:
        found, fix = found_and_fix(check)
        rows.append((_(CHECK_WORDS[check.state]), said(check.name), found))
        rows += [("", "", line) for line in evidence_lines(check)]
        if fix:
            rows.append(("", "", _("what to do: {fix}").format(fix=fix)))
    runtime.output.table(columns, rows)
    runtime.output.line(diagnosis_note(diagnosis))
    if mends:
        runtime.output.line(left_note(diagnosis))
