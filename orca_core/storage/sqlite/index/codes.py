"""The sign codes of many vectors in memory, and the search for those nearest to one.

A code has a bit for each number of its vector. Codes lie word by word, so that one word of many is compared in one
step; a block of them fits the processor's cache. What is nearest by codes is put in order by vectors of 8 bits, as far
as the memory for these is granted: the exact ones are read by whoever asks, of the last few.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from orca_core.storage.sqlite.index.float16 import Array

T = TypeVar("T", bound=np.generic)

BLOCK = 16_384
"""Codes that are compared at once. Chosen by hand: a word of each, and what is counted of it, fit the cache."""
MOST_ROUNDED = 250_000
"""So many vectors are held in 8 bits, too: of 1,024 numbers each, 250 MB. Of more, the codes alone are held."""
NEVER = np.uint16(0xFFFF)
HALVED_FROM, WORTH_ANOTHER_LOOK = 20_000, 6
"""Among more codes than the first, half of each is compared, and of so many times as many as are wanted the whole."""
FEWEST = 400
"""So many of the nearest codes are looked at again among ten thousand, and more among more: with the root of how many
there are. `benchmarks/find_speed.py` prints what is found beside an exact search."""
FEWEST_READ = 150
"""The same where they were not rounded, so that the exact vector of each must be read: at a million 54 ms instead of
103, and 0.996 of the nearest ten instead of all."""


class Codes:
    """The codes of vectors with so many dimensions, each by the number of its record."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._words = -(-dimensions // 64)
        self._count = 0
        self._in_order = 0
        """So many of the first are in the order of their numbers."""
        self._late: dict[int, int] = {}
        """Where the others are."""
        self._scopes: dict[str, int] = {}
        self._codes: NDArray[np.uint64] = np.zeros((self._words, BLOCK), np.uint64)
        self._ids: NDArray[np.int64] = np.zeros(BLOCK, np.int64)
        self._of_scope: NDArray[np.int32] = np.zeros(BLOCK, np.int32)
        self._live: NDArray[np.bool_] = np.zeros(BLOCK, np.bool_)
        self._rounded: NDArray[np.int8] | None = np.zeros((BLOCK, dimensions), np.int8)
        self._scale: NDArray[np.float32] = np.zeros(BLOCK, np.float32)
        self._wanted: dict[tuple[tuple[str, ...], bool], NDArray[np.bool_]] = {}

    def __len__(self) -> int:
        return self._count

    def put(self, ids: Sequence[int], scopes: Sequence[str], live: Sequence[bool], vectors: Array) -> None:
        """Add vectors of unit length, or put them in the place of those that were there."""
        places = np.array([self._place(number) for number in ids], np.intp)
        codes = np.zeros((len(ids), self._words * 8), np.uint8)
        bits = np.packbits(vectors > 0, axis=1, bitorder="little")
        codes[:, : bits.shape[1]] = bits
        self._codes[:, places] = codes.view(np.uint64).T
        self._of_scope[places] = [self._scopes.setdefault(scope, len(self._scopes)) for scope in scopes]
        self._live[places] = live
        if self._rounded is not None:
            scale = np.abs(vectors).max(axis=1) / 127
            self._rounded[places] = np.rint(vectors / scale[:, None])
            self._scale[places] = scale
        self._wanted.clear()

    def drop(self, ids: Collection[int]) -> None:
        """Find these no more."""
        places = [place for number in ids if (place := self._known(number)) is not None]
        self._of_scope[places] = -1
        self._wanted.clear()

    def nearest(self, wanted: Array, count: int, scopes: tuple[str, ...], *, live_only: bool) -> list[int]:
        """The numbers of some `count` records whose vectors are nearest, as far as codes and bytes tell; more than
        that where they were not rounded, or are equally far."""
        if not self._count:
            return []
        fewest = FEWEST if self._rounded is not None else FEWEST_READ
        most = max(count, fewest, round(fewest * (self._count / 10_000) ** 0.5))
        near = self._nearest_codes(wanted, most, self._mask(scopes, live_only=live_only))
        if self._rounded is not None and len(near) > count:
            # vecdot stays on this thread: a product of matrices would wake others, which costs ten times as much.
            products = np.vecdot(self._rounded[near].astype(np.float32), wanted) * self._scale[near]
            near = near[np.argpartition(products, -count)[-count:]]
        found: list[int] = self._ids[near].tolist()
        return found

    def _nearest_codes(self, wanted: Array, most: int, mask: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Where the nearest codes stand. Among many, half of each code first says which are worth the other half."""
        asked = np.zeros(self._words * 8, np.uint8)
        bits = np.packbits(wanted > 0, bitorder="little")
        asked[: len(bits)] = bits
        words = asked.view(np.uint64)
        first = self._words // 2 if self._count > HALVED_FROM else self._words
        distances = self._distances(words[:first])
        distances[~mask] = NEVER
        if first == self._words:
            return _least(distances, most)
        near = _least(distances, WORTH_ANOTHER_LOOK * most)
        whole = distances[near]
        for word in range(first, self._words):
            whole += np.bitwise_count(self._codes[word, near] ^ words[word])
        return near[_least(whole, most)]

    def _distances(self, words: NDArray[np.uint64]) -> NDArray[np.uint16]:
        """In how many bits the first words of each code differ from these."""
        distances = np.zeros(self._count, np.uint16)
        differing, counted = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint8)
        for begin in range(0, self._count, BLOCK):
            end = min(begin + BLOCK, self._count)
            part, size = distances[begin:end], end - begin
            for number, word in enumerate(words):
                np.bitwise_xor(self._codes[number, begin:end], word, out=differing[:size])
                np.bitwise_count(differing[:size], out=counted[:size])
                np.add(part, counted[:size], out=part)
        return distances

    def _mask(self, scopes: tuple[str, ...], *, live_only: bool) -> NDArray[np.bool_]:
        """Which records may be found."""
        if (scopes, live_only) not in self._wanted:
            numbers = [self._scopes[scope] for scope in scopes if scope in self._scopes]
            mask = np.isin(self._of_scope[: self._count], numbers)
            self._wanted[scopes, live_only] = mask & self._live[: self._count] if live_only else mask
        return self._wanted[scopes, live_only]

    def _place(self, number: int) -> int:
        """Where this record stands, or now shall."""
        known = self._known(number)
        if known is not None:
            return known
        place = self._count
        if place == len(self._ids):
            self._grow()
        if place == self._in_order and (not place or self._ids[place - 1] < number):
            self._in_order += 1
        else:
            self._late[number] = place
        self._ids[place] = number
        self._count += 1
        return place

    def _known(self, number: int) -> int | None:
        ordered = self._ids[: self._in_order]
        place = int(np.searchsorted(ordered, number))
        if place < self._in_order and ordered[place] == number:
            return place
        return self._late.get(number)

    def _grow(self) -> None:
        """Half as much again; past `MOST_ROUNDED` the rounded vectors are given up."""
        size = -(-(len(self._ids) * 3 // 2) // BLOCK) * BLOCK
        codes = np.zeros((self._words, size), np.uint64)
        codes[:, : self._count] = self._codes[:, : self._count]
        self._codes = codes
        self._ids, self._of_scope = _resized(self._ids, size), _resized(self._of_scope, size)
        self._live, self._scale = _resized(self._live, size), _resized(self._scale, size)
        if self._rounded is not None:
            self._rounded = _resized(self._rounded, size) if self._count < MOST_ROUNDED else None


def _resized(held: NDArray[T], size: int) -> NDArray[T]:
    larger = np.zeros((size, *held.shape[1:]), held.dtype)
    larger[: len(held)] = held
    return larger


def _least(distances: NDArray[np.uint16], most: int) -> NDArray[np.intp]:
    """The places of the `most` least distances, and of those that equal the greatest among these."""
    reached = np.cumsum(np.bincount(distances, minlength=int(NEVER) + 1)[:-1])
    farthest = min(int(np.searchsorted(reached, most)), len(reached) - 1)
    return np.flatnonzero(distances <= farthest)
