"""The sign codes of many vectors in memory, and the search for those nearest to one.

A code has a bit for each number of its vector. Codes lie word by word, so that one word of many is compared in one
step; a block of them fits the processor's cache. Three steps find what is nearest, each among what the one before it
left: in how many bits codes differ, what a code and the numbers of the asked vector tell of their product, and, as far
as the memory for these is granted, vectors of 8 bits. The exact ones are read by whoever asks, of the last few.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from orca_core.store.sqlite.index.vector_format import Array

FAR = np.uint16(0x8000)
"""More than any two codes differ in."""
SAMPLED = 16_384
"""So many distances say how near the nearest of all are likely to be. Chosen by hand."""
LEVELS = 5
"""To so many bits the numbers of the asked vector are rounded, as RaBitQ does (arXiv 2405.12497)."""


def coded(is_set: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """A bit for each of a row, in so many words a row."""
    bits = np.packbits(is_set, axis=1, bitorder="little")
    codes = np.zeros((len(bits), words * 8), np.uint8)
    codes[:, : bits.shape[1]] = bits
    return codes.view(np.uint64)


def estimated(codes: NDArray[np.uint64], spread: NDArray[np.float32], wanted: Array) -> NDArray[np.float32]:
    """What the products of these vectors with the wanted one are likely to be. Their spread is what the sum of its
    numbers, with the signs of a code, is multiplied by."""
    lowest = wanted.min()
    step = (wanted.max() - lowest) / (2**LEVELS - 1)
    levels = np.rint((wanted - lowest) / (step or 1)).astype(np.uint8)
    asked, counted = np.empty_like(codes), np.empty(codes.shape, np.uint8)
    summed = lowest * np.bitwise_count(codes, out=counted).sum(axis=0, dtype=np.uint16)
    for level in range(LEVELS):
        [plane] = coded((levels >> level & 1)[None] > 0, len(codes))
        np.bitwise_count(np.bitwise_and(codes, plane[:, None], out=asked), out=counted)
        summed += (step * 2**level) * counted.sum(axis=0, dtype=np.uint16)
    products: NDArray[np.float32] = (2 * summed - wanted.sum()) * spread
    return products


def least(distances: NDArray[np.uint16], most: int) -> NDArray[np.intp]:
    """The places of the `most` least distances, and of those that equal the greatest among these; all that are not far
    where these are fewer."""
    if len(distances) > max(SAMPLED, 4 * most):
        # To count all takes longer than to compare them with what a sample says.
        few = distances[:: len(distances) // SAMPLED]
        rank = min(2 * most * len(few) // len(distances) + 1, len(few) - 1)
        near = np.flatnonzero(distances <= np.partition(few, rank)[rank])
        if most <= len(near) < len(distances):
            return near[least(distances[near], most)]
    is_near = distances < FAR
    if most < len(distances):
        is_near &= distances <= np.partition(distances, most - 1)[most - 1]
    return np.flatnonzero(is_near)


T = TypeVar("T", bound=np.generic)
Key = tuple[tuple[str, ...], bool]
"""The scopes that are searched, and whether for live records only."""

BLOCK = 16_384
"""Codes that are compared at once. Chosen by hand: a word of each, and what is counted of it, fit the cache."""
MOST_ROUNDED = 250_000
"""So many vectors are held in 8 bits, too: of 1,024 numbers each, 250 MB. Of more, the codes alone are held."""
GONE = UNKNOWN = -1
HALVED_FROM, FIRST_WORDS = 20_000, 8
"""Among more codes than the first, half of each is compared, but never fewer words than the second; of twice as many as
are wanted, the whole."""
FEWEST, FEWEST_ROUNDED, FEWEST_READ = 600, 250, 150
"""Of so many of the nearest codes among ten thousand the product is estimated, and of more among more, with the root of
how many there are. So many of these are left where they were rounded, or else read, and more with the fourth root. All
are for 1,024 numbers: the code of fewer tells less. `benchmarks/find_speed.py` prints what is found beside an exact
search."""
MOST_MASKS = 4
"""For so many pairs of scopes and states it is held which records may be found: 2 bytes a record. Chosen by hand."""


class Codes:
    """The codes of vectors with so many dimensions, each by the number of its record."""

    def __init__(self, dimensions: int, expected: int = 0) -> None:
        """Twice as many as are expected have room without a copy: that of 250,000 rounded ones takes a third of a
        second. Memory is taken as they come."""
        size = _in_blocks(max(1, 2 * expected))
        self.dimensions = dimensions
        self._words = -(-dimensions // 64)
        self._count = 0
        self._gone = 0
        """So many places are of records that are gone."""
        self._highest = -1
        """The highest number: what is beyond it is new."""
        self._scopes: dict[str, int] = {}
        self._codes: NDArray[np.uint64] = np.zeros((self._words, size), np.uint64)
        self._ids: NDArray[np.int64] = np.zeros(size, np.int64)
        self._of_scope: NDArray[np.int32] = np.zeros(size, np.int32)
        self._live: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self._spread: NDArray[np.float32] = np.zeros(size, np.float32)
        """What the sum of a vector's numbers, as its code has their signs, is multiplied by."""
        self._rounded: NDArray[np.int8] | None = None
        if expected <= MOST_ROUNDED:
            self._rounded = np.zeros((min(size, MOST_ROUNDED), dimensions), np.int8)
        self._scale: NDArray[np.float32] = np.zeros(size, np.float32)
        self._masks: dict[Key, NDArray[np.uint16]] = {}

    def __len__(self) -> int:
        return self._count

    def put(self, ids: Sequence[int], scopes: Sequence[str], live: Sequence[bool], vectors: Array) -> None:
        """Add vectors of unit length, or put them in the place of those that were there."""
        places = self._places(np.array(ids, np.int64))
        self._codes[:, places] = coded(vectors > 0, self._words).T
        self._gone -= int(np.count_nonzero(self._of_scope[places] == GONE))
        self._of_scope[places] = [self._scopes.setdefault(scope, len(self._scopes)) for scope in scopes]
        self._live[places] = live
        sizes = np.abs(vectors)
        self._spread[places] = 1 / sizes.sum(axis=1)
        if self._rounded is not None:
            scale = sizes.max(axis=1) / 127
            self._rounded[places] = np.rint(vectors / scale[:, None])
            self._scale[places] = scale
        self._mark(places)
        self._tidy()

    def drop(self, ids: Collection[int]) -> None:
        """Find these no more."""
        places = self._known(np.array([*ids], np.int64))
        places = places[places != UNKNOWN]
        self._gone += int(np.count_nonzero(self._of_scope[places] != GONE))
        self._of_scope[places] = GONE
        self._mark(places)
        self._tidy()

    def nearest(self, wanted: Array, count: int, scopes: tuple[str, ...], *, live_only: bool) -> list[int]:
        """The numbers of some `count` records whose vectors are nearest, as far as codes and bytes tell; more than
        that where they were not rounded, or are equally far."""
        if not self._count:
            return []
        share, narrow = self._count / 10_000, max(1.0, 1_024 / self.dimensions)
        most = max(2 * count, round(FEWEST * narrow * share**0.5))
        near = self._nearest_codes(coded(wanted[None] > 0, self._words)[0], most, self._mask((scopes, live_only)))
        left = FEWEST_READ if self._rounded is None else FEWEST_ROUNDED
        left = max(count, round(left * narrow * max(1.0, share**0.25)))
        if len(near) > left:
            near = near[np.argpartition(estimated(self._codes[:, near], self._spread[near], wanted), -left)[-left:]]
        if self._rounded is not None and len(near) > count:
            # vecdot stays on this thread: a product of matrices would wake others, which costs ten times as much.
            products = np.vecdot(self._rounded[near].astype(np.float32), wanted) * self._scale[near]
            near = near[np.argpartition(products, -count)[-count:]]
        found: list[int] = self._ids[near].tolist()
        return found

    def _nearest_codes(self, asked: NDArray[np.uint64], most: int, mask: NDArray[np.uint16]) -> NDArray[np.intp]:
        """Where the nearest codes stand. Among many, half of each code first says which are worth the other half."""
        first = max(FIRST_WORDS, self._words // 2) if self._count > HALVED_FROM else self._words
        distances = self._distances(asked[:first], mask)
        if first >= self._words:
            return least(distances, most)
        near = least(distances, 2 * most)
        others = np.bitwise_count(self._codes[first:, near] ^ asked[first:, None])
        return near[least(distances[near] + others.sum(axis=0, dtype=np.uint16), most)]

    def _distances(self, words: NDArray[np.uint64], mask: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """In how many bits the first words of each code differ from these; far more where the mask has it."""
        distances = np.empty(self._count, np.uint16)
        differing = np.empty((len(words), BLOCK), np.uint64)
        counted = np.empty((len(words), BLOCK), np.uint8)
        for begin in range(0, self._count, BLOCK):
            end = min(begin + BLOCK, self._count)
            part, size = distances[begin:end], end - begin
            np.bitwise_xor(self._codes[: len(words), begin:end], words[:, None], out=differing[:, :size])
            np.bitwise_count(differing[:, :size], out=counted[:, :size])
            np.add.reduce(counted[:, :size], axis=0, dtype=np.uint16, out=part)
            np.bitwise_or(part, mask[begin:end], out=part)
        return distances

    def _mask(self, key: Key) -> NDArray[np.uint16]:
        """`FAR` where a record may not be found."""
        held = self._masks.pop(key, None)
        if held is None:
            held = np.full(len(self._ids), FAR)
            held[: self._count] = self._masked(key, slice(0, self._count))
            while len(self._masks) >= MOST_MASKS:
                del self._masks[next(iter(self._masks))]
        self._masks[key] = held  # the latest stands last
        return held

    def _masked(self, key: Key, places: slice | NDArray[np.intp]) -> NDArray[np.uint16]:
        scopes, live_only = key
        of_scope = self._of_scope[places]
        is_found = np.zeros(len(of_scope), np.bool_)
        for scope in scopes:
            if scope in self._scopes:
                is_found |= of_scope == self._scopes[scope]
        if live_only:
            is_found &= self._live[places]
        return np.where(is_found, np.uint16(0), FAR)

    def _mark(self, places: NDArray[np.intp]) -> None:
        for key, mask in self._masks.items():
            mask[places] = self._masked(key, places)

    def _places(self, ids: NDArray[np.int64]) -> NDArray[np.intp]:
        """Where these records stand, or now shall."""
        places = self._known(ids)
        new = np.flatnonzero(places == UNKNOWN)
        self._make_room(len(new))
        places[new] = np.arange(self._count, self._count + len(new))
        self._ids[places[new]] = ids[new]
        self._count += len(new)
        self._highest = max(self._highest, int(ids.max(initial=-1)))
        return places

    def _known(self, ids: NDArray[np.int64]) -> NDArray[np.intp]:
        """Where these records stand; `UNKNOWN` for others."""
        places = np.full(len(ids), UNKNOWN, np.intp)
        if len(ids) and ids.min() <= self._highest:
            there = np.flatnonzero(np.isin(self._ids[: self._count], ids))
            order = np.argsort(ids)
            places[order[np.searchsorted(ids, self._ids[there], sorter=order)]] = there
        return places

    def _make_room(self, count: int) -> None:
        """Half as much again, where it does not suffice; past `MOST_ROUNDED` the rounded vectors are given up."""
        needed = self._count + count
        if needed > MOST_ROUNDED:
            self._rounded = None
        if needed <= len(self._ids):
            return
        size = _in_blocks(max(len(self._ids) * 3 // 2, needed))
        codes = np.zeros((self._words, size), np.uint64)
        codes[:, : self._count] = self._codes[:, : self._count]
        self._codes = codes
        self._ids, self._of_scope = _resized(self._ids, size), _resized(self._of_scope, size)
        self._live, self._spread = _resized(self._live, size), _resized(self._spread, size)
        self._masks.clear()
        if self._rounded is not None:
            self._rounded = _resized(self._rounded, min(size, MOST_ROUNDED))
            self._scale = _resized(self._scale, size)

    def _tidy(self) -> None:
        """Put away what is gone, where that is much: it takes a tenth of a second for a million."""
        if self._gone <= max(BLOCK, self._count // 4):
            return
        kept = np.flatnonzero(self._of_scope[: self._count] != GONE)
        count = len(kept)
        for word in self._codes:
            word[:count] = word[kept]
        for held in (self._ids, self._of_scope, self._live, self._spread):
            held[:count] = held[kept]
        if self._rounded is not None:
            self._rounded[:count], self._scale[:count] = self._rounded[kept], self._scale[kept]
        self._of_scope[count:] = 0
        self._count, self._gone = count, 0
        self._masks.clear()


def _in_blocks(count: int) -> int:
    return -(-count // BLOCK) * BLOCK


def _resized(held: NDArray[T], size: int) -> NDArray[T]:
    resized = np.zeros((size, *held.shape[1:]), held.dtype)
    resized[: len(held)] = held[:size]
    return resized
