"""`orca doctor`: looks at everything, mends what it may, runs when nothing else does; `orca models`."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

import click

from orca_core.model.diagnosis import Diagnosis, failed
from orca_core.model.errors import ConfigError
from orca_core.model.llm import ModelOffer
from orca_core.model.recall import Level
from orca_core.serialize.reports import diagnosis_json, offers_json
from orca_tui.cli.commands import command, option
from orca_tui.cli.output import TableColumn
from orca_tui.cli.parameters import ANY_TEXT, provider_names
from orca_tui.cli.progress import progress_teller
from orca_tui.cli.runtime import Runtime
from orca_tui.language import N_, counted, listed, said, sentence_and_way_out
from orca_tui.words.health_words import (
    CHECK_WORDS,
    MODEL_USES,
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
def doctor(runtime: Runtime, *, network: bool, fix: bool, dry_run: bool) -> None:
    """Check that everything works.

    Without --network nobody is asked: the checks stay on this machine. With it each endpoint gets one word, at most,
    and the verifier a dozen sentences of Orca's own whose answers are known.

    --fix keeps others out of files, makes an index anew that is damaged or out of step, and merges memories that say
    just the same, which undo takes back. With --network it has parked runs tried again, too. All else is left to
    you."""
    if dry_run and not fix:
        raise click.UsageError(_("--dry-run goes with --fix"))
    diagnosis = _diagnosis(runtime, asks_network=network, mends=fix, is_dry=dry_run)
    if runtime.as_json:
        runtime.output.json(diagnosis_json(diagnosis))
    else:
        _show(runtime, diagnosis, mends=fix)
    if not diagnosis.is_healthy:
        raise click.exceptions.Exit(1)


def _diagnosis(runtime: Runtime, *, asks_network: bool, mends: bool, is_dry: bool) -> Diagnosis:
    from orca_core.diagnosis import diagnose

    try:
        loaded = runtime.load()
    except ConfigError as error:
        return _without_settings(runtime, error, mends=mends, is_dry=is_dry)
    from orca_tui.cli.loop_thread import LoopThread
    from orca_tui.log import log_kept

    with log_kept(loaded.home), LoopThread() as loop:
        tell = progress_teller(runtime.output, check_words, is_one=True)
        visit = diagnose(loaded, runtime.environ, tell, asks_network=asks_network, mends=mends, is_dry=is_dry)
        return loop.run(visit)


def _without_settings(runtime: Runtime, error: ConfigError, *, mends: bool, is_dry: bool) -> Diagnosis:
    from orca_core.config.config_file import home_of
    from orca_core.diagnosis import diagnose_without_settings

    try:
        return diagnose_without_settings(home_of(runtime.environ), error, mends=mends, is_dry=is_dry)
    except ConfigError:  # there is no home either
        return Diagnosis(Level.NONE, (failed("config", "fail", error),))


def _show(runtime: Runtime, diagnosis: Diagnosis, *, mends: bool) -> None:
    columns = (
        TableColumn(N_("state")),
        TableColumn(N_("check")),
        TableColumn(N_("found"), takes_rest=True, wraps=True),
    )
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


@command(examples=("orca models", "orca models --provider ollama"))
@option(
    "--provider",
    type=ANY_TEXT,
    metavar="NAME",
    shell_complete=provider_names,
    help="Ask this provider alone, also one that is not in use.",
)
def models(runtime: Runtime, provider: str | None) -> None:
    """List the models that the configured endpoints offer; those in use are marked."""
    from orca_core.endpoints import offers

    with runtime.loop() as (loaded, loop):
        offered = loop.run(offers(loaded, runtime.environ, provider))
    if runtime.as_json:
        runtime.output.json(offers_json(offered, sentence_and_way_out))
    else:
        _show_offers(runtime, offered)
    for offer in offered:
        if offer.failure is not None:
            runtime.output.fail(offer.failure)
    if any(offer.failure is not None for offer in offered):
        raise click.exceptions.Exit(1)


def _show_offers(runtime: Runtime, offers: Sequence[ModelOffer]) -> None:
    if not offers:
        runtime.output.note(_("no endpoint is in use: the built-in demo answers, and --provider NAME asks one"))
    for offer in offers:
        if offer.failure is not None:
            continue
        count = len(offer.models)
        runtime.output.line(
            counted("{provider}: {count} model", "{provider}: {count} models", count, provider=offer.provider)
        )
        columns = (TableColumn(""), TableColumn(N_("model"), takes_rest=True), TableColumn(N_("used for")))
        runtime.output.table(columns, [_row(runtime, offer, model) for model in offer.models])
        for model in offer.unlisted:
            uses = listed(_(MODEL_USES[use]) for use in offer.used_for[model])
            runtime.output.warn(
                _("{provider} does not list {model}, which is used for: {uses}").format(
                    provider=offer.provider, model=model, uses=uses
                )
            )


def _row(runtime: Runtime, offer: ModelOffer, model: str) -> tuple[str, str, str]:
    uses = offer.used_for.get(model, ())
    return (runtime.output.marks.marked if uses else "", model, listed(_(MODEL_USES[use]) for use in uses))
