"""The small story of `orca demo`."""

from __future__ import annotations

from orca_core.demo.script import questions


def test_a_language_without_a_story_hears_the_english_one() -> None:
    assert questions("de") == questions("en") != questions("zh")
