"""A pattern that is compiled later says what one that was compiled at once says."""

from __future__ import annotations

import copy
import re

import pytest

from orca_core.domain.patterns import pattern_of

WORDS = r"(?P<first>[a-z]+) (\d+)"
TEXT = "see Port 22, port 80"


def test_it_is_asked_as_one_that_was_compiled() -> None:
    later, at_once = pattern_of(WORDS, re.IGNORECASE), re.compile(WORDS, re.IGNORECASE)

    assert later.findall(TEXT) == at_once.findall(TEXT)
    assert later.sub(r"\2", TEXT) == at_once.sub(r"\2", TEXT)
    assert [each.span("first") for each in later.finditer(TEXT)] == [
        each.span("first") for each in at_once.finditer(TEXT)
    ]
    assert later.fullmatch("port 22") is not None
    assert (later.pattern, later.flags, later.groups) == (at_once.pattern, at_once.flags, at_once.groups)


def test_it_is_compiled_at_the_first_question_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(re, "compile", lambda text, flags, real=re.compile: compiled.append(text) or real(text, flags))
    later = pattern_of(WORDS)
    before = list(compiled)

    for _ in range(3):
        later.search(TEXT)

    assert (before, compiled) == ([], [WORDS])


def test_what_is_wrong_with_it_is_told_at_the_first_question() -> None:
    wrong = pattern_of("(")

    with pytest.raises(re.error, match="unterminated"):
        wrong.search(TEXT)


def test_a_copy_asks_the_same() -> None:
    assert copy.deepcopy(pattern_of(WORDS)).search(TEXT) is not None
    assert copy.copy(pattern_of(WORDS)).search(TEXT) is not None
