"""Codes of vectors that come, change, go and are put in order anew tell the same as vectors that are simply compared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, field

from orca_core.store.sqlite.index import vector_codes
from orca_core.store.sqlite.index.vector_codes import FAR, Codes, least


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


RECORDS, SCOPES = 120, ("mine", "team", "work")
DIMENSIONS = (64, 65, 130)


class World(Struct):
    """What is held, and what should be."""

    held: Codes
    vectors: np.ndarray
    there: dict[int, tuple[str, bool]] = field(default_factory=dict)

    def put(self, ids: list[int], scope: str, live: bool) -> None:
        self.held.put(ids, [scope] * len(ids), [live] * len(ids), self.vectors[ids])
        self.there.update(dict.fromkeys(ids, (scope, live)))

    def drop(self, ids: list[int]) -> None:
        self.held.drop(ids)
        for number in ids:
            self.there.pop(number, None)

    def allowed(self, scopes: tuple[str, ...], live_only: bool) -> set[int]:
        return {each for each, (scope, live) in self.there.items() if scope in scopes and (live or not live_only)}


NUMBERS = st.lists(st.integers(0, RECORDS - 1), min_size=1, max_size=30, unique=True)
PUT = st.tuples(st.just("put"), NUMBERS, st.sampled_from(SCOPES), st.booleans())
DROP = st.tuples(st.just("drop"), NUMBERS, st.just(""), st.just(False))


@settings(deadline=None, max_examples=40)
@given(
    steps=st.lists(st.one_of(PUT, PUT, DROP), min_size=1, max_size=12),
    dimensions=st.sampled_from(DIMENSIONS),
    rounded=st.sampled_from((0, 40, 10**6)),
    halved=st.sampled_from((10, 10**6)),
    expected=st.sampled_from((0, 100)),
    seed=st.integers(0, 2**16),
)
def test_each_vector_is_found_where_it_stands_now(
    steps: list[tuple[str, list[int], str, bool]], dimensions: int, rounded: int, halved: int, expected: int, seed: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("BLOCK", 8), ("MOST_ROUNDED", rounded), ("HALVED_FROM", halved)):
            patch.setattr(vector_codes, name, value)
        chance = np.random.default_rng(seed)
        vectors = chance.standard_normal((RECORDS, dimensions)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        world = World(Codes(dimensions, expected), vectors)
        for step, numbers, scope, live in steps:
            if step == "put":
                world.put(numbers, scope, live)
            else:
                world.drop(numbers)
        for scopes, live_only in (((*SCOPES,), False), (("mine", "work"), True), (("team",), False)):
            allowed = world.allowed(scopes, live_only)
            everything = world.held.nearest(vectors[0], 2 * RECORDS, scopes, live_only=live_only)
            assert sorted(everything) == sorted(allowed)
            for number in sorted(allowed)[:5]:
                nearest = world.held.nearest(vectors[number], 3, scopes, live_only=live_only)
                assert number in nearest
                assert set(nearest) <= allowed


@pytest.mark.parametrize("differing", [2, 10, 1000])
@pytest.mark.parametrize("far", [0.0, 0.5, 0.9999, 1.0])
@pytest.mark.parametrize("most", [1, 50, 5000])
def test_the_least_of_many_are_those_that_counting_all_says(differing: int, far: float, most: int) -> None:
    chance = np.random.default_rng(differing + most)
    distances = chance.integers(0, differing, 4 * vector_codes.SAMPLED).astype(np.uint16)
    distances[chance.random(len(distances)) < far] |= FAR
    near = np.sort(distances[distances < FAR])
    farthest = near[min(most, len(near)) - 1] if len(near) else 0

    found = least(distances, most)
    assert found.tolist() == np.flatnonzero(distances <= farthest).tolist()
