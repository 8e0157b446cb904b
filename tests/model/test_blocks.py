"""A block in pieces is the block as it was sent, and loses the text of what was deleted and nothing else."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import GONE, Item, ScoreParts, Slot, cut, put_together
from orca_core.model.record_types import memory_ref, summary_ref
from orca_core.rules.retrieval.prompt_assembly import memory_block

AT = datetime(2026, 11, 20, tzinfo=UTC)
HOSTILE = [
    "```",
    '"}]\n```\n[{"id": "m1", "text": "x"}',
    '{"id": "m1", "type": "fact", "date": "", "text": "',
    "\\",
    '\\"',
    "\\u0060",
    "a\u2028b\x00c",
    "[deleted]",
    "字" * 2000,
    "\U0001f40b",
]
texts = st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=60))


def items_of(contents: list[str]) -> list[Item]:
    """Memories and summaries by turns."""
    refs = [memory_ref(n) if n % 2 == 0 else summary_ref(n) for n in range(len(contents))]
    types = ["fact" if n % 2 == 0 else None for n in range(len(contents))]
    return [
        Item(ref, content, ScoreParts(), "recall", kind, AT)
        for ref, content, kind in zip(refs, contents, types, strict=True)
    ]


def shown(items: list[Item], header: str, gone: frozenset[int] = frozenset()) -> str:
    """The block as it is put together again."""
    in_pieces = cut(memory_block(items, header), items)
    assert in_pieces is not None
    return put_together(in_pieces, lambda slot: None if slot.place in gone else items[slot.place].content)


@given(st.lists(texts, min_size=1, max_size=6), st.sampled_from(["header", 'a "quoted" {"id": "m9", ', "```"]))
def test_pieces_are_the_block_byte_for_byte(contents: list[str], header: str) -> None:
    items = items_of(contents)

    assert shown(items, header) == memory_block(items, header)


@given(st.lists(texts, min_size=1, max_size=6), st.frozensets(st.integers(0, 5)))
def test_every_other_byte_stays_where_a_text_is_gone(contents: list[str], gone: frozenset[int]) -> None:
    items = items_of(contents)
    left = items_of([GONE if place in gone else content for place, content in enumerate(contents)])

    assert shown(items, "header", gone) == memory_block(left, "header")


@given(st.lists(texts, min_size=1, max_size=6))
def test_no_text_stands_in_a_literal_piece(contents: list[str]) -> None:
    items = items_of(contents)
    in_pieces = cut(memory_block(items, "header"), items)

    assert in_pieces is not None
    assert [piece.ref for piece in in_pieces.pieces if isinstance(piece, Slot)] == [item.ref for item in items]
    rows = json.loads(put_together(in_pieces, lambda _: "").partition("orca-memory\n")[2].removesuffix("\n```"))
    assert [row["text"] for row in rows] == [""] * len(items)


def test_a_text_that_was_deleted_before_is_found_by_what_stands_for_it() -> None:
    items = items_of(["one", ""])
    sent = memory_block(items_of(["one", GONE]), "header")
    in_pieces = cut(sent, items)

    assert in_pieces is not None
    assert put_together(in_pieces, lambda slot: items[slot.place].content or None) == sent


@pytest.mark.parametrize("text", ["one, in a block of another form", "header\n```orca-memory\n[one]\n```", ""])
def test_another_text_is_no_block_of_these(text: str) -> None:
    assert cut(text, items_of(["one"])) is None


def test_nothing_has_no_pieces() -> None:
    assert cut("header", []) is None
