"""Citations are taken out of an answer wherever it was cut, and never out of code."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import Citation
from orca_core.model.record_types import Ref, memory_ref
from orca_core.rules.retrieval.used_memories import CitationFilter

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
        ("Use port 5433 [M7, m12].", "Use port 5433.", [7, 12]),
        ("Use it [m7] [m12].", "Use it.", [7, 12]),
        ("[ m7 ]", "", [7]),
        ("short ones [s41] too", "short ones too", []),
        ("``a [m7] b`` and [m7]", "``a [m7] b`` and", [7]),
        ("  ```\n[m7]\n  ```", "  ```\n[m7]\n  ```", []),
        ("rows[m9] and list[i]", "rows[m9] and list[i]", []),
        ("[main] [m] [7] [mm7] [m7a]", "[main] [m] [7] [mm7] [m7a]", []),
        ("[m7,] [,m7] []", "[m7,] [,m7] []", []),
        ("中文“引号”【注】[m1]", "中文“引号”【注】", [1]),
        ("", "", []),
    ],
)
def test_citations_become_marks(text: str, shown: str, cited: list[int]) -> None:
    stripped, citations = strip_citations(text, KNOWN)

    assert stripped == shown
    assert [citation.ref.id for citation in citations] == cited
    assert all(0 <= citation.at <= len(shown) for citation in citations)


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


def test_as_little_as_possible_is_held_back() -> None:
    citing = CitationFilter(KNOWN)

    assert citing.feed("a plain sentence.") == "a plain sentence."
    assert citing.feed(" see [the docs") == " see [the docs"
    assert citing.feed(" [m") == ""
    assert citing.feed("ain]") == " [main]"


def test_a_long_answer_takes_linear_time() -> None:
    units = ["[m7 ", "`", "[", "[m7 `[", "[m7]", "【"]
    assert grows_linearly(lambda text: strip_citations(text, KNOWN), units, 80_000)
