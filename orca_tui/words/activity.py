"""Operations and runs in one list, a line each. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from gettext import gettext as _

from orca_core.model.journal import Change, Operation
from orca_core.model.learning import Run
from orca_core.serialize.values import timestamp_json
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.changes import actor_word, operation_text
from orca_tui.words.learning import run_line


def quiet_runs(runs: Sequence[Run]) -> list[Run]:
    """The runs that one line stands for: those that found nothing, the newest first, where they are several."""
    quiet = sorted((run for run in runs if run.found_nothing), key=when, reverse=True)
    return quiet if len(quiet) > 1 else []


def when(run: Run) -> datetime:
    """The time of its line."""
    return run.ended_at or run.started_at


def quiet_words(count: int) -> str:
    """The line that stands for them."""
    return counted("{count} run found nothing", "{count} runs found nothing", count)


def activity_texts(
    operations: Sequence[tuple[Operation, Sequence[Change]]],
    runs: Sequence[Run],
    marks: Marks,
    *,
    quiet: Sequence[Run] = (),
) -> list[str]:
    """Newest first; what a run changed stands in the line of its operation, behind the run. One line stands for the
    `quiet` runs."""
    lines = [(operation.header.at, _operation_line(operation, changes, marks)) for operation, changes in operations]
    folded = {run.id for run in quiet}
    lines += [(when(run), run_line(run, marks)) for run in runs if run.id not in folded]
    if quiet:
        lines.append((when(quiet[0]), _quiet_line(quiet, marks)))
    return [text for _at, text in sorted(lines, key=lambda line: line[0], reverse=True)]


def _quiet_line(quiet: Sequence[Run], marks: Marks) -> str:
    way = _("orca activity --all lists them")
    return f"{timestamp_json(when(quiet[0]))}  {quiet_words(len(quiet))} {marks.dot} {way}"


def _operation_line(operation: Operation, changes: Sequence[Change], marks: Marks) -> str:
    who = actor_word(operation.header.actor)
    words = operation_text(operation, changes, marks)
    return f"{timestamp_json(operation.header.at)}  [{operation.id}] {who}: {words}"
