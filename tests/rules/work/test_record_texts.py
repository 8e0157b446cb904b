"""What is kept of what tools were given and answered: clean, of a size, never cut inside a character."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.rules.text.cleaning import is_inside_character
from orca_core.rules.work import record_texts

HOSTILE = st.text(st.characters(codec=None, exclude_categories=())) | st.sampled_from(
    ["\x00", "\ud800", "\ud83d\ude00", "\u202eevil", "e\u0301" * 9, "\U0001f468\u200d\U0001f469", "\x1b]0;x\x07"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | HOSTILE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(HOSTILE, inner, max_size=4),
    max_leaves=12,
)


def size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


@pytest.mark.parametrize("character", ["é", "e\u0301", "字", "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽"])
@pytest.mark.parametrize("before", range(8))
def test_no_cut_splits_a_character(character: str, before: int) -> None:
    said = "x" * before + character * 9_000 * (12 // len(character.encode()) + 1)
    cut = record_texts.cut_to_bytes(said, 5_000)

    beginning = cut.rpartition("… ")[0]
    assert len(cut.encode()) <= 5_000
    assert said.startswith(beginning)
    assert not is_inside_character(said, len(beginning))


@given(HOSTILE, st.integers(100, 400))
def test_a_cut_never_fails_and_always_fits(text: str, most: int) -> None:
    clean = record_texts.for_terminal(text * 60)

    assert len(record_texts.cut_to_bytes(clean, most).encode()) <= most


@given(st.dictionaries(HOSTILE, JSON, max_size=5))
def test_what_is_kept_can_be_stored_and_is_kept_as_it_is(given_args: dict[str, Any]) -> None:
    cleaned = record_texts.cut_args(given_args)

    assert json.loads(json.dumps(cleaned)) == cleaned
    assert record_texts.cut_args(cleaned) == cleaned
    assert size(cleaned) <= record_texts.MAX_BYTES


@pytest.mark.parametrize(
    "given_args",
    [
        {"path": "/etc/hosts", "content": "x" * 100_000, "mode": "w"},
        {"content": '"\n' * 50_000},
        {"content": "字" * 50_000, "more": "y" * 100_000},
        {"k" * 70_000: "v", "a": 1},
        {str(number): "z" * 500 for number in range(1000)},
        {"list": ["z" * 500] * 1000, "after": "it"},
    ],
)
def test_long_arguments_are_cut_with_a_note(given_args: dict[str, Any]) -> None:
    cut = record_texts.cut_args(given_args)

    assert size(cut) <= record_texts.MAX_BYTES
    assert "bytes cut" in cut["…"]
    whole = [name for name, value in cut.items() if name != "…" and not str(value).endswith("…")]
    assert all(cut[name] == given_args[name] for name in whole)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), b"bytes", {1, 2}])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput):
        record_texts.cut_args({"x": value})


def test_what_stands_too_deep_is_refused() -> None:
    deep: Any = "bottom"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidInput):
        record_texts.cut_args({"x": deep})
    while isinstance(deep, list):  # taken apart by hand: the interpreter would do it by recursion
        deep = deep.pop()


def test_a_context_grows_and_loses_what_is_none() -> None:
    before = record_texts.merged_context({}, {"host": "db1", "tries": 3})

    assert record_texts.merged_context(before, {"tries": None, "log": "a\x00b"}) == {"host": "db1", "log": "a\ufffdb"}
    with pytest.raises(InvalidInput):
        record_texts.merged_context(before, {"all": "x" * 70_000})
