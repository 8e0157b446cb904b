"""What is read of an agent's answer: plain text, or JSON with a guide."""

from __future__ import annotations

import pytest

from orca_core.rules.work.guide_extraction import NOTHING, read_guide

TABLE = [
    ("Searches the web.", "Searches the web."),
    ('{"guide": "Searches the web."}', "Searches the web."),
    ('Here it is: {"guide": "Searches."} Done.', "Searches."),
    ('```json\n{"guide": "Searches."}\n```', "Searches."),
    ("```\nSearches.\n```", "Searches."),
    ('<think>hm {"guide": "no"}</think>Searches.', "Searches."),
    ('{"guide": ["One.", "Two."]}', "One.\nTwo."),
    ("# Use\n- **Short** queries\n1. wait", "Use\nShort queries\nwait"),
    ('{"guide": ""}', NOTHING),
    ('{"guide": null}', NOTHING),
    ('{"guide": 5}', None),
    ('{"guide": "Searches the', None),
    ('{"text": "Searches."}', None),
    ("", None),
    ("   ", None),
    ("Se\x1barches\u202e the web.", "Se⟨U+001B⟩arches⟨U+202E⟩ the web."),
]


@pytest.mark.parametrize(("answer", "guide"), TABLE)
def test_what_is_read(answer: str, guide: str | None) -> None:
    assert read_guide(answer) == guide


def test_no_more_than_two_hundred_words() -> None:
    read = read_guide("It works well with short queries. " * 60)

    assert read is not None
    assert len(read.split()) <= 200
    assert read.endswith("queries.")


def test_no_more_than_four_hundred_characters_of_chinese() -> None:
    read = read_guide("关键词要短，效果才好。" * 60)

    assert read is not None
    assert sum("\u3400" <= each <= "\u9fff" for each in read) <= 400
    assert read.endswith("。")


def test_a_word_without_end_is_cut() -> None:
    assert len(read_guide("x" * 5000) or "") == 2000
