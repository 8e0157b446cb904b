"""Citations are taken out of an answer wherever it was cut, and never out of code."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import Citation
from orca_core.model.records import Ref, memory_ref
from orca_core.rules.retrieval.citations import CitationFilter

KNOWN = tuple(map(memory_ref, (1, 7, 12)))


def strip_citations(text: str, shown: Collection[Ref]) -> tuple[str, tuple[Citation, ...]]:
    """A whole answer without its citations, and these."""
    citations = CitationFilter(shown)
    stripped = citations.feed(text) + citations.finish()
    return stripped, citations.citations


@pytest.mark.parametrize(
    ("text", "shown", "cited"),
    [
        ("用 5433 端口 [m7]。", "用 5433 端口。", [7]),
        ("用 5433 端口[m7]。", "用 5433 端口。", [7]),
        ("用 5433 端口【m7】。", "用 5433 端口。", [7]),
        ("Use port 5433 [M7, m12].", "Use port 5433.", [7, 12]),
        ("Use it [m7、m12；m1] now", "Use it now", [7, 12, 1]),
        ("Use it [m7][m12] now", "Use it now", [7, 12]),
        ("Use it [m7] [m12].", "Use it.", [7, 12]),
        ("word[m7]", "word", [7]),
        ("[m7] first", " first", [7]),
        ("[ m7 ]", "", [7]),
        ("unknown [m9] id", "unknown id", []),
        ("one known [m9, m7] one not", "one known one not", [7]),
        ("short ones [s41] too", "short ones too", []),
        ("same twice [m7] and [m7]", "same twice and", [7, 7]),
        ("`[m7]` is code", "`[m7]` is code", []),
        ("``a [m7] b`` and [m7]", "``a [m7] b`` and", [7]),
        ("```\n[m7]\n```\nafter [m7]", "```\n[m7]\n```\nafter", [7]),
        ("~~~py\nx = a[m7]\n~~~\n[m7]", "~~~py\nx = a[m7]\n~~~\n", [7]),
        ("  ```\n[m7]\n  ```", "  ```\n[m7]\n  ```", []),
        ("````\n```\n[m7]\n````\n[m7]", "````\n```\n[m7]\n````\n", [7]),
        ("a link [m7](http://x)", "a link [m7](http://x)", []),
        ("rows[m9] and list[i]", "rows[m9] and list[i]", []),
        ("rows[0][m9], f(x)[m9] and row_[m9]", "rows[0][m9], f(x)[m9] and row_[m9]", []),
        ("as you said (twice)[m7]", "as you said (twice)", [7]),
        ("[main] [m] [7] [mm7] [m7a]", "[main] [m] [7] [mm7] [m7a]", []),
        ("[m7", "[m7", []),
        ("open [", "open [", []),
        ("[m7,] [,m7] []", "[m7,] [,m7] []", []),
        ("[m1234567890]", "[m1234567890]", []),
        ("array: [1, 2]", "array: [1, 2]", []),
        ("中文“引号”【注】[m1]", "中文“引号”【注】", [1]),
        ("- item [m1]\n- item [m7]\n", "- item\n- item\n", [1, 7]),
        ("trailing blank [m1] ", "trailing blank ", [1]),
        ("", "", []),
    ],
)
def test_citations_become_marks(text: str, shown: str, cited: list[int]) -> None:
    stripped, citations = strip_citations(text, KNOWN)

    assert stripped == shown
    assert [citation.ref.id for citation in citations] == cited
    assert all(0 <= citation.at <= len(shown) for citation in citations)


def test_a_mark_stands_where_the_citation_stood() -> None:
    shown, [one, other] = strip_citations("用 neovim [m7]，端口 5433 [m1]。", KNOWN)

    assert shown[: one.at] == "用 neovim"
    assert shown[one.at : other.at] == "，端口 5433"


PIECES = [
    "[m7]",
    "[m9]",
    "【m1】",
    " ",
    "`",
    "```",
    "\n",
    "[",
    "]",
    "m7",
    ",",
    "(",
    "~~~",
    "x",
    "_",
    "。",
    "a[m9]",
    "[m7, m1]",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.data())
def test_any_cut_gives_the_same_answer(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    edges = [0, *cuts, len(text)]
    citing = CitationFilter(KNOWN)
    shown = "".join(citing.feed(text[a:b]) for a, b in zip(edges, edges[1:], strict=False)) + citing.finish()

    assert (shown, citing.citations) == strip_citations(text, KNOWN)
    assert citing.finish() == ""


@given(st.text(alphabet=st.characters(exclude_characters="[【"), max_size=80))
def test_a_text_without_brackets_is_untouched(text: str) -> None:
    assert strip_citations(text, KNOWN) == (text, ())


def test_as_little_as_possible_is_held_back() -> None:
    citing = CitationFilter(KNOWN)

    assert citing.feed("a plain sentence.") == "a plain sentence."
    assert citing.feed(" see [the docs") == " see [the docs"
    assert citing.feed(" [m") == ""
    assert citing.feed("ain]") == " [main]"


def test_a_long_answer_takes_linear_time() -> None:
    units = ["[m7 ", "`", "[", "[m7 `[", "[m7]", "【"]
    assert grows_linearly(lambda text: strip_citations(text, KNOWN), units, 80_000)
