"""What an older version archived without a successor is named where its run is shown."""

from __future__ import annotations

from fakes.memories import AT, memory

from orca_core.model.learning import Lesson, Run, RunKind, RunResult, RunState
from orca_tui.marks import ASCII_MARKS
from orca_tui.words.learning_words import lesson_text


def test_a_run_that_is_shown_names_what_no_longer_holds() -> None:
    result = RunResult(retracted=(7, 8))
    run = Run(3, RunKind.EXTRACT, "s", (1,), RunState.DONE, 1, AT, result=result)
    text = lesson_text(Lesson(run, (), {7: memory(id=7, content="User goes to the gym")}), ASCII_MARKS)

    assert "User goes to the gym" in next(line for line in text.splitlines() if line.startswith("  - "))
    assert "  - #8" in text.splitlines()
