"""The tables of words: what stands in them can be used by the rules, and a mistake in one is found."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from fakes.table_reader import problems, unused_parts

from orca_core import words
from orca_core.words.reading import TableError
from orca_core.words.table_list import PARTS, TABLES

PLACE = Path(words.__file__).parent
CORE = PLACE.parent


def test_every_table_is_sound() -> None:
    assert problems(PLACE) == []
    assert unused_parts(PLACE) == {}


def test_every_table_is_somewhere_and_asked_for() -> None:
    sources = "\n".join(
        path.read_text("utf-8") for path in CORE.rglob("*.py") if PLACE not in path.parents or path.parent == PLACE
    ).replace((PLACE / "table_list.py").read_text("utf-8"), "")
    asked = {*re.findall(r"[\"']([a-z_]+\.[a-z_]+)[\"']", sources)}
    by_section = {*re.findall(r"[\"']([a-z_]+)[\"']", sources)}
    built = {*re.findall(r"f[\"']([a-z_]+)\.\{", sources)}
    part_of_patterns = {
        name for path in PLACE.rglob("*.txt") for name in re.findall(r"\{([a-z_]+\.[a-z_]+)\}", path.read_text("utf-8"))
    }

    named = {table for table in TABLES if not table.endswith(f".{PARTS}")}
    unasked = {
        table
        for table in named - asked - part_of_patterns - {"language.without"}
        if table.partition(".")[0] not in built or table.partition(".")[2] not in by_section
    }
    assert unasked == set()
    assert {table for table in named if not words.lines(table)} == set()


def broken(change: Callable[[Path], object], tmp_path: Path) -> list[str]:
    place = copytree(PLACE, tmp_path / "words", ignore=lambda _folder, names: [n for n in names if n.endswith(".py")])
    change(place)
    return problems(place)


def appended(file: str, text: str) -> Callable[[Path], object]:
    return lambda place: (place / file).write_text((place / file).read_text("utf-8") + text, "utf-8")


def replaced(file: str, old: str, new: str) -> Callable[[Path], object]:
    return lambda place: (place / file).write_text((place / file).read_text("utf-8").replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (appended("en/search.txt", "\n[stopp]\nthe\n"), "no rule asks for [stopp]"),
        (appended("en/search.txt", "\n[stop]\nthe\n"), "[stop] stands twice"),
        (replaced("zh/comparing.txt", "[negation]\n", "[negation]\n现\u200b今\n"), "a character that nobody sees"),
        (replaced("en/wording.txt", "[condition]\n", "[condition]\n(?:if\n"), "unterminated subpattern"),
        (replaced("en/recall.txt", "[asks_else]\n", "[asks_else]\n{mein} code\n"), "no part {mein}"),
        (replaced("en/concepts.txt", "[words]\n", "[words]\nno key here\n"), "no key before"),
        (replaced("en/language.txt", "remember.asks\n", ""), "remember.asks is missing"),
    ],
)
def test_a_mistake_in_a_table_is_named(tmp_path: Path, change: Callable[[Path], object], said: str) -> None:
    assert [problem for problem in broken(change, tmp_path) if said in problem] != []


def test_a_line_before_the_first_table_is_a_mistake(tmp_path: Path) -> None:
    assert broken(replaced("en/time.txt", "[sentences]", "sentences"), tmp_path) != []


def test_a_table_that_is_not_named_can_not_be_asked_for() -> None:
    with pytest.raises((KeyError, AssertionError)):
        words.lines("search.unknown")
    with pytest.raises(TableError):
        words.text("summary.labels", "unknown", "zh")


def test_a_text_is_english_where_a_language_has_none() -> None:
    assert words.text("summary.labels", "asked", "zh") == "用户问：{}"
    assert words.text("summary.labels", "asked", "unheard-of") == words.text("summary.labels", "asked", "en")


def test_wordings_are_whole_words_where_the_language_has_them() -> None:
    denial = words.pattern("comparing.negation")

    assert denial.search("I do not live in Rome")
    assert not denial.search("I live in Rome, with a notary")
    assert denial.search("他不住罗马")
