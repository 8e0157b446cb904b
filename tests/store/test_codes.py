"""Codes in memory beside a comparison of every vector."""

from __future__ import annotations

import numpy as np
import pytest

from orca_core.store.sqlite.index import vector_codes
from orca_core.store.sqlite.index.vector_codes import Codes

SCOPES = ("me", "work")


def units(count: int, dimensions: int, seed: int = 1) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def topics(count: int, dimensions: int) -> np.ndarray:
    """Vectors around a few points, as those of texts are."""
    middles = units(20, dimensions)
    drawn = middles[np.arange(count) % 20] + 0.5 * units(count, dimensions, seed=2)
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.long
@pytest.mark.parametrize("dimensions", [64, 100, 256, 1024])
@pytest.mark.parametrize("is_rounded", [True, False])
def test_the_nearest_are_among_those_that_codes_choose(
    dimensions: int, is_rounded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_codes, "MOST_ROUNDED", 250_000 if is_rounded else 0)
    monkeypatch.setattr(vector_codes, "BLOCK", 1_000)
    monkeypatch.setattr(vector_codes, "HALVED_FROM", 2_000)
    vectors = topics(3_000, dimensions)
    held = Codes(dimensions)
    for begin in range(0, 3_000, 500):
        held.put(range(begin, begin + 500), ["me"] * 500, [True] * 500, vectors[begin : begin + 500])

    shares = []
    for asked in topics(3_020, dimensions)[3_000:]:
        truth = set(np.argsort(-(vectors @ asked))[:10].tolist())
        found = held.nearest(asked, 64, ("me",), live_only=True)
        assert len(found) == len(set(found)) >= 64
        shares.append(len(truth & set(found)) / 10)

    least = 0.99 if dimensions >= 256 else 0.8  # few bits tell little; the exact vectors decide among 64
    assert sum(shares) / len(shares) >= least


@pytest.mark.parametrize("is_rounded", [True, False])
def test_more_codes_are_looked_at_again_than_are_wanted(is_rounded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_codes, "MOST_ROUNDED", 250_000 if is_rounded else 0)
    monkeypatch.setattr(vector_codes, "BLOCK", 1_000)
    vectors = topics(3_000, 128)
    held = Codes(128)
    for begin in range(0, 3_000, 500):
        held.put(range(begin, begin + 500), ["me"] * 500, [True] * 500, vectors[begin : begin + 500])

    shares = []
    for asked in topics(3_020, 128)[3_000:]:
        truth = set(np.argsort(-(vectors @ asked))[:10].tolist())
        shares.append(len(truth.intersection(held.nearest(asked, 10, ("me",), live_only=True))) / 10)

    assert sum(shares) / len(shares) >= 0.9


def test_who_asks_in_many_scopes_takes_no_more_memory() -> None:
    held = Codes(64)
    vectors = units(40, 64)
    scopes = [f"scope {number}" for number in range(40)]
    held.put(range(40), scopes, [True] * 40, vectors)

    for _ in range(2):
        for number, scope in enumerate(scopes):
            assert held.nearest(vectors[0], 10, (scope,), live_only=True) == [number]

    assert len(held._masks) == vector_codes.MOST_MASKS


def test_while_no_more_come_than_were_expected_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_codes, "BLOCK", 64)
    vectors = units(1_000, 64)
    held = Codes(64, 500)
    before = held._codes, held._rounded

    for begin in range(0, 1_000, 100):
        held.put(range(begin, begin + 100), ["me"] * 100, [True] * 100, vectors[begin : begin + 100])

    assert (held._codes is before[0], held._rounded is before[1]) == (True, True)
    assert held.nearest(vectors[900], 1, ("me",), live_only=True) == [900]


def test_of_more_than_may_be_rounded_none_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_codes, "MOST_ROUNDED", 100)
    vectors = units(120, 64)
    held = Codes(64, 90)
    held.put(range(100), ["me"] * 100, [True] * 100, vectors[:100])
    assert held._rounded is not None
    assert len(held._rounded) == 100

    held.put(range(100, 120), ["me"] * 20, [True] * 20, vectors[100:])

    assert held._rounded is None
    assert Codes(64, 101)._rounded is None
    assert set(held.nearest(vectors[110], 1, ("me",), live_only=True)) == set(range(120))
