"""`orca doctor`: looks at everything, and runs when nothing else does."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.domain.diagnosis import Diagnosis, failed_check
from orca_core.domain.errors import ConfigError
from orca_core.domain.recall import Level
from orca_core.wire.health import diagnosis_json
from orca_tui import core
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.output import Column
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.language import said
from orca_tui.words.health import CHECK_WORDS, diagnosis_note, evidence_line, found_and_fix


@command()
@option("--network", is_flag=True, help="Ask each endpoint, too: its models, one token, one embedding.")
@as_json_option
@pass_runtime
def doctor(runtime: Runtime, *, network: bool, as_json: bool) -> None:
    """Check that everything works.

    Without --network nobody is asked: the checks stay on this machine. With it each endpoint gets one word, at most."""
    diagnosis = _diagnosis(runtime, asks_network=network)
    if as_json:
        runtime.output.json(diagnosis_json(diagnosis))
    else:
        _show(runtime, diagnosis)
    if not diagnosis.is_healthy:
        raise click.exceptions.Exit(1)


def _diagnosis(runtime: Runtime, *, asks_network: bool) -> Diagnosis:
    try:
        loaded = runtime.load()
    except ConfigError as error:
        return _without_settings(runtime, error)
    from orca_tui.cli.backstage import Backstage
    from orca_tui.log import log_kept

    with log_kept(loaded.home), Backstage() as backstage:
        return backstage.run(core.diagnose(loaded, runtime.environ, asks_network=asks_network))


def _without_settings(runtime: Runtime, error: ConfigError) -> Diagnosis:
    try:
        return core.diagnose_without_settings(runtime.environ, error)
    except ConfigError:  # there is no home either
        return Diagnosis(Level.NONE, (failed_check("config", "fail", error),))


def _show(runtime: Runtime, diagnosis: Diagnosis) -> None:
    states = {state: _(word) for state, word in CHECK_WORDS.items()}
    rows = []
    for check in diagnosis.checks:
        found, fix = found_and_fix(check)
        rows.append((states[check.state], said(check.name), found))
        rows += [("", "", evidence_line(each)) for each in check.evidence]
        if fix:
            rows.append(("", "", _("what to do: {fix}").format(fix=fix)))
    runtime.output.table((Column(_("state")), Column(_("check")), Column(_("found"), takes_rest=True)), rows)
    runtime.output.line(diagnosis_note(diagnosis))
