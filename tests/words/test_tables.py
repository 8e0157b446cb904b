"""The tables of words: that each is read by somebody, that what is asked for stands there, and how they are read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import orca_core
from orca_core import words

PLACE = Path(orca_core.__file__).parent
CODE = "\n".join(each.read_text("utf-8") for each in PLACE.rglob("*.py"))


def test_each_table_is_read_and_each_that_is_asked_for_is_written() -> None:
    named = words.table_names()
    files = {each.partition(".")[0] for each in named}
    asked = {
        found
        for found in re.findall(r"[\"']([a-z]+\.[a-z_]+)[\"']", CODE)
        if found.partition(".")[0] in files and not found.endswith(".txt")
    }

    written = "".join(path.read_text("utf-8") for path in (PLACE / "words").rglob("*.txt"))
    of_parts = {each for each in named if each.endswith(f".{words.PARTS}") or f"{{{each}}}" in written}
    by_section = {each for each in named if re.search(rf"[\"']{each.partition('.')[2]}[\"']", CODE)}
    assert named - asked - of_parts - by_section == set()
    assert asked <= named


def test_each_part_of_a_pattern_is_used() -> None:
    for path in (PLACE / "words").rglob("*.txt"):
        said = path.read_text("utf-8")
        parts = re.findall(r"(?m)^([a-z]+): ", said.partition("[parts]\n")[2].partition("\n\n")[0])
        assert [part for part in parts if f"{{{part}}}" not in said] == [], path


def test_no_character_of_a_table_is_one_that_nobody_sees() -> None:
    texts = [path.read_text("utf-8") for path in (PLACE / "words").rglob("*.txt")]
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2060\ufeff]", "".join(texts))


def test_a_table_that_is_not_written_can_not_be_asked_for_a_text() -> None:
    with pytest.raises(KeyError):
        words.text("summary.labels", "unknown", "zh")


def test_a_text_is_english_where_a_language_has_none() -> None:
    assert words.text("summary.labels", "asked", "zh") == "用户问：{}"
    assert words.text("summary.labels", "asked", "unheard-of") == words.text("summary.labels", "asked", "en")


def test_wordings_are_whole_words_where_the_language_has_them() -> None:
    denial = words.pattern("comparing.negation")

    assert denial.search("I do not live in Rome")
    assert not denial.search("I live in Rome, with a notary")
    assert denial.search("他不住罗马")
