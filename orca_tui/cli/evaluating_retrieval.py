"""`orca eval retrieval`: how well questions find what answers them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.evaluation.reports import NAMES, report_json
from orca_core.evaluation.values import Figures, Measured, RetrievalReport, StoreMeasured
from orca_tui import core
from orca_tui.cli.backstage import Backstage
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.output import Column
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT
from orca_tui.language import N_, said
from orca_tui.log import log_kept
from orca_tui.signals import signals_raise

LEFT_OUT = {
    "adversarial": N_("adversarial questions are left out, for nothing answers them: {count}"),
    "by_hand": N_("memories that came from no round are not asked for: {count}"),
    "round_gone": N_("memories whose round is gone, or holds nothing typed, are not asked for: {count}"),
    "word_for_word": N_("memories that were said word for word are not asked for: {count}"),
}
"""What was left out, by the core's reason for it."""
CATEGORIES = {"round": N_("whole rounds"), "without_quote": N_("rounds without the quotes")}
"""Categories of the core's own making."""


@command()
@click.argument(
    "folder", metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False, exists=True), required=False
)
@option(
    "--compare",
    "compared",
    type=ANY_TEXT,
    metavar="EMBEDDER",
    multiple=True,
    help="Measure this embedder, too: local, meaning, PROVIDER or PROVIDER/MODEL@DIMENSIONS.",
)
@as_json_option
@pass_runtime
def retrieval(runtime: Runtime, folder: Path | None, compared: tuple[str, ...], as_json: bool) -> None:
    """Measure how well questions find what answers them.

    DIR holds corpus.jsonl and queries.jsonl, or folders that do. They are put into a database that is thrown away,
    with the configured embedding, and asked as a search asks.

    Without DIR your own memories are asked for, in a copy, by what you typed in the round that each came from: that
    holds the words that the memory was made of, and is the most to be hoped for. Each round is asked again without
    the quotes of its memories."""
    report = _measured(runtime, folder, compared)
    _note_what_was_left(runtime, report)
    if as_json:
        runtime.output.json(report_json(report))
    else:
        _show(runtime, report)


def _measured(runtime: Runtime, folder: Path | None, compared: tuple[str, ...]) -> RetrievalReport:
    """The figures; each store is told of as it is done."""
    loaded = runtime.load()
    found: list[RetrievalReport] = []
    with signals_raise(), log_kept(loaded.home), Backstage() as backstage:
        steps = core.evaluate_retrieval(loaded, runtime.environ, folder, compared, runtime.profile)
        with backstage.stream(lambda _stop: steps) as (arriving, _stop_now):
            for step in arriving:
                if isinstance(step, StoreMeasured):
                    runtime.output.note(_progress(step))
                else:
                    found.append(step)
    [report] = found
    return report


def _progress(step: StoreMeasured) -> str:
    return _("{embedder} {done}/{all} {set} {conversation}: {documents} documents, {questions} questions").format(
        embedder=step.embedder,
        done=step.done,
        all=step.all,
        set=step.corpus,
        conversation=step.conversation,
        documents=step.documents,
        questions=step.questions,
    )


def _note_what_was_left(runtime: Runtime, report: RetrievalReport) -> None:
    for why, count in report.configured.left_out.items():
        runtime.output.note(_(LEFT_OUT[why]).format(count=count))
    for name, measured in report.measured.items():
        asked = len(measured.asked)
        if measured.by_words_alone:
            words = _("{embedder}: {count} of {all} questions went by words alone, for it failed or took too long")
            runtime.output.warn(words.format(embedder=name, count=measured.by_words_alone, all=asked))
        if measured.not_reranked:
            words = _("{embedder}: {count} of {all} orders were not reranked, for the reranker failed or took too long")
            runtime.output.warn(words.format(embedder=name, count=measured.not_reranked, all=asked))


def _show(runtime: Runtime, report: RetrievalReport) -> None:
    output = runtime.output
    if not report.configured.asked:
        output.note(_("There is nothing to ask."))
        return
    names = [_("set"), _("questions about"), _("embedder"), _("count"), *NAMES, "p50 ms", "p95 ms"]
    columns = [Column(name, is_number=place >= 3) for place, name in enumerate(names)]
    rows = [row for rows in zip(*(_rows(*each) for each in report.measured.items()), strict=True) for row in rows]
    output.table(columns, rows if output.is_terminal else [names, *rows])
    for name, turned in report.turned.items():
        words = _("with {embedder}: answered among the first five, and not before: {gained}; no longer: {lost}")
        output.line(words.format(embedder=name, gained=turned.gained, lost=turned.lost))


def _rows(embedder: str, measured: Measured) -> Iterator[tuple[str, ...]]:
    """Each set with its categories, then the languages, then the whole."""
    sets: Mapping[str, Measured] = measured.sets or {"": measured}
    for name, each in sets.items():
        for category, figures in each.by_category.items():
            yield _row(name, said(CATEGORIES.get(category, "")) or category, embedder, figures)
        if measured.sets:
            yield _row(name, _("all"), embedder, each.whole)
    for language, figures in measured.by_language.items():
        yield _row("", language, embedder, figures)
    yield _row("", _("all"), embedder, measured.whole)


def _row(name: str, about: str, embedder: str, figures: Figures) -> tuple[str, ...]:
    shares = (f"{100 * getattr(figures.scores, field):.1f}" for field in NAMES.values())
    return (name, about, embedder, str(figures.questions), *shares, f"{figures.p50_ms:.1f}", f"{figures.p95_ms:.1f}")
