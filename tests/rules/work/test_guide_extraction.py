"""When a guide is written: more than five new calls, or any and five minutes; to the second."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from orca_core.model.tools import DueGuides, WaitingTool
from orca_core.rules.work.tool_guides import NO_GUIDE, due_tool, read_guide

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DUE = DueGuides(NOW, 5, 300.0)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


TABLE = [
    ("six new calls", WaitingTool("a", 6, ago(1), ago(2)), DUE, True),
    ("five new calls", WaitingTool("a", 5, ago(1), ago(2)), DUE, False),
    ("one, five minutes after the last", WaitingTool("a", 1, ago(1), ago(300)), DUE, True),
    ("one, a second less", WaitingTool("a", 1, ago(1), ago(299)), DUE, False),
    ("the first ever, five minutes old", WaitingTool("a", 1, ago(300)), DUE, True),
    ("the first ever, a second less", WaitingTool("a", 1, ago(299)), DUE, False),
    ("none", WaitingTool("a", 0, ago(900)), DUE, False),
    ("held by a run that failed", WaitingTool("a", 9, ago(900), is_held=True), DUE, False),
    ("a person's own", WaitingTool("a", 9, ago(900), is_kept_by_hand=True), DUE, False),
    ("a person's own, asked for", WaitingTool("A", 1, ago(1), is_kept_by_hand=True), replace(DUE, target="a"), True),
    ("another one asked for", WaitingTool("a", 9, ago(900)), replace(DUE, target="b"), False),
    ("everything", WaitingTool("a", 1, ago(1), ago(2)), replace(DUE, everything=True), True),
]


@pytest.mark.parametrize(("name", "waiting", "due", "is_due"), TABLE, ids=[each[0] for each in TABLE])
def test_when_a_guide_is_due(name: str, waiting: WaitingTool, due: DueGuides, is_due: bool) -> None:
    assert (due_tool([waiting], due) is not None) is is_due, name


def test_who_waits_longest_comes_first() -> None:
    tools = [WaitingTool("b", 7, ago(5)), WaitingTool("a", 7, ago(50)), WaitingTool("c", 1, ago(9))]

    found = due_tool(tools, DUE)

    assert found is not None
    assert found.tool == "a"


TABLE_READING = [
    ("Searches the web.", "Searches the web."),
    ('{"guide": "Searches the web."}', "Searches the web."),
    ('```json\n{"guide": "Searches."}\n```', "Searches."),
    ("```\nSearches.\n```", "Searches."),
    ('<think>hm {"guide": "no"}</think>Searches.', "Searches."),
    ("# Use\n- **Short** queries\n1. wait", "Use\nShort queries\nwait"),
    ('{"guide": ""}', NO_GUIDE),
    ('{"guide": 5}', None),
    ('{"guide": "Searches the', None),
    ('{"text": "Searches."}', None),
    ("   ", None),
    ("Se\x1barches\u202e the web.", "Se⟨U+001B⟩arches⟨U+202E⟩ the web."),
]


@pytest.mark.parametrize(("answer", "guide"), TABLE_READING)
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
