"""Which tools a text names, and what the model is shown of one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orca_core.domain.growth.tools import Guide, ToolFigures
from orca_core.rules.text import tokens
from orca_core.rules.tooling.lines import GUIDE_TOKENS, guide_line, percent_of
from orca_core.rules.tooling.names import asked_for, folded, named_in

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
    ("查天气怎么用", ["查天气"]),
    ("web search", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "named"), NAMED)
def test_which_tools_a_text_names(text: str, named: list[str]) -> None:
    assert named_in(text, TOOLS) == named


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
    assert tokens.estimate(guide_line(long, figures)) <= GUIDE_TOKENS
    assert guide_line(long, figures).endswith("usually 1.23 s)")


@pytest.mark.parametrize(
    ("calls", "succeeded", "percent"), [(0, 0, 0), (3, 3, 100), (3, 0, 0), (1000, 999, 99), (1000, 1, 1)]
)
def test_percents_are_all_or_none_only_where_it_is_so(calls: int, succeeded: int, percent: int) -> None:
    assert percent_of(ToolFigures("x", calls, succeeded, None, None)) == percent
