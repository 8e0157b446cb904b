"""`orca models`: which models the configured endpoints offer."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

import click

from orca_core.model.llm import Offer
from orca_core.serialize.reports import offers_json
from orca_tui import core
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import provider_names
from orca_tui.cli.output import Column
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import counted, listed, sentence_and_way_out
from orca_tui.words.health_words import MODEL_USES


@command(examples=("orca models", "orca models --provider ollama"))
@option(
    "--provider",
    type=ANY_TEXT,
    metavar="NAME",
    shell_complete=provider_names,
    help="Ask this provider alone, also one that is not in use.",
)
@as_json_option
@pass_runtime
def models(runtime: Runtime, provider: str | None, as_json: bool) -> None:
    """List the models that the configured endpoints offer; those in use are marked."""
    from orca_tui.cli.backstage import Backstage
    from orca_tui.log import log_kept

    loaded = runtime.load()
    with log_kept(loaded.home), Backstage() as backstage:
        offers = backstage.run(core.offers(loaded, runtime.environ, provider))
    if as_json:
        runtime.output.json(offers_json(offers, sentence_and_way_out))
    else:
        _show(runtime, offers)
    for offer in offers:
        if offer.failure is not None:
            runtime.output.fail(offer.failure)
    if any(offer.failure is not None for offer in offers):
        raise click.exceptions.Exit(1)


def _show(runtime: Runtime, offers: Sequence[Offer]) -> None:
    if not offers:
        runtime.output.note(_("no endpoint is in use: the built-in demo answers, and --provider NAME asks one"))
    for offer in offers:
        if offer.failure is not None:
            continue
        count = len(offer.models)
        runtime.output.line(
            counted("{provider}: {count} model", "{provider}: {count} models", count, provider=offer.provider)
        )
        rows = [_row(runtime, offer, model) for model in offer.models]
        runtime.output.table((Column(""), Column(_("model"), takes_rest=True), Column(_("used for"))), rows)
        for model in offer.unlisted:
            uses = listed(_(MODEL_USES[use]) for use in offer.used_for[model])
            runtime.output.warn(
                _("{provider} does not list {model}, which is used for: {uses}").format(
                    provider=offer.provider, model=model, uses=uses
                )
            )


def _row(runtime: Runtime, offer: Offer, model: str) -> tuple[str, str, str]:
    uses = offer.used_for.get(model, ())
    return (runtime.output.marks.marked if uses else "", model, listed(_(MODEL_USES[use]) for use in uses))
