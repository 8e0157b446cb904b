"""`orca eval`: how well questions find what answers them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from gettext import gettext as _
from pathlib import Path

import click
from msgspec.structs import asdict, astuple

from orca_core.evaluation.ranking_scores import SCORE_NAMES, MeanScores, RetrievalReport, report_json
from orca_core.evaluation.retrieval import ConversationDone
from orca_tui.cli.commands import Group
from orca_tui.cli.output import Output, TableColumn
from orca_tui.cli.runtime import Runtime
from orca_tui.language import N_, said

evaluate = Group("eval", help="Measure how well memories are found. Nothing that is stored is changed.")

LEFT_OUT = {
    "adversarial": N_("adversarial questions are left out, for nothing answers them: {count}"),
    "by_hand": N_("memories that came from no round are not asked for: {count}"),
    "round_gone": N_("memories whose round is gone, or holds nothing typed, are not asked for: {count}"),
    "word_for_word": N_("memories that were said word for word are not asked for: {count}"),
}
"""What was left out, by the core's reason for it."""
CATEGORIES = {"round": N_("whole rounds"), "without_quote": N_("rounds without the quotes")}
"""Categories of the core's own making."""


@evaluate.command(examples=("orca eval retrieval", "orca eval retrieval --json"))
@click.argument(
    "folder", metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False, exists=True), required=False
)
def retrieval(runtime: Runtime, folder: Path | None) -> None:
    """Measure how well questions find what answers them.

    DIR holds corpus.jsonl and queries.jsonl, or folders that do. They are put into a database that is thrown away,
    with the configured embedding, and asked as a search asks.

    Without DIR your own memories are asked for, in a copy, by what you typed in the round that each came from: that
    holds the words that the memory was made of, and is the most to be hoped for. Each round is asked again without
    the quotes of its memories."""
    from orca_core.evaluation.retrieval import evaluate_retrieval

    output = runtime.output
    with runtime.loop() as (loaded, loop):
        steps = evaluate_retrieval(loaded, runtime.environ, folder, runtime.profile)
        report = loop.follow(steps, RetrievalReport, lambda step: output.note(_progress(step)))
    assert report is not None
    _note_what_was_left(output, report)
    if runtime.as_json:
        output.json(report_json(report))
    elif not report.whole.questions:
        output.note(_("There is nothing to ask."))
    else:
        names = [N_("set"), N_("questions about"), N_("count"), *SCORE_NAMES, "p50 ms", "p95 ms"]
        columns = [TableColumn(name, is_number=place >= 2) for place, name in enumerate(names)]
        output.table(columns, list(_rows(report)), names_columns=True)


def _progress(step: ConversationDone) -> str:
    return _("{done}/{all} {set} {conversation}: {documents} documents, {questions} questions").format(**asdict(step))


def _note_what_was_left(output: Output, report: RetrievalReport) -> None:
    for why, count in report.left_out.items():
        output.note(_(LEFT_OUT[why]).format(count=count))
    counts = {"embedder": report.embedder, "all": report.whole.questions}
    if report.by_words_alone:
        words = _("{embedder}: {count} of {all} questions went by words alone, for it failed or took too long")
        output.warn(words.format(count=report.by_words_alone, **counts))
    if report.not_reranked:
        words = _("{count} of {all} orders were not reranked, for the reranker failed or took too long")
        output.warn(words.format(count=report.not_reranked, **counts))


def _rows(report: RetrievalReport) -> Iterator[tuple[str, ...]]:
    """Each set with its categories, then the languages, then the whole."""
    sets: Mapping[str, RetrievalReport] = report.sets or {"": report}
    for name, each in sets.items():
        for category, mean in each.by_category.items():
            yield _row(name, said(CATEGORIES.get(category, "")) or category, mean)
        if report.sets:
            yield _row(name, _("all"), each.whole)
    for language, mean in report.by_language.items():
        yield _row("", language, mean)
    yield _row("", _("all"), report.whole)


def _row(name: str, about: str, mean: MeanScores) -> tuple[str, ...]:
    shares = (f"{100 * value:.1f}" for value in astuple(mean.scores))
    return (name, about, str(mean.questions), *shares, f"{mean.p50_ms:.1f}", f"{mean.p95_ms:.1f}")
