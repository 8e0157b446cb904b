"""`orca eval retrieval`: how well questions find what answers them."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import gettext as _
from pathlib import Path

import click

from orca_core.domain.evaluation import Figures, Measured, StoreMeasured
from orca_core.wire.evaluation import NAMES, measured_json
from orca_tui import core
from orca_tui.cli.backstage import Backstage
from orca_tui.cli.commands import command, option
from orca_tui.cli.output import Column
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.language import counted
from orca_tui.log import log_kept
from orca_tui.signals import signals_raise


@command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False, exists=True))
@option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@pass_runtime
def retrieval(runtime: Runtime, folder: Path, as_json: bool) -> None:
    """Measure how well questions find what answers them.

    DIR holds corpus.jsonl and queries.jsonl, or folders that do. They are put into a database that is thrown away,
    with the configured embedding, and asked as a search asks."""
    measured = _measured(runtime, folder)
    _note_what_was_left(runtime, measured)
    if as_json:
        runtime.output.json(measured_json(measured))
    else:
        _show(runtime, measured)


def _measured(runtime: Runtime, folder: Path) -> Measured:
    """The figures; each store is told of as it is done."""
    loaded = runtime.load()
    found: list[Measured] = []
    with signals_raise(), log_kept(loaded.home), Backstage() as backstage:
        steps = core.evaluate_retrieval(loaded, runtime.environ, folder)
        with backstage.stream(lambda _stop: steps) as (arriving, _stop_now):
            for step in arriving:
                if isinstance(step, StoreMeasured):
                    runtime.output.note(_progress(step))
                else:
                    found.append(step)
    [measured] = found
    return measured


def _progress(step: StoreMeasured) -> str:
    return _("{done}/{all} {set} {conversation}: {documents} documents, {questions} questions").format(
        done=step.done,
        all=step.all,
        set=step.corpus,
        conversation=step.conversation,
        documents=step.documents,
        questions=step.questions,
    )


def _note_what_was_left(runtime: Runtime, measured: Measured) -> None:
    if measured.left_out:
        left_out = counted(
            "{count} adversarial question is left out: nothing answers it.",
            "{count} adversarial questions are left out: nothing answers them.",
            measured.left_out,
        )
        runtime.output.note(left_out)
    if measured.by_words_alone:
        runtime.output.warn(
            _("{count} of {all} questions were asked by words alone: the embedder failed or took too long").format(
                count=measured.by_words_alone, all=measured.whole.questions
            )
        )


def _show(runtime: Runtime, measured: Measured) -> None:
    columns = (
        Column(_("set")),
        Column(_("questions about")),
        Column(_("count"), is_number=True),
        *(Column(name, is_number=True) for name in NAMES),
        Column("p50 ms", is_number=True),
        Column("p95 ms", is_number=True),
    )
    output = runtime.output
    rows = list(_rows(measured))
    if not output.is_terminal:
        rows.insert(0, tuple(column.heading for column in columns))
    output.table(columns, rows)


def _rows(measured: Measured) -> Iterator[tuple[str, ...]]:
    """Each set with its categories, then the languages, then the whole."""
    for name, each in (measured.sets or {"": measured}).items():
        for category, figures in each.by_category.items():
            yield _row(name, category, figures)
        if measured.sets:
            yield _row(name, _("all"), each.whole)
    for language, figures in measured.by_language.items():
        yield _row("", language, figures)
    yield _row("", _("all"), measured.whole)


def _row(name: str, about: str, figures: Figures) -> tuple[str, ...]:
    shares = (f"{100 * getattr(figures.scores, field):.1f}" for field in NAMES.values())
    return (name, about, str(figures.questions), *shares, f"{figures.p50_ms:.1f}", f"{figures.p95_ms:.1f}")
