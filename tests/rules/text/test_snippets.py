"""The piece of a message that shows what was looked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.model.sessions import Snippet
from orca_core.rules.text.cleaning import for_terminal, is_inside_character
from orca_core.rules.text.literal_search import LONGEST_CHARACTER, read_search, snippet_of

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


def test_marks_that_touch_are_one() -> None:
    assert marked(snippet_of("数据库", read_search("数据 据库"))) == ["数据库"]


def test_no_control_character_comes_out_and_marks_still_stand_right() -> None:
    snippet = snippet_of("\x1b[31m \u202edoc\u200bker\x07 \U000e0041up", read_search("docker"))
    assert snippet.text == "[31m docker up"
    assert marked(snippet) == ["docker"]


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
