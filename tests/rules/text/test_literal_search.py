"""The words of a message as they are written: what is the same, and where in the text each stood."""

from __future__ import annotations

import apsw
import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.model.sessions import Snippet
from orca_core.rules.text.cleaning import for_terminal, is_inside_character
from orca_core.rules.text.literal_search import (
    LONGEST_CHARACTER,
    LONGEST_WORD,
    MOST_CHARS,
    fold_for_search,
    holds_pieces,
    read_search,
    snippet_of,
    wanted_pieces,
    written_words,
)
from orca_core.store.sqlite.lists import patterns_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Docker runs", ["docker", "runs"]),
        ("数据库", ["数据", "据库", "库"]),
        ("用docker部署", ["用", "docker", "部署", "署"]),
        ("node.js, foo_bar", ["node", "js", "foo", "bar"]),
        ("C++ ->", ["c"]),
        ("it works ✓ 😀", ["it", "works", "✓", "😀"]),
        ("ไทย", ["ไท", "ทย", "ย"]),
        ("x" * 100, ["x" * LONGEST_WORD]),
        ("", []),
        ("。，!?", []),
    ],
)
def test_a_text_has_these_words(text: str, words: list[str]) -> None:
    assert list(written_words(text)) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＤＯＣＫＥＲ", "docker"),
        ("數據庫", "数据库"),
        ("café", "cafe"),
        ("cafe\u0301", "café"),
        ("ｶﾞ", "ガ"),
        ("カ\u3099", "ガ"),
        ("ﬁne", "fine"),
        ("Straße", "STRASSE"),
        ("don’t", "don't"),
        ("dock\u200ber\u00ad", "docker"),
        ("\x1b[31mdocker", "[31mdocker"),
        ("й", "и\u0306"),
    ],
)
def test_two_spellings_are_the_same(one: str, other: str) -> None:
    assert fold_for_search(one) == fold_for_search(other)


@pytest.mark.parametrize(
    ("search", "text"),
    [
        ("docker", "Dockerfile"),
        ('"docker"', "a docker host"),
        ("“no space left”", "there is no space left"),
        ("数据库", "我的数据库坏了"),
        ("库", "数据库"),
        ("用docker部署", "我用Docker部署了"),
        ("-x", "set -x"),
        ("node.js", "Node.js 22"),
        ("docker - postgres", "postgres docker"),
        ("* docker", "docker"),
        ("it's", "it’s"),
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


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[first:last] for first, last in snippet.marks]


def test_a_short_message_is_shown_whole() -> None:
    snippet = snippet_of("run Docker here,\n then docker there", read_search("docker"))
    assert snippet.text == "run Docker here, then docker there"
    assert marked(snippet) == ["Docker", "docker"]


def test_a_long_one_is_cut_around_the_place_where_most_terms_stand() -> None:
    text = "docker " + "一" * 300 + " postgres and docker " + "二" * 300
    snippet = snippet_of(text, read_search("docker postgres"))
    assert marked(snippet) == ["postgres", "docker"]
    assert snippet.text.startswith("…一")
    assert snippet.text.endswith("二…")
    assert len(snippet.text) <= 102


def test_what_people_see_as_one_character_is_never_cut() -> None:
    text = FAMILY * 100 + " docker " + FAMILY * 100
    snippet = snippet_of(text, read_search("docker"))
    inner = snippet.text.strip("…").replace(" docker ", "")
    assert inner == FAMILY * (len(inner) // len(FAMILY))
    assert marked(snippet_of("cafe\u0301 docker", read_search("cafe"))) == ["cafe\u0301"]


@given(st.text(max_size=300), st.text(max_size=40), st.integers(40, 120))
def test_a_snippet_is_one_clean_line_of_its_width(text: str, search: str, width: int) -> None:
    try:
        sought = read_search(search)
    except InvalidInput:
        return
    snippet = snippet_of(text, sought, width)
    assert snippet.text == for_terminal(snippet.text)
    assert "\n" not in snippet.text
    assert len(snippet.text) <= width + 2 + LONGEST_CHARACTER
    assert all(0 <= first < last <= len(snippet.text) for first, last in snippet.marks)
    assert all(one[1] < two[0] for one, two in zip(snippet.marks, snippet.marks[1:], strict=False))
    if "…" not in snippet.text:
        assert not any(is_inside_character(snippet.text, place) for mark in snippet.marks for place in mark)


LETTERS = st.text(alphabet="abPG %_!端口是", max_size=12)


@pytest.mark.parametrize(
    ("typed", "text", "is_held"),
    [
        ("", "anything", True),
        ("port", "the port is 5433", True),
        ("PORT", "the Port is 5433", True),
        ("pstgrs", "postgres is pinned", True),
        ("srg", "postgres is pinned", False),
        ("go", "postgres is long gone", True),
        ("go", "g is not o", False),
        ("端口", "端口是 5433", True),
        ("端是", "端口是 5433", False),
        ("port pinned", "the port is pinned", True),
        ("port absent", "the port is pinned", False),
        ("100%", "all of it, 100%", True),
    ],
)
def test_a_text_holds_the_words_that_were_typed(typed: str, text: str, is_held: bool) -> None:
    assert holds_pieces(text.casefold(), wanted_pieces(typed)) is is_held


@given(typed=LETTERS, text=LETTERS)
def test_the_database_narrows_by_the_same_rule(typed: str, text: str) -> None:
    connection = apsw.Connection(":memory:")
    try:
        likes = [
            bool(connection.execute("SELECT ? LIKE ? ESCAPE '!'", (text, pattern)).fetchone()[0])
            for pattern in patterns_of(typed)
        ]
    finally:
        connection.close()
    assert holds_pieces(text.casefold(), wanted_pieces(typed)) is all(likes)
