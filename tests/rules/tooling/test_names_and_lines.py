"""Which tools a text names, and what the model is shown of one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from orca_core.model.tasks import Step
from orca_core.model.tools import Guide, ToolFigures
from orca_core.rules.text import token_count
from orca_core.rules.work.guide_extraction import GUIDE_TOKENS, guide_line, percent_of
from orca_core.rules.work.tool_calls import CHARS_READ, asked_for, folded, named_by, named_in

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
TOOLS = ["web_search", "write_file", "search", "read-page", "查天气"]
NAMED = [
    ("How do I use web_search?", ["web_search"]),
    ("Use WEB_SEARCH, then write_file.", ["web_search", "write_file"]),
    ("write_file after web_search", ["write_file", "web_search"]),
    ("my_web_search and web_search2 are others", []),
    ("web_search-index and lib.web_search.core", []),
    ("I search for my keys", []),
    ("Use the `search` tool", ["search"]),
    ("the search tool is slow", ["search"]),
    ("why is tool search slow", ["search"]),
    ("search", ["search"]),
    ("用 web_search 查一下", ["web_search"]),
    ("用web_search查一下", ["web_search"]),
    ("search 工具总是超时", ["search"]),
    ("用search工具", ["search"]),
    ("web-search tool", []),
    ("the research tool", []),
    ("查天气怎么用", []),
    ("「查天气」怎么用", ["查天气"]),
    ("查天气工具怎么用", ["查天气"]),
    ("再查天气工具", []),
    ("read-page first", []),
    ("`read-page` first", ["read-page"]),
    ("web search", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "named"), NAMED)
def test_which_tools_a_text_names(text: str, named: list[str]) -> None:
    assert named_in(text, TOOLS) == named


HOSTILE = [
    "the",
    "is",
    "工具",
    "的",
    "不",
    "?",
    ".",
    "502",
    "and/or",
    "e-mail",
    "_",
    "__",
    ".*",
    "(.+)+",
    "x_",
    "\\",
    "]",
    "`",
]


@pytest.mark.parametrize(
    "text",
    [
        "Is the tool broken? It is the 502 and/or the e-mail ... (see __init__, x__y)",
        "这个工具不好用，它的 502 是什么意思？",
        "the tool is slow, this tool the least",
    ],
)
def test_a_name_that_sentences_hold_by_chance_is_not_named(text: str) -> None:
    assert named_in(text, HOSTILE) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("use web_search " + "a line of a log " * 5_000, ["web_search"]),
        ("a line of a log " * 5_000 + " use web_search", ["web_search"]),
        ("a line of a log " * 5_000 + "web_search" + " and so on" * 5_000, []),
        ("a" * (CHARS_READ // 2 - 10) + " web_search" + "2" * CHARS_READ, []),
        (" " * (CHARS_READ // 2 - 10) + "web_search" + "2" * CHARS_READ, []),
    ],
)
def test_of_a_long_text_the_beginning_and_the_end_are_read(text: str, named: list[str]) -> None:
    assert named_in(text, TOOLS) == named


def step(number: int, description: str, tool: str = "", **fields: Any) -> Step:
    return Step(id=number, task=1, number=number, description=description, tool=tool, **fields)


@pytest.mark.parametrize(
    ("text", "steps", "named"),
    [
        ("go on", [], []),
        ("go on", [step(1, "look", "Web_Search")], ["web_search"]),
        ("go on", [step(1, "look", "search")], ["search"]),
        ("go on", [step(1, "look", "web_search2")], []),
        ("go on", [step(1, "look", "search"), step(2, "save", "write_file")], ["write_file", "search"]),
        ("use write_file", [step(1, "look", "search"), step(2, "save", "write_file")], ["write_file", "search"]),
        ("go on", [step(1, "ask web_search for it")], ["web_search"]),
        ("go on", [step(1, "search for it")], []),
        ("go on", [step(1, "look", "other", args={"tool": "search"}, result="call web_search now")], []),
    ],
)
def test_a_task_names_the_tools_of_its_steps(text: str, steps: list[Step], named: list[str]) -> None:
    assert named_by(text, steps, TOOLS) == named


def test_names_that_are_asked_for_keep_their_order() -> None:
    assert asked_for(" web_search, Write_File,,web_search ，search") == ["web_search", "Write_File", "search"]
    assert asked_for("  ") == []
    assert folded("  Ｗeb_Search ") == "web_search"


def test_a_line_never_costs_more_than_knowledge_does() -> None:
    figures = ToolFigures("web_search", 42, 39, 1.234, 3.0)
    short, long = (
        Guide(1, "u", text, "web_search", AT, AT) for text in ("Keep queries short.", "Keep it short. " * 90)
    )

    assert guide_line(short, figures) == "web_search: Keep queries short. (calls: 42, succeeded: 93 %, usually 1.23 s)"
    assert token_count.estimate(guide_line(long, figures)) <= GUIDE_TOKENS
    assert guide_line(long, figures).endswith("usually 1.23 s)")


@pytest.mark.parametrize(
    ("calls", "succeeded", "percent"), [(0, 0, 0), (3, 3, 100), (3, 0, 0), (1000, 999, 99), (1000, 1, 1)]
)
def test_percents_are_all_or_none_only_where_it_is_so(calls: int, succeeded: int, percent: int) -> None:
    assert percent_of(ToolFigures("x", calls, succeeded, None, None)) == percent


@pytest.mark.parametrize("name", ["查" * 200, "two\nlines " * 18, "x_" * 100])
def test_no_name_is_longer_than_its_line(name: str) -> None:
    line = guide_line(Guide(1, "u", "Keep it short. " * 90, name, AT, AT), ToolFigures(name, 42, 39, 1.2, 3.0))
    assert token_count.estimate(line) <= GUIDE_TOKENS
    assert "\n" not in line
    assert "Keep it short." in line
