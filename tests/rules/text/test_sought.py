"""What a search looks for, and which messages hold it."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.rules.text.literal_search import MOST_CHARS, read_search


@pytest.mark.parametrize(
    ("search", "text"),
    [
        ("docker", "Dockerfile"),
        ("DOCKER postgres", "postgres in docker"),
        ('"docker"', "a docker host"),
        ('"no space left"', "no  space\nleft on device"),
        ("“no space left”", "there is no space left"),
        ("数据库", "我的数据库坏了"),
        ("數據庫", "我的数据库坏了"),
        ("库", "数据库"),
        ("库", "库存"),
        ("用docker部署", "我用Docker部署了"),
        ("C++", "written in C++, mostly"),
        ("-x", "set -x"),
        ("foo:bar", "see foo:bar"),
        ("node.js", "Node.js 22"),
        ("(docker), 部署。", "docker 部署"),
        ("docker - postgres", "postgres docker"),
        ("* docker", "docker"),
        ("😀", "fine 😀"),
        ("it's", "it’s"),
        ("100%", "100% of it"),
        ('docker "', "docker"),
    ],
)
def test_a_message_holds_it(search: str, text: str) -> None:
    assert read_search(search).judge(text) is not None


@pytest.mark.parametrize(
    ("search", "text"),
    [
        ("file", "Dockerfile"),
        ('"docker"', "Dockerfile"),
        ("docker postgres", "docker alone"),
        ('"space no"', "no space left"),
        ("数据库", "数据和据库"),
        ("C++", "written in C"),
        ("-x", "x"),
        ("foo:bar", "foo bar"),
        ("1_0", "100"),
        ("docker OR postgres", "docker"),
        ("NEAR(docker postgres)", "docker postgres"),
        ('"*"x', "x"),
        ("docker*", "dockerfile"),
    ],
)
def test_a_message_lacks_it(search: str, text: str) -> None:
    assert read_search(search).judge(text) is None


def test_whole_words_count() -> None:
    sought = read_search("go test")
    assert [sought.judge(text) for text in ("go test", "going to test", "google tests", "neither")] == [2, 1, 0, None]


def test_the_same_term_counts_once() -> None:
    assert len(read_search("docker Docker ＤＯＣＫＥＲ").terms) == 1


@pytest.mark.parametrize("search", ["", "  ", "*", '"', '""', "-- ++ ->", '" "', "。", "\u200b"])
def test_nothing_to_look_for_is_refused(search: str) -> None:
    with pytest.raises(InvalidInput, match="nothing to look for"):
        read_search(search)


def test_a_search_of_a_whole_page_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at most"):
        read_search("a" * (MOST_CHARS + 1))


@given(st.text(max_size=80), st.text(max_size=200))
def test_marks_stand_where_the_terms_do(search: str, text: str) -> None:
    try:
        sought = read_search(search)
    except InvalidInput:
        return
    marks = sought.marks(text)
    assert all(0 <= first < last <= len(text) for found in marks for first, last in found)
    assert all(marks) == (sought.judge(text) is not None)


def test_reading_a_message_takes_time_as_its_length_does() -> None:
    units = ["a ", "\u0301", "a\u0301 ", "库", "a" + " " * 500]
    sought = read_search('b "a a b" aab "库 a"')
    assert grows_linearly(sought.judge, units, 100_000)
    assert grows_linearly(sought.marks, units, 100_000)
