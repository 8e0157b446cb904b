"""Operations and runs in one list, a line each. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.journal import Change, Operation
from orca_core.domain.learning import Run
from orca_core.wire.values import timestamp_json
from orca_tui.marks import Marks
from orca_tui.words.changes import actor_word, operation_text
from orca_tui.words.learning import run_line


def activity_texts(
    operations: Sequence[tuple[Operation, Sequence[Change]]], runs: Sequence[Run], marks: Marks
) -> list[str]:
    """Newest first; what a run changed stands in the line of its operation, behind the run."""
    lines = [(operation.header.at, _operation_line(operation, changes, marks)) for operation, changes in operations]
    lines += [(run.ended_at or run.started_at, run_line(run, marks)) for run in runs]
    return [text for _at, text in sorted(lines, key=lambda line: line[0], reverse=True)]


def _operation_line(operation: Operation, changes: Sequence[Change], marks: Marks) -> str:
    who = actor_word(operation.header.actor)
    words = operation_text(operation, changes, marks)
    return f"{timestamp_json(operation.header.at)}  [{operation.id}] {who}: {words}"
