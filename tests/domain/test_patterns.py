"""A pattern that is compiled later says what one that was compiled at once says."""

from __future__ import annotations

import copy
import re
import subprocess
import sys

import pytest

from orca_core.domain.patterns import pattern_of

WORDS = r"(?P<first>[a-z]+) (\d+)"
COMPILE_ALL = """
import gc, importlib, pkgutil
import orca_core, orca_tui
from orca_core.domain.patterns import _Later
for package in (orca_core, orca_tui):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
print(sum(each.flags >= 0 for each in gc.get_objects() if type(each) is _Later))
"""
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


def test_every_pattern_of_the_project_can_be_compiled() -> None:
    """In a process of its own: what was made before garbage was frozen is not told of any more."""
    said = subprocess.run([sys.executable, "-c", COMPILE_ALL], capture_output=True, text=True, check=True)

    assert int(said.stdout) > 100
