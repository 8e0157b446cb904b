"""Every reason that a rule gives has words, in both languages: no code of it is shown to a person."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import orca_core
from orca_core.model.operations import DELETED
from orca_core.rules.feedback.promotion import UNPROVEN
from orca_core.rules.learning.fact_provenance import Held
from orca_core.rules.memory.said_again import CANDIDATE_SOURCE
from orca_core.rules.work.consolidation_rules import NOT_IN_SOURCES
from orca_core.rules.work.episode_verification import NOTHING_DONE
from orca_tui.language import speak
from orca_tui.words.memory_words import reason_phrase

RULES = Path(orca_core.__file__).parent / "rules"
GIVES_A_REASON = {"_DroppedError", "DroppedFact"}


def codes_of_dropped() -> Iterator[str]:
    """The reasons that stand in the rules where something is dropped; the last argument says why."""
    for path in sorted(RULES.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in GIVES_A_REASON:
                last = call.args[-1]
                if isinstance(last, ast.Constant) and isinstance(last.value, str):
                    yield last.value


CODES = sorted({*codes_of_dropped(), *Held, CANDIDATE_SOURCE, NOT_IN_SOURCES, NOTHING_DONE, UNPROVEN, DELETED})


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("code", CODES)
def test_a_reason_has_words(code: str, language: str) -> None:
    speak(language)
    words = reason_phrase(code)
    assert "_" not in words
    assert words
    assert words.isascii() == (language == "en")
