"""What no longer holds is named where a run is told, and where it is shown later."""

from __future__ import annotations

from fakes.memories import AT, memory

from orca_core.domain.events import Extraction
from orca_core.domain.learning import DroppedFact, Learnt, Lesson, Run, RunKind, RunResult, RunState
from orca_tui.marks import ASCII_MARKS
from orca_tui.words.learning import extraction_lines, lesson_text


def test_a_run_that_is_told_names_what_no_longer_holds_and_why_something_does_not_end() -> None:
    dropped = (DroppedFact("No longer so: I play chess", "no_end"),)
    lines = extraction_lines(Extraction("done", 3, learnt=Learnt(retracted=(7,), dropped=dropped)), ASCII_MARKS)

    assert "1 no longer so" in lines[0]
    assert "  #7 no longer holds" in lines
    assert "  x No longer so: I play chess  (your words tell of no end)" in lines


def test_a_run_that_is_shown_names_what_no_longer_holds() -> None:
    result = RunResult(retracted=(7, 8))
    run = Run(3, RunKind.EXTRACT, "s", (1,), RunState.DONE, 1, AT, result=result)
    text = lesson_text(Lesson(run, (), {7: memory(id=7, content="User goes to the gym")}), ASCII_MARKS)

    assert "User goes to the gym" in next(line for line in text.splitlines() if line.startswith("  - "))
    assert "  - #8" in text.splitlines()
