"""`orca eval`: how well questions find what answers them, and what stored turns would have got under other settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.evaluation.replaying import Replay, TurnChange, WeightChange, replay_json
from orca_core.evaluation.scoring import NAMES, Figures, Measured, RetrievalReport, StoreMeasured, report_json
from orca_core.model.recall import Item
from orca_core.rules.text.cleaning import one_line
from orca_tui.cli.commands import Group, option
from orca_tui.cli.output import Column, Output
from orca_tui.cli.parameters import ANY_TEXT
from orca_tui.cli.runtime import Runtime
from orca_tui.language import N_, said

MOST_SHOWN = 20
"""How many turns, and how many memories, a table shows; --json has all."""
WIDTH = 48
"""How many characters of a memory a table shows: Chinese ones are twice as wide."""
NOT_SAID = {
    "not_reproduced": N_(
        "turns that other settings or other rules decided, as the configured ones do not give what they got: {count}"
    ),
    "without_text": N_("turns of which something was deleted: {count}"),
    "weights_not_reproduced": N_("memories whose weight other settings moved: {count}"),
    "open": N_("replayed turns that might have got memories which their receipts do not name: {count}"),
}
"""What a replay can not say, by the core's name for it."""


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
@option(
    "--compare",
    "compared",
    type=ANY_TEXT,
    metavar="EMBEDDER",
    multiple=True,
    help="Measure this embedder, too: local, meaning, PROVIDER or PROVIDER/MODEL@DIMENSIONS.",
)
def retrieval(runtime: Runtime, folder: Path | None, compared: tuple[str, ...]) -> None:
    """Measure how well questions find what answers them.

    DIR holds corpus.jsonl and queries.jsonl, or folders that do. They are put into a database that is thrown away,
    with the configured embedding, and asked as a search asks.

    Without DIR your own memories are asked for, in a copy, by what you typed in the round that each came from: that
    holds the words that the memory was made of, and is the most to be hoped for. Each round is asked again without
    the quotes of its memories."""
    report = _measured(runtime, folder, compared)
    _note_what_was_left(runtime, report)
    if runtime.as_json:
        runtime.output.json(report_json(report))
    else:
        _show(runtime, report)


def _measured(runtime: Runtime, folder: Path | None, compared: tuple[str, ...]) -> RetrievalReport:
    """The figures; each store is told of as it is done."""
    from orca_core.evaluation.retrieval import evaluate_retrieval

    output = runtime.output
    with runtime.loop() as (loaded, loop):
        steps = evaluate_retrieval(loaded, runtime.environ, folder, compared, runtime.profile)
        report = loop.follow(steps, RetrievalReport, lambda step: output.note(_progress(step)))
    assert report is not None
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
    names = [N_("set"), N_("questions about"), N_("embedder"), N_("count"), *NAMES, "p50 ms", "p95 ms"]
    columns = [Column(name, is_number=place >= 3) for place, name in enumerate(names)]
    rows = [row for rows in zip(*(_rows(*each) for each in report.measured.items()), strict=True) for row in rows]
    output.table(columns, rows, names_columns=True)
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


@evaluate.command(
    examples=(
        "orca eval rules --set memory.inject.long_term_trigger=always",
        "orca eval rules --set memory.long_term.max_return=4 --json",
    )
)
@option(
    "--set",
    "changes",
    type=ANY_TEXT,
    metavar="KEY=VALUE",
    multiple=True,
    required=True,
    help="A setting as it might be, such as memory.inject.long_term_trigger=always.",
)
def rules(runtime: Runtime, changes: tuple[str, ...]) -> None:
    """Show what stored turns would have got under other settings.

    Receipts are replayed: which memories would have come, which would not, and what weights would have come of it.
    Nothing is written. A receipt names what was found in its turn, and no more: what the search would have found
    besides, or the answer would have done with another memory, nobody can tell."""
    from orca_core.evaluation.replaying import replay_rules

    with runtime.loop() as (loaded, loop):
        replay = loop.run(replay_rules(loaded, changes, runtime.profile))
    if runtime.as_json:
        runtime.output.json(replay_json(replay))
        return
    _show_replay(runtime, replay)


def _show_replay(runtime: Runtime, replay: Replay) -> None:
    output = runtime.output
    output.line("\n".join(_summary(replay)))
    if replay.changes:
        columns = (
            Column(N_("session")),
            Column(N_("round"), is_number=True),
            Column(N_("would have come")),
            Column(N_("would not have come")),
            Column(N_("question"), takes_rest=True),
        )
        _table(output, columns, [_turn_row(each) for each in replay.changes])
    if replay.weights:
        columns = (
            Column(N_("memory")),
            Column(N_("weight"), is_number=True),
            Column(N_("would be"), is_number=True),
            Column(""),
            Column(N_("content"), takes_rest=True),
        )
        _table(output, columns, [_weight_row(each) for each in replay.weights])
    counts = replay_json(replay)
    for name, words in NOT_SAID.items():
        if count := counts[name]:
            output.note(_(words).format(count=count))


def _table(output: Output, columns: Sequence[Column], rows: Sequence[tuple[str, ...]]) -> None:
    output.line()
    output.table(columns, rows[:MOST_SHOWN], names_columns=True)
    if len(rows) > MOST_SHOWN:
        output.line(_("… and {count} more; --json has all").format(count=len(rows) - MOST_SHOWN))


def _summary(replay: Replay) -> Iterator[str]:
    yield _("replayed: {replayed} of {turns} turns; {different} would have got something else").format(
        replayed=replay.replayed, turns=replay.turns, different=len(replay.changes)
    )
    yield _("put before the model: {before} → {after} memories, {tokens_before} → {tokens_after} tokens").format(
        before=replay.before.memories,
        after=replay.after.memories,
        tokens_before=replay.before.tokens,
        tokens_after=replay.after.tokens,
    )
    yield _("archived by weight: {more} more, {fewer} fewer").format(
        more=sum(each.archived_after and not each.archived_before for each in replay.weights),
        fewer=sum(each.archived_before and not each.archived_after for each in replay.weights),
    )


def _turn_row(change: TurnChange) -> tuple[str, ...]:
    receipt = change.turn.receipt
    question = one_line(change.turn.text, WIDTH)
    return (receipt.session_id, str(receipt.round), _refs(change.gained), _refs(change.lost), question)


def _refs(items: Sequence[Item]) -> str:
    return " ".join(f"{each.ref} ({each.reason.partition(':')[0]})" for each in items)


def _weight_row(change: WeightChange) -> tuple[str, ...]:
    word = ""
    if change.archived_after != change.archived_before:
        word = _("archived") if change.archived_after else _("not archived")
    return (str(change.ref), f"{change.before:g}", f"{change.after:g}", word, one_line(change.content, WIDTH))
